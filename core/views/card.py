"""The card: as it stands, as it stood on a day with what changed there, and the history of its changes."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from core.clock import instant
from core.document import Address, Choice, Choices, Document, Items, Text, Title
from core.relative import annotate_card, day_of, slice_instant
from core.views.paging import turning
from core.views.reader import LINE, clip

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

    from core.card.record import Record
    from core.document import Block
    from core.views.reader import Reader

PER_PAGE: Final = 6
SHORT: Final = 7
"""Characters of a commit's id that are shown."""
SOURCES: Final = 4
"""How many slices that a change rests on are offered."""
_TOP: Final = re.compile(r"(?:\ufeff)?(?:# [^\n]*\n+)?(?:_Active slice:[^\n]*_[ \t]*\n+)?")
_LOOSE: Final = re.compile(r"^(- [^\n]*\n)\n+(?=- )", re.MULTILINE)
_REF: Final = re.compile(r"\[(\d{4}/\d{2}/\d{2}/\d{4})(?:-[\w-]+)?\]", re.ASCII)
_HISTORY: Final = Address("card", "history")


@dataclass(frozen=True, slots=True)
class Change:
    """A change of the card and the slice whose talk it came of; `commit` is the one that pushed it, "" if unknown."""

    slice: str
    record: Record
    commit: str = ""

    def day(self, zone: str) -> date | None:
        """The local day of that slice: the day under which the change is found."""
        moment = slice_instant(self.slice) or instant(self.record.at)
        return day_of(moment, zone) if moment else None


def card_page(text: str, reader: Reader, newest: Change | None = None) -> Document:
    """The live card with distances behind its dates, or a sentence that it is still empty.

    `newest` is its last change, if one is known.
    """
    words = reader.words
    choices = Choices((Choice(words("history.all"), _HISTORY),))
    if not _body(text).strip():
        return Document((Title(words("view.card")), Text(words("view.card.none"))), Address("card"))
    moment = instant(newest.record.at) if newest else None
    note = words("history.last", when=reader.when(moment)) if moment else ""
    return Document(
        (Title(words("view.card"), note=note), Text(annotate_card(_body(text), reader.today, words)), choices),
        Address("card"),
    )


def card_as_of(day: date, text: str, source: str, changes: Sequence[Change], reader: Reader) -> Document:
    """The card as it stood when the newest slice up to that day, `source`, had ended; below it what changed there.

    Its dates stand as they are: a distance from today would be wrong as of then.

    `text` is "" when no slice up to then carries a card. `changes` are those of the source's day, the newest first.
    """
    words, address = reader.words, Address("card", day.isoformat())
    live = Choice(words("history.live"), Address("card"))
    if not text.strip():
        title = Title(words("history.asOf", day=reader.named(day)))
        return Document((title, Text(words("history.none")), Choices((live,))), address)
    moment = slice_instant(source)
    note = words("history.source", slice=source, when=reader.when(moment)) if moment else source
    blocks: list[Block] = [Title(words("history.asOf", day=reader.named(day)), words("view.card"), note)]
    blocks.append(Text(_body(text)))
    blocks += [_told(change, reader) for change in changes]
    if not changes:
        blocks.append(Text(f"*{words('history.unchanged')}*"))
    choices = [Choice(words("history.slice", slice=source), Address("slice", source))]
    choices += [_source(one) for one in _sources(changes) if one != source][:SOURCES]
    choices += [Choice(words("history.all"), _HISTORY), live]
    return Document((*blocks, Choices(tuple(choices))), address)


def history_page(
    changes: Sequence[Change], page: int, reader: Reader, *, more: bool = False, until: date | None = None
) -> Document:
    """The changes of the card on that page of its history, the newest first; each opens its day.

    `until` is the day at which the search for changes ended, if it ended before the first talk.
    """
    words, address = reader.words, Address("card", "history", page)
    title = Title(words("history.title"), eyebrow=words("view.card"))
    live = Choice(words("history.live"), Address("card"))
    if not changes:
        none = words("history.further", day=until.isoformat()) if until else words("history.empty")
        return Document((title, Text(none), Choices((live,))), address)
    days = dict.fromkeys(day for change in changes if (day := change.day(reader.zone)))
    choices = [Choice(words("history.day", day=day.isoformat()), Address("card", day.isoformat())) for day in days]
    choices += turning(address, (page + 1 + more) * PER_PAGE, reader, PER_PAGE)
    if not page:
        choices.append(Choice(words("history.undo"), Address("card", "ask")))
    blocks: list[Block] = [title, *(_told(one, reader) for one in changes)]
    if until:
        blocks.append(Text(words("history.further", day=until.isoformat())))
    return Document((*blocks, Choices((*choices, live))), address)


def ask_page(change: Change, number: int, reader: Reader) -> Document:
    """What taking back that change would bring back and what would go, before it is done.

    The yes names the change (`number` within its slice), so that pressing it twice takes nothing else back.
    """
    words = reader.words
    would = replace(change.record, added=change.record.removed, removed=change.record.added)
    yes = Choice(words("history.yes"), Address("card", f"undo:{change.slice}:{number}"))
    choices = Choices((yes, Choice(words("history.no"), _HISTORY)))
    title = Title(words("history.ask"), words("view.card"))
    lines = _lines(would, reader, "history.would.back", "history.would.go")
    return Document((title, *lines, choices), Address("card", "ask"))


def undone_page(change: Change, reader: Reader) -> Document:
    """What the taking back of a change has brought back, and what has gone again."""
    words = reader.words
    choices = (Choice(words("history.live"), Address("card")), Choice(words("history.all"), _HISTORY))
    return Document((Title(words("evolution.undone")), *_lines(change.record, reader), Choices(choices)))


def _told(change: Change, reader: Reader) -> Items:
    """When, why and what, with the refs that the lines carry."""
    record, words = change.record, reader.words
    moment = instant(record.at)
    why = words(f"history.why.{record.why}") if f"history.why.{record.why}" in words.messages else record.why
    label = words("history.change", when=reader.when(moment) if moment else record.at, why=why, slice=change.slice)
    if change.commit:
        label = words("history.commit", change=label, id=change.commit[:SHORT])
    sentence = (clip(record.summary, LINE),) if record.summary.strip() else ()
    return Items((*sentence, *_signed(record)), label=label)


def _lines(record: Record, reader: Reader, back: str = "history.back", gone: str = "history.gone") -> Iterator[Items]:
    for key, lines in ((back, record.added), (gone, record.removed)):
        if lines:
            yield Items(tuple(clip(line.removeprefix("- "), LINE) for line in lines), label=reader.words(key))


def _signed(record: Record) -> tuple[str, ...]:
    signed = ((sign, line) for sign, lines in (("−", record.removed), ("+", record.added)) for line in lines)
    return tuple(f"{sign} {clip(line.removeprefix('- '), LINE)}" for sign, line in signed)


def _sources(changes: Sequence[Change]) -> Iterator[str]:
    """The slices that the lines of these changes rest on, each once."""
    lines = (line for change in changes for line in change.record.added)
    yield from dict.fromkeys(ref.replace("/", "-") for line in lines for ref in _REF.findall(line))


def _source(slice_id: str) -> Choice:
    return Choice(slice_id, Address("slice", slice_id))


def _body(text: str) -> str:
    """The card without its title and stamp, its bullets close together."""
    body = _TOP.sub("", text.replace("\r\n", "\n").strip() + "\n", count=1)
    return _LOOSE.sub(r"\1", body).strip()
