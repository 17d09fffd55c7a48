"""For whom a page is made: language, zone, and the present moment; and words from memory made fit for one line."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, Protocol

from core.clock import instant
from core.relative import day_of, local_clock, long_ago, slice_instant, weekday

if TYPE_CHECKING:
    from datetime import date

    from core.i18n import Words


LABEL: Final = 30
"""Characters of a button's label (original.md 2.16)."""

LINE: Final = 200
"""Characters of a title or an item: what a hand wrote into a file may be of any length."""

_UNDATED: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MIDNIGHT: Final = "T00:00:00.000Z"
_JOINER: Final = "\u200d"


class Piece(Protocol):
    """What a page needs to know of a slice: a `Slice` without its turns has it, and so has an entry of the catalog."""

    @property
    def id(self) -> str:
        """The id, `YYYY-MM-DD-HHMM` in UTC."""

    @property
    def status(self) -> str:
        """Open or closed, as the file says."""

    @property
    def start(self) -> str:
        """When it began, ISO, or ""."""

    @property
    def end(self) -> str:
        """When it ended, ISO, or ""."""

    @property
    def focus(self) -> str:
        """What it was about, or ""."""

    @property
    def summary(self) -> str:
        """What happened in it, or ""."""

    @property
    def tags(self) -> tuple[str, ...]:
        """Its topics."""

    @property
    def open_loops(self) -> tuple[str, ...]:
        """What it left open."""

    @property
    def decisions(self) -> tuple[str, ...]:
        """What was decided in it."""


@dataclass(frozen=True, slots=True)
class Reader:
    """The person that looks at a page, and when."""

    words: Words
    zone: str
    now: datetime

    @property
    def today(self) -> date:
        """The person's calendar day."""
        return day_of(self.now, self.zone)

    def day(self, piece: Piece) -> date:
        """The person's calendar day on which a slice began."""
        return day_of(began(piece), self.zone)

    def clock(self, piece: Piece) -> str:
        """The time of day at which a slice began, on the person's clock."""
        return local_clock(began(piece), self.zone)

    def moment(self, piece: Piece) -> str:
        """When a slice began, such as `2026-03-09 Mon 19:42 · 6 days ago`."""
        return self.when(began(piece))

    def when(self, moment: datetime) -> str:
        """An instant on the person's calendar and clock, with its distance."""
        day = day_of(moment, self.zone)
        return self.words("slice.when", day=self.named(day), time=local_clock(moment, self.zone), ago=self.ago(day))

    def named(self, day: date) -> str:
        """A day for reading, such as `2026-03-09 Mon`."""
        return f"{day.isoformat()} {weekday(day, self.words)}"

    def ago(self, day: date) -> str:
        """How far a day is from today."""
        return long_ago(day, self.today, self.words)


def began(piece: Piece) -> datetime:
    """When a slice began: its `start`, else the minute its id names; 1970 when neither can be read.

    A catalog has midnight for a slice without a `start`: there the id knows better.
    """
    named = slice_instant(piece.id)
    if named and piece.start == f"{piece.id[:10]}{_MIDNIGHT}":
        return named
    return instant(piece.start) or named or _UNDATED


def ended(piece: Piece) -> datetime:
    """When a slice ended as far as its marks tell, else when it began."""
    return instant(piece.end) or began(piece)


def title_of(piece: Piece, words: Words) -> str:
    """What a slice is called on a page: its focus, else its summary, else a word that says there is none."""
    return clip(piece.focus, LINE) or clip(piece.summary, LINE) or words("slice.untitled")


def one_line(text: str) -> str:
    """The text with every run of blanks and line ends as one space."""
    return " ".join(text.split())


def same(text: str) -> str:
    """A text as it is compared with another: NFKC, case folded, blanks run together, no stop or mark at its end."""
    plain = one_line(text.lower() if text.isascii() else unicodedata.normalize("NFKC", text).casefold())
    while plain and unicodedata.category(plain[-1]) == "Po":
        plain = plain[:-1].rstrip()
    return plain


def clip(text: str, most: int = LABEL) -> str:
    """The text on one line in at most that many code points, "…" last when it is cut; no sign is cut in two."""
    line = one_line(text)
    return line if len(line) <= most else _cut(line, most - 1)


def fit(text: str, cells: int) -> str:
    """The text on one line that takes at most so many cells of a terminal, where wide characters take two."""
    line = one_line(text)
    if width(line) <= cells:
        return line
    used = end = 0
    while used + _cells(line[end]) < cells:
        used += _cells(line[end])
        end += 1
    return _cut(line, end)


def width(line: str) -> int:
    """How many cells of a terminal a line takes at most."""
    return sum(map(_cells, line))


def _cut(line: str, most: int) -> str:
    end = most
    while end and _belongs(line[end - 1], line[end]):
        end -= 1
    return f"{line[: end or most]}…"


def _cells(sign: str) -> int:
    return 2 if unicodedata.east_asian_width(sign) in "WF" else 1


def _belongs(before: str, after: str) -> bool:
    """Whether two code points are one sign for the eye: marks, joined emoji, skin tones, flags."""
    return (
        _JOINER in {before, after}
        or unicodedata.category(after).startswith("M")
        or "\U0001f3fb" <= after <= "\U0001f3ff"
        or ("\U0001f1e6" <= before <= "\U0001f1ff" and "\U0001f1e6" <= after <= "\U0001f1ff")
    )
