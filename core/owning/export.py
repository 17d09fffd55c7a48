"""Taking all of memory out: zip files that each stand alone, of a size that the way out can carry.

In them are the tree as it stands (media included), a readable Markdown file for each month, all turns as JSON lines,
and a list that says what is where. A file that no part can hold is cut into pieces, which the import puts together
again. The same memory gives the same bytes.
"""

from __future__ import annotations

import io
import json
import re
import zlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

import orjson

from core.clock import instant
from core.errors import Malformed, NotAFile, NotFound
from core.owning.files import every
from core.relative import day_of, local_clock, slice_instant
from core.slices.filed import led
from core.slices.model import USER, folder_of
from core.slices.notes import spoken
from core.slices.text import encodable

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from core.i18n import Words
    from core.slices.model import Slice
    from core.slices.store import Slices
    from core.storage.base import Storage

MANIFEST: Final = "previously-export.json"
FORMAT: Final = 1
READABLE: Final = "readable"
TURNS: Final = "turns.jsonl"
WHOLE: Final = 500_000_000
"""Bytes of a part where nothing else limits it: one is made in memory at a time."""
TELEGRAM: Final = 50_000_000
DISCORD: Final = 10_000_000
LEAST: Final = 100_000
_ENTRY: Final = 400
"""Bytes that a name and the list may take up beside the data of a file."""
_BREATH: Final = 25
_ATTRIBUTES: Final = 0o600 << 16
_PIECE: Final = ".piece-"
_CUT: Final = re.compile(r"(.+)\.piece-([1-9][0-9]{0,5})-([1-9][0-9]{0,5})\Z", re.ASCII | re.DOTALL)
_PACKED: Final = (".jpg", ".jpeg", ".png", ".gif", ".webp", ".mp4", ".ogg", ".oga", ".mp3", ".m4a", ".zip", ".gz")


@dataclass(frozen=True, slots=True)
class Part:
    """One zip: its number from 1, whether it is the last, its bytes."""

    number: int
    last: bool
    data: bytes = field(repr=False)

    def name(self, stem: str) -> str:
        """The file's name; a number only when there are several."""
        return f"{stem}.zip" if self.last and self.number == 1 else f"{stem}-{self.number}.zip"


class Exporter:
    """Takes out the memory of a storage, part by part; one part is in memory at a time."""

    def __init__(
        self, storage: Storage, slices: Slices, breathe: Callable[[], Awaitable[None]], most: int = WHOLE
    ) -> None:
        """`most` is how many bytes a part may have, at least 100,000."""
        self._storage = storage
        self._slices = slices
        self._breathe = breathe
        self._most = max(most, LEAST)

    async def parts(self, words: Words, zone: str, at: str) -> AsyncIterator[Part]:
        """The parts in order; what cannot be read is left out and listed. Raises storage trouble."""
        made, number, left = _Zip(self._most), 1, list[str]()
        async for name, data in self._entries(words, zone, left):
            for piece, content in _cut(name, data, self._most):
                if not made.takes(piece, content):
                    yield Part(number, last=False, data=made.closed(number, at, left))
                    made, number, left = _Zip(self._most), number + 1, []
                made.put(piece, content)
        yield Part(number, last=True, data=made.closed(number, at, left))

    async def _entries(self, words: Words, zone: str, left: list[str]) -> AsyncIterator[tuple[str, bytes]]:
        number = 0
        async for path in every(self._storage):
            number += 1
            if number % _BREATH == 0:
                await self._breathe()
            try:
                yield path, (await self._storage.read(path)).data
            except NotFound:
                continue
            except NotAFile:
                left.append(path)
        async for name, data in self._readable(words, zone):
            yield name, data

    async def _readable(self, words: Words, zone: str) -> AsyncIterator[tuple[str, bytes]]:
        """A Markdown file a month, then all turns."""
        month, pages, lines = "", list[str](), bytearray()
        for number, slice_id in enumerate(await self._slices.ids()):
            if number % _BREATH == 0:
                await self._breathe()
            try:
                piece = (await self._slices.load(slice_id)).slice
            except (NotFound, NotAFile, Malformed):
                continue
            moment = slice_instant(slice_id)
            day = day_of(moment, zone).isoformat() if moment else slice_id[:10]
            if day[:7] != month and pages:
                yield f"{READABLE}/{month}.md", "".join(pages).encode()
                pages = []
            month = day[:7]
            pages.append(_page(piece, day, zone, words))
            lines += _lines(piece)
        if pages:
            yield f"{READABLE}/{month}.md", "".join(pages).encode()
        if lines:
            yield TURNS, bytes(lines)


class _Zip:
    """A zip being filled up to a size."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._bytes = io.BytesIO()
        self._zip = ZipFile(self._bytes, "w", ZIP_DEFLATED, compresslevel=6)
        self._names: list[str] = []
        self._beside = _ENTRY

    def takes(self, name: str, data: bytes) -> bool:
        """Whether there is room; an empty one takes anything."""
        if not self._names:
            return True
        room = self._most - self._bytes.tell() - self._beside - _ENTRY - 4 * len(name)
        return len(data) <= room or (not _is_packed(name) and len(zlib.compress(data, 6)) <= room)

    def put(self, name: str, data: bytes) -> None:
        self._write(name, data)
        self._names.append(name)
        self._beside += 4 * len(name) + 100

    def closed(self, number: int, at: str, left: list[str]) -> bytes:
        """The bytes, with the list of what is in it."""
        listed: dict[str, Any] = {"format": FORMAT, "part": number, "at": at, "files": self._names, "left_out": left}
        self._write(MANIFEST, json.dumps(listed, ensure_ascii=False, indent=1).encode())
        self._zip.close()
        return self._bytes.getvalue()

    def _write(self, name: str, data: bytes) -> None:
        info = ZipInfo(name)
        info.external_attr = _ATTRIBUTES
        info.compress_type = ZIP_STORED if _is_packed(name) else ZIP_DEFLATED
        self._zip.writestr(info, data)


def _is_packed(name: str) -> bool:
    """Whether the data of such a file is packed already."""
    return name.partition(_PIECE)[0].lower().endswith(_PACKED)


def _cut(name: str, data: bytes, most: int) -> list[tuple[str, bytes]]:
    """The file, or its pieces when even packed it may be more than a part can hold."""
    room = most - 4 * _ENTRY - 8 * len(name)
    if len(data) <= room:
        return [(name, data)]
    starts = range(0, len(data), room)
    return [(f"{name}{_PIECE}{number}-{len(starts)}", data[at : at + room]) for number, at in enumerate(starts, 1)]


def whole_name(name: str) -> tuple[str, int, int]:
    """The file that an entry belongs to, which piece of it that is, and of how many (0: it is all of it)."""
    found = _CUT.match(name)
    return (found[1], int(found[2]), int(found[3])) if found else (name, 0, 0)


def _page(piece: Slice, day: str, zone: str, words: Words) -> str:
    """A slice for reading."""
    began = slice_instant(piece.id)
    clock = local_clock(began, zone) if began else piece.id[11:]
    lines = [f"# {day} {clock} · {piece.focus or piece.summary or words('slice.untitled')}", ""]
    lines += [piece.summary, ""] if piece.summary and piece.focus else []
    for turn in piece.turns:
        at = instant(turn.at)
        who = words("slice.you" if turn.role == USER else "slice.me")
        said = led(spoken(turn.text), f"../{folder_of(piece.id)}") if turn.role == USER else turn.text
        if said:
            lines += [f"**{who}**{f' · {local_clock(at, zone)}' if at else ''}", "", said, ""]
    return encodable("\n".join(lines)) + "\n"


def _lines(piece: Slice) -> bytes:
    """The turns of a slice as JSON lines."""
    return b"".join(
        orjson.dumps(
            {"slice": piece.id, "turn": turn.label, "at": turn.at, "role": turn.role, "text": encodable(turn.text)}
        )
        + b"\n"
        for turn in piece.turns
    )
