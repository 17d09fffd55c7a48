"""A disk that refuses for a while, and the house that lives on it: T5 of reliability 6."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tests.doubles.fault_disk import Fault, Fuse
from tests.doubles.sim_disk import SimDisk
from tests.house.check import faults, torn
from tests.house.life import WORDS, Ground, Kind, Lives, Story

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.doubles.sim_tree import SimFile
    from tests.house.life import Act

PATIENCE = 7
"""How often the disk refuses before somebody has made room."""


class Brittle(Fuse):
    """Refuses `left` times at most."""

    left = 0

    def _blow(self) -> None:
        self.left -= 1
        if self.left <= 0:
            self._at = 0
        super()._blow()


class Refusing(SimDisk):
    """Refuses operations of its own only; `again` names those that flushed a file whose flushing had failed."""

    def __init__(self, disk: SimDisk, k: int, fault: Fault, left: int) -> None:
        super().__init__(seed=disk._seed)
        self._root, self._serial = disk._root, disk._serial
        self.again: list[str] = []
        self.fault = fault
        self.brittle = Brittle()
        self.brittle.left = left
        self.brittle.fail_at(k, fault)
        self.fuse = self.brittle

    def effect(self, name: str) -> None:
        self.fuse.check()

    def _sync(self, name: str, file: SimFile) -> None:
        if file.stuck and file.pending:
            self.again.append(name)
        super()._sync(name, file)

    def reborn(self) -> Refusing:
        """The disk for the next process; one that refuses from now on goes on refusing."""
        goes_on = self.fault.forever and self.brittle.left > 0
        return Refusing(self.kill_image(), int(goes_on), self.fault, self.brittle.left)


@dataclass
class Waits(logging.Handler):
    """Remembers what the queues say of work that waits."""

    names: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def __hash__(self) -> int:
        return id(self)

    def emit(self, record: logging.LogRecord) -> None:
        if record.msg.endswith("waits: %s") and isinstance(record.args, tuple):
            self.names.append(str(record.args[0]))


@dataclass
class Count:
    """What came of refusals: how processes ended, what waited, and what was wrong."""

    runs: int = 0
    struck: int = 0
    lost: int = 0
    refused: int = 0
    waited: int = 0
    unkept: int = 0
    told: int = 0
    images: int = 0
    wrong: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"{self.runs} faults, {self.struck} struck; processes ended: {self.lost} after a failed fsync, "
            f"{self.refused} at the start; {self.waited} turns waited, {self.unkept} updates stayed with the platform, "
            f"{self.told} were told so; {self.images} power cuts after a failed fsync; {len(self.wrong)} bad"
        )


def healthy(acts: Sequence[Act]) -> list[str]:
    """The names of all operations of a process whom nobody disturbs."""
    disk = Refusing(SimDisk(), 0, Fault("errno"), 1)
    Lives(disk, Story(acts)).run()
    return disk.fuse.names


def survive(acts: Sequence[Act], k: int, fault: Fault, count: Count) -> None:
    """Tell the story on a disk that refuses at operation k, once or for a while; add what is wrong to the count."""
    waits = Waits()
    logger = logging.getLogger("previously.queues")
    logger.addHandler(waits)
    try:
        lives = _lived(acts, k, fault, count)
    finally:
        logger.removeHandler(waits)
    wrong = faults(lives)
    waited = [name for name in waits.names if name != "care"]
    told = sum(WORDS["en"]("turn.disk") in text for _, _, text in lives.person.history)
    if waited and not told:
        wrong.append(f"{waited} waited, and nobody was told")
    count.waited += len(waited)
    count.told += told
    count.unkept += lives.person.refused
    count.wrong += [f"operation {k}, {fault}: {flaw}" for flaw in wrong]


def _lived(acts: Sequence[Act], k: int, fault: Fault, count: Count) -> Lives:
    left = PATIENCE if fault.forever else 1
    disk = Refusing(SimDisk(), k, fault, left)
    lives = Lives(disk, Story(acts))

    def reborn(dead: Ground) -> Ground:
        assert isinstance(dead, Refusing)
        lives.broken += [f"{name} of a file that was lost" for name in dead.again]
        lives.broken += torn(dead.tree())
        count.lost += lives.endings[-1] == "lost"
        count.refused += lives.endings[-1] == "refused"
        if lives.endings[-1] == "lost":
            _cut(dead, lives, count)
        return dead.reborn()

    lives.run(reborn)
    last = lives.disk
    assert isinstance(last, Refusing)
    lives.broken += [f"{name} of a file that was lost" for name in last.again]
    count.runs += 1
    count.struck += last.brittle.left < left
    lives.disk = last.kill_image()  # one more process, with room: the stop itself may have been refused
    lives.run()
    return lives


def _cut(dead: SimDisk, lives: Lives, count: Count) -> None:
    """The power goes right after a failed fsync."""
    for image in dead.images(2):
        count.images += 1
        again = Lives(image, lives.story.ahead(1), lives.person.twin(), Kind())
        again.run()
        lives.broken += [f"power cut after a failed fsync: {flaw}" for flaw in faults(again)]
