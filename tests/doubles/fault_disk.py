"""A disk that fails where a test says: by errno, by death before an operation, or by death in the middle of a write."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.storage.disk import Disk, Stat


class Killed(BaseException):
    """The process is dead: whatever still runs, in `finally` or elsewhere, reaches the disk no more."""


@dataclass(frozen=True)
class Fault:
    """What happens at the chosen operation; `forever` means at every later one too."""

    kind: Literal["kill", "half", "errno"]
    errno: int = 0
    forever: bool = False


KILL = Fault("kill")
HALF = Fault("half")


def refuse(errno: int, *, forever: bool = False) -> Fault:
    """The operating system says no; a refused write leaves half its bytes behind."""
    return Fault("errno", errno, forever)


class Fuse:
    """Counts operations, from 1, and blows at the chosen one. `names` tells what each operation was."""

    def __init__(self, *, really: bool = False) -> None:
        self.names: list[str] = []
        self.dead = False
        self._at = 0
        self._fault = KILL
        self._really = really

    @property
    def count(self) -> int:
        return len(self.names)

    def fail_at(self, k: int, fault: Fault = KILL) -> None:
        """Let the k-th operation since the beginning fail; 0 heals."""
        self._at, self._fault = k, fault

    def step(self, name: str) -> None:
        """One operation; raises if it is not to happen."""
        if self._strikes(name):
            self._blow()

    def write(self, name: str, data: bytes, put: Callable[[bytes], None]) -> None:
        """One write; a blown fuse lets half the bytes through, save for a kill before it."""
        if not self._strikes(name):
            put(data)
            return
        if self._fault.kind != "kill":
            put(data[: len(data) // 2])
        self._blow()

    def check(self) -> None:
        """Raise if the process is dead."""
        if self.dead:
            raise Killed

    def _strikes(self, name: str) -> bool:
        self.check()
        self.names.append(name)
        return bool(self._at) and (self.count == self._at or (self._fault.forever and self.count > self._at))

    def _blow(self) -> None:
        if self._fault.kind == "errno":
            raise OSError(self._fault.errno, os.strerror(self._fault.errno))
        if self._really:
            os._exit(9)
        self.dead = True
        raise Killed(f"at operation {self.count}: {self.names[-1]}")


class FaultDisk:
    """Any disk behind a fuse. With `really`, a kill ends this very process with code 9, as SIGKILL would."""

    def __init__(self, inner: Disk, *, really: bool = False) -> None:
        self.inner = inner
        self.fuse = Fuse(really=really)

    @property
    def operations(self) -> int:
        return self.fuse.count

    def fail_at(self, k: int, fault: Fault = KILL) -> None:
        self.fuse.fail_at(k, fault)

    def effect(self, name: str) -> None:
        """Count something outside of the disk (a send, a model call), so that it can be a point of death too."""
        self.fuse.step(name)

    def stat(self, path: str) -> Stat | None:
        self.fuse.step(f"stat {path}")
        return self.inner.stat(path)

    def list(self, path: str) -> Sequence[tuple[str, Stat]]:
        self.fuse.step(f"list {path}")
        return self.inner.list(path)

    def read(self, path: str) -> bytes:
        self.fuse.step(f"read {path}")
        return self.inner.read(path)

    def make_folder(self, path: str) -> None:
        self.fuse.step(f"make_folder {path}")
        self.inner.make_folder(path)

    def create(self, path: str) -> int:
        self.fuse.step(f"create {path}")
        return self.inner.create(path)

    def open_append(self, path: str) -> int:
        self.fuse.step(f"open_append {path}")
        return self.inner.open_append(path)

    def write(self, handle: int, data: bytes) -> None:
        self.fuse.write("write", data, lambda some: self.inner.write(handle, some))

    def sync(self, handle: int) -> None:
        self.fuse.step("sync")
        self.inner.sync(handle)

    def close(self, handle: int) -> None:
        self.inner.close(handle)

    def sync_file(self, path: str) -> None:
        self.fuse.step(f"sync_file {path}")
        self.inner.sync_file(path)

    def sync_folder(self, path: str) -> None:
        self.fuse.step(f"sync_folder {path}")
        self.inner.sync_folder(path)

    def replace(self, source: str, target: str) -> None:
        self.fuse.step(f"replace {target}")
        self.inner.replace(source, target)

    def remove(self, path: str) -> None:
        self.fuse.step(f"remove {path}")
        self.inner.remove(path)
