"""Bringing our own export in: every file as it was, byte for byte; what stands there already is never written over."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from core.errors import Conflict, Malformed, NotAFile, NotFound, PathRefused, Unfit
from core.owning.export import MANIFEST, whole_name
from core.slices import codec, forgotten
from core.slices.forgetting import (
    Trace,
    card_without,
    without_messages,
    without_record,
    without_thoughts,
    without_turns,
)
from core.slices.model import CARD_PATH, SLICES, rel_of
from core.storage.base import ABSENT, Write
from core.storage.paths import ROOTS, check_file

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from core.owning.archive import Archive
    from core.slices.forgotten import Forgotten
    from core.storage.base import Storage

BATCH: Final = 50
_SLICE_PARTS: Final = 4


@dataclass(frozen=True, slots=True)
class Restored:
    """How many files were written, how many stood there alike, and which stand there otherwise and were left."""

    written: int = 0
    alike: int = 0
    left: tuple[str, ...] = field(default=())


def is_export(archive: Archive) -> bool:
    """Whether a zip is a part of our own export."""
    return MANIFEST in archive.names


class Restorer:
    """Restores parts of one export. Made of them all: raises `Unfit` before anything is written."""

    def __init__(self, storage: Storage, parts: Sequence[Archive], gone: Forgotten) -> None:
        """`gone` is what was forgotten here: an older export does not bring it back."""
        self._storage = storage
        self._gone = gone
        self._pieces: dict[str, dict[int, tuple[Archive, str]]] = {}
        whole: dict[str, int] = {}
        for part in parts:
            for name in part.names:
                path, number, of = whole_name(name)
                if path.partition("/")[0] in ROOTS and "/" in path:
                    self._pieces.setdefault(_checked(path), {})[number] = (part, name)
                    whole[path] = of
        for path, pieces in self._pieces.items():
            if 0 not in pieces and sorted(pieces) != list(range(1, whole[path] + 1)):
                raise Unfit("import.piece", name=path)

    @property
    def files(self) -> int:
        """How many files there are."""
        return len(self._pieces)

    async def run(self, progress: Callable[[int, int], None]) -> Restored:
        """Write what is not there, the truth first and in order. Raises `Unfit`, storage trouble."""
        lost, trace = self._lost()
        written, alike, left = 0, 0, list[str]()
        batch: list[Write] = []
        for number, path in enumerate(sorted(self._pieces), 1):
            data = self._kept(path, self._data(path), lost, trace)
            there = await self._there(path)
            if data is None or there == data:
                alike += data is not None
            elif there is None:
                batch.append(Write(path, data, ABSENT))
            else:
                left.append(path)
            if len(batch) == BATCH or (batch and number == len(self._pieces)):
                written += await self._commit(batch, left)
                batch = []
            progress(number, len(self._pieces))
        if batch:
            written += await self._commit(batch, left)
        return Restored(written, alike, tuple(left))

    async def _commit(self, batch: Sequence[Write], left: list[str]) -> int:
        """Write them; one that somebody has just written is left."""
        try:
            await self._storage.commit(batch, "import")
        except Conflict as error:
            left.append(error.path)
            rest = [one for one in batch if one.path != error.path]
            return await self._commit(rest, left) if rest else 0
        return len(batch)

    def _data(self, path: str) -> bytes:
        pieces = self._pieces[path]
        if 0 in pieces:
            archive, name = pieces[0]
            return archive.read(name)
        return b"".join(archive.read(name) for _, (archive, name) in sorted(pieces.items()))

    def _lost(self) -> tuple[Mapping[str, frozenset[str] | None], Trace]:
        """The slices of the export that hold what was forgotten here: the labels, or None when nothing else is left."""
        found: dict[str, frozenset[str] | None] = {}
        for path in self._pieces if self._gone.turns else ():
            if not path.startswith(f"{SLICES}/") or not path.endswith("/core.md"):
                continue
            try:
                labels = {turn.label for turn in codec.decode(self._data(path), path).turns}
            except Malformed:
                continue
            lost = labels & self._gone.turns
            if lost:
                found[_slice_of(path)] = None if lost == labels else frozenset(lost)
        whole = tuple(rel_of(name) for name, labels in found.items() if labels is None)
        refs = tuple(f"{rel_of(name)}-{label}" for name, labels in found.items() for label in labels or ())
        return found, Trace(slices=whole, refs=refs)

    def _kept(self, path: str, data: bytes, lost: Mapping[str, frozenset[str] | None], trace: Trace) -> bytes | None:
        """The file without what was forgotten here; None for one of which nothing is left."""
        if not lost or path == forgotten.PATH:
            return data
        labels = lost.get(_slice_of(path), frozenset())
        if labels is None:
            return None
        if path == CARD_PATH or path.endswith("/previously.md"):
            return _over(data, lambda text: card_without(text, trace))
        if "/evolution-" in path:
            return _over(data, lambda text: without_record(text, trace))
        return _part(path, data, labels) if labels else data

    async def _there(self, path: str) -> bytes | None:
        try:
            return (await self._storage.read(path)).data
        except NotFound:
            return None
        except NotAFile:
            return b""


def _checked(path: str) -> str:
    """The path, when memory may have it. Raises `Unfit`."""
    try:
        return check_file(path)
    except PathRefused as error:
        raise Unfit("import.path", name=path[:80]) from error


def _part(path: str, data: bytes, labels: frozenset[str]) -> bytes | None:
    """A file of a slice of which some turns were forgotten."""
    if path.endswith("/core.md"):
        return codec.encode(without_turns(codec.decode(data, path), labels)).encode()
    if path.endswith("/messages.jsonl"):
        return without_messages(data, labels)
    if path.endswith("/agent.md"):
        return _over(data, lambda text: without_thoughts(text, labels))
    return None if path.rpartition("/")[2].partition("-")[0] in labels else data


def _over(data: bytes, change: Callable[[str], str]) -> bytes | None:
    return change(data.decode(errors="surrogateescape")).encode(errors="surrogateescape") or None


def _slice_of(path: str) -> str:
    parts = path.removeprefix(f"{SLICES}/").split("/") if path.startswith(f"{SLICES}/") else []
    return "-".join(parts[:_SLICE_PARTS]) if len(parts) > _SLICE_PARTS else ""
