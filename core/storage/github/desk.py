"""What pulling and pushing share: both sides, the port to memory's meaning, and how the owner is told."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from core.errors import NotAFile, NotFound, PathRefused
from core.storage.base import version_of
from core.storage.paths import ROOTS, check_file

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from core.clock import Clock
    from core.storage.base import Storage
    from core.storage.github.mirror import Mirror
    from core.storage.github.repository import Repository
    from core.storage.github.scribe import Scribe

LARGEST: Final = 1_000_000
"""Bytes above which an attachment stays on this disk (GitHub advises against more in a blob)."""
_BREATH: Final = 25


@dataclass(frozen=True, slots=True)
class Bulk:
    """The local files written without a flush for each, and `flush` for all of them at once."""

    storage: Storage
    flush: Callable[[], None]


@dataclass(slots=True)
class Desk:
    """`touched` are paths that were written since they were last compared; `told` are (key, fields) for the owner."""

    local: Storage
    mirror: Mirror
    repository: Repository
    scribe: Scribe
    clock: Clock
    tell: Callable[..., None]
    touched: set[str] = field(default_factory=set)
    bulk: Bulk | None = None
    rewoven: bool = False
    """Whether a merge changed slices, so that what is derived from them must be woven anew."""

    async def read(self, path: str) -> bytes | None:
        """The local file; None when there is none, or none that memory may have. Raises `DiskTrouble`."""
        with suppress(NotFound, PathRefused, NotAFile):
            return (await self.local.read(path)).data
        return None

    def is_ours(self, path: str) -> bool:
        """Whether memory may have a file of that name."""
        try:
            check_file(path)
        except PathRefused:
            return False
        return True

    def differs(self, path: str, data: bytes | None) -> bool:
        """Whether the file is another than the repository has."""
        return (None if data is None else version_of(data)) != self.mirror.files.get(path)

    async def survey(self) -> None:
        """Find what differs without having been written by this process: all files are looked at, few are read."""
        mirror, marks = self.mirror, {}
        count = 0
        async for path, mark in self._walk():
            count += 1
            if count % _BREATH == 0:
                await self.clock.sleep(0)
            if mark and mirror.marks.get(path) == mark and mirror.files.get(path):
                marks[path] = mark
                continue
            if self.differs(path, await self.read(path)):
                self.touched.add(path)
            else:
                marks[path] = mark
        for root in ROOTS:
            for path, _ in mirror.files.below(root):
                if path not in marks and path not in self.touched and self.is_ours(path):
                    self.touched.add(path)
        mirror.marks = marks

    async def _walk(self) -> AsyncIterator[tuple[str, str]]:
        folders = list(ROOTS)
        while folders:
            folder = folders.pop()
            for entry in await self.local.list(folder):
                path = f"{folder}/{entry.name}"
                if entry.folder:
                    folders.append(path)
                else:
                    yield path, entry.mark
