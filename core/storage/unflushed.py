"""A disk whose writes are flushed all at once by somebody else: for copying an archive onto a fresh disk.

A flush for each of ten thousand files takes minutes, and a copy that breaks off is simply made again. Whoever uses it
has the system flush everything before the copy counts as made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.storage.disk import Disk, Stat


class Unflushed:
    """Any disk, without its flushes."""

    def __init__(self, disk: Disk) -> None:
        self._disk = disk

    def stat(self, path: str) -> Stat | None:
        """What stands there."""
        return self._disk.stat(path)

    def list(self, path: str) -> Sequence[tuple[str, Stat]]:
        """Names in a folder."""
        return self._disk.list(path)

    def read(self, path: str) -> bytes:
        """All bytes of a plain file."""
        return self._disk.read(path)

    def make_folder(self, path: str) -> None:
        """Create one folder."""
        self._disk.make_folder(path)

    def create(self, path: str) -> int:
        """Open a new file for writing."""
        return self._disk.create(path)

    def open_append(self, path: str) -> int:
        """Open a file to append."""
        return self._disk.open_append(path)

    def write(self, handle: int, data: bytes) -> None:
        """Write all the bytes."""
        self._disk.write(handle, data)

    def sync(self, handle: int) -> None:
        """Leave it to the flush of everything."""

    def close(self, handle: int) -> None:
        """Give the handle back."""
        self._disk.close(handle)

    def sync_file(self, path: str) -> None:
        """Leave it to the flush of everything."""

    def sync_folder(self, path: str) -> None:
        """Leave it to the flush of everything."""

    def replace(self, source: str, target: str) -> None:
        """Rename over the target."""
        self._disk.replace(source, target)

    def remove(self, path: str) -> None:
        """Unlink a file."""
        self._disk.remove(path)
