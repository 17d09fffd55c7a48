"""A heat map in signs: a row per month, a sign per day."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from adapters.heat import levels, months

if TYPE_CHECKING:
    from core.document import Picture

_SIGNS: Final = "·▁▃▅█"
_DAYS: Final = 31


def heat(picture: Picture) -> list[str]:
    """The rows, oldest first, such as `2026-03 ··▁·█`; a month that begins or ends outside the picture has gaps."""
    rows = []
    for month, days in months(levels(picture.days)):
        shown = {day.day: _SIGNS[level] for day, level in days}
        rows.append(f"{month} {''.join(shown.get(day, ' ') for day in range(1, _DAYS + 1))}".rstrip())
    return rows
