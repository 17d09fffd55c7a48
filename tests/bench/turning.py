"""One turn's own cost, with an instant model on a real disk, beside writing the same bytes with as many fsyncs."""

from __future__ import annotations

import asyncio
import os
import time
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from bot.house import Given, House, build
from core.i18n import load_words
from core.storage.local import LocalStorage
from core.storage.os_disk import OsDisk
from tests.bench.figure import Cost, Figure, cost, middle, ms
from tests.doubles.chat import Chat, World
from tests.doubles.clock import ManualClock
from tests.doubles.echo_model import EchoModel
from tests.tree import ROOT

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Sequence
    from pathlib import Path

    from tests.bench.archive import Grounds

SIZES = (100, 10_000)
TURNS = 60
WARM = 5


class Tally(OsDisk):
    """The real disk, noting what is written and flushed."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.deeds: list[int] = []

    def write(self, handle: int, data: bytes) -> None:
        self.deeds.append(len(data))
        super().write(handle, data)

    def sync(self, handle: int) -> None:
        self.deeds.append(-1)
        super().sync(handle)

    def sync_file(self, path: str) -> None:
        self.deeds.append(-1)
        super().sync_file(path)

    def sync_folder(self, path: str) -> None:
        self.deeds.append(-1)
        super().sync_folder(path)


@dataclass
class Measured:
    """Turns, each beside its floor, measured by turns so that both meet the same disk."""

    turns: list[Cost] = field(default_factory=list)
    floors: list[Cost] = field(default_factory=list)
    flushes: list[int] = field(default_factory=list)
    written: list[int] = field(default_factory=list)
    after: list[Cost] = field(default_factory=list)
    """What was done once nobody waited: after most turns nothing, after a slice has closed marks and the timeline."""


def figures(grounds: Grounds) -> Iterator[Figure]:
    beside = grounds.room("beside")
    measured = {size: asyncio.run(measure(grounds.home(size), beside)) for size in SIZES}
    for size, found in measured.items():
        turn, floor = middle(found.turns), middle(found.floors)
        flushes, written = max(found.flushes), sum(found.written) // len(found.written)
        told = f"{ms(floor.wall)}; {flushes} fsyncs, {written} bytes"
        yield Figure(f"floor of a turn at {size:,} slices", told, 1.0)
        told = f"{ms(turn.wall)}, {ms(turn.cpu)} CPU"
        yield Figure(f"a turn at {size:,} slices / its bytes and fsyncs", told, turn.wall / floor.wall, 3)
    few, many = (middle(measured[size].turns) for size in SIZES)
    yield Figure("a turn at 10,000 slices / at 100, CPU", f"{ms(many.cpu)} / {ms(few.cpu)}", many.cpu / few.cpu, 1.2)
    most = max((one for one in measured[SIZES[1]].after), key=lambda one: one.cpu)
    told = f"{ms(most.wall)}, {ms(most.cpu)} CPU"
    yield Figure("after a close at 10,000 slices, while nobody waits", told, most.cpu / many.cpu)
    told = f"{ms(many.wall)} / {ms(few.wall)}"
    yield Figure("a turn at 10,000 slices / at 100, wall", told, many.wall / few.wall, 1.2)


async def measure(home: Path, beside: Path) -> Measured:
    """Live through some turns on that archive."""
    found, disk = Measured(), Tally(home)
    async with living(disk) as (house, world):
        await house.recover()
        await house.tidy()  # as every process does beside the talk; it is no part of a turn
        for number in range(WARM + TURNS):
            world.clock.shift(30)
            disk.deeds.clear()
            turn = await said(house, world, f"message {number}: what shall we bake with the apples of this week?")
            deeds = list(disk.deeds)
            found.after.append(await rested(house))
            floor = cost(partial(again, beside, deeds))
            if number >= WARM:
                found.turns.append(turn)
                found.floors.append(floor)
                found.flushes.append(deeds.count(-1))
                found.written.append(sum(deed for deed in deeds if deed > 0))
    disk.shut()
    return found


@asynccontextmanager
async def living(disk: OsDisk) -> AsyncIterator[tuple[House, World]]:
    """A house that serves a chat."""
    clock = ManualClock(instant=True)
    house = build(Given(disk, LocalStorage(disk), clock, EchoModel(), load_words(ROOT / "locales")))
    world = World(clock)
    world.reopen()
    chat = Chat(world)
    house.queues.join({"double": chat})
    async with asyncio.TaskGroup() as group:
        serving = [group.create_task(house.queues.serve()), group.create_task(chat.serve(house.door))]
        yield house, world
        for task in serving:
            task.cancel()
    house.shut()


async def said(house: House, world: World, text: str) -> Cost:
    """Say something and wait until nothing is open."""
    wall, cpu = time.perf_counter(), time.process_time()
    world.say(text)
    while world.queue or not house.parts.journal.state.idle:  # noqa: ASYNC110 - nobody tells
        await asyncio.sleep(0)  # noqa: TID251 - giving way, not waiting
    return Cost(time.perf_counter() - wall, time.process_time() - cpu)


async def rested(house: House) -> Cost:
    """Let what follows the end of a slice be done, as it is while a person reads; what that costs."""
    wall, cpu = time.perf_counter(), time.process_time()
    while house.maintenance.due:  # noqa: ASYNC110 - nobody tells
        await asyncio.sleep(0)  # noqa: TID251 - giving way, not waiting
    return Cost(time.perf_counter() - wall, time.process_time() - cpu)


def again(folder: Path, deeds: Sequence[int]) -> None:
    """Write as many bytes in as many pieces, with as many fsyncs, into one file."""
    handle = os.open(folder / "floor", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    for deed in deeds:
        if deed < 0:
            os.fsync(handle)
        else:
            os.write(handle, b"x" * deed)
    os.close(handle)
