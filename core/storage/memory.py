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
        self._files = {check_file(path): (data, next(self._serials)) for path, data in (files or {}).items()}

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
        inside = [path for path in self._files if path.startswith(f"{folder}/")]
        entries = {path: self._entry(path) for path in inside if parent(path) == folder}
        deeper = {path[len(folder) + 1 :].partition("/")[0] for path in inside if path not in entries}
        folders = [Entry(name, folder=True) for name in deeper]
        return sorted([*entries.values(), *folders], key=lambda entry: entry.name)

    async def commit(self, changes: Sequence[Change], message: str) -> None:  # noqa: ARG002 - keeps no history
        """Apply all changes, or none. Raises `Conflict`, `PathRefused`, `NotAFile`, `ValueError`."""
        check_changes(changes)
        pending = [change for change in changes if not self._stands(change)]
        for change in pending:
            match change:
                case Write():
                    self._files[change.path] = (change.data, next(self._serials))
                case Delete():
                    del self._files[change.path]

    def _stands(self, change: Change) -> bool:
        found = self._find(change.path)
        if found is None and isinstance(change, Write):
            self._check_place(change.path)
        return already_stands(change, found)

    def _find(self, path: str) -> bytes | None:
        if path in self._files:
            return self._files[path][0]
        if any(other.startswith(f"{path}/") for other in self._files):
            raise NotAFile(path, "a folder stands there")
        return None

    def _check_place(self, path: str) -> None:
        if not self._files.keys().isdisjoint(ancestors(path)):
            raise NotAFile(path, "a file stands where this one needs a folder")
        folder = parent(path)
        refuse_twin(path, [other.rpartition("/")[2] for other in self._files if parent(other) == folder])

    def _entry(self, path: str) -> Entry:
        return Entry(path.rpartition("/")[2], folder=False, mark=str(self._files[path][1]))
