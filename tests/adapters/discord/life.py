"""Lives of a bot on the double, made to be killed: `python -m tests.adapters.discord.life HOME API GATEWAY BEGAN`.

It has everything imported, and forks a life for every line that it reads; it prints the pid, and `dead` in the end.
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from adapters.discord.client import Discord
from adapters.discord.commands import Command
from bot.house import Given, House, build
from core.config.values import BOT_PATH
from core.document import Document
from core.i18n import load_words
from core.storage.local import LocalStorage
from core.storage.os_disk import OsDisk
from tests.adapters.discord.host import Owned
from tests.bot.living import Worker
from tests.doubles.discord.world import TOKEN
from tests.doubles.echo_model import EchoModel
from tests.doubles.quick_clock import QuickClock
from tests.tree import ROOT

SPEED = 20.0


def main(home: Path, api_url: str, gateway_url: str, began: str) -> None:
    words = load_words(ROOT / "locales")
    place = home / BOT_PATH
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text('{"timezone": "UTC"}', encoding="utf-8")  # nobody is asked for it
    for _ in sys.stdin:
        pid = os.fork()
        if not pid:
            clock = QuickClock(speed=SPEED)
            clock._began = float(began)
            disk = OsDisk(home)
            storage = LocalStorage(disk)
            given = Given(disk, storage, clock, EchoModel(), words, worker=Worker(), sweep=storage.sweeping)
            asyncio.run(live(build(given), clock, api_url, gateway_url))
            os._exit(0)
        sys.stdout.write(f"{pid}\n")
        sys.stdout.flush()
        os.waitpid(pid, 0)
        sys.stdout.write("dead\n")
        sys.stdout.flush()


async def live(house: House, clock: QuickClock, api_url: str, gateway_url: str) -> None:
    platform = Discord(
        token=TOKEN,
        owners=Owned(),
        words=house.parts.words,
        clock=clock,
        stop=house.queues.stop,
        known=house.commands.known,
        last=lambda channel: house.parts.journal.state.cursors.get(f"dc:{channel}"),
        commands=[Command("help")],
        tell=silent,
        introduce=lambda name: None,
        beat=lambda: None,
        welcome=lambda person, words: Document(),
        api_url=api_url,
        gateway_url=gateway_url,
    )
    house.queues.join({"discord": platform})
    await house.recover()
    async with asyncio.TaskGroup() as group:
        group.create_task(house.queues.serve())
        group.create_task(platform.serve(house.door))


async def silent(text: str) -> None:
    """Nobody is told."""


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:5])
