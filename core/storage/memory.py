"""Storage in a dictionary: for tests and for whatever need not outlive the process."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from core.errors import NotAFile, NotFound
from core.storage.base import Change, Delete, Entry, File, Write, version_of
from core.storage.checks import already_stands, check_changes
from core.storage.paths import ancestors, check_file, check_folder, parent, refuse_twin

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class MemoryStorage:
    """All of memory in RAM; folders exist as long as something stands in them.

    Raises `PathRefused` when made with a name that memory may not have.
    """

    def __init__(self, files: Mapping[str, bytes] | None = None) -> None:
        self._serials = count(1)
        self._files: dict[str, tuple[bytes, int]] = {}
        self._names: dict[str, set[str]] = {}
        for path, data in (files or {}).items():
            self._put(check_file(path), data)

    @property
    def files(self) -> dict[str, bytes]:
        """A copy of everything, by path."""
        return {path: data for path, (data, _) in sorted(self._files.items())}

    async def read(self, path: str) -> File:
        """The file. Raises `NotFound`, `PathRefused`, `NotAFile`."""
        data = self._find(check_file(path))
        if data is None:
            raise NotFound(path)
        return File(path, data, version_of(data))

    async def list(self, folder: str) -> Sequence[Entry]:
        """The names in a folder, sorted; a file alone when the path is one. Raises `PathRefused`."""
        check_folder(folder)
        if folder in self._files:
            return [self._entry(folder)]
        names = sorted(self._names.get(folder, ()))
        return [self._entry(f"{folder}/{name}") for name in names]

    async def commit(self, changes: Sequence[Change], message: str) -> None:  # noqa: ARG002 - keeps no history
        """Apply all changes, or none. Raises `Conflict`, `PathRefused`, `NotAFile`, `ValueError`."""
        check_changes(changes)
        pending = [change for change in changes if not self._stands(change)]
        for change in pending:
            match change:
                case Write():
                    self._put(change.path, change.data)
                case Delete():
                    self._drop(change.path)

    def _put(self, path: str, data: bytes) -> None:
        self._files[path] = (data, next(self._serials))
        while path:
            folder, _, name = path.rpartition("/")
            self._names.setdefault(folder, set()).add(name)
            path = folder

    def _drop(self, path: str) -> None:
        """Take a file away, and the folders in which nothing is left."""
        del self._files[path]
        while path and path not in self._names:
            folder, _, name = path.rpartition("/")
            self._names[folder].discard(name)
            if not self._names[folder]:
                del self._names[folder]
            path = folder

    def _stands(self, change: Change) -> bool:
        found = self._find(change.path)
        if found is None and isinstance(change, Write):
            self._check_place(change.path)
        return already_stands(change, found)

    def _find(self, path: str) -> bytes | None:
        if path in self._files:
            return self._files[path][0]
        if path in self._names:
            raise NotAFile(path, "a folder stands there")
        return None

    def _check_place(self, path: str) -> None:
        if not self._files.keys().isdisjoint(ancestors(path)):
            raise NotAFile(path, "a file stands where this one needs a folder")
        folder = parent(path)
        refuse_twin(path, [name for name in self._names.get(folder, ()) if f"{folder}/{name}" in self._files])

    def _entry(self, path: str) -> Entry:
        name = path.rpartition("/")[2]
        return (
            Entry(name, folder=False, mark=str(self._files[path][1]))
            if path in self._files
            else Entry(name, folder=True)
        )
