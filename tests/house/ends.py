"""Every end that a process can come to, and what becomes of it: T1 and T2 of reliability 6.

One process is watched while it tells a story. Before each operation that changes the disk or the world, halfway
through each write, and before each act of the person, it could have died: that moment is an `End`. What reads changes
nothing, so a death before a read is the same end as one before the next change. From an end the next process starts
on the disk as a kill leaves it, or on one of the disks that a power cut may leave; then everything must come right.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import TYPE_CHECKING, TypeVar

from core.errors import PreviouslyError
from tests.doubles.fault_disk import Killed
from tests.doubles.sim_disk import SimDisk
from tests.doubles.sim_tree import SimFolder, census
from tests.house.check import faults, orphans, torn
from tests.house.life import Kind, Lives, Story
from tests.house.witness import Witness

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from tests.house.life import Act
    from tests.house.person import Person

HALFWAY = "halfway"
_T = TypeVar("_T")


@dataclass(frozen=True)
class End:
    """A moment at which a process could have died: before `where`."""

    where: str
    disk: SimDisk
    person: Person
    story: Story


@dataclass
class Tally:
    """What was looked at: `states` are all ends, `distinct` those after which not all was as after an earlier one."""

    states: int = 0
    distinct: int = 0
    bad: int = 0
    first: str = ""
    orphans: int = 0
    known: dict[object, str] = field(default_factory=dict)

    def add(self, where: str, mark: object, look: Callable[[], Sequence[str]]) -> None:
        """Look at one end, unless an equal one was looked at before; whatever goes wrong there is bad."""
        self.states += 1
        if mark not in self.known:
            self.distinct += 1
            self.known[mark] = _looked(look)
        if self.known[mark]:
            self.bad += 1
            self.first = self.first or f"before {where}: {self.known[mark]}"

    def __str__(self) -> str:
        told = f"{self.states} states ({self.distinct} distinct), {self.bad} bad, {self.orphans} orphaned statuses"
        return f"{told}; first: {self.first[:600]}" if self.first else told


def _looked(look: Callable[[], Sequence[str]]) -> str:
    try:
        return "; ".join(look())
    except (AssertionError, PreviouslyError, OSError, ExceptionGroup, ValueError, LookupError) as error:
        return f"{error!r:.400}"  # a house without one of its rules may fail in any way


def ends(
    acts: Sequence[Act], kind: Kind, begin: End | None = None, *, disk: SimDisk | None = None, limit: int | None = None
) -> list[End]:
    """All ends of one process that tells the story (on from `begin`); `limit` looks at its first ones only."""
    found: list[End] = []
    story = begin.story.ahead(None) if begin else Story(acts)

    def look(where: str) -> None:
        if limit is not None and len(found) >= limit:
            witness.fuse.dead = True
            raise Killed
        found.append(End(where, witness.kill_image(), lives.person.twin(), story.ahead(None)))

    witness = Witness(disk or SimDisk(), look)
    lives = Lives(witness, Story([_watched(act, look) for act in story.acts], story.done), kind=kind)
    story = lives.story
    if begin:
        lives.person = begin.person.twin()
        lives.__post_init__()
    try:
        lives.run(lives=1)
    except AssertionError:
        if limit is None or lives.endings != ["killed"]:
            raise
    return [End(end.where, end.disk, end.person, Story(acts, end.story.done)) for end in found]


def _watched(act: Act, look: Callable[[str], None]) -> Act:
    def do(person: Person) -> None:
        act(person)
        look("whatever the act brings about")

    return do


def outcome(end: End, disk: SimDisk, kind: Kind, ahead: int | None, tally: Tally) -> Sequence[str]:
    """What is wrong when the story goes on from that end on that disk, for so many acts."""
    broken = torn(disk.tree())
    lives = Lives(disk, end.story.ahead(ahead), end.person.twin(), kind)
    lives.run(lambda dead: dead.kill_image() if isinstance(dead, SimDisk) else dead)
    tally.orphans += orphans(lives.person)
    if lives.endings != ["told"]:
        broken.append(f"the next process ended as {lives.endings[0]}")
    return [*broken, *faults(lives)]


def kills(found: Iterable[End], kind: Kind, tally: Tally, ahead: int | None = None) -> Tally:
    """kill -9 at each of these ends."""
    for end in found:
        look = partial(outcome, end, end.disk.kill_image(), kind, ahead, tally)
        tally.add(end.where, mark_of(end, end.disk, ahead), look)
    return tally


def cuts(found: Iterable[End], kind: Kind, tally: Tally, *, most: int, ahead: int | None = 1) -> Tally:
    """A power cut at each of these ends, with at most so many of the disks that it may leave."""
    for end in found:
        for image in end.disk.images(most):
            look = partial(outcome, end, image, kind, ahead, tally)
            tally.add(end.where, mark_of(end, image, ahead), look)
    return tally


def second(acts: Sequence[Act], found: Iterable[End], kind: Kind, within: int) -> Iterator[End]:
    """kill -9 at each of these ends, and then every end of the next process within its first changes."""
    for end in found:
        for again in ends(acts, kind, end, disk=end.disk.kill_image(), limit=within):
            yield End(f"{end.where}, then {again.where}", again.disk, again.person, again.story)


def whole(found: Iterable[End]) -> list[End]:
    """Without the halves of writes: a power cut leaves them of itself."""
    return [end for end in found if HALFWAY not in end.where]


def some(found: Sequence[_T], n: int, seed: int) -> Sequence[_T]:
    """So many of them in their order, drawn by the seed; all when there are no more."""
    if n >= len(found):
        return found
    return [found[at] for at in sorted(Random(seed).sample(range(len(found)), n))]


def mark_of(end: End, disk: SimDisk, ahead: int | None) -> object:
    """Equal for two ends after which everything must go in the same way."""
    return (hash(tuple(_halves(disk._root))), hash(end.person.mark()), end.story.done, ahead)


def _halves(folder: SimFolder) -> Iterator[object]:
    """The volatile half, and whatever of the durable one differs from it."""
    yield from sorted(census(folder, ""))
    yield from _unsettled(folder, "")


def _unsettled(folder: SimFolder, path: str) -> Iterator[object]:
    for name, node in sorted(folder.names.items()):
        if isinstance(node, SimFolder):
            yield from _unsettled(node, f"{path}/{name}")
        elif node.pending:
            yield (path, name, node.durable, tuple(node.pending))
    if folder.pending:
        yield (path, tuple(sorted(folder.durable)), tuple((name, node is None) for _, name, node in folder.pending))
