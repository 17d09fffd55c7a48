"""How far a day is for a person who reads a page; what models and files read stays with `phrases`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from core.relative.phrases import half_up, phrase

if TYPE_CHECKING:
    from datetime import date

    from core.i18n import Words

_DAYS_WEEK: Final = 7
_WEEKS: Final = 8
_DAYS_MONTH: Final = 30.44
_DAYS_YEAR: Final = 365.25
_MONTHS_YEARS: Final = 24


def long_ago(day: date | None, today: date, words: Words) -> str:
    """How far a day is for a person who reads a page: as `phrase`, but months and years beyond eight weeks back.

    What models and files read stays with `phrase`, whose wording the original's vectors fix.
    """
    days = (today - day).days if day else 0
    if days <= _WEEKS * _DAYS_WEEK:
        return phrase(day, today, words)
    months = max(half_up(days / _DAYS_MONTH), 2)
    if months < _MONTHS_YEARS:
        return words("relative.ago.months", n=months)
    return words("relative.ago.years", n=max(int(days / _DAYS_YEAR), 2))
