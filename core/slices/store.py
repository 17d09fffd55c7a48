"""Slices in a storage: finding them, reading them, naming the next one.

An old flat file `HHMM.md` is a slice like any other. When it must be written it becomes a folder, in one commit that
also removes the flat file (`changes`): the original looks at flat files only while it recovers an active slice, so a
folder is what it lists, and two copies would let it reopen the old one. Nothing is lost: the text moves byte for byte
but for what changed. A file that cannot be understood is left as it is and reported (DESIGN 5.5, pains P047).
"""

from __future__ import annotations

from contextlib import aclosing
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from core.errors import Malformed, NotAFile, NotFound, StorageError
from core.slices.body import count_turns
from core.slices.codec import decode, decode_head, encode
from core.slices.model import ACTIVE, SLICES, Slice, core_path, folder_of, is_slice_id, rel_of
from core.slices.policy import minute_of
from core.storage.base import ABSENT, Delete, Write

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping

    from core.storage.base import Change, File, Storage

_DIGITS: Final = (4, 2, 2, 4)
_BREATH: Final = 25
_MINUTE: Final = timedelta(minutes=1)
_END_OF_TIME: Final = datetime(9999, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Loaded:
    """A slice with the version of the file that it was read from, or None for one that is not written yet."""

    slice: Slice
    version: str | None
    path: str


def born(slice_: Slice) -> Loaded:
    """A slice that has no file yet."""
    return Loaded(slice_, ABSENT, core_path(slice_.id))


def changes(loaded: Loaded, slice_: Slice) -> list[Change]:
    """What must be committed so that `slice_` stands in place of what was loaded."""
    path, data = core_path(loaded.slice.id), encode(slice_).encode()
    if loaded.path == path or loaded.version is None:
        return [Write(path, data, loaded.version)]
    return [Write(path, data, ABSENT), Delete(loaded.path, loaded.version)]


@dataclass(frozen=True, slots=True)
class Seen:
    """A slice without its turns, and how many turns its file has."""

    head: Slice
    turns: int


@dataclass(frozen=True, slots=True)
class _Known:
    """What was found at a path when the file had that mark: a head and the count of turns, or why there is none.

    `version` is the file's.
    """

    mark: str
    head: Slice | None
    why: str = ""
    turns: int = 0
    version: str = ""


class Slices:
    """The slices of one memory. The folder says which slice a file is: its id overrules the one in the file."""

    def __init__(self, storage: Storage, breathe: Callable[[], Awaitable[None]] | None = None) -> None:
        """`breathe` is awaited every few files of a long look through the archive, to give other tasks a turn."""
        self._storage = storage
        self._breathe = breathe
        self._known: dict[str, _Known] = {}
        self._unreadable: dict[str, str] = {}
        self._changed: set[str] = set()

    def changed(self) -> frozenset[str]:
        """The slices whose files were found changed since this was asked last, by whomever they were changed."""
        found, self._changed = frozenset(self._changed), set()
        return found

    @property
    def unreadable(self) -> Mapping[str, str]:
        """Slices whose file could not be understood when it was last read, each with the reason."""
        return dict(self._unreadable)

    async def ids(self) -> list[str]:
        """The ids of all slices, ascending; folders and flat files whose names are digits, nothing else."""
        return sorted([found async for found in self._newest_first()])

    async def newest(self, count: int) -> list[str]:
        """The ids of so many of the newest slices, ascending; its cost does not grow with the archive."""
        found: list[str] = []
        async with aclosing(self._newest_first()) as ids:
            while len(found) < count and (slice_id := await anext(ids, "")):
                found.append(slice_id)
        return found[::-1]

    async def load(self, slice_id: str) -> Loaded:
        """The slice with its turns; raises `NotFound`, `Malformed` (the file stays as it is) and storage trouble."""
        path = core_path(slice_id)
        try:
            file = await self._storage.read(path)
        except NotFound:
            try:
                file = await self._storage.read(_flat_path(slice_id))
            except NotFound:
                raise NotFound(path) from None
        try:
            found = decode(file.data, file.path)
        except Malformed as error:
            self._unreadable[slice_id] = error.why
            raise
        self._unreadable.pop(slice_id, None)
        return Loaded(_named(found, slice_id), file.version, file.path)

    async def mark(self, slice_id: str) -> str:
        """What changes whenever the slice's file does; "" when there is none. Raises `NotAFile`, `DiskTrouble`."""
        return next((mark for _, mark in await self._candidates(slice_id)), "")

    async def heads(self, ids: Iterable[str] | None = None) -> list[Slice]:
        """The slices without their turns, in the order of `ids` (all, ascending); unreadable ones are left out.

        A file is read again only when its mark in the listing has changed. Slices without a file are passed over.
        """
        return [seen.head for seen in (await self.survey(ids)).values() if seen]

    async def survey(self, ids: Iterable[str] | None = None) -> dict[str, Seen | None]:
        """Each of these slices (all, ascending) with its count of turns; None for one that could not be read.

        A file is read again only when its mark in the listing has changed. Slices without a file are left out.
        """
        found: dict[str, Seen | None] = {}
        for number, slice_id in enumerate(await self.ids() if ids is None else ids):
            if self._breathe and number % _BREATH == _BREATH - 1:
                await self._breathe()
            known = await self._look(slice_id)
            if known:
                found[slice_id] = Seen(_named(known.head, slice_id), known.turns) if known.head else None
        return found

    async def active(self) -> list[Loaded]:
        """Every slice that is still active, of whatever day, newest first (original.md B6).

        It looks through the whole archive: for the start and for maintenance, not for every message.
        """
        open_ids = [head.id for head in await self.heads() if head.status == ACTIVE]
        found = [await self._try_load(slice_id) for slice_id in reversed(open_ids)]
        return [loaded for loaded in found if loaded and loaded.slice.status == ACTIVE]

    async def latest(self) -> Loaded | None:
        """The newest slice that can be read; its cost does not grow with the archive."""
        async with aclosing(self._newest_first()) as ids:
            async for slice_id in ids:
                loaded = await self._try_load(slice_id)
                if loaded:
                    return loaded
        return None

    async def before(self, slice_id: str) -> Slice | None:
        """The newest closed slice with an earlier id, without its turns; its cost does not grow with the archive."""
        async with aclosing(self._newest_first()) as ids:
            async for earlier in ids:
                for head in await self.heads([earlier]) if earlier < slice_id else ():
                    if head.closed:
                        return head
        return None

    async def mint(self, now: datetime) -> str:
        """The id of a slice born now: the next free UTC minute, behind every id that exists (original.md B1).

        So two slices in one minute both live, and ids keep the order of talk when the clock was set back.
        """
        wanted = now.astimezone(UTC)
        async with aclosing(self._newest_first()) as ids:
            async for slice_id in ids:
                newest = minute_of(slice_id)
                if newest and newest < _END_OF_TIME:
                    wanted = max(wanted, newest + _MINUTE)
                    break
        return f"{wanted:%Y-%m-%d-%H%M}"

    async def _look(self, slice_id: str) -> _Known | None:
        try:
            candidates = await self._candidates(slice_id)
        except NotAFile as error:
            self._unreadable[slice_id] = str(error)
            return _Known("", None)
        for path, mark in candidates:
            known = self._known.get(path)
            if not known or not mark or known.mark != mark:
                before = known
                try:
                    known = _read_head(await self._storage.read(path), path, mark)
                except NotFound:
                    continue
                except StorageError as error:
                    self._unreadable[slice_id] = str(error)
                    return _Known("", None)
                self._known[path] = known
                if before and before.version != known.version:
                    self._changed.add(slice_id)
            if known.head is None:
                self._unreadable[slice_id] = known.why
            else:
                self._unreadable.pop(slice_id, None)
            return known
        return None

    async def _candidates(self, slice_id: str) -> list[tuple[str, str]]:
        """The paths where the slice's file stands, with their marks, the folder's first."""
        inside = await self._storage.list(f"{folder_of(slice_id)}/timeline")
        found = [(core_path(slice_id), entry.mark) for entry in inside if entry.name == "core.md"]
        if found:
            return found
        flat = _flat_path(slice_id)
        folder, name = flat.rsplit("/", 1)
        return [
            (flat, entry.mark) for entry in await self._storage.list(folder) if entry.name == name and not entry.folder
        ]

    async def _try_load(self, slice_id: str) -> Loaded | None:
        try:
            return await self.load(slice_id)
        except (NotFound, Malformed):
            return None
        except NotAFile as error:
            self._unreadable[slice_id] = str(error)
            return None

    async def _newest_first(self, folder: str = SLICES, depth: int = 0, prefix: str = "") -> AsyncGenerator[str, None]:
        """Ids from the newest to the oldest, listing only as many folders as are looked at."""
        names = {name for entry in await self._storage.list(folder) if (name := _name(entry.name, entry.folder, depth))}
        for name in sorted(names, reverse=True):
            if depth == len(_DIGITS) - 1:
                yield prefix + name
                continue
            async for found in self._newest_first(f"{folder}/{name}", depth + 1, f"{prefix}{name}-"):
                yield found


def _name(name: str, folder: bool, depth: int) -> str | None:
    """The digits that a folder or flat file adds to an id, or None.

    Whatever else stands where a slice's folder belongs takes up its id, too, and is found unreadable.
    """
    if not folder and depth == len(_DIGITS) - 1:
        name = name.removesuffix(".md")
    elif not folder:
        return None
    return name if len(name) == _DIGITS[depth] and name.isascii() and name.isdigit() else None


def _flat_path(slice_id: str) -> str:
    return f"{SLICES}/{rel_of(slice_id)}.md"


def _read_head(file: File, path: str, mark: str) -> _Known:
    try:
        return _Known(mark, decode_head(file.data, path), "", count_turns(file.data), file.version)
    except Malformed as error:
        return _Known(mark, None, error.why, version=file.version)


def _named(found: Slice, slice_id: str) -> Slice:
    return found if found.id == slice_id or not is_slice_id(slice_id) else replace(found, id=slice_id)
