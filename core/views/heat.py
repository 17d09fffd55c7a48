"""A heat map of the timeline: how many slices each day has, and the same said in words."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Final

from core.document import Picture

if TYPE_CHECKING:
    from collections.abc import Iterator

    from core.views.calendar import Calendar
    from core.views.reader import Reader

YEAR: Final = 12
"""Months that the map of the whole timeline shows, the last one with a slice being the latest."""


def latest(calendar: Calendar, reader: Reader) -> Iterator[Picture]:
    """The twelve months up to the last slice; none for an empty timeline."""
    if calendar.days:
        last = calendar.days[-1]
        month = last.year * 12 + last.month - YEAR
        first = date(month // 12, month % 12 + 1, 1) if month >= YEAR else date.min
        yield from _map(calendar, first, last, reader)


def of_year(calendar: Calendar, year: int, reader: Reader) -> Iterator[Picture]:
    """A year, but not the days that are still to come; none for a year without a slice."""
    last = min(date(year, 12, 31), max(reader.today, *calendar.days[-1:]))
    if calendar.between(date(year, 1, 1), last):
        yield from _map(calendar, date(year, 1, 1), last, reader)


def _map(calendar: Calendar, first: date, last: date, reader: Reader) -> Iterator[Picture]:
    counts = calendar.counts(first, last)
    spoken = [(count, day) for day, count in counts if count]
    most, day = max(spoken)
    slices = reader.words("timeline.slices", n=sum(count for count, _ in spoken))
    caption = reader.words("timeline.heat", slices=slices, days=len(spoken), day=reader.named(day), most=most)
    yield Picture(tuple((one.isoformat(), count) for one, count in counts), caption)
