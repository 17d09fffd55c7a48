"""The catalog and the monthly indexes as values and back, byte for byte as the original writes them.

The text of a list of entries is made apart from the file around it, so that a year that has not changed is not made
again (DESIGN 6).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import orjson

from core.errors import Malformed
from core.slices.model import ROOT, SLICES
from core.timeline.entry import from_json, to_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from core.timeline.entry import Entry

FOLDER: Final = f"{ROOT}/timeline"
INDEX_PATH: Final = f"{FOLDER}/index.json"
SCHEMA: Final = 1
_OPEN: Final = b'{\n  "slices": [\n'
_CLOSE: Final = b"\n  ]\n}"
_SEAM: Final = b",\n"
_BATCH: Final = 50
"""Entries that are made into text at once; as objects they take several times the room that they take as text."""
_HEAD: Final = 300
_STAMP: Final = re.compile(rb'\n  "updated_at": "([^"\\]*)"')
_MONTHLY: Final = ("id", "focus", "summary", "tags", "status", "start", "open_loops", "decisions")


@dataclass(frozen=True, slots=True)
class Catalog:
    """A catalog file: its entries in the file's order, when it was written, and the counters that it states."""

    entries: tuple[Entry, ...]
    updated_at: str = ""
    slice_count: int = 0
    needs_marking: int = 0


def year_index_path(year: str) -> str:
    """Where a year's entries stand once the catalog is too big for one file."""
    return f"{FOLDER}/index-{year}.json"


def month_path(month: str) -> str:
    """The index of a month `YYYY-MM`."""
    return f"{SLICES}/{month[:4]}/{month[5:7]}/_index.json"


def encode_entries(entries: Iterable[Entry]) -> bytes:
    """The text of the entries as they stand in a catalog, without what is around them; empty for none."""
    rest, pieces = iter(entries), []
    while listed := [to_json(entry) for entry in islice(rest, _BATCH)]:
        pieces.append(orjson.dumps({"slices": listed}, option=orjson.OPT_INDENT_2)[len(_OPEN) : -len(_CLOSE)])
    return _SEAM.join(pieces)


def encode_catalog(chunks: Sequence[bytes], updated_at: str, count: int, dry: int) -> bytes:
    """The catalog file around the texts of its entries, oldest first; two spaces, no newline at its end."""
    head = {"_schema": SCHEMA, "updated_at": updated_at, "slice_count": count, "needs_marking": dry, "slices": []}
    frame = orjson.dumps(head, option=orjson.OPT_INDENT_2)
    pieces = [piece for chunk in chunks if chunk for piece in (_SEAM, chunk)][1:]
    return b"".join((frame.removesuffix(b"[]\n}"), b"[\n", *pieces, _CLOSE)) if pieces else frame


def stamp_of(data: bytes) -> str:
    """When a catalog was written, from its beginning alone; "" for one that this program has not written."""
    found = _STAMP.search(data, 0, _HEAD)
    return found[1].decode(errors="replace") if found else ""


def decode_catalog(data: bytes, where: str = INDEX_PATH) -> Catalog:
    """The catalog in a file; what is no entry in its list is passed over. Raises `Malformed`."""
    found = _loaded(data, where)
    slices = found.get("slices") if isinstance(found, dict) else None
    if not isinstance(found, dict) or not isinstance(slices, list):
        raise Malformed(where, "not a catalog with a list of slices")
    entries = _entries(slices)
    stamp, count, dry = found.get("updated_at"), found.get("slice_count"), found.get("needs_marking")
    return Catalog(
        entries,
        stamp if isinstance(stamp, str) else "",
        count if type(count) is int else len(entries),
        dry if type(dry) is int else sum(entry.needs_marking for entry in entries),
    )


def encode_month(month: str, entries: Iterable[Entry]) -> bytes:
    """The index of a month: an object, its entries by id, no newline at its end (original.md 1.9)."""
    listed = []
    for entry in sorted(entries, key=lambda one: one.id):
        fields = to_json(entry)
        listed.append({key: fields[key] for key in _MONTHLY})
    return orjson.dumps({"month": month, "slices": listed}, option=orjson.OPT_INDENT_2)


def decode_month(data: bytes, where: str) -> tuple[Entry, ...]:
    """The entries of a monthly index, which is an object or, from older versions, a list. Raises `Malformed`."""
    found = _loaded(data, where)
    listed = found.get("slices") if isinstance(found, dict) else found
    if not isinstance(listed, list):
        raise Malformed(where, "not a list of slices, nor an object with one")
    return _entries(listed)


def _loaded(data: bytes, where: str) -> Any:
    try:
        return orjson.loads(data.removeprefix(b"\xef\xbb\xbf"))
    except orjson.JSONDecodeError as error:
        raise Malformed(where, f"not JSON: {error}") from error


def _entries(listed: list[Any]) -> tuple[Entry, ...]:
    found = (from_json(one) for one in listed if isinstance(one, dict))
    return tuple(entry for entry in found if entry)
