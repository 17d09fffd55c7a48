"""A talk that leaves no trace: writes stay in memory, on top of a storage that is only read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.errors import NotAFile, NotFound
from core.storage.base import ABSENT, Change, Delete, Entry, File, Storage, Write
from core.storage.checks import already_stands, check_changes
from core.storage.memory import MemoryStorage
from core.storage.paths import ancestors, check_file, check_folder, parent, refuse_twin

if TYPE_CHECKING:
    from collections.abc import Sequence


class DemoStorage:
    """Reads fall through to the base; writes and deletions are kept here and are gone with the process."""

    def __init__(self, base: Storage) -> None:
        self._base = base
        self._top = MemoryStorage()
        self._gone: set[str] = set()

    def restart(self, base: Storage) -> None:
        """Begin anew on that storage: what was written here is gone."""
        self._base, self._top, self._gone = base, MemoryStorage(), set()

    async def read(self, path: str) -> File:
        """The file as it was changed here, else the base's. Raises as `Storage.read` does."""
        check_file(path)
        if path in self._gone:
            raise NotFound(path)
        try:
            return await self._top.read(path)
        except NotFound:
            return await self._base.read(path)

    async def list(self, folder: str) -> Sequence[Entry]:
        """The names of both, sorted; those changed here win. Raises as `Storage.list` does."""
        check_folder(folder)
        base = [] if folder in self._gone else await self._base.list(folder)
        below = {entry.name: entry for entry in base if self._remains(folder, entry)}
        above = {entry.name: entry for entry in await self._top.list(folder)}
        return sorted((below | above).values(), key=lambda entry: entry.name)

    async def commit(self, changes: Sequence[Change], message: str) -> None:
        """Apply all changes on top, or none. Raises `Conflict`, `PathRefused`, `NotAFile`, `ValueError`."""
        check_changes(changes)
        pending = [change for change in changes if not await self._stands(change)]
        await self._top.commit([await self._lifted(change) for change in pending], message)
        self._gone |= {change.path for change in pending if isinstance(change, Delete)}
        self._gone -= {change.path for change in pending if isinstance(change, Write)}

    def _remains(self, folder: str, entry: Entry) -> bool:
        return entry.folder or f"{folder}/{entry.name}" not in self._gone

    async def _stands(self, change: Change) -> bool:
        found = await self._find(change.path)
        if found is None and isinstance(change, Write):
            await self._check_place(change.path)
        return already_stands(change, found)

    async def _find(self, path: str) -> bytes | None:
        try:
            return (await self.read(path)).data
        except NotFound:
            return None

    async def _check_place(self, path: str) -> None:
        for folder in ancestors(path)[1:]:
            if await self._is_file(folder):
                raise NotAFile(path, "a file stands where this one needs a folder")
        refuse_twin(path, [entry.name for entry in await self.list(parent(path))])

    async def _is_file(self, path: str) -> bool:
        try:
            await self.read(path)
        except (NotFound, NotAFile):
            return False
        return True

    async def _lifted(self, change: Change) -> Change:
        """The change as it looks from the top layer, where what only the base has is absent."""
        try:
            expects: str | None = (await self._top.read(change.path)).version
        except NotFound:
            expects = ABSENT
        if isinstance(change, Write):
            return Write(change.path, change.data, expects)
        return Delete(change.path, expects or change.expects)
