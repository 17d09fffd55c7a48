"""Which part of a slice a model asks for: its five range modes, read leniently."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from core.errors import TryAgain
from core.slices.read import Last, Lines, Search, Since, Turns

if TYPE_CHECKING:
    from core.slices.read import Range

MODES: Final = ("turns", "last", "date", "search", "lines")

RANGE_SCHEMA: Final[Mapping[str, object]] = {
    "type": "object",
    "description": (
        "Leave it out to read the whole slice. mode `turns`: the turns at `indices` (from 0). `last`: the last `count` "
        "turns (3). `date`: turns from the ISO time `after` on. `search`: turns that hold one of `keywords`, with "
        "`context` turns around each (1). `lines`: lines `start` to `end` of the file, from 1, both included."
    ),
    "properties": {
        "mode": {"type": "string", "enum": list(MODES)},
        "indices": {"type": "array", "items": {"type": "integer"}},
        "count": {"type": "integer"},
        "after": {"type": "string"},
        "keywords": {"type": "array", "items": {"type": "string"}},
        "context": {"type": "integer"},
        "start": {"type": "integer"},
        "end": {"type": "integer"},
    },
    "required": ["mode"],
}

_KEYWORDS: Final = 32
_HINTS: Final = {
    "indices": "turns", "count": "last", "after": "date", "keywords": "search", "start": "lines", "end": "lines",
}  # fmt: skip


def range_of(value: object) -> Range | None:
    """The range that a model means, None for all of the slice.

    The mode may stand under `mode` or `type`, or be left to what else is given; numbers may be numeric text. Raises
    `TryAgain` for a mode that does not exist.
    """
    if not isinstance(value, Mapping) or not value:
        return None
    mode = value.get("mode") or value.get("type") or next((hint for key, hint in _HINTS.items() if key in value), "")
    match mode:
        case "turns":
            return Turns(tuple(at for one in _many(value.get("indices")) if (at := _number(one)) is not None))
        case "last":
            return Last(3 if (count := _number(value.get("count"))) is None else count)
        case "date":
            return Since(str(value.get("after") or ""))
        case "search":
            context = _number(value.get("context"))
            words = tuple(str(word) for word in _many(value.get("keywords")) if str(word).strip())[:_KEYWORDS]
            return Search(words, 1 if context is None else context)
        case "lines":
            return Lines(_number(value.get("start")), _number(value.get("end")))
        case _:
            raise TryAgain(f"there is no range mode {str(mode)[:40]!r}; there are: {', '.join(MODES)}")


def _many(value: object) -> list[object]:
    if isinstance(value, str):
        return [value]
    return list(value) if isinstance(value, list | tuple) else []


def _number(value: object) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return int(value) if abs(value) < 10**9 else None
    text = str(value or "").strip()
    return int(text) if text.removeprefix("-").isdecimal() and len(text) < 10 else None  # noqa: PLR2004 - fits an int
