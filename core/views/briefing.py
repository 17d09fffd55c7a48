"""The arrival briefing: "Previously on ...", made of the newest slices and the card's name, with no model call.

Selection as original.md 2.16: the newest slice gives the last topic and the open loops, a recent other slice one more
suggestion. A section without data is absent (seeds, "The Arrival Briefing").
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from core.document import Address, Choice, Choices, Document, Items, Text, Title
from core.relative import gap_text
from core.views.reader import LINE, Reader, clip, ended, title_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.i18n import Words
    from core.slices.model import Slice

LOOPS: Final = 4
RECENT: Final = 3
ADDRESS: Final = Address("briefing")


def briefing(recent: Sequence[Slice], name: str, reader: Reader, *, short: bool = False) -> Document:
    """The page for somebody who is back; `recent` holds the newest slices, newest first.

    `short` makes it one line (under six hours of absence, DESIGN 7). Without any slice it is a welcome.
    """
    words = reader.words
    if not recent:
        return Document((Title(words("briefing.welcome"), note=words("briefing.empty")),), ADDRESS)
    last = recent[0]
    gap = gap_text((reader.now - ended(last)).total_seconds(), words)
    if short:
        topic = title_of(last, words) if last.focus or last.summary else ""
        line = words("briefing.line" if topic else "briefing.line.bare", name=called(name, words), topic=topic, gap=gap)
        return Document((Text(line),), ADDRESS)
    return Document((_heading(name, gap, reader), *_sections(recent, reader)), ADDRESS)


def called(name: str, words: Words) -> str:
    """The person's name, or "you" in their language."""
    return name or words("briefing.you")


def _heading(name: str, gap: str, reader: Reader) -> Title:
    words = reader.words
    return Title(called(name, words), eyebrow=words("briefing.eyebrow"), note=words("briefing.note", gap=gap))


def _sections(recent: Sequence[Slice], reader: Reader) -> Sequence[Text | Items | Choices]:
    words, last = reader.words, recent[0]
    sections: list[Text | Items | Choices] = []
    if last.focus.strip():
        when = reader.moment(last)
        sections.append(Items((title_of(last, words), when), label=words("briefing.topic")))
    loops = tuple(clip(loop, LINE) for loop in last.open_loops if loop.strip())[:LOOPS]
    if loops:
        sections.append(Items(tuple(f"↗ {loop}" for loop in loops), label=words("briefing.loops")))
    sections.append(Choices(tuple(_choices(recent, bool(loops), reader))))
    return sections


def _choices(recent: Sequence[Slice], has_loops: bool, reader: Reader) -> Sequence[Choice]:
    words, last = reader.words, recent[0]
    choices = []
    if last.focus.strip():
        say = words("briefing.say.continue", topic=title_of(last, words))
        choices.append(Choice(clip(words("briefing.continue", topic=last.focus)), say=say))
    if has_loops:
        choices.append(Choice(words("briefing.open"), say=words("briefing.say.open")))
    other = next((piece for piece in recent[1 : RECENT + 1] if piece.focus.strip() and piece.focus != last.focus), None)
    if other:
        choices.append(Choice(clip(other.focus), say=words("briefing.say.topic", topic=title_of(other, words))))
    choices.append(Choice(words("briefing.full"), address=Address("card")))
    month = reader.day(last).isoformat()[:7]
    choices.append(Choice(words("briefing.timeline"), address=Address("timeline", month)))
    return choices
