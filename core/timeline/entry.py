"""An entry of the timeline: a pointer to a slice with enough texture to judge whether to read it (seeds)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from core.slices.model import CLOSED

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from core.slices.model import Slice


@dataclass(frozen=True, slots=True)
class Entry:
    """What the catalog says of a slice; `date` is its UTC day. `turn_count` counts both roles, None when unknown."""

    id: str
    date: str
    start: str
    end: str = ""
    turn_count: int | None = None
    status: str = CLOSED
    focus: str = ""
    summary: str = ""
    tags: tuple[str, ...] = ()
    tone: str = ""
    open_loops: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()
    strands: tuple[str, ...] = ()

    @property
    def needs_marking(self) -> bool:
        """Whether nothing says what the slice was about."""
        return not self.focus and not self.summary


def build_entry(piece: Slice, turn_count: int, strands: Iterable[str] = ()) -> Entry:
    """The entry of a slice, whose turns need not be loaded; a missing start is midnight of its UTC day."""
    return Entry(
        id=piece.id,
        date=piece.id[:10],
        start=piece.start or f"{piece.id[:10]}T00:00:00.000Z",
        end=piece.end,
        turn_count=turn_count,
        status=piece.status,
        focus=piece.focus,
        summary=piece.summary,
        tags=piece.tags,
        tone=piece.emotional_tone,
        open_loops=piece.open_loops,
        decisions=piece.decisions,
        strands=tuple(strands),
    )


def to_json(entry: Entry) -> dict[str, Any]:
    """The entry as the catalog has it, its keys in the original's order (original.md 1.7)."""
    fields: dict[str, Any] = {"id": entry.id, "date": entry.date, "start": entry.start}
    if entry.end:
        fields["end"] = entry.end
    if entry.turn_count is not None:
        fields["turn_count"] = entry.turn_count
    fields |= {"status": entry.status, "focus": entry.focus, "summary": entry.summary, "tags": entry.tags}
    if entry.tone:
        fields["tone"] = entry.tone
    fields |= {"open_loops": entry.open_loops, "decisions": entry.decisions, "strands": entry.strands}
    return fields | {"needs_marking": entry.needs_marking}


def from_json(found: Mapping[str, Any]) -> Entry | None:
    """The entry in an object of a catalog or monthly index; None without an id. Other keys may be there or not."""
    slice_id = _text(found.get("id"))
    if not slice_id:
        return None
    turns = found.get("turn_count")
    date = _text(found.get("date")) or slice_id[:10]
    return Entry(
        id=slice_id,
        date=date,
        start=_text(found.get("start")) or f"{date}T00:00:00.000Z",
        end=_text(found.get("end")),
        turn_count=turns if type(turns) is int else None,
        status=_text(found.get("status")) or CLOSED,
        focus=_text(found.get("focus")),
        summary=_text(found.get("summary")),
        tags=_texts(found.get("tags")),
        tone=_text(found.get("tone")),
        open_loops=_texts(found.get("open_loops")),
        decisions=_texts(found.get("decisions")),
        strands=_texts(found.get("strands")),
    )


def with_strands(entry: Entry, strands: tuple[str, ...]) -> Entry:
    """The entry with these strands; the same object when it has them."""
    return entry if entry.strands == strands else replace(entry, strands=strands)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _texts(value: object) -> tuple[str, ...]:
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else ()
