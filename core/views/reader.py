"""For whom a page is made: language, zone, and the present moment; and words from memory made fit for one line."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from core.clock import instant
from core.relative import day_of, local_clock, phrase, slice_instant, weekday

if TYPE_CHECKING:
    from datetime import date

    from core.i18n import Words
    from core.slices.model import Slice


LABEL: Final = 30
"""Characters of a button's label (original.md 2.16)."""

LINE: Final = 200
"""Characters of a title or an item: what a hand wrote into a file may be of any length."""

_UNDATED: Final = datetime(1970, 1, 1, tzinfo=UTC)
_JOINER: Final = "\u200d"


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

    def day(self, piece: Slice) -> date:
        """The person's calendar day on which a slice began."""
        return day_of(began(piece), self.zone)

    def clock(self, piece: Slice) -> str:
        """The time of day at which a slice began, on the person's clock."""
        return local_clock(began(piece), self.zone)

    def moment(self, piece: Slice) -> str:
        """When a slice began, such as `2026-03-09 Mon 19:42 · 6 days ago`."""
        day = self.day(piece)
        named = f"{day.isoformat()} {weekday(day, self.words)}"
        return self.words("slice.when", day=named, time=self.clock(piece), ago=self.ago(day))

    def ago(self, day: date) -> str:
        """How far a day is from today."""
        return phrase(day, self.today, self.words)


def began(piece: Slice) -> datetime:
    """When a slice began: its `start`, else the minute its id names; 1970 when neither can be read."""
    return instant(piece.start) or slice_instant(piece.id) or _UNDATED


def ended(piece: Slice) -> datetime:
    """When a slice ended as far as its marks tell, else when it began."""
    return instant(piece.end) or began(piece)


def title_of(piece: Slice, words: Words) -> str:
    """What a slice is called on a page: its focus, else its summary, else a word that says there is none."""
    return clip(piece.focus or piece.summary, LINE) or words("slice.untitled")


def one_line(text: str) -> str:
    """The text with every run of blanks and line ends as one space."""
    return " ".join(text.split())


def clip(text: str, most: int = LABEL) -> str:
    """The text on one line in at most that many code points, "…" last when it is cut; no sign is cut in two."""
    line = one_line(text)
    if len(line) <= most:
        return line
    end = most - 1
    while end and _belongs(line[end - 1], line[end]):
        end -= 1
    return f"{line[: end or most - 1]}…"


def _belongs(before: str, after: str) -> bool:
    """Whether two code points are one sign for the eye: marks, joined emoji, skin tones, flags."""
    return (
        _JOINER in {before, after}
        or unicodedata.category(after).startswith("M")
        or "\U0001f3fb" <= after <= "\U0001f3ff"
        or ("\U0001f1e6" <= before <= "\U0001f1ff" and "\U0001f1e6" <= after <= "\U0001f1ff")
    )
