"""The timeline as pages: all years, a year, a span of days such as a month, and one day; oldest to newest, gaps drawn.

The seeds' wheel of dated slices for a chat: from year to month to day to slice, with a way to its neighbours on every
page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from core.document import Address, Choice, Choices, Document, Items, Text, Title
from core.relative import month_day
from core.views.days import day_page, days_page, month_name
from core.views.heat import latest, of_year
from core.views.paging import part, turning
from core.views.reader import clip, title_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from core.document import Block
    from core.views.asked import Days
    from core.views.calendar import Calendar
    from core.views.reader import Reader

YEARS: Final = 12
"""Years on a page."""
REMARKS: Final = 5
"""How many unreadable slices a page names, the newest ones."""
MEMORIES: Final = 3
"""How many earlier years "on this day" looks at."""


def timeline(
    calendar: Calendar, wanted: Days | None, page: int, reader: Reader, unreadable: Mapping[str, str] | None = None
) -> Document:
    """The page of these days, or with None of all years.

    `unreadable` are slices whose file could not be understood, with the reason: the page says so, for what is on file
    must not seem to be gone.
    """
    if wanted is None:
        found = _years(calendar, page, reader)
    elif len(wanted.argument) == len("2026"):
        found = _year(calendar, wanted.argument, reader)
    elif wanted.first == wanted.last:
        found = day_page(calendar, wanted.first, page, reader)
    else:
        found = days_page(calendar, wanted, page, reader)
    return Document((*found.blocks, *_remarks(unreadable or {}, reader)), found.address)


def how(reader: Reader) -> Document:
    """How to ask for a part of the timeline."""
    return Document((Text(reader.words("timeline.how")),), Address("timeline"))


def on_this_day(calendar: Calendar, reader: Reader) -> tuple[Items, ...]:
    """What was on this day of earlier years, for the top page: nothing when there was nothing."""
    words, today = reader.words, reader.today
    found = calendar.this_day(today)[:MEMORIES]
    lines = tuple(f"{day.year} · {title_of(piece, words)}" for day, pieces in found for piece in pieces[:1])
    label = words("timeline.thisDay", day=month_day(today, words))
    return (Items(lines, label=label),) if lines else ()


def _years(calendar: Calendar, page: int, reader: Reader) -> Document:
    words = reader.words
    title = words("timeline.title")
    if not calendar.pieces:
        return Document((Title(title), Text(words("timeline.empty"))), Address("timeline"))
    first, last = calendar.days[0].isoformat(), calendar.days[-1].isoformat()
    counts = calendar.months()
    years = sorted({month[:4] for month in counts}, reverse=True)
    shown, page = part(years, page, YEARS)
    address = Address("timeline", "", page)
    blocks: list[Block] = [Title(title, note=words("timeline.span", n=len(calendar.pieces), first=first, last=last))]
    blocks += () if page else (*latest(calendar, reader), *on_this_day(calendar, reader))
    blocks += [_year_line(year, counts, reader) for year in shown]
    choices = [_month_choice(month, counts[month], reader) for month in reversed(counts) if month[:4] == shown[0]]
    choices += [_year_choice(year, counts, reader) for year in shown[1:]]
    choices += [] if page else _memories(calendar, reader)
    choices += turning(address, len(years), reader, YEARS)
    return Document((*blocks, Choices(tuple(choices))), address)


def _year(calendar: Calendar, year: str, reader: Reader) -> Document:
    words, counts = reader.words, calendar.months()
    months = [month for month in counts if month[:4] == year]
    blocks: list[Block] = [
        Title(year, eyebrow=words("timeline.title"), note=words("timeline.slices", n=_count(months, counts))),
        *of_year(calendar, int(year), reader),
    ]
    if not months:
        blocks.append(Text(words("timeline.nothing")))
    choices = [_month_choice(month, counts[month], reader, named=False) for month in months]
    others = sorted({month[:4] for month in counts} | {year})
    at = others.index(year)
    around = (("timeline.earlier", others[at - 1 : at] if at else []), ("timeline.later", others[at + 1 : at + 2]))
    choices += [Choice(words(key, day=other), Address("timeline", other)) for key, found in around for other in found]
    choices.append(Choice(words("timeline.all"), Address("timeline")))
    return Document((*blocks, Choices(tuple(choices))), Address("timeline", year))


def _year_line(year: str, counts: Mapping[str, int], reader: Reader) -> Items:
    words = reader.words
    months = [month for month in counts if month[:4] == year]
    named = [f"{words(f'relative.month.{int(month[5:])}')} {counts[month]}" for month in months]
    label = words("timeline.year", year=year, n=_count(months, counts))
    return Items((" · ".join(named),), label=label)


def _month_choice(month: str, count: int, reader: Reader, *, named: bool = True) -> Choice:
    """The way to a month, short enough to share a row; `named` with its year."""
    name = month_name(month, reader) if named else reader.words(f"relative.month.{int(month[5:])}")
    return Choice(reader.words("timeline.month", month=name, n=count), Address("timeline", month))


def _year_choice(year: str, counts: Mapping[str, int], reader: Reader) -> Choice:
    count = _count([month for month in counts if month[:4] == year], counts)
    return Choice(reader.words("timeline.year", year=year, n=count), Address("timeline", year))


def _memories(calendar: Calendar, reader: Reader) -> list[Choice]:
    found = calendar.this_day(reader.today)[:MEMORIES]
    return [
        Choice(clip(f"{day.isoformat()} {title_of(pieces[0], reader.words)}"), Address("timeline", day.isoformat()))
        for day, pieces in found
    ]


def _count(months: Sequence[str], counts: Mapping[str, int]) -> int:
    return sum(counts[month] for month in months)


def _remarks(unreadable: Mapping[str, str], reader: Reader) -> Sequence[Text]:
    named = sorted(unreadable.items())[-REMARKS:]
    return [Text(reader.words("slice.unreadable", slice=name, why=why)) for name, why in named]
