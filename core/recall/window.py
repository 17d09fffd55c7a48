"""A stretch of the timeline: which slices began in it, one pointer line each."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Final

from core.language.dates import spans
from core.language.sentences import cut
from core.relative import local_day, phrase, weekday

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from core.i18n import Words
    from core.timeline.entry import Entry

    Tail = Callable[[str], str]

MOST: Final = 50
USUAL: Final = 20
ABOUT: Final = 300
"""How much of a focus or summary a pointer line shows; more than any that was written by rule."""


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


@dataclass(frozen=True, slots=True)
class Pen:
    """Writes pointer lines: `zone` and `today` are the person's, `tail` is what stands at a line's end by its id."""

    zone: str
    today: date
    words: Words
    tail: Tail = lambda _: ""

    def day(self, entry: Entry) -> date | None:
        """The local day on which a slice began."""
        return local_day(entry.start or entry.id, self.zone) or local_day(entry.id, self.zone)

    def line(self, entry: Entry) -> str:
        """One line: id, local day and distance, what it was about, its tone and tags."""
        day = self.day(entry)
        when = f"{day.isoformat()} {weekday(day, self.words)} · {phrase(day, self.today, self.words)}" if day else "?"
        about = cut(" ".join((entry.focus or entry.summary or "").split()), ABOUT)
        parts = " · ".join(part for part in (about, entry.tone) if part)
        tags = f" [{', '.join(entry.tags)}]" if entry.tags else ""
        return f"- **{entry.id}** ({when}) {parts}{tags}{self.tail(entry.id)}".rstrip()


def listed(window: Window, entries: Iterable[Entry], pen: Pen) -> str:
    """The pointer lines of the slices that began in the window, newest first; says how many there are."""
    inside = [entry for entry in entries if (day := pen.day(entry)) and window.first <= day <= window.last]
    inside.sort(key=lambda entry: entry.id, reverse=True)
    if not inside:
        return "(no slice began in that time)"
    lines = [pen.line(entry) for entry in inside[: window.limit]]
    return "\n".join([f"{len(lines)} of {len(inside)} slices, newest first; the lines are pointers.", *lines])


def _days(text: str, today: date) -> tuple[date, date] | None:
    found = spans(text, today)
    return (found[0].first, found[-1].last) if found else None


def _limit(value: object) -> int:
    number = value if isinstance(value, int) and not isinstance(value, bool) else USUAL
    return min(max(number, 1), MOST)
