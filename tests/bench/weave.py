"""How long weaving takes, and what a turn writes, as the archive grows: `python -m tests.bench.weave`."""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final

from core.slices.codec import encode
from core.slices.model import ACTIVE, CLOSED, Slice, Turn, core_path
from core.slices.store import Slices
from core.storage.base import Write, version_of
from core.storage.local import LocalStorage
from core.storage.os_disk import OsDisk
from core.timeline.projections import Projections
from tests.bench.archive import Grounds
from tests.bench.figure import Cost, Figure, ms
from tests.doubles.clock import ManualClock

if TYPE_CHECKING:
    from collections.abc import Awaitable, Iterator, Sequence

    from core.storage.base import Change

SIZES: Final = (100, 10_000, 50_000)
TOPICS: Final = tuple(f"topic {number}" for number in range(400))
FIRST: Final = datetime(2016, 1, 3, 7, 0, tzinfo=UTC)
LAST: Final = datetime(2026, 3, 9, 20, 0, tzinfo=UTC)


def archive(home: Path, count: int) -> None:
    """Slices of eight turns, spread evenly over ten years, with three of four hundred topics each."""
    step = (LAST - FIRST) / count
    for number in range(count):
        moment = FIRST + step * number
        slice_id = f"{moment:%Y-%m-%d-%H%M}"
        path = home / core_path(slice_id)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(encode(piece(slice_id, moment, number)).encode())


def piece(slice_id: str, moment: datetime, number: int) -> Slice:
    """A closed slice."""
    stamps = [f"{moment + timedelta(seconds=40 * place):%Y-%m-%dT%H:%M:%S}.000Z" for place in range(8)]
    turns = tuple(
        Turn(f"t{place // 2}AAAA", stamp, ("user", "agent")[place % 2], f"Words {place} about it. " * 12)
        for place, stamp in enumerate(stamps)
    )
    tags = tuple(TOPICS[(number * prime) % len(TOPICS)] for prime in (7, 31, 101))
    focus = f"Talk {number}: the choir book and the flat"
    summary = "What she decided about the flat, whom she asked and what is still open."
    return Slice(
        slice_id, CLOSED, stamps[0], stamps[-1], "Europe/Lisbon", focus, summary, tags=tags, emotional_tone="mixed",
        closed_by="time_silence", turns=turns,
    )  # fmt: skip


def figures(grounds: Grounds, sizes: Sequence[int] = SIZES) -> Iterator[Figure]:
    """Weaving beside a mere look at all slices, and the projections of a turn beside those of the smallest archive."""
    small: dict[str, float] = {}
    for count in sizes:
        home = grounds.room(f"weave-{count}")
        archive(home, count)
        floor = 0.0
        for name, spent, written in asyncio.run(measure(home, count)):
            told = f"{ms(spent.wall)}, {ms(spent.cpu)} CPU" + (f", {written}" if written else "")
            floor = floor or spent.cpu
            base = small.setdefault(name, spent.cpu) if written else floor
            yield Figure(f"{name}, {count:,} slices", told, spent.cpu / base)


async def measure(home: Path, count: int) -> list[tuple[str, Cost, str]]:
    """What each way to weave costs, and each kind of turn, with what it writes."""
    storage, clock = LocalStorage(OsDisk(home)), ManualClock("2026-03-10T09:00:00+00:00")
    projections = Projections(storage, Slices(storage), clock)
    found = [
        ("look at all slices", await spent(Slices(storage).survey()), ""),
        ("rebuild", await spent(projections.rebuild()), ""),
        ("weave again", await spent(projections.weave(force=True)), ""),
        ("weave, throttled", await spent(projections.weave()), ""),
    ]
    projections = Projections(storage, Slices(storage), clock)
    found.append(("weave after a restart", await spent(projections.weave(force=True)), ""))
    slice_id = "2026-03-10-0900"
    newborn = replace(piece(slice_id, clock.now(), count), status=ACTIVE, end="", focus="", summary="", tags=())
    await put(storage, newborn)
    found.append(await turn("a birth", projections.after_turn([slice_id], born=[slice_id])))
    tagged = replace(newborn, tags=("topic 3", "something new"))
    await put(storage, tagged)
    found.append(await turn("a new tag", projections.after_turn([slice_id])))
    found.append(await turn("nothing new", projections.after_turn([slice_id])))
    await put(storage, replace(tagged, status=CLOSED, focus="Closed", end=tagged.turns[-1].at))
    found.append(await turn("a close", projections.after_turn([], closed=[slice_id])))
    return found


async def put(storage: LocalStorage, changed: Slice) -> None:
    """Write a slice over what stands there."""
    path = core_path(changed.id)
    standing = any(entry.name == "core.md" for entry in await storage.list(path.rpartition("/")[0]))
    version = version_of((await storage.read(path)).data) if standing else None
    await storage.commit([Write(path, encode(changed).encode(), version)], "bench")


async def spent(work: Awaitable[object]) -> Cost:
    """What it costs."""
    wall, cpu = time.perf_counter(), time.process_time()
    await work
    return Cost(time.perf_counter() - wall, time.process_time() - cpu)


async def turn(name: str, work: Awaitable[Sequence[Change]]) -> tuple[str, Cost, str]:
    """What the projections of a turn cost, and how many files and bytes they write."""
    wall, cpu = time.perf_counter(), time.process_time()
    changes = await work
    cost = Cost(time.perf_counter() - wall, time.process_time() - cpu)
    written = [len(change.data) for change in changes if isinstance(change, Write)]
    return name, cost, f"{len(written)} files, {sum(written) / 1000:.0f} kB"


def main() -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as folder:
        for figure in figures(Grounds(Path(folder))):
            sys.stdout.write(f"{figure.line()}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
