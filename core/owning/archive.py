"""Reading files that somebody else made: zips and JSON, looked over as a whole before anything of them is believed.

Refused, with a sentence: names that lead out of the folder, links, encrypted entries, bombs (by ratio, by total, by
count), what is not JSON, absurd depth, sizes that no export has (reliability 4.4).
"""

from __future__ import annotations

import json
import re
import stat
import struct
import zlib
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, is_zipfile

import orjson

from core.errors import Unfit

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path
    from zipfile import ZipInfo

ENTRIES: Final = 200_000
TOTAL: Final = 8 * 1024**3
"""Unpacked bytes of all entries together."""
RATIO: Final = 100
"""How many times larger than packed an entry may be; text reaches 20 (reliability 4.6, 86)."""
SMALL: Final = 1024**2
"""Unpacked bytes up to which the ratio does not matter."""
LISTED: Final = 128
"""Bytes of the list of a zip for each entry that it may have: one of our own takes 110."""
JSON: Final = 512 * 1024**2
DEPTH: Final = 200
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")
_DRIVE: Final = re.compile(r"[A-Za-z]:")
_LOOKED_AT: Final = 1024**2
_READ: Final = 1024**2
_END: Final = 66_000
"""Bytes at the end of a zip among which its end record stands, with the longest comment."""
_ENDS: Final = struct.Struct("<10xHLLH")
_WIDE_ENDS: Final = struct.Struct("<24xQQQ8x")
_WIDE: Final = 20
"""Bytes between the wide end record and the end record."""
_PACKING: Final = (ZIP_STORED, ZIP_DEFLATED)
_DAMAGED: Final = (
    *(BadZipFile, EOFError, OSError, ValueError, RuntimeError, MemoryError),
    *(zlib.error, struct.error, OverflowError),
)
"""What reading a broken zip may raise."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What an archive may have; tests make them small."""

    entries: int = ENTRIES
    total: int = TOTAL
    ratio: int = RATIO
    json: int = JSON


class Archive:
    """A zip that was looked over. Entries are read with their sizes held to what the list of the zip says."""

    def __init__(self, opened: ZipFile, limits: Limits) -> None:
        """Raises `Unfit`."""
        self._zip = opened
        self._limits = limits
        infos = opened.infolist()
        _check_all(infos, limits)
        self._files: Mapping[str, ZipInfo] = {one.filename: one for one in infos if not one.is_dir()}

    @property
    def names(self) -> tuple[str, ...]:
        """The files in it, in its order."""
        return tuple(self._files)

    def size(self, name: str) -> int:
        """Unpacked bytes of a file."""
        return self._files[name].file_size

    def find(self, name: str) -> str:
        """The file of that bare name nearest to the top, or ""."""
        found = [one for one in self._files if one.rpartition("/")[2] == name]
        return min(found, key=lambda one: (one.count("/"), one), default="")

    def read(self, name: str) -> bytes:
        """The file's bytes. Raises `Unfit` when they are not what the list says."""
        info = self._files[name]
        data = bytearray()
        try:
            with self._zip.open(info) as file:
                while chunk := file.read(_READ):
                    data += chunk
                    if len(data) > info.file_size:
                        raise Unfit("import.bomb", name=_shown(name))
        except _DAMAGED as error:
            raise Unfit("import.damaged", name=_shown(name)) from error
        if len(data) != info.file_size:
            raise Unfit("import.damaged", name=_shown(name))
        return bytes(data)

    def json(self, name: str) -> Any:
        """The file's JSON. Raises `Unfit`."""
        if self.size(name) > self._limits.json:
            raise Unfit("import.large", name=_shown(name))
        return parsed(self.read(name), name)


@dataclass(frozen=True, slots=True)
class Given:
    """A file as it was given: an archive, or a JSON value with its name."""

    name: str
    archive: Archive | None = None
    value: Any = field(default=None, repr=False)


@contextmanager
def opened(path: Path, limits: Limits | None = None) -> Iterator[Given]:
    """The file, looked over. Raises `Unfit`."""
    limits = limits or Limits()
    try:
        if not path.is_file():
            raise Unfit("import.missing", name=_shown(str(path)))
        if is_zipfile(path):
            _check_list(path, limits)
            with ZipFile(path) as found:
                yield Given(path.name, Archive(found, limits))
            return
        if path.stat().st_size > limits.json:
            raise Unfit("import.large", name=_shown(path.name))
        yield Given(path.name, value=parsed(path.read_bytes(), path.name))
    except _DAMAGED as error:
        raise Unfit("import.damaged", name=_shown(path.name)) from error


def parsed(data: bytes, name: str) -> Any:
    """The JSON value. Raises `Unfit`."""
    try:
        value = orjson.loads(data.removeprefix(b"\xef\xbb\xbf"))
    except (orjson.JSONDecodeError, RecursionError) as error:
        deep = "recursion" in str(error).lower() or _is_deep(data)
        raise Unfit("import.deep" if deep else "import.not_json", name=_shown(name)) from error
    if _deeper(value, DEPTH):
        raise Unfit("import.deep", name=_shown(name))
    return value


def _is_deep(data: bytes) -> bool:
    """Whether what no reader takes is nested too deeply; the quick one does not always say so."""
    try:
        json.loads(data[:_LOOKED_AT])
    except RecursionError:
        return True
    except ValueError:
        return False
    return False


def _deeper(value: object, most: int) -> bool:
    """Whether anything is nested more than `most` levels deep; level by level, so that depth costs no stack."""
    level = [value]
    for _ in range(most + 1):
        level = [
            inner
            for one in level
            if isinstance(one, dict | list)
            for inner in (one.values() if isinstance(one, dict) else one)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return False
    return True


def _check_list(path: Path, limits: Limits) -> None:
    """Refuse a list of a million entries before it is read, which would take a small machine's memory."""
    size, seen = path.stat().st_size, 0
    with path.open("rb") as file:
        file.seek(max(0, size - _END))
        tail = file.read()
    at = tail.rfind(b"PK\x05\x06")
    if 0 <= at <= len(tail) - _ENDS.size:
        seen, listed, *_ = _ENDS.unpack_from(tail, at)
        wide = at - _WIDE - _WIDE_ENDS.size
        if wide >= 0 and tail.startswith(b"PK\x06\x06", wide):
            _, seen, listed = _WIDE_ENDS.unpack_from(tail, wide)
        if seen > limits.entries or listed > max(limits.entries * LISTED, _LOOKED_AT):
            raise Unfit("import.many", n=max(seen, listed // LISTED))


def _check_all(infos: list[ZipInfo], limits: Limits) -> None:
    if len(infos) > limits.entries:
        raise Unfit("import.many", n=len(infos))
    if sum(one.file_size for one in infos) > limits.total:
        raise Unfit("import.bomb", name="")
    seen: set[str] = set()
    for one in infos:
        _check(one, limits)
        if one.filename.casefold() in seen:
            raise Unfit("import.twice", name=_shown(one.filename))
        seen.add(one.filename.casefold())


def _check(one: ZipInfo, limits: Limits) -> None:
    name, mode = one.orig_filename, one.external_attr >> 16
    parts = name.removesuffix("/").split("/")
    leads_out = name.startswith("/") or "\\" in name or _DRIVE.match(name) or _CONTROL.search(name)
    if leads_out or not name or any(part in {"", ".", ".."} for part in parts):
        raise Unfit("import.path", name=_shown(name))
    if mode and not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_IFMT(mode) == 0):
        raise Unfit("import.link", name=_shown(name))
    if one.compress_type not in _PACKING:
        raise Unfit("import.damaged", name=_shown(name))
    if one.flag_bits & 0x1:
        raise Unfit("import.locked", name=_shown(name))
    if one.file_size > SMALL and one.file_size > limits.ratio * max(one.compress_size, 1):
        raise Unfit("import.bomb", name=_shown(name))


def _shown(name: str) -> str:
    """A name as it may be shown: one line, short, no odd signs."""
    text = ascii(name)[1:-1] if not name.isprintable() else name
    return text if len(text) <= 80 else f"{text[:79]}…"  # noqa: PLR2004 - a line
