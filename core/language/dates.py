"""Dates in human text: "last March", "on 3 May", "two weeks ago", "上周五", "5月2号", "去年十月" as spans of days.

Nothing here knows the time: whoever asks says what day it is. A month, day or weekday without a year is the latest one
that has begun. A week runs from Monday to Sunday.
"""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING, Final

from core.language.numbers import number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_MONTHS: Final = {
    name: at
    for at, names in enumerate(
        (
            "january jan 一",
            "february feb 二",
            "march mar 三",
            "april apr 四",
            "may 五",
            "june jun 六",
            "july jul 七",
            "august aug 八",
            "september sept sep 九",
            "october oct 十",
            "november nov 十一",
            "december dec 十二",
        ),
        start=1,
    )
    for name in names.split()
}
_DAYS: Final = {
    name: at
    for at, names in enumerate(
        ("monday mon 一", "tuesday tue 二", "wednesday wed 三", "thursday thu 四", "friday fri 五", "saturday sat 六",
         "sunday sun 日 天")
    )
    for name in names.split()
}  # fmt: skip
_SEASONS: Final = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12, "春": 3, "夏": 6, "秋": 9, "冬": 12}
_MONTH: Final = "|".join(sorted((name for name in _MONTHS if name.isascii()), key=len, reverse=True))
_SURE_MONTH: Final = "|".join(
    name for name in _MONTHS if name.isascii() and name not in {"may", "march", "mar", "jan", "sep", "dec"}
)
_DAY: Final = "monday|tuesday|wednesday|thursday|friday|saturday|sunday"
_COUNT: Final = r"\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|a couple of|a few"
_HAN: Final = "一二三四五六七八九十两几〇零"
_SEASON: Final = "spring|summer|autumn|fall|winter"
_CENTURY: Final = 2000
_TWO_DIGITS: Final = 100
_COUNTED: Final = 3
"""Up to how many days ago people count exactly."""
_LAST: Final = {"last": -1, "previous": -1, "past": -1, "this": 0, "next": 1, "上": -1, "这": 0, "本": 0, "下": 1}
_YEARS: Final = {"前年": -2, "去年": -1, "今年": 0, "明年": 1}
_NEAR: Final = {
    "day before yesterday": -2, "yesterday": -1, "last night": -1, "today": 0, "this morning": 0, "tonight": 0,
    "tomorrow": 1, "大前天": -3, "前天": -2, "昨天": -1, "昨晚": -1, "昨日": -1, "今天": 0, "今早": 0, "今晚": 0,
    "今日": 0, "明天": 1, "后天": 2,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Span:
    """The days from `first` to `last`, both included, that the words `text` at `start` name."""

    first: date
    last: date
    text: str
    start: int = 0

    def __contains__(self, day: date) -> bool:
        return self.first <= day <= self.last

    @property
    def days(self) -> int:
        """How many days it has."""
        return (self.last - self.first).days + 1


def spans(text: str, today: date) -> list[Span]:
    """The date expressions of a text in order, seen from `today`; what is no date of the calendar is left out."""
    found: list[Span] = []
    taken: list[tuple[int, int]] = []
    lowered = text.lower() if len(text.lower()) == len(text) else text
    for pattern, read in _RULES:
        for match in pattern.finditer(lowered):
            if any(start < match.end() and match.start() < end for start, end in taken):
                continue
            try:
                days = read(match, today)
            except (ValueError, OverflowError):
                continue
            taken.append(match.span())
            found.append(Span(*days, text[match.start() : match.end()], match.start()))
    return sorted(found, key=lambda span: span.start)


def without(text: str, found: list[Span]) -> str:
    """The text with those date expressions blanked out."""
    for span in reversed(found):
        text = f"{text[: span.start]} {text[span.start + len(span.text) :]}"
    return text


_Days = tuple[date, date]


def _day(year: int, month: int, day: int) -> _Days:
    exact = date(year, month, day)
    return exact, exact


def _month(year: int, month: int) -> _Days:
    return date(year, month, 1), date(year, month, calendar.monthrange(year, month)[1])


def _year(year: int) -> _Days:
    return date(year, 1, 1), date(year, 12, 31)


def _season(year: int, first_month: int) -> _Days:
    """Three months from the first; winter begins in December of its year."""
    end_year, end_month = divmod(year * 12 + first_month - 1 + 2, 12)
    return date(year, first_month, 1), _month(end_year, end_month + 1)[1]


def _begun(make: Callable[[int], _Days], today: date) -> _Days:
    """What `make` gives for this year, or for the latest year in which it has begun."""
    for year in range(today.year, today.year - 9, -1):
        try:
            days = make(year)
        except ValueError:
            continue
        if days[0] <= today:
            return days
    raise ValueError("no such day")


def _full_year(text: str) -> int:
    value = number(text)
    return value + _CENTURY if value < _TWO_DIGITS else value


def _year_month(year: int, month: int) -> _Days:
    return _month(year + (month - 1) // 12, (month - 1) % 12 + 1)


def _iso(match: re.Match[str], _today: date) -> _Days:
    year, month = int(match["y"]), int(match["m"])
    return _day(year, month, int(match["d"])) if match["d"] else _month(year, month)


def _named_day(match: re.Match[str], today: date) -> _Days:
    month, day = _MONTHS[match["m"]], int(match["d"])
    return _day(int(match["y"]), month, day) if match["y"] else _begun(lambda year: _day(year, month, day), today)


def _named_month(match: re.Match[str], today: date) -> _Days:
    month, word = _MONTHS[match["m"]], match.groupdict().get("w") or ""
    if match.groupdict().get("y"):
        return _month(int(match["y"]), month)
    if word in {"last", "previous"}:
        # "last March" said in March or later means the one that is over.
        days = _begun(lambda year: _month(year, month), today)
        return days if days[1] < today else _month(days[0].year - 1, month)
    if word == "next":
        return _month(today.year + (month <= today.month), month)
    return _begun(lambda year: _month(year, month), today)


def _weekday(match: re.Match[str], today: date) -> _Days:
    wanted, word = _DAYS[match["d"]], match.groupdict().get("w") or ""
    monday = today - timedelta(days=today.weekday())
    if word in {"上", "下", "这", "本"}:
        steps = _LAST[word] * (1 + len(match["many"]))
        exact = monday + timedelta(days=7 * steps + wanted)
    else:
        back = (today.weekday() - wanted) % 7
        exact = today - timedelta(days=back or (7 if word == "last" else 0))
        exact += timedelta(days=7 * (word == "next"))
    return exact, exact


def _unit(match: re.Match[str], today: date) -> _Days:
    step, unit = _LAST[match["w"]] * (1 + len(match.groupdict().get("many") or "")), match["u"]
    if unit in {"week", "周", "星期", "礼拜", "个星期", "个礼拜"}:
        monday = today - timedelta(days=today.weekday() - 7 * step)
        return monday, monday + timedelta(days=6)
    if unit in {"weekend", "周末"}:
        saturday = today - timedelta(days=today.weekday() - 7 * step - 5)
        return saturday, saturday + timedelta(days=1)
    if unit in {"month", "个月", "月"}:
        return _year_month(today.year, today.month + step)
    if unit == "year":
        return _year(today.year + step)
    return _season_near(unit, match["w"], today)


def _season_near(unit: str, word: str, today: date) -> _Days:
    days = _begun(lambda year: _season(year, _SEASONS[unit]), today)
    return days if word == "this" or days[1] < today else _season(days[0].year - 1, _SEASONS[unit])


def _in_season(match: re.Match[str], today: date) -> _Days:
    first = _SEASONS[match["s"]]
    year = match["y"]
    if not year:
        return _begun(lambda year: _season(year, first), today)
    return _season(today.year + _YEARS[year] if year in _YEARS else _full_year(year), first)


def _near(match: re.Match[str], today: date) -> _Days:
    exact = today + timedelta(days=_NEAR[match[0]])
    return exact, exact


def _ago(match: re.Match[str], today: date) -> _Days:
    count, unit = number(match["n"]), match["u"]
    if unit in {"day", "days", "天"}:
        exact = today - timedelta(days=count)
        slack = 1 if count > _COUNTED else 0
        return exact - timedelta(days=slack), exact + timedelta(days=slack)
    if unit in {"week", "weeks", "周", "个星期", "星期", "个礼拜"}:
        exact = today - timedelta(days=7 * count)
        return exact - timedelta(days=4), exact + timedelta(days=4)
    if unit in {"month", "months", "个月"}:
        return _year_month(today.year, today.month - count)
    return _year(today.year - count)


def _chinese_date(match: re.Match[str], today: date) -> _Days:
    month, year = number(match["m"]), match["y"]
    day = number(match["d"]) if match["d"] else 0

    def make(year: int) -> _Days:
        return _day(year, month, day) if day else _month(year, month)

    if not year:
        return _begun(make, today)
    return make(today.year + _YEARS[year] if year in _YEARS else _full_year(year.rstrip("年")))


def _chinese_month(match: re.Match[str], today: date) -> _Days:
    first, _ = _year_month(today.year, today.month + _LAST[match["w"]] * (1 + len(match["many"])))
    return _day(first.year, first.month, number(match["d"]))


def _plain_year(match: re.Match[str], today: date) -> _Days:
    word = match["y"]
    return _year(today.year + _YEARS[word] if word in _YEARS else int(word))


def _rules() -> Iterator[tuple[re.Pattern[str], Callable[[re.Match[str], date], _Days]]]:
    ordinal = r"(?P<d>\d{1,2})(?:st|nd|rd|th)?"
    year = r"(?:,?\s*(?:of\s+)?(?P<y>(?:19|20)\d\d))"
    han_year = rf"(?P<y>前年|去年|今年|明年|(?:\d{{4}}|\d\d|[{_HAN}]{{4}})年)"
    han_day = rf"(?P<d>\d{{1,2}}|[{_HAN}]{{1,3}})[号日]"
    for pattern, read in (
        (r"(?<!\d)(?P<y>(?:19|20)\d\d)[-/.](?P<m>\d{1,2})(?:[-/.](?P<d>\d{1,2}))?(?!\d)", _iso),
        (rf"\b{ordinal}\s+(?:of\s+)?(?P<m>{_MONTH})\b\.?{year}?", _named_day),
        (rf"\b(?P<m>{_MONTH})\.?\s+(?:the\s+)?{ordinal}\b(?!\s*(?:am|pm|%|:)){year}?", _named_day),
        (rf"\b(?P<m>{_MONTH})\b\.?{year}", _named_month),
        (rf"\b(?P<w>last|previous|this|next)\s+(?P<m>{_MONTH})\b", _named_month),
        (rf"\b(?:in|during|since|of|early|late|mid)[\s-]+(?P<m>{_MONTH})\b", _named_month),
        (rf"\b(?P<m>{_SURE_MONTH})\b", _named_month),
        (rf"\b(?P<w>last|previous|past|this)\s+(?P<u>weekend|week|month|year|{_SEASON})\b", _unit),
        (rf"\b(?P<n>{_COUNT})\s+(?P<u>days?|weeks?|months?|years?)\s+(?:ago|back|earlier)\b", _ago),
        (rf"\b(?:(?P<w>last|this|next)\s+|on\s+)(?P<d>{_DAY})\b", _weekday),
        (rf"\b(?:in|during|of)\s+(?:the\s+)?(?P<s>{_SEASON})\b(?:\s+of)?(?:\s+(?P<y>\d{{4}}))?",
         _in_season),
        (r"\b(?:day before yesterday|yesterday|last night|today|this morning|tonight|tomorrow)\b", _near),
        (r"\b(?:in|during|since|of)\s+(?P<y>(?:19|20)\d\d)\b", _plain_year),
        (rf"{han_year}?\s{{0,9}}(?P<m>\d{{1,2}}|十[一二]|[一二三四五六七八九十])月份?\s*(?:{han_day})?", _chinese_date),
        (rf"(?P<w>上)(?P<many>上*)个?月{han_day}", _chinese_month),
        (r"(?P<w>[上这本下])(?P<many>上*)个?(?:周|星期|礼拜)(?P<d>[一二三四五六日天])", _weekday),
        (r"(?P<w>[上这本下])(?P<many>上*)(?P<u>周末|个?星期|个?礼拜|周|个月|月)", _unit),
        (r"(?:周|星期|礼拜)(?P<d>[一二三四五六日天])", _weekday),
        (rf"(?P<n>\d{{1,3}}|[{_HAN}]{{1,3}})(?P<u>天|周|个星期|星期|个礼拜|个月|年)(?:之?以?前)", _ago),
        (r"(?P<y>前年|去年|今年|\d{4}年)?的?(?P<s>[春夏秋冬])(?:天|季)", _in_season),
        (r"大前天|前天|昨天|昨晚|昨日|今天|今早|今晚|今日|明天|后天", _near),
        (r"(?P<y>前年|去年|今年|(?:19|20)\d\d(?=年))年?", _plain_year),
    ):  # fmt: skip
        yield re.compile(pattern), read


_RULES: Final = tuple(_rules())
