"""Folders that are known to survive a power cut, because this process has flushed every name on the way to them."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final

from core.errors import NotAFile
from core.storage.troubles import flushing, told

if TYPE_CHECKING:
    from core.storage.disk import Disk, Stat

_KNOWN: Final = 256
"""How many folders are remembered, those used last; one that was forgotten is flushed once more."""


class FolderChain:
    """Makes folders, and trusts none that it has not flushed itself (R5, R14).

    A folder may be there without being durable: whoever made it was killed before the flush, and a power cut now
    would take it away with everything in it. So the first commit into a folder flushes the whole chain above it;
    later ones only look whether the same folders still stand.
    """

    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        self._flushed: dict[str, str] = {}

    def ensure(self, folder: str) -> None:
        """Let the folder exist durably. Raises `NotAFile`, `DiskTrouble`, `DiskLost`."""
        above = ""
        for depth in range(1, folder.count("/") + 2):
            path = "/".join(folder.split("/")[:depth])
            mark = self._make(path)
            if self._flushed.pop(path, None) != mark:
                self.flush(above)
            self._flushed[path] = mark
            above = path
        while len(self._flushed) > _KNOWN:
            del self._flushed[next(iter(self._flushed))]

    def flush(self, folder: str) -> None:
        """Make the names in the folder durable. Raises `DiskLost` when that fails; it must not be tried again."""
        with flushing(folder):
            self._disk.sync_folder(folder)

    def _make(self, path: str) -> str:
        """The mark of the folder at the path, made now if it was missing."""
        with told(path):
            found = self._disk.stat(path)
            if found is None:
                self._flushed.pop(path, None)
                with suppress(FileExistsError):
                    self._disk.make_folder(path)
                found = self._disk.stat(path)
        return _folder_mark(path, found)


def _folder_mark(path: str, found: Stat | None) -> str:
    if found is None or found.kind != "folder":
        raise NotAFile(path, "a file or link stands where a folder belongs")
    return found.mark
