"""A disk that can be looked at before each change of it, and halfway through each write."""

from __future__ import annotations

from collections.abc import Callable

from tests.doubles.fault_disk import Fuse
from tests.doubles.sim_disk import SimDisk

READING = frozenset({"stat", "list", "read"})
"""Operations that leave disk and world as they are: a death before one is a death before the next change."""

Look = Callable[[str], None]


class Watched(Fuse):
    """Counts as a fuse does, and calls `look` before whatever changes something."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look

    def step(self, name: str) -> None:
        super().step(name)
        if name.partition(" ")[0] not in READING:
            self._look(name)


class Witness(SimDisk):
    """Calls `look` with the name of what is about to happen; the disk then is as a kill at that moment leaves it."""

    def __init__(self, disk: SimDisk, look: Look) -> None:
        super().__init__(seed=disk._seed)
        self._root, self._serial = disk._root, disk._serial
        self._look = look
        self.fuse = Watched(look)

    def write(self, handle: int, data: bytes) -> None:
        file = self._handles[handle]
        self._look("write")
        whole, pending = file.data, list(file.pending)
        half = data[: len(data) // 2]
        file.data, file.pending = whole + half, [*pending, (len(whole), half)]
        self._look("write, halfway")
        file.data, file.pending = whole, pending
        super().write(handle, data)
