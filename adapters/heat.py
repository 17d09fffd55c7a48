"""How strongly a day shows in a heat map, the same on every surface."""

from __future__ import annotations

from datetime import date
from itertools import groupby
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

LEVELS: Final = 4
"""Shades of a day on which something was said; 0 is a day without."""


def levels(days: Iterable[tuple[str, int]]) -> list[tuple[date, int]]:
    """Each day with its shade from 0 to `LEVELS`, oldest first: the busiest day has the strongest one.

    Days that are none are left out.
    """
    found = [(day, max(count, 0)) for text, count in days if (day := _day(text))]
    most = max((count for _, count in found), default=0)
    return sorted((day, -(-count * LEVELS // most) if most else 0) for day, count in found)


def months(days: Sequence[tuple[date, int]]) -> list[tuple[str, list[tuple[date, int]]]]:
    """The days by month `YYYY-MM`."""
    return [(month, list(group)) for month, group in groupby(days, key=lambda one: one[0].isoformat()[:7])]


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
