"""Slices laid out on the person's calendar, so that a month or a day of a long archive is found at once."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import groupby
from typing import TYPE_CHECKING, Final

from core.relative import day_of
from core.views.reader import began

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
    from datetime import datetime

    from core.views.reader import Piece

    _Dated = tuple[date, datetime, str, Piece]

BREATH: Final = 1000
"""After so many slices other tasks get a turn."""


@dataclass(frozen=True, slots=True)
class Calendar:
    """Slices, oldest first, each with the local day on which it began."""

    pieces: tuple[Piece, ...] = ()
    days: tuple[date, ...] = ()

    @classmethod
    def of(cls, pieces: Iterable[Piece], zone: str) -> Calendar:
        """These slices, in any order, on the calendar of a zone."""
        return _sorted(_dated(pieces, zone))

    def between(self, first: date, last: date) -> Sequence[Piece]:
        """The slices of these days, both included."""
        return self.pieces[bisect_left(self.days, first) : bisect_right(self.days, last)]

    def by_day(self, first: date, last: date) -> list[tuple[date, Sequence[Piece]]]:
        """The days among these that have slices, each with them."""
        start, end = bisect_left(self.days, first), bisect_right(self.days, last)
        pairs = zip(self.days[start:end], self.pieces[start:end], strict=True)
        return [(day, [piece for _, piece in group]) for day, group in groupby(pairs, key=lambda pair: pair[0])]

    def before(self, day: date) -> date | None:
        """The last day before this one that has slices."""
        at = bisect_left(self.days, day)
        return self.days[at - 1] if at else None

    def after(self, day: date) -> date | None:
        """The first day after this one that has slices."""
        at = bisect_right(self.days, day)
        return self.days[at] if at < len(self.days) else None

    def months(self) -> dict[str, int]:
        """How many slices each month `YYYY-MM` has, oldest first; months without any are left out."""
        counts: dict[str, int] = {}
        at = 0
        while at < len(self.days):
            day = self.days[at]
            end = bisect_right(self.days, month_end(day), at)
            counts[day.isoformat()[:7]] = end - at
            at = end
        return counts

    def counts(self, first: date, last: date) -> list[tuple[date, int]]:
        """Every day from the first to the last, with how many slices it has."""
        found = {day: len(pieces) for day, pieces in self.by_day(first, last)}
        days = (first + timedelta(at) for at in range((last - first).days + 1))
        return [(day, found.get(day, 0)) for day in days]

    def this_day(self, day: date) -> list[tuple[date, Sequence[Piece]]]:
        """The same day of earlier years, the latest first, where it has slices."""
        return [
            one for same in _anniversaries(day, self.days[0] if self.days else day) for one in self.by_day(same, same)
        ]


async def laid_out(pieces: Sequence[Piece], zone: str, breathe: Callable[[], Awaitable[None]]) -> Calendar:
    """The same as `Calendar.of`; `breathe` is awaited now and then."""
    dated: list[_Dated] = []
    for start in range(0, len(pieces), BREATH):
        dated += _dated(pieces[start : start + BREATH], zone)
        await breathe()
    return _sorted(dated)


def _dated(pieces: Iterable[Piece], zone: str) -> list[_Dated]:
    moments = ((piece, began(piece)) for piece in pieces)
    return [(day_of(moment, zone), moment, piece.id, piece) for piece, moment in moments]


def _sorted(dated: list[_Dated]) -> Calendar:
    dated.sort(key=lambda one: one[:3])
    return Calendar(tuple(one[3] for one in dated), tuple(one[0] for one in dated))


def month_end(day: date) -> date:
    """The last day of a day's month."""
    return (day.replace(day=28) + timedelta(4)).replace(day=1) - timedelta(1) if day < date(9999, 12, 1) else date.max


def _anniversaries(day: date, oldest: date) -> Iterator[date]:
    for year in range(day.year - 1, oldest.year - 1, -1):
        try:
            yield day.replace(year=year)
        except ValueError:
            continue
