"""A stretch of the timeline: which slices began in it, one pointer line each."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Final

from core.language.dates import spans
from core.relative import local_day, phrase, weekday

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from core.i18n import Words
    from core.slices.model import Slice

MOST: Final = 50
USUAL: Final = 20


@dataclass(frozen=True, slots=True)
class Window:
    """The local days from `first` to `last`, both included, and how many lines to show."""

    first: date
    last: date
    limit: int

    @classmethod
    def of(cls, arguments: Mapping[str, object], today: date) -> Window | str:
        """The window that a model asks for, or an `ERROR:` text; words such as "last week" are seen from `today`."""
        given = {name: str(arguments.get(name) or "").strip() for name in ("from", "to")}
        ends = {}
        for name, text in given.items():
            found = _days(text, today) if text else (date.min, date.max)
            if found is None:
                return f"ERROR: {text[:60]!r} is no date; use YYYY-MM-DD, YYYY-MM or words such as 'last week'"
            ends[name] = found
        first, last = ends["from"][0], ends["to"][1]
        if given["from"] and not given["to"] and not given["from"][:4].isdigit():
            # Words name a stretch with two ends; a bare date as the first day leaves the end open.
            last = ends["from"][1]
        return cls(min(first, last), max(first, last), _limit(arguments.get("limit")))


def listed(window: Window, slices: Iterable[Slice], zone: str, today: date, words: Words) -> str:
    """The pointer lines of the slices that began in the window, newest first; says how many there are."""
    inside = [
        (piece, day)
        for piece in slices
        if (day := local_day(piece.start or piece.id, zone) or local_day(piece.id, zone))
        and window.first <= day <= window.last
    ]
    inside.sort(key=lambda pair: pair[0].id, reverse=True)
    if not inside:
        return "(no slice began in that time)"
    lines = [_line(piece, day, today, words) for piece, day in inside[: window.limit]]
    return "\n".join([f"{len(lines)} of {len(inside)} slices, newest first; the lines are pointers.", *lines])


def _line(piece: Slice, day: date, today: date, words: Words) -> str:
    about = " ".join((piece.focus or piece.summary or "").split())
    parts = [part for part in (about, piece.emotional_tone) if part]
    tags = f" [{', '.join(piece.tags)}]" if piece.tags else ""
    when = f"{day.isoformat()} {weekday(day, words)} · {phrase(day, today, words)}"
    return f"- **{piece.id}** ({when}) {' · '.join(parts)}{tags}".rstrip()


def _days(text: str, today: date) -> tuple[date, date] | None:
    found = spans(text, today)
    return (found[0].first, found[-1].last) if found else None


def _limit(value: object) -> int:
    number = value if isinstance(value, int) and not isinstance(value, bool) else USUAL
    return min(max(number, 1), MOST)
