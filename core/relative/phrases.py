"""Days, distances, clocks and notes beside raw dates; see the package for the rules."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from math import floor
from typing import TYPE_CHECKING, Final
from zoneinfo import ZoneInfo

from core.clock import instant, iso

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import tzinfo

    from core.i18n import Words

_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}\Z", re.ASCII)
_SLICE: Final = re.compile(r"(\d{4})[-/](\d{2})[-/](\d{2})[-/](\d{2})(\d{2})\Z", re.ASCII)
_SINCE: Final = re.compile(r"(\| since: )(\d{4}-\d{2}-\d{2})(?!\d)", re.ASCII)
_BY: Final = re.compile(r"(— by: )(\d{4}-\d{2}-\d{2})(?!\d)", re.ASCII)
_HEADER: Final = re.compile(r"^(## Turn \S+ — (\S+) \(\w+\))(?=[ \t]*\r?$)", re.ASCII | re.MULTILINE)
_NEAR: Final = 14
_MINUTES_HOUR: Final = 60
_HOURS_DAY: Final = 24
_DAYS_WEEK: Final = 7
_NAMELESS: Final = "UTC"


@dataclass(frozen=True, slots=True)
class LocalTime:
    """An instant on the person's clock: `text` for reading, the `zone` it is in, its `offset` such as `UTC+08:00`."""

    text: str
    zone: str
    offset: str


def half_up(number: float) -> int:
    """The nearest whole number; halves go up (original.md T2)."""
    return floor(number + 0.5)


def known_zone(name: str) -> ZoneInfo | None:
    """The zone of that IANA name ("" is UTC), or None when there is none."""
    try:
        return ZoneInfo(name.strip() or _NAMELESS)
    except (KeyError, ValueError, OSError):
        return None


def _zone(name: str) -> tzinfo:
    return known_zone(name) or UTC


def _local(moment: datetime, zone: tzinfo) -> datetime | None:
    try:
        return moment.astimezone(zone)
    except (OverflowError, ValueError):
        return None


def parse_day(text: str) -> date | None:
    """The calendar day that `YYYY-MM-DD` names, or None when it has another form or no calendar has it."""
    if not _DAY.match(text):
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def slice_instant(text: str) -> datetime | None:
    """The UTC minute that a slice id names, written with dashes or slashes, or None."""
    found = _SLICE.match(text)
    if not found:
        return None
    year, month, day, hour, minute = (int(part) for part in found.groups())
    try:
        return datetime(year, month, day, hour, minute, tzinfo=UTC)
    except ValueError:
        return None


def day_of(moment: datetime, zone: str) -> date:
    """The calendar day of an instant in a zone; an unknown zone counts as UTC."""
    return (_local(moment, _zone(zone)) or moment).date()


def local_day(text: str, zone: str) -> date | None:
    """The calendar day that a text names in a zone: a date as it stands, an instant or slice id by the zone."""
    text = text.strip()
    if _DAY.match(text):
        return parse_day(text)
    moment = slice_instant(text) or instant(text)
    return day_of(moment, zone) if moment else None


def weekday(day: date, words: Words) -> str:
    """The short name of the day of the week."""
    return words(f"relative.weekday.{day.isoweekday()}")


def month_day(day: date, words: Words) -> str:
    """Month and day for reading, such as `Aug 30`."""
    return words("relative.monthDay", day=day.day, month=words(f"relative.month.{day.month}"))


def phrase(day: date | None, today: date, words: Words, *, weekdays: bool = False) -> str:
    """How far a day is from today, such as `3 days ago`; "" without a day.

    `weekdays` puts the day of the week before it where that helps: from 2 to 14 days away.
    """
    if day is None:
        return ""
    days = (day - today).days
    if abs(days) <= 1:
        return words(("relative.yesterday", "relative.today", "relative.tomorrow")[days + 1])
    text = _far(days, words, "relative.ago", "relative.in")
    return words("relative.dayed", weekday=weekday(day, words), text=text) if weekdays and abs(days) <= _NEAR else text


def due(day: date | None, today: date, words: Words) -> str:
    """When something is due, such as `due tomorrow` or `3 days overdue`; "" without a day."""
    if day is None:
        return ""
    days = (day - today).days
    if days in {0, 1}:
        return words(("relative.due.today", "relative.due.tomorrow")[days])
    return _far(days, words, "relative.due.over", "relative.due.in")


def _far(days: int, words: Words, past: str, ahead: str) -> str:
    """Days up to a fortnight, whole weeks beyond it."""
    count, unit = (abs(days), "days") if abs(days) <= _NEAR else (half_up(abs(days) / _DAYS_WEEK), "weeks")
    return words(f"{past if days < 0 else ahead}.{unit}", n=count)


def tagged(text: str, words: Words) -> str:
    """The text as a note to stand behind a word, in the brackets of the language; "" stays ""."""
    return words("relative.tag", text=text) if text else ""


def calendar(day: date, today: date, words: Words) -> str:
    """A day as the timeline lists it: `08-11 Tue · 6 days ago`."""
    text = phrase(day, today, words)
    return words("relative.dayed", weekday=f"{day:%m-%d} {weekday(day, words)}", text=text)


def annotate_day(text: str, today: date, zone: str, words: Words) -> str:
    """A date with its distance, `2026-08-14 (Fri · 3 days ago)`; what is no date comes back as it was."""
    return text + tagged(phrase(local_day(text, zone), today, words, weekdays=True), words)


def annotate_card(text: str, today: date, words: Words) -> str:
    """A card with distances behind its `since` and `by` dates; for reading only, the file keeps raw dates."""

    def noting(say: Callable[[date | None, date, Words], str]) -> Callable[[re.Match[str]], str]:
        return lambda found: found[0] + tagged(say(parse_day(found[2]), today, words), words)

    return _BY.sub(noting(due), _SINCE.sub(noting(phrase), text))


def anchors(now: datetime, zone: str, words: Words) -> tuple[str, ...]:
    """Five lines that spare anybody date arithmetic: today, Monday, last week, tomorrow, the weekend.

    Weeks begin on Monday; on a Sunday "this weekend" is yesterday and today.
    """
    today = day_of(now, zone)
    try:
        monday = today - timedelta(today.weekday())
        shown = {
            "today": _named(today, words),
            "monday": monday.isoformat(),
            "lastWeek": _span(monday - timedelta(7), monday - timedelta(1), words),
            "tomorrow": _named(today + timedelta(1), words),
            "weekend": _span(monday + timedelta(5), monday + timedelta(6), words),
        }
    except OverflowError:
        return ()
    return tuple(words(f"relative.anchor.{key}", value=value) for key, value in shown.items())


def _named(day: date, words: Words) -> str:
    return words("relative.anchor.day", day=day.isoformat(), weekday=weekday(day, words))


def _span(first: date, last: date, words: Words) -> str:
    return words("relative.anchor.span", first=_named(first, words), last=_named(last, words))


def offset(moment: datetime, zone: str) -> str:
    """The distance of a zone from UTC at an instant, `UTC+05:30`; "" for an unknown zone."""
    known = known_zone(zone)
    local = _local(moment, known) if known else None
    delta = local.utcoffset() if local else None
    if delta is None:
        return ""
    minutes = half_up(delta.total_seconds() / 60)
    return f"UTC{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02d}:{abs(minutes) % 60:02d}"


def local_time(moment: datetime, zone: str, words: Words) -> LocalTime:
    """An instant on the clock of a zone; in an unknown zone its ISO text, UTC and no offset."""
    known = known_zone(zone)
    local = _local(moment, known) if known else None
    if local is None:
        return LocalTime(iso(moment), _NAMELESS, "")
    month = words(f"relative.month.{local.month}")
    stamp = words("relative.stamp", y=local.year, m=local.month, d=local.day, month=month, time=f"{local:%H:%M}")
    return LocalTime(stamp, zone.strip() or _NAMELESS, offset(moment, zone))


def local_stamp(moment: datetime, zone: str, words: Words) -> str:
    """An instant for reading, `02 Aug 2026, 14:32`; the ISO text when the zone is unknown."""
    return local_time(moment, zone, words).text


def local_clock(moment: datetime, zone: str) -> str:
    """The time of day, `14:32`; an unknown zone counts as UTC."""
    return f"{_local(moment, _zone(zone)) or moment:%H:%M}"


def gap_text(seconds: float, words: Words) -> str:
    """How long ago a talk ended, at least a minute: `59 mins ago`, `2 hours ago`, `2 days ago`."""
    minutes = max(1, half_up(seconds / 60))
    if minutes < _MINUTES_HOUR:
        return words("relative.gap.minutes", n=minutes)
    hours = half_up(minutes / _MINUTES_HOUR)
    if hours < _HOURS_DAY:
        return words("relative.gap.hours", n=hours)
    return words("relative.gap.days", n=half_up(hours / _HOURS_DAY))


def gap_words(start: datetime, end: datetime, words: Words) -> str:
    """The gap drawn between two slices, seen from `start`: `moments later`, `3 weeks earlier` (original.md 2.16).

    Minutes, hours and days are counted whole; weeks, months and years are rounded.
    """
    seconds = (end - start).total_seconds()
    unit, count = _gap(abs(seconds))
    gap = words(f"relative.span.{unit}", n=count)
    return words("relative.later" if seconds >= 0 else "relative.earlier", gap=gap)


def _gap(seconds: float) -> tuple[str, int]:
    minutes, days = seconds / 60, seconds / 86400
    table = (
        (minutes < 5, "moments", 1.0),  # noqa: PLR2004 - the table is original.md 2.16
        (minutes < _MINUTES_HOUR, "minutes", floor(minutes)),
        (days < 1, "hours", floor(seconds / 3600)),
        (days < _DAYS_WEEK, "days", floor(days)),
        (days < 35, "weeks", half_up(days / 7)),  # noqa: PLR2004
        (days < 365, "months", half_up(days / 30)),  # noqa: PLR2004
    )
    unit, count = next(((unit, count) for fits, unit, count in table if fits), ("years", half_up(days / 365)))
    return unit, int(count)


def slice_banner(slice_id: str, zone: str, now: datetime, words: Words) -> str:
    """The line above a slice that is read later: its local time, the remark on UTC, its distance; "" for no id."""
    moment = slice_instant(slice_id)
    if moment is None:
        return ""
    local = local_time(moment, zone, words)
    where = f"{local.zone}, {local.offset}" if local.offset else local.zone
    distance = phrase(day_of(moment, zone), day_of(now, zone), words, weekdays=True)
    return words("relative.banner", time=local.text, zone=where, distance=distance)


def annotate_slice(text: str, slice_id: str, zone: str, now: datetime, words: Words) -> str:
    """A slice's text for reading: a banner above, and the local time and distance behind every turn header."""
    today = day_of(now, zone)

    def note(found: re.Match[str]) -> str:
        moment = instant(found[2])
        if moment is None:
            return found[0]
        distance = phrase(day_of(moment, zone), today, words)
        return found[1] + tagged(words("relative.turn", time=local_clock(moment, zone), distance=distance), words)

    banner = slice_banner(slice_id, zone, now, words)
    return (banner + "\n\n" if banner else "") + _HEADER.sub(note, text)
