"""The original's demo people, read from an address when they are asked for (original.md 2.16).

At the address stand `manifest.json` - for each person a tree nested by folder, with the names of files under `_files` -
and the files themselves, below the person's id and without `memory/`. Nothing is fetched before it is read; what was
fetched is kept.
"""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
from errno import EHOSTUNREACH, EPROTO
from typing import TYPE_CHECKING, Any, Final

import aiohttp

from core.errors import DiskTrouble, NotAFile, NotFound, ReadOnly
from core.storage.base import Entry, File, version_of
from core.storage.paths import check_file, check_folder, is_allowed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.clock import Clock
    from core.storage.base import Change

FILES: Final = "_files"
FRESH: Final = 3600.0
"""Seconds for which the manifest is taken as it was (original.md 2.16)."""
STALE: Final = 300.0
"""Seconds for which an old one does when the address does not answer."""
LIMIT: Final = 20.0
LARGEST: Final = 16 * 1024 * 1024
KEPT: Final = 4_000
"""Files that are kept in memory."""
MANIFEST: Final = "manifest.json"


class BenchmarkStorage:
    """One demo person, only for reading. Raises `DiskTrouble` when the address does not answer as it should."""

    def __init__(self, address: str, person: str, clock: Clock) -> None:
        self._address = address.rstrip("/")
        self._person = person
        self._clock = clock
        self._tree: dict[str, Any] = {}
        self._until = -1.0
        self._files: OrderedDict[str, bytes] = OrderedDict()
        self._one = asyncio.Lock()

    async def people(self) -> list[str]:
        """The ids of all people at the address, sorted."""
        return sorted(await self._manifest())

    async def named(self) -> dict[str, str]:
        """The name of everybody at the address by id, "" where the manifest tells none."""
        found = {
            one: told.get("name") if isinstance(told, dict) else "" for one, told in (await self._manifest()).items()
        }
        return {one: name if isinstance(name, str) else "" for one, name in found.items()}

    async def read(self, path: str) -> File:
        """The file. Raises `NotFound`, `PathRefused`, `NotAFile`, `DiskTrouble`."""
        place = _place(check_file(path))
        if place is None:
            raise NotFound(path)
        folder, _, name = place.rpartition("/")
        found = await self._folder(folder)
        if found is None or name not in _names(found):
            if found is not None and isinstance(found.get(name), dict):
                raise NotAFile(path, "a folder stands there")
            raise NotFound(path)
        if place not in self._files:
            self._files[place] = await self._fetch(f"{self._person}/{place}", path)
            if len(self._files) > KEPT:
                self._files.popitem(last=False)
        data = self._files[place]
        return File(path, data, version_of(data))

    async def list(self, folder: str) -> Sequence[Entry]:
        """The names in a folder, sorted; none when it is missing. Raises `PathRefused`, `DiskTrouble`."""
        place = _place(check_folder(folder))
        found = None if place is None else await self._folder(place)
        if found is None:
            return await self._alone(folder, place)
        entries = [
            Entry(name, folder=True) for name, below in found.items() if name != FILES and isinstance(below, dict)
        ]
        entries += [Entry(name, folder=False, mark=f"{self._person}/{place}/{name}") for name in _names(found)]
        return sorted((one for one in entries if is_allowed(f"{folder}/{one.name}")), key=lambda one: one.name)

    async def commit(self, changes: Sequence[Change], message: str) -> None:  # noqa: ARG002 - see the class
        """Refuse. Raises `ReadOnly`, unless there is nothing to change."""
        if changes:
            raise ReadOnly(changes[0].path, "this person's memory is only for reading")

    async def _alone(self, path: str, place: str | None) -> Sequence[Entry]:
        """What is listed where a file stands."""
        folder, _, name = (place or "").rpartition("/")
        above = await self._folder(folder) if name else None
        if above is None or name not in _names(above):
            return []
        return [Entry(name, folder=False, mark=f"{self._person}/{path}")]

    async def _folder(self, place: str) -> dict[str, Any] | None:
        """The part of the person's tree at a place."""
        found: Any = (await self._manifest()).get(self._person, {}).get("tree")
        for name in place.split("/") if place else ():
            found = found.get(name) if isinstance(found, dict) and name != FILES else None
        return found if isinstance(found, dict) else None

    async def _manifest(self) -> dict[str, Any]:
        async with self._one:
            if self._clock.monotonic() >= self._until:
                try:
                    data = await self._fetch(MANIFEST, MANIFEST)
                except DiskTrouble:
                    if not self._tree:
                        raise
                    self._until = self._clock.monotonic() + STALE  # what was read once does for a while
                    return self._tree
                try:
                    people = json.loads(data)["personas"]
                except (ValueError, KeyError, TypeError) as error:
                    raise DiskTrouble(MANIFEST, EPROTO, "the address holds no manifest of demo people") from error
                self._tree = people if isinstance(people, dict) else {}
                self._until = self._clock.monotonic() + FRESH
            return self._tree

    async def _fetch(self, place: str, path: str) -> bytes:
        """The bytes at a place below the address."""
        try:
            limit = aiohttp.ClientTimeout(total=LIMIT)
            async with (
                aiohttp.ClientSession(timeout=limit) as session,
                session.get(f"{self._address}/{place}") as answer,
            ):
                if answer.status == 404:  # noqa: PLR2004 - HTTP's "not found"
                    raise NotFound(path)
                answer.raise_for_status()
                data = await answer.content.read(LARGEST + 1)
                while len(data) <= LARGEST and (more := await answer.content.read(LARGEST)):
                    data += more
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise DiskTrouble(
                path, EHOSTUNREACH, "the demo person cannot be fetched from BENCHMARK_BASE_URL"
            ) from error
        if len(data) > LARGEST:
            raise DiskTrouble(path, EPROTO, "the file is too large for a demo")
        return data


def _place(path: str) -> str | None:
    """Where the path stands at the address; None for what the original's people do not have."""
    root, _, rest = path.partition("/")
    return rest if root == "memory" else None


def _names(folder: dict[str, Any]) -> list[str]:
    found = folder.get(FILES)
    return [name for name in found if isinstance(name, str)] if isinstance(found, list) else []
