"""Days of the timeline: the slices of a month or any span day by day, and one day with its slices."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from core.document import Address, Choice, Choices, Document, Items, Text, Title
from core.relative import gap_words, month_day, weekday
from core.slices.model import CLOSED
from core.views.paging import PER_PAGE, part, turning
from core.views.reader import LINE, began, clip, ended, title_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

    from core.document import Block
    from core.views.asked import Days
    from core.views.calendar import Calendar
    from core.views.reader import Piece, Reader

    Group = tuple[date, Sequence[Piece]]

GAP: Final = timedelta(hours=6)
"""The silence that is drawn between two slices of a day."""
DAYS_GAP: Final = timedelta(days=2)
"""The silence that is drawn between two days."""
LINES: Final = 8
"""Lines of a day among others; the day's own page has all."""
MEMORIES: Final = 3


def days_page(calendar: Calendar, wanted: Days, page: int, reader: Reader) -> Document:
    """The slices of these days: a month, or any span that somebody named."""
    words = reader.words
    days = calendar.by_day(wanted.first, wanted.last)
    shown, page = part(days, page)
    address = Address("timeline", wanted.argument, page)
    count = sum(len(group) for _, group in days)
    title, around = _heading(calendar, wanted, reader)
    blocks: list[Block] = [Title(title, eyebrow=words("timeline.title"), note=words("timeline.slices", n=count))]
    if not days:
        blocks.append(Text(words("timeline.nothing")))
    before = days[page * PER_PAGE - 1] if page else None
    for group in shown:
        blocks += _gap(before, group, DAYS_GAP, reader) if before else ()
        blocks.append(_day_lines(group, reader))
        before = group
    choices = [_day_choice(group, reader) for group in shown]
    choices += [*turning(address, len(days), reader), *around, *_year(wanted)]
    choices.append(Choice(words("timeline.all"), Address("timeline")))
    return Document((*blocks, Choices(tuple(choices))), address)


def day_page(calendar: Calendar, day: date, page: int, reader: Reader) -> Document:
    """One day: its slices from the oldest to the newest, the silences between them, the same day of earlier years."""
    words = reader.words
    pieces = calendar.between(day, day)
    shown, page = part(pieces, page)
    address = Address("timeline", day.isoformat(), page)
    blocks: list[Block] = [Title(reader.named(day), eyebrow=words("timeline.title"), note=reader.ago(day))]
    if not pieces:
        blocks.append(Text(words("timeline.nothing")))
    before: Group | None = None
    for piece in shown:
        blocks += _gap(before, (day, [piece]), GAP, reader) if before else ()
        blocks.append(_slice_lines(piece, reader))
        before = (day, [piece])
    memories = calendar.this_day(day)[:MEMORIES]
    blocks += _memories(memories, day, reader)
    choices = [
        Choice(clip(f"{reader.clock(piece)} {title_of(piece, words)}"), Address("slice", piece.id)) for piece in shown
    ]
    choices += [*turning(address, len(pieces), reader), *_neighbours(calendar, day, reader)]
    choices += [_opens(past, past.isoformat(), reader) for past, _ in memories]
    month = day.isoformat()[:7]
    choices.append(Choice(month_name(month, reader), Address("timeline", month)))
    return Document((*blocks, Choices(tuple(choices))), address)


def month_name(month: str, reader: Reader) -> str:
    """A month `YYYY-MM` for reading."""
    year, number = month.split("-")
    return reader.words("timeline.monthName", year=year, month=reader.words(f"relative.month.{int(number)}"))


def _heading(calendar: Calendar, wanted: Days, reader: Reader) -> tuple[str, list[Choice]]:
    """What the span is called, and for a month the ways to the months beside it that have slices."""
    words, month = reader.words, wanted.argument
    if len(month) != len("2026-03"):
        span = words("timeline.days", first=wanted.first.isoformat(), last=wanted.last.isoformat())
        return span, []
    found = (
        ("timeline.earlier", calendar.before(wanted.first)),
        ("timeline.later", calendar.after(wanted.last)),
    )
    months = [(key, day.isoformat()[:7]) for key, day in found if day]
    ways = [Choice(words(key, day=month_name(one, reader)), Address("timeline", one)) for key, one in months]
    return month_name(month, reader), ways


def _year(wanted: Days) -> Iterator[Choice]:
    """From a month back to its year."""
    if len(wanted.argument) == len("2026-03"):
        year = wanted.argument[:4]
        yield Choice(year, Address("timeline", year))


def _day_lines(group: Group, reader: Reader) -> Items:
    day, pieces = group
    label = f"{month_day(day, reader.words)} {weekday(day, reader.words)} · {reader.ago(day)}"
    lines = [_line(piece, reader) for piece in pieces[:LINES]]
    if len(pieces) > LINES:
        lines.append(reader.words("timeline.more", n=len(pieces) - LINES))
    return Items(tuple(lines), label=label)


def _slice_lines(piece: Piece, reader: Reader) -> Items:
    words = reader.words
    lines = [f"**{title_of(piece, words)}**{_mark(piece, reader)}"]
    if piece.summary.strip() and piece.focus.strip():
        lines.append(clip(piece.summary, LINE))
    return Items(tuple(lines), label=f"{reader.clock(piece)} · {piece.id}")


def _line(piece: Piece, reader: Reader) -> str:
    return f"{reader.clock(piece)} {title_of(piece, reader.words)}{_mark(piece, reader)}"


def _mark(piece: Piece, reader: Reader) -> str:
    return "" if piece.status == CLOSED else reader.words("timeline.open")


def _gap(before: Group, after: Group, least: timedelta, reader: Reader) -> Iterator[Text]:
    """The silence between two groups of slices, when it was long."""
    end, start = ended(before[1][-1]), began(after[1][0])
    if start - end >= least:
        yield Text(f"*— {gap_words(end, start, reader.words)} —*")


def _memories(memories: Sequence[Group], day: date, reader: Reader) -> Iterator[Items]:
    lines = tuple(f"{past.year} · {title_of(piece, reader.words)}" for past, pieces in memories for piece in pieces[:1])
    if lines:
        yield Items(lines, label=reader.words("timeline.thisDay", day=month_day(day, reader.words)))


def _day_choice(group: Group, reader: Reader) -> Choice:
    day, pieces = group
    label = reader.words("timeline.day", day=month_day(day, reader.words), n=len(pieces))
    return Choice(label, Address("timeline", day.isoformat()))


def _neighbours(calendar: Calendar, day: date, reader: Reader) -> Iterator[Choice]:
    for key, other in (("timeline.earlier", calendar.before(day)), ("timeline.later", calendar.after(day))):
        if other:
            yield Choice(reader.words(key, day=other.isoformat()), Address("timeline", other.isoformat()))


def _opens(day: date, label: str, reader: Reader) -> Choice:
    return Choice(reader.words("timeline.past", day=label), Address("timeline", day.isoformat()))
