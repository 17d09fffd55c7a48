"""What of the timeline was asked for: a year, a month, a day or a span of days, typed or in a person's words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Final

from core.language.dates import spans, without
from core.language.small import names_nothing
from core.relative import parse_day
from core.views.calendar import month_end

if TYPE_CHECKING:
    from core.language.dates import Span

_PAGE: Final = re.compile(r"[0-9]{1,3}\Z", re.ASCII)
"""A page number; four digits are a year."""
_MONTH: Final = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])\Z", re.ASCII)
_YEAR: Final = re.compile(r"[1-9]\d{3}\Z", re.ASCII)
_EXACT: Final = re.compile(r"(?:\d{4}(?:-\d\d(?:-\d\d)?)?(?:\.\.\d{4}-\d\d-\d\d)?)?\Z", re.ASCII)
_MISSING: Final = ("", "in ", "on ", "last ")
"""Small words that people leave out: `/timeline march` is about "in march"."""


@dataclass(frozen=True, slots=True)
class Days:
    """The days from `first` to `last`, both included; `argument` is what an address says for them."""

    first: date
    last: date

    @property
    def argument(self) -> str:
        """A year, a month or a day where the span is one, else both ends."""
        first, last = self.first.isoformat(), self.last.isoformat()
        if first == last:
            return first
        if self.first.day == 1 and self.last == month_end(self.first):
            return first[:7]
        if (first[5:], last[5:]) == ("01-01", "12-31") and first[:4] == last[:4]:
            return first[:4]
        return f"{first}..{last}"


def paged(argument: str) -> tuple[str, int]:
    """An argument and the page after it, counted from 0 (it is typed from 1), as `Address.command` writes them."""
    *words, last = argument.split() or [""]
    if _PAGE.match(last):
        return " ".join(words), max(int(last) - 1, 0)
    return " ".join([*words, last]), 0


def asked_for(argument: str, today: date) -> tuple[Days | None, int]:
    """The days that were asked for and the page of them; None for words that name no day.

    A number behind words is part of them ("march 3"), behind an exact date it is the page.
    """
    exact, page = paged(argument)
    if exact and _EXACT.match(exact):
        return days_of(exact, today), page
    return days_of(argument, today), 0


def days_of(argument: str, today: date) -> Days | None:
    """The days that an argument names, or None: `2026`, `2026-03`, `2026-03-09`, `2026-03-01..2026-05-31`, words."""
    text = argument.strip()
    if _YEAR.match(text):
        return Days(date(int(text), 1, 1), date(int(text), 12, 31))
    if _MONTH.match(text):
        first = parse_day(f"{text}-01")
        return Days(first, month_end(first)) if first else None
    first, last = (parse_day(part) for part in (text.partition("..")[::2] if ".." in text else (text, text)))
    if first and last:
        return Days(min(first, last), max(first, last))
    found = _spoken(text, today) if any(map(str.isalpha, text)) else None
    return Days(found.first, found.last) if found else None


def only_days(argument: str, today: date) -> Days | None:
    """As `days_of`, but None when the words name more than days ("yesterday's cake"), and for a bare number."""
    days = None if argument.strip().isdigit() else days_of(argument, today)
    if days is None or not any(map(str.isalpha, argument)):
        return days
    small = next(small for small in _MISSING if spans(small + argument.strip(), today))
    text = small + argument.strip()
    return days if names_nothing(without(text, spans(text, today)[:1])) else None


def _spoken(text: str, today: date) -> Span | None:
    return next((found[0] for small in _MISSING if (found := spans(small + text, today))), None)
