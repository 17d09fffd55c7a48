"""Ten thousand turns in one process: memory, descriptors and tasks beside what they were after a thousand.

Runs only when it is named: `make soak`. The model echoes, the disk is the real one, and every tenth turn the clock of
the process ticks, so that everything that is done between turns is part of it.
"""

from __future__ import annotations

import asyncio
import gc
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from core.storage.os_disk import OsDisk
from tests.bench.figure import Figure
from tests.bench.turning import living, rested, said

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bot.house import House
    from tests.bench.archive import Grounds
    from tests.doubles.chat import World

APART: Final = True
"""Not among what is measured when nothing is named."""

FIRST: Final = 1_000
LAST: Final = 10_000
STEP: Final = 1_000
PAUSE: Final = (40.0, 1_200.0)
"""Seconds between two turns of a talk, and between two talks."""

TALK: Final = 8
"""Turns of a talk."""


@dataclass(frozen=True)
class Weight:
    """What a process weighs after so many turns: resident bytes, open descriptors, tasks, bytes of the journal."""

    turns: int
    resident: int
    descriptors: int
    tasks: int
    journal: int

    @property
    def told(self) -> str:
        journal = f"journal {self.journal / 1024:.0f} KB"
        return f"{self.resident / 2**20:.1f} MB, {self.descriptors} descriptors, {self.tasks} tasks, {journal}"


def figures(grounds: Grounds) -> Iterator[Figure]:
    """The weights, each beside that after the first thousand turns."""
    found = asyncio.run(soak(grounds.room("soak")))
    base = next(one for one in found if one.turns == FIRST)
    for one in found:
        yield Figure(
            f"resident after {one.turns:,} turns / after {FIRST:,}", one.told, one.resident / base.resident, 1.1
        )


async def soak(home: Path, last: int = LAST, step: int = STEP) -> list[Weight]:
    """Live through that many turns and weigh the process at every step."""
    disk, found = OsDisk(home), []
    async with living(disk) as (house, world):
        await house.recover()
        await house.tidy()
        for number in range(1, last + 1):
            world.clock.shift(PAUSE[0] if number % TALK else PAUSE[1])
            await said(house, world, f"message {number}: what shall we bake with the apples of week {number % 52}?")
            await rested(house)
            if number % 10 == 0:
                await house.schedule.tick(world.clock.now())
                await _round(house)
            _forget(world)
            if number % step == 0:
                found.append(weigh(number, house))
    disk.shut()
    return found


def weigh(turns: int, house: House) -> Weight:
    """What this process weighs now."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return Weight(
        turns,
        pages * os.sysconf("SC_PAGE_SIZE"),
        len(os.listdir("/proc/self/fd")),  # noqa: PTH208 - their number alone
        len(asyncio.all_tasks()),
        house.parts.journal.size,
    )


async def _round(house: House) -> None:
    while not house.rounds.resting:  # noqa: ASYNC110 - nobody tells
        await asyncio.sleep(0)  # noqa: TID251 - giving way, not waiting


def _forget(world: World) -> None:
    """The chat is not what is weighed."""
    world.history.clear()
    world.messages.clear()
