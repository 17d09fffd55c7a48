"""An inbox without a memory behind it: it keeps what comes in and answers by a script, one message at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from core.conversation import Finished, Paged, TextAdded
from core.document import Document, Text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.conversation import Incoming, Platform, Presenter
    from core.errors import StorageError

Answer = Callable[["Presenter", "Incoming"], Awaitable[None]]


class Notes:
    """An outbox in memory."""

    def __init__(self, sent: dict[tuple[str, int], str] | None = None) -> None:
        self.notes = dict(sent or {})

    def sent(self, turn: str, part: int) -> str | None:
        return self.notes.get((turn, part))

    async def note(self, turn: str, part: int, message: str) -> None:
        self.notes[turn, part] = message


class EchoInbox:
    """Answers talk with `echo: <text>` and a command with a page, unless `answers` has a script for that text.

    `refusals` are raised by as many calls of `accept`, one after another. `run` answers until cancelled.
    """

    def __init__(self, answers: dict[str, Answer] | None = None) -> None:
        self.kept: list[Incoming] = []
        self.log: list[str] = []
        self.refusals: list[StorageError] = []
        self.outbox = Notes()
        self.running: asyncio.Task[None] | None = None
        self._answers = answers or {}
        self._open: asyncio.Queue[Incoming] = asyncio.Queue()

    async def accept(self, updates: Sequence[Incoming]) -> None:
        if self.refusals:
            raise self.refusals.pop(0)
        for incoming in updates:
            self.kept.append(incoming)
            self.log.append(f"kept {incoming.text}")
            self._open.put_nowait(incoming)

    async def stop(self) -> bool:
        if self.running is None:
            return False
        self.running.cancel()
        return True

    async def run(self, platform: Platform) -> None:
        async with asyncio.TaskGroup() as group:
            while True:
                incoming = await self._open.get()
                presenter = platform.presenter(incoming.chat, f"turn{len(self.log)}", self.outbox)
                self.running = group.create_task(self._answer(presenter, incoming))
                await asyncio.wait([self.running])
                self.running = None

    async def _answer(self, presenter: Presenter, incoming: Incoming) -> None:
        self.log.append(f"answering {incoming.text}")
        try:
            await self._answers.get(incoming.text, echo)(presenter, incoming)
        except asyncio.CancelledError:
            await presenter.show(Finished(page("the part that was written")))
            raise


async def echo(presenter: Presenter, incoming: Incoming) -> None:
    if incoming.text.startswith("/"):
        await presenter.show(Paged(page(f"page of {incoming.text}")))
        return
    for piece in ("echo: ", incoming.text):
        await presenter.show(TextAdded(piece))
    await presenter.show(Finished(page(f"echo: {incoming.text}")))


def page(markdown: str) -> Document:
    return Document((Text(markdown),))
