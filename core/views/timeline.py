"""The timeline as pages: months, the days of a month, the slices of a day (oldest to newest, gaps drawn)."""

from __future__ import annotations

import re
from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING, Final, TypeVar

from core.document import Address, Choice, Choices, Document, Items, Text, Title
from core.relative import gap_words, month_day, parse_day, weekday
from core.views.reader import LINE, Reader, began, clip, ended, title_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date

    from core.slices.model import Slice

PER_PAGE: Final = 12
GAP_SECONDS: Final = 6 * 3600
REMARKS: Final = 5
"""How many unreadable slices a page names, the newest ones."""

T = TypeVar("T")
_MONTH: Final = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])\Z", re.ASCII)


def timeline(
    heads: Sequence[Slice], argument: str, page: int, reader: Reader, unreadable: Mapping[str, str] | None = None
) -> Document:
    """The page of the timeline that an address names: "" all months, `YYYY-MM` a month, `YYYY-MM-DD` a day.

    `heads` are all slices in any order. Anything else is answered with how to ask. `unreadable` are slices whose file
    could not be understood, with the reason: the page says so, for what is on file must not seem to be gone.
    """
    ordered = sorted(heads, key=lambda piece: (began(piece), piece.id))
    found = _page(ordered, argument, page, reader)
    remarks = tuple(
        Text(reader.words("slice.unreadable", slice=name, why=why)) for name, why in sorted((unreadable or {}).items())
    )
    return Document((*found.blocks, *remarks[-REMARKS:]), found.address)


def _page(ordered: Sequence[Slice], argument: str, page: int, reader: Reader) -> Document:
    if not argument:
        return _months(ordered, page, reader)
    if _MONTH.match(argument):
        return _month([piece for piece in ordered if _month_of(piece, reader) == argument], argument, page, reader)
    day = parse_day(argument)
    if day:
        return _day(ordered, day, reader)
    return Document((Text(reader.words("timeline.how")),), Address("timeline"))


def _months(ordered: Sequence[Slice], page: int, reader: Reader) -> Document:
    words = reader.words
    if not ordered:
        return Document((Title(words("timeline.title")), Text(words("timeline.empty"))), Address("timeline"))
    counts = Counter(_month_of(piece, reader) for piece in ordered)
    months = sorted(counts, reverse=True)
    shown, page = _part(months, page)
    choices = [
        Choice(words("timeline.month", month=_month_name(m, reader), n=counts[m]), Address("timeline", m))
        for m in shown
    ]
    first, last = reader.day(ordered[0]), reader.day(ordered[-1])
    note = words("timeline.span", n=len(ordered), first=first.isoformat(), last=last.isoformat())
    blocks = (Title(words("timeline.title"), note=note), Choices((*choices, *_turning("", page, len(months), reader))))
    return Document(blocks, Address("timeline", "", page))


def _month(pieces: Sequence[Slice], month: str, page: int, reader: Reader) -> Document:
    words = reader.words
    days = [(day, list(group)) for day, group in groupby(pieces, key=reader.day)]
    shown, page = _part(days, page)
    blocks: list[Title | Text | Items | Choices] = [
        Title(_month_name(month, reader), eyebrow=words("timeline.title"), note=words("timeline.slices", n=len(pieces)))
    ]
    if not days:
        blocks.append(Text(words("timeline.nothing")))
    for day, group in shown:
        label = f"{month_day(day, words)} {weekday(day, words)} · {reader.ago(day)}"
        blocks.append(Items(tuple(_line(piece, reader) for piece in group), label=label))
    choices = [Choice(_day_label(day, group, reader), Address("timeline", day.isoformat())) for day, group in shown]
    choices += _turning(month, page, len(days), reader)
    choices.append(Choice(words("timeline.all"), Address("timeline")))
    return Document((*blocks, Choices(tuple(choices))), Address("timeline", month, page))


def _day(ordered: Sequence[Slice], day: date, reader: Reader) -> Document:
    words = reader.words
    pieces = [piece for piece in ordered if reader.day(piece) == day]
    blocks: list[Title | Text | Items | Choices] = [
        Title(f"{day.isoformat()} {weekday(day, words)}", eyebrow=words("timeline.title"), note=reader.ago(day))
    ]
    if not pieces:
        blocks.append(Text(words("timeline.nothing")))
    for index, piece in enumerate(pieces):
        lines = [f"**{title_of(piece, words)}**"]
        if piece.summary and piece.focus:
            lines.append(clip(piece.summary, LINE))
        if index and (began(piece) - ended(pieces[index - 1])).total_seconds() >= GAP_SECONDS:
            blocks.append(Text(f"*— {gap_words(ended(pieces[index - 1]), began(piece), words)} —*"))
        blocks.append(Items(tuple(lines), label=f"{reader.clock(piece)} · {piece.id}"))
    choices = [
        Choice(clip(f"{reader.clock(piece)} {title_of(piece, words)}"), Address("slice", piece.id)) for piece in pieces
    ]
    choices += _neighbours(ordered, day, reader)
    choices.append(Choice(_month_name(day.isoformat()[:7], reader), Address("timeline", day.isoformat()[:7])))
    return Document((*blocks, Choices(tuple(choices))), Address("timeline", day.isoformat()))


def _neighbours(ordered: Sequence[Slice], day: date, reader: Reader) -> Sequence[Choice]:
    days = sorted({reader.day(piece) for piece in ordered})
    before = next((other for other in reversed(days) if other < day), None)
    after = next((other for other in days if other > day), None)
    found = (("timeline.earlier", before), ("timeline.later", after))
    return [
        Choice(reader.words(key, day=other.isoformat()), Address("timeline", other.isoformat()))
        for key, other in found
        if other
    ]


def _line(piece: Slice, reader: Reader) -> str:
    mark = "" if piece.closed else reader.words("timeline.open")
    return f"{reader.clock(piece)} {title_of(piece, reader.words)}{mark}"


def _day_label(day: date, group: Sequence[Slice], reader: Reader) -> str:
    return reader.words("timeline.day", day=month_day(day, reader.words), n=len(group))


def _month_of(piece: Slice, reader: Reader) -> str:
    return reader.day(piece).isoformat()[:7]


def _month_name(month: str, reader: Reader) -> str:
    year, number = month.split("-")
    return reader.words("timeline.monthName", year=year, month=reader.words(f"relative.month.{int(number)}"))


def _part(things: Sequence[T], page: int) -> tuple[Sequence[T], int]:
    page = max(0, min(page, (len(things) - 1) // PER_PAGE))
    return things[page * PER_PAGE : (page + 1) * PER_PAGE], page


def _turning(argument: str, page: int, count: int, reader: Reader) -> list[Choice]:
    turning = []
    if page:
        turning.append(Choice(reader.words("page.back"), Address("timeline", argument, page - 1)))
    if (page + 1) * PER_PAGE < count:
        turning.append(Choice(reader.words("page.on"), Address("timeline", argument, page + 1)))
    return turning
