"""The arrival briefing: "Previously on ...", made of the newest slices and the card, with no model call.

Selection as original.md 2.16: the newest slice gives the last topic and the open loops, a recent other slice one more
suggestion; the card gives the name and what is due. A section without data is absent (seeds, "The Arrival Briefing").
Whatever memory holds, the page takes at most one screen: 24 lines of 80 columns in a plain terminal.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from core.document import Address, Choice, Choices, Document, Items, Text, Title
from core.relative import day_of, gap_text, local_clock, parse_day
from core.relative import due as due_text
from core.views.loops import unsettled
from core.views.reader import Reader, clip, ended, fit, title_of, width

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

    from core.card.model import Entry
    from core.i18n import Words
    from core.slices.model import Slice

LOOPS: Final = 4
DUE: Final = 4
TOGETHER: Final = 7
"""How many loops and due items there are at most when both are many."""
RECENT: Final = 3
CELLS: Final = 76
"""The width of a line: an item with its bullet stays within 80 columns."""
ADDRESS: Final = Address("briefing")
NUDGE: Final = "bot.briefing.nudge"
NUDGE_DAYS: Final = "bot.briefing.nudgeDays"
"""The settings that the buttons of a nudge change."""
_SOON: Final = timedelta(days=1)


def briefing(
    recent: Sequence[Slice],
    name: str,
    reader: Reader,
    *,
    short: bool = False,
    waiting: bool = False,
    horizon: Sequence[Entry] = (),
) -> Document:
    """The page for somebody who is back; `recent` holds the newest slices, newest first.

    `short` makes it one line (under six hours of absence, DESIGN 7). Without any slice it is a welcome. `horizon` are
    the promises of the card: those that are over, due today or due tomorrow are named. One that is `waiting` is read
    nobody knows when, and so names days where another tells how far off they are.
    """
    words = reader.words
    if not recent:
        return Document((Title(words("briefing.welcome"), note=words("briefing.empty")),), ADDRESS)
    last = recent[0]
    gap = gap_text((reader.now - ended(last)).total_seconds(), words)
    if short:
        topic = clip(last.focus, CELLS) or clip(last.summary, CELLS)
        who = fit(name, CELLS // 2)
        key = f"briefing.line{'' if topic else '.bare'}{'' if who else '.nameless'}"
        line = words(key, name=who, topic=topic, gap=gap)
        return Document((Text(line),), ADDRESS)
    note = words("briefing.note.waiting", when=fixed(last, reader)) if waiting else words("briefing.note", gap=gap)
    title = Title(fit(name, CELLS // 2) or words("briefing.yours"), eyebrow=words("briefing.eyebrow"), note=note)
    return Document((title, *_sections(recent, horizon, reader, waiting=waiting)), ADDRESS)


def folded(last: Slice, reader: Reader) -> Document:
    """What is left of a briefing that waited, once the talk has gone on: one line."""
    topic, when = clip(last.focus, CELLS // 2) or clip(last.summary, CELLS // 2), fixed(last, reader)
    line = reader.words("briefing.folded" if topic else "briefing.folded.bare", topic=topic, when=when)
    return Document((Text(line),))


def nudge(last: Slice, name: str, reader: Reader, horizon: Sequence[Entry], rarer: int) -> Document | None:
    """The morning nudge: what is due and what the last slice left open; None when there is nothing to say.

    `rarer` is every how many days it comes after a press on "less often", 0 when that is not offered.
    """
    words = reader.words
    late = tuple(_due(entry, reader) for entry in pressing(horizon, reader.today)[:DUE])
    loops = tuple(fit(f"↗ {loop}", CELLS) for loop in unsettled(last)[: min(LOOPS, TOGETHER - len(late))])
    if not late and not loops:
        return None
    labelled = ((late, words("briefing.due")), (loops, words("briefing.loops")))
    stop = Choice(words("nudge.stop"), Address("settings", f"{NUDGE}:false"))
    less = (Choice(words("nudge.less"), Address("settings", f"{NUDGE_DAYS}:{rarer}")),) if rarer else ()
    title = Title(words("nudge.title", name=called(name, words)), note=words("nudge.note"))
    return Document((title, *(Items(lines, label) for lines, label in labelled if lines), Choices((*less, stop))))


def fixed(piece: Slice, reader: Reader) -> str:
    """When a slice ended on the person's calendar and clock, true whenever it is read."""
    moment = ended(piece)
    return f"{reader.named(day_of(moment, reader.zone))} {local_clock(moment, reader.zone)}"


def called(name: str, words: Words) -> str:
    """The person's name, or "you" in their language."""
    return fit(name, CELLS // 2) or words("briefing.you")


def pressing(horizon: Sequence[Entry], today: date) -> list[Entry]:
    """The promises that are over, due today or due tomorrow, the latest day first."""
    dated = [(day, entry) for entry in horizon if (day := parse_day(entry.by)) and day <= today + _SOON]
    return [entry for _, entry in sorted(dated, key=lambda one: one[0], reverse=True)]


def _sections(
    recent: Sequence[Slice], horizon: Sequence[Entry], reader: Reader, *, waiting: bool
) -> Iterator[Items | Choices]:
    words, last = reader.words, recent[0]
    if last.focus.strip():
        label = words("briefing.topic") if waiting else f"{words('briefing.topic')} · {reader.moment(last)}"
        yield Items((fit(last.focus, CELLS),), label=fit(label, CELLS))
    late = pressing(horizon, reader.today)[:DUE]
    loops = unsettled(last)[: min(LOOPS, TOGETHER - len(late))]
    if loops:
        yield Items(tuple(fit(f"↗ {loop}", CELLS) for loop in loops), label=words("briefing.loops"))
    if late:
        lines = tuple(_due(entry, reader, waiting=waiting) for entry in late)
        yield Items(lines, label=words("briefing.due"))
    yield Choices(tuple(_choices(recent, bool(loops), reader)))


def _due(entry: Entry, reader: Reader, *, waiting: bool = False) -> str:
    day = parse_day(entry.by)
    when = f" — {_by(day, reader) if waiting else due_text(day, reader.today, reader.words)}"
    return f"↗ {fit(entry.text, CELLS - 2 - width(when))}{when}"


def _by(day: date | None, reader: Reader) -> str:
    return reader.words("briefing.by", day=reader.named(day)) if day else ""


def _choices(recent: Sequence[Slice], has_loops: bool, reader: Reader) -> Iterator[Choice]:
    words, last = reader.words, recent[0]
    if last.focus.strip():
        say = words("briefing.say.continue", topic=title_of(last, words))
        yield Choice(clip(words("briefing.continue", topic=last.focus)), say=say)
    if has_loops:
        yield Choice(words("briefing.open"), say=words("briefing.say.open"))
    other = next((piece for piece in recent[1 : RECENT + 1] if piece.focus.strip() and piece.focus != last.focus), None)
    if other:
        yield Choice(clip(other.focus), say=words("briefing.say.topic", topic=title_of(other, words)))
    day = reader.day(last).isoformat()
    yield Choice(words("briefing.full"), address=Address("card", day))
    yield Choice(words("briefing.timeline"), address=Address("timeline", day[:7]))
