"""For whom a page is made: language, zone, and the present moment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.clock import instant
from core.relative import calendar, day_of, local_clock, phrase, slice_instant

if TYPE_CHECKING:
    from datetime import date, datetime

    from core.i18n import Words
    from core.slices.model import Slice


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

    def dated(self, day: date) -> str:
        """A day with its weekday and distance, such as `2026-03-09 Mon · 6 days ago`."""
        return f"{day:%Y}-{calendar(day, self.today, self.words)}"

    def ago(self, day: date) -> str:
        """How far a day is from today."""
        return phrase(day, self.today, self.words)


def began(piece: Slice) -> datetime:
    """When a slice began: its `start`, or the minute its id names when the start cannot be read."""
    found = instant(piece.start) or slice_instant(piece.id)
    if found is None:
        raise ValueError(f"{piece.id!r} is no slice id")
    return found


def ended(piece: Slice) -> datetime:
    """When a slice ended as far as its marks tell, else when it began."""
    return instant(piece.end) or began(piece)


def title_of(piece: Slice, words: Words) -> str:
    """What a slice is called on a page: its focus, else its summary, else a word that says there is none."""
    return piece.focus or piece.summary or words("slice.untitled")
