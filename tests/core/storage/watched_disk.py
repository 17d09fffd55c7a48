"""A disk that shows a test every operation before it happens, and lets it step in."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tests.doubles.fault_disk import FaultDisk, Fuse

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.storage.disk import Disk

    Hook = Callable[[int, str, str], None]


class _Watch(Fuse):
    def __init__(self) -> None:
        super().__init__()
        self.hook: Hook | None = None

    def step(self, name: str) -> None:
        super().step(name)
        self._show(name)

    def write(self, name: str, data: bytes, put: Callable[[bytes], None]) -> None:
        def shown(some: bytes) -> None:
            put(some[: len(some) // 2])
            self._show(name)
            put(some[len(some) // 2 :])

        super().write(name, data, shown)

    def _show(self, name: str) -> None:
        if self.hook is not None:
            operation, _, path = name.partition(" ")
            self.hook(self.count, operation, path)


class WatchedDisk(FaultDisk):
    """`hook` gets the number, name and path of each operation; it may change the disk beneath or raise."""

    def __init__(self, inner: Disk, hook: Hook | None = None) -> None:
        super().__init__(inner)
        watch = _Watch()
        watch.hook = hook
        self.fuse = watch

    @property
    def log(self) -> list[tuple[str, str]]:
        """Name and path of every operation so far; writes and flushes of open files have no path."""
        parts = (name.partition(" ") for name in self.fuse.names)
        return [(operation, path) for operation, _, path in parts]

    def asked(self, *names: str) -> list[str]:
        """The paths on which the named operations were asked for, in order."""
        return [path for name, path in self.log if name in names]

    def forget(self) -> None:
        """Begin a new log."""
        self.fuse.names.clear()


def refused_when(operation: str, code: int, ending: str = "") -> Hook:
    """Every such operation on paths with that ending fails."""

    def hook(number: int, name: str, path: str) -> None:
        if name == operation and path.endswith(ending):
            raise OSError(code, os.strerror(code), path)

    return hook
