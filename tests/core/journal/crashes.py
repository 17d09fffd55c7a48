"""A story told to the journal through crashes: after each, nothing acknowledged may be missing and nothing torn.

The oracle is exact: what a restarted journal knows must equal the fold of a prefix of the story's records, at least as
long as what was acknowledged and at most as long as what was tried.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from core.errors import DiskLost, PreviouslyError, StorageError
from core.journal.journal import Journal
from core.journal.state import State
from core.storage.disk import Disk
from tests.doubles.clock import ManualClock
from tests.doubles.fault_disk import HALF, KILL, Fault, Killed
from tests.doubles.sim_disk import SimDisk

if TYPE_CHECKING:
    from core.journal.records import Record

COMPACT_ABOVE = 900
Opener = Callable[[Disk], Journal]
_T = TypeVar("_T")


class Broken(AssertionError):
    """The promise does not hold."""


def plainly(disk: Disk) -> Journal:
    """The journal as the bot opens it, save that it compacts much earlier."""
    return Journal.open(disk, ManualClock(), compact_above=COMPACT_ABOVE)


def tell(line: str) -> None:
    """Put a figure into the test's output (pytest -rP shows it)."""
    sys.stdout.write(f"{line}\n")


@dataclass
class Progress:
    """How many of the story's records were acknowledged, and how many were tried, over all processes."""

    acked: int = 0
    tried: int = 0


@dataclass
class Tally:
    """How many ends were looked at, and how many of them broke the promise."""

    states: int = 0
    bad: int = 0
    first: str = ""

    def add(self, where: str, look: Callable[[], object]) -> None:
        """Look at one end. Whatever goes wrong there counts as broken: a mutant may fail in any way."""
        self.states += 1
        try:
            look()
        except (Broken, PreviouslyError, OSError) as error:
            self.bad += 1
            self.first = self.first or f"{where}: {error!r}"


class Story:
    """Batches of records, and what the journal must know after each record."""

    def __init__(self, batches: Sequence[Sequence[Record]], make: Opener = plainly) -> None:
        self.records = [record for batch in batches for record in batch]
        self._make = make
        self._ends = list(_ends(batches))
        state = State()
        self._known = [state.snapshot()]
        for record in self.records:
            state.apply(record)
            self._known.append(state.snapshot())

    def begin(self, disk: Disk, progress: Progress) -> tuple[Journal, int]:
        """Open the journal and say how far the story has got; raises `Broken`."""
        journal = self._make(disk)
        if journal.notices:
            raise Broken(f"damage where there was only a crash: {journal.notices}")
        known = journal.state.snapshot()
        for told in range(progress.tried, progress.acked - 1, -1):
            if self._known[told] == known:
                return journal, told
        raise Broken(f"not what records {progress.acked} to {progress.tried} add up to: {known!r:.400}")

    def live(self, disk: Disk, progress: Progress) -> None:
        """One process: open, tell the rest of the story batch by batch, stop in order."""
        journal, told = self.begin(disk, progress)
        progress.acked = progress.tried = told
        for end in (end for end in self._ends if end > told):
            progress.tried = end
            journal.append(*self.records[progress.acked : end])
            progress.acked = end
        journal.bye()
        journal.close()

    def finish(self, disk: Disk, progress: Progress) -> None:
        """The last process must bring the story to its end, and one more must find it so."""
        self.live(disk, progress)
        journal, told = self.begin(disk, progress)
        if told != len(self.records) or not journal.clean:
            raise Broken(f"ended at record {told} of {len(self.records)}, clean: {journal.clean}")

    def operations(self) -> list[str]:
        """The names of all operations of a process that nobody disturbs."""
        disk = SimDisk()
        self.live(disk, Progress())
        return disk.fuse.names


def _ends(batches: Sequence[Sequence[Record]]) -> Iterator[int]:
    end = 0
    for batch in batches:
        end += len(batch)
        yield end


def deaths(
    story: Story, disk: SimDisk, before: Progress, limit: int | None = None
) -> Iterator[tuple[SimDisk, Progress]]:
    """Every way in which the next process may die on that disk: before each operation, and in the middle of a write.

    Each comes with the dead process' disk and what had been acknowledged. `limit` looks at the first operations only.
    """
    for fault in (KILL, HALF):
        k = 0
        while limit is None or k < limit:
            k += 1
            mine, progress = disk.kill_image(), Progress(before.acked, before.tried)
            mine.fail_at(k, fault)
            if not _dies(story, mine, progress):
                break
            if fault is KILL or mine.fuse.names[-1] == "write":
                yield mine, progress


def _dies(story: Story, disk: SimDisk, progress: Progress) -> bool:
    try:
        story.live(disk, progress)
    except Killed:
        return True
    return False


def explore_kills(story: Story) -> Tally:
    """kill -9 at every operation, then a process that goes on."""
    tally = Tally()
    for dead, progress in deaths(story, SimDisk(), Progress()):
        tally.add(_where(dead), lambda d=dead, p=progress: story.finish(d.kill_image(), p))  # type: ignore[misc]
    return tally


def explore_power_cuts(story: Story, most: int = 64) -> Tally:
    """A power cut at every operation, with everything it may leave."""
    tally = Tally()
    for dead, progress in deaths(story, SimDisk(), Progress()):
        _cut(story, tally, dead, progress, most)
    return tally


def explore_two_crashes(story: Story, *, within: int | None, most: int) -> tuple[Tally, Tally]:
    """kill -9 at every operation, then within the next process' first operations another kill, or a power cut."""
    kills, cuts = Tally(), Tally()
    for dead, progress in deaths(story, SimDisk(), Progress()):
        try:
            for again, now in deaths(story, dead.kill_image(), progress, within):
                kills.add(_where(dead, again), lambda d=again, p=now: story.begin(d.kill_image(), p))  # type: ignore[misc]
                _cut(story, cuts, again, now, most)
        except (Broken, PreviouslyError) as error:
            kills.states, kills.bad = kills.states + 1, kills.bad + 1
            kills.first = kills.first or f"{_where(dead)}: {error!r}"
    return kills, cuts


def _cut(story: Story, tally: Tally, dead: SimDisk, progress: Progress, most: int) -> None:
    for image in dead.images(most):
        mine = Progress(progress.acked, progress.tried)
        tally.add(_where(dead), lambda i=image, p=mine: story.begin(i, p))  # type: ignore[misc]


def _where(*disks: SimDisk) -> str:
    return ", then ".join(f"operation {disk.operations} ({disk.fuse.names[-1]})" for disk in disks)


@dataclass
class Refusals:
    """What came of one fault of the operating system: errors seen, and processes that had to end."""

    troubles: int = 0
    lost: int = 0


def survive(story: Story, k: int, fault: Fault, patience: int = 3) -> Refusals:
    """Tell the story on a disk that refuses at operation k; raises `Broken`.

    Whoever hears of trouble tries the same batch again; after `patience` refusals the disk has room again. When an
    fsync fails the process ends, and the next one finds the disk as kill -9 leaves it.
    """
    disk, progress, seen = SimDisk(), Progress(), Refusals()
    disk.fail_at(k, fault)
    while True:
        try:
            _persist(story, disk, progress, seen, patience)
        except DiskLost:
            seen.lost += 1
            for image in disk.images(8):
                story.begin(image, Progress(progress.acked, progress.tried))
            disk = disk.kill_image()
            continue
        disk.fail_at(0)
        story.finish(disk.kill_image(), progress)
        return seen


def _persist(story: Story, disk: SimDisk, progress: Progress, seen: Refusals, patience: int) -> None:
    """One process that does not give up."""
    journal, told = _retry(lambda: story.begin(disk, progress), disk, seen, patience)
    progress.acked = progress.tried = told
    looked = 0
    for end in (end for end in story._ends if end > told):
        progress.tried = end
        batch = story.records[progress.acked : end]
        _retry(lambda some=batch: journal.append(*some), disk, seen, patience)  # type: ignore[misc]
        progress.acked = end
        if seen.troubles and journal.state.snapshot() != story._known[end]:
            raise Broken("a refused append was taken up")
        if seen.troubles > looked:
            looked = seen.troubles
            story.begin(disk.kill_image(), Progress(end, end))
    journal.bye()


def _retry(do: Callable[[], _T], disk: SimDisk, seen: Refusals, patience: int) -> _T:
    while True:
        try:
            return do()
        except StorageError:
            seen.troubles += 1
            if seen.troubles >= patience:
                disk.fail_at(0)
