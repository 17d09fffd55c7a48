"""The house on this machine's own file system, in processes that really die; the world lives on in the parent.

Each process is a fork. It tells the parent of every effect before it goes on, over a pipe that outlives it, and the
parent does the same to its own copy of the world: both are deterministic, so the parent's is what the next fork gets.
"""

from __future__ import annotations

import os
from multiprocessing import Pipe
from typing import TYPE_CHECKING

from core.storage.os_disk import OsDisk
from tests.doubles.clock import ManualClock
from tests.doubles.fault_disk import KILL, Fault, FaultDisk
from tests.house.life import Act, Kind, Lives, Story
from tests.house.person import Person

if TYPE_CHECKING:
    from collections.abc import Sequence
    from multiprocessing.connection import Connection
    from pathlib import Path

    from core.conversation import Incoming

TOLD = 0
BROKEN = 1
KILLED = 9
PATIENCE = 6


class RealDisk(FaultDisk):
    """A folder of this machine behind a fuse."""

    def __init__(self, root: Path, *, really: bool = False) -> None:
        super().__init__(OsDisk(root), really=really)
        self.root = root

    def tree(self) -> dict[str, bytes]:
        """Every file by its path."""
        return {str(path.relative_to(self.root)): path.read_bytes() for path in self.root.rglob("*") if path.is_file()}


class Heard(Person):
    """The person as a child sees them: whatever happens is told to the parent."""

    line: Connection

    def show(self, text: str) -> int:
        self.line.send(("show", self.clock.monotonic(), (text,)))
        return super().show(text)

    def change(self, message: int, text: str) -> None:
        self.line.send(("change", self.clock.monotonic(), (message, text)))
        super().change(message, text)

    def acknowledge(self, updates: list[Incoming]) -> None:
        self.line.send(("acknowledge", self.clock.monotonic(), (updates,)))
        super().acknowledge(updates)


def tell_and_die(root: Path, acts: Sequence[Act], k: int, fault: Fault = KILL) -> tuple[Lives, list[int]]:
    """Tell the story in processes of which the first dies at operation k; the parent's view, and the exit codes."""
    story, person = Story(acts), Person(ManualClock(instant=True))
    codes: list[int] = []
    while not codes or codes[-1] == KILLED:
        codes.append(_process(root, story, person, k if not codes else 0, fault))
    return Lives(RealDisk(root), story, person), codes


def _process(root: Path, story: Story, person: Person, k: int, fault: Fault) -> int:
    heard, says = Pipe(duplex=False)
    child = os.fork()
    if child == 0:
        code = BROKEN
        try:
            heard.close()
            code = _live(root, story, person, says, k, fault)
        finally:
            os._exit(code)
    says.close()
    person.lives += 1
    _follow(heard, story, person)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _live(root: Path, story: Story, person: Person, says: Connection, k: int, fault: Fault) -> int:
    """The child: one process of the house."""
    mine = Heard(**{name: getattr(person, name) for name in person.__dataclass_fields__})
    mine.line = says

    def spoken(act: Act) -> Act:
        def do(heard: Person) -> None:
            says.send(("act", heard.clock.monotonic(), ()))
            act(heard)

        return do

    disk = RealDisk(root, really=True)
    disk.fail_at(k, fault)
    told = Story([spoken(act) for act in story.acts], story.done)
    Lives(disk, told, mine, Kind()).run(lives=1)
    return TOLD


def _follow(heard: Connection, story: Story, person: Person) -> None:
    """The parent: do to the world what the child has done to it, until the child is gone."""
    with heard:
        while True:
            try:
                name, elapsed, arguments = heard.recv()
            except EOFError:
                return
            person.clock.shift(elapsed - person.clock.monotonic())
            if name == "act":
                story.done += 1
                story.acts[story.done - 1](person)
            else:
                getattr(person, name)(*arguments)


def operations(root: Path, acts: Sequence[Act]) -> list[str]:
    """The names of all operations of a process whom nobody disturbs."""
    disk = RealDisk(root)
    Lives(disk, Story(acts)).run()
    return disk.fuse.names


class Tight(RealDisk):
    """A folder on a small disk on which somebody makes room after a few refusals."""

    def __init__(self, root: Path, filler: Path, refusals: int = 0) -> None:
        super().__init__(root)
        self.refusals = refusals
        self._filler = filler

    def make_folder(self, path: str) -> None:
        with self._counted():
            super().make_folder(path)

    def create(self, path: str) -> int:
        with self._counted():
            return super().create(path)

    def open_append(self, path: str) -> int:
        with self._counted():
            return super().open_append(path)

    def write(self, handle: int, data: bytes) -> None:
        with self._counted():
            super().write(handle, data)

    def _counted(self) -> Counted:
        return Counted(self)

    def refused(self) -> None:
        """One more refusal; the last one that anybody has patience for makes room."""
        self.refusals += 1
        if self.refusals == PATIENCE:
            self._filler.unlink(missing_ok=True)


class Counted:
    """Counts what the disk refuses inside the block."""

    def __init__(self, disk: Tight) -> None:
        self._disk = disk

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if isinstance(error, OSError) and not isinstance(error, FileExistsError | FileNotFoundError):
            self._disk.refused()
