"""The house of one person behind a platform: a disk that outlives processes, and one process after another on it."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bot.house import Given, House, build
from core.config.values import BOT_PATH
from core.i18n import load_words
from core.slices.codec import decode
from core.storage.local import LocalStorage
from tests.bot.living import Worker
from tests.doubles.quick_clock import QuickClock
from tests.doubles.sim_disk import SimDisk
from tests.tree import ROOT

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from core.conversation import Platform
    from core.llm.base import ChatModel
    from core.slices.model import Slice

WORDS = load_words(ROOT / "locales")
LIMIT = 20.0


async def until(true: Callable[[], object]) -> None:
    """Give way until it is so; raises TimeoutError."""
    async with asyncio.timeout(LIMIT):
        while not true():  # noqa: ASYNC110 - what is waited for happens at the other end of a socket
            await asyncio.sleep(0.002)  # noqa: TID251 - a few milliseconds


def settled() -> SimDisk:
    """A disk on which the person's zone stands, so that nobody asks for it."""
    disk = SimDisk()
    disk.plant(BOT_PATH, b'{"timezone": "UTC"}')
    return disk


@dataclass
class Home:
    """What outlives a process."""

    model: ChatModel
    clock: QuickClock = field(default_factory=lambda: QuickClock(speed=30.0))
    disk: SimDisk = field(default_factory=settled)
    house: House | None = None

    @asynccontextmanager
    async def process(self, *made: Callable[[House], Platform]) -> AsyncIterator[House]:
        """One process: it recovers, serves its platforms, and is broken off without a goodbye."""
        storage = LocalStorage(self.disk)
        given = Given(self.disk, storage, self.clock, self.model, WORDS, "UTC", worker=Worker(), sweep=storage.sweeping)
        self.house = house = build(given)
        platforms = [make(house) for make in made]
        house.queues.join({platform.surface: platform for platform in platforms})
        async with asyncio.TaskGroup() as group:
            await house.recover()
            serving = [group.create_task(house.queues.serve())]
            serving += [group.create_task(platform.serve(house.door)) for platform in platforms]
            yield house
            for task in serving:
                task.cancel()
        house.parts.journal.close()

    async def idle(self) -> None:
        """Wait until nothing is open."""
        await until(lambda: self.house and self.house.parts.journal.state.idle)

    def slices(self) -> list[Slice]:
        """The slices as they are on the disk, oldest first."""
        tree = self.disk.tree()
        return [decode(tree[path], path) for path in sorted(tree) if path.endswith("/core.md")]

    def turns(self, role: str) -> list[str]:
        """What was said by that side, oldest first."""
        return [turn.text for piece in self.slices() for turn in piece.turns if turn.role == role]

    async def answered(self, count: int) -> None:
        """Wait until so many answers are kept and nothing is open."""
        await until(lambda: len(self.turns("agent")) >= count)
        await self.idle()
