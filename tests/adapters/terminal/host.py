"""A process around the terminal with an echo for a memory: `python -m tests.adapters.terminal.host`."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from adapters.terminal.client import Terminal
from core.clock import SystemClock
from core.i18n import load_words
from tests.doubles.echo_inbox import EchoInbox


async def main() -> int:
    inbox = EchoInbox()
    terminal = Terminal(
        input=sys.stdin,
        output=sys.stdout,
        words=load_words(Path("locales"))["en"],
        clock=SystemClock(),
        stop=inbox.stop,
        known=nothing,
    )
    async with asyncio.TaskGroup() as group:
        answering = group.create_task(inbox.run(terminal))
        await terminal.serve(inbox)
        answering.cancel()
    return terminal.exit_code


async def nothing(command: str) -> list[str]:
    return []


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
