"""Records as lines: checksum, space, JSON in ASCII (reliability 2.3).

ASCII escapes keep lone surrogates, NUL and line separators exactly and let no text break a line. Fields left at their
default are not written; fields that are not known are passed over; a kind of record that is not known is refused, for
a newer version may rely on it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final
from zlib import crc32

from core.errors import Malformed
from core.journal.records import (
    PATH,
    Applied,
    Bye,
    Dead,
    Done,
    Hello,
    In,
    Json,
    OffRecord,
    Placeholder,
    Plan,
    Ran,
    Record,
    Sent,
    Shown,
    Snap,
    Step,
    Try,
)
from core.journal.thaw import thaw

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_SUM: Final = 8
_TAGS: Final[Mapping[type, str]] = {
    In: "in",
    Try: "try",
    Plan: "plan",
    Applied: "applied",
    Placeholder: "ph",
    Step: "step",
    Sent: "sent",
    Done: "done",
    Dead: "dead",
    Shown: "shown",
    Ran: "ran",
    OffRecord: "off",
    Snap: "snap",
    Hello: "hello",
    Bye: "bye",
}


def encode(records: Sequence[Record]) -> bytes:
    """The records as lines, each ended by LF. Raises ValueError when an operation holds what JSON has no form for."""
    return b"".join(_line(record) for record in records)


def payload_of(line: bytes) -> bytes | None:
    """The JSON of a line (without its LF), or None when its checksum does not hold."""
    total, space, payload = line[:_SUM], line[_SUM : _SUM + 1], line[_SUM + 1 :]
    return payload if space == b" " and total == b"%08x" % crc32(payload) else None


def decode(payload: bytes) -> Record:
    """The record of a checked line; raises `Malformed` when this version does not understand it."""
    try:
        raw = json.loads(payload)
    except (ValueError, RecursionError) as error:
        raise Malformed(PATH, "a record is not JSON") from error
    return thaw(raw)


def _line(record: Record) -> bytes:
    text = json.dumps(_freeze(record), sort_keys=True, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    payload = text.encode("ascii")
    return b"%08x %b\n" % (crc32(payload), payload)


def _freeze(value: object) -> Json:
    if value is None or isinstance(value, str | int | float | bool):
        return value
    if isinstance(value, datetime):
        return value.isoformat()
    if is_dataclass(value):
        plain: dict[str, Json] = {one.name: _freeze(getattr(value, one.name)) for one in _told(value)}
        return {"t": _TAGS[type(value)], **plain} if type(value) in _TAGS else plain
    if isinstance(value, Mapping):
        return {name: _freeze(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_freeze(inner) for inner in value]
    raise ValueError(f"the journal has no form for {type(value).__name__}")


def _told(value: object) -> Iterator[Field[Any]]:
    """The fields that are worth a place: all without a default, and those that differ from it."""
    for one in fields(value):  # type: ignore[arg-type]  # the caller asked is_dataclass
        default = one.default_factory() if one.default_factory is not MISSING else one.default
        if default is MISSING or one.name == "version" or getattr(value, one.name) != default:
            yield one
