"""Notes in a user turn about messages that were edited or deleted after they were answered (DESIGN 5.7).

An edit is told at the end of the turn; a deleted message stays on file with a mark before each of its paragraphs, so
that whoever reads for prompts, recall or evidence can leave it out (`spoken`).
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from core.slices.model import USER, Slice
from core.slices.text import normalise

if TYPE_CHECKING:
    from collections.abc import Callable

DELETED: Final = "[deleted] "
_UNMISTAKABLE: Final = 40
"""Code points from which a message is found in the middle of a line too, as pieces of a split paste stand there."""
_GAP: Final = re.compile(r"(\n{2,})")


def annotation(text: str, clock: str) -> str:
    """How an edit is told: `[edited HH:MM] new words`."""
    return f"[edited {clock}] {normalise(text)}".rstrip()


def append_edit(slice_: Slice, turn_id: str, text: str, clock: str, previous: str = "") -> Slice:
    """The slice with the message's new words at the end of its user turn; the last edit wins.

    `clock` is HH:MM where the person is; `previous` is the `annotation` of the same message's edit before, which is
    replaced. Without such a turn the slice is returned as it is.
    """
    note = annotation(text, clock)

    def edited(said: str) -> str:
        if _without(said, marked(note)) != said:
            return said  # done before, and the message was deleted since
        without = said
        for old in (previous, note):
            without = _without(without, old)
        return f"{without}\n\n{note}" if without else note

    return _change(slice_, turn_id, edited)


def mark_deleted(slice_: Slice, turn_id: str, part_text: str | None = None) -> Slice:
    """The slice with `[deleted] ` before every paragraph of the user turn, or of one message in it.

    A message is found by its text (or the `annotation` of its edit). When the turn or the message is not there, or is
    marked already, the slice is returned as it is.
    """
    part = None if part_text is None else normalise(part_text)

    def hidden(said: str) -> str:
        if part is None:
            return marked(said)
        place = _find(said, part)
        if place < 0:
            return said
        before, after = said[:place].rstrip("\n"), said[place + len(part) :].lstrip("\n")
        return "\n\n".join(piece for piece in (before, marked(part), after) if piece)

    return _change(slice_, turn_id, hidden)


def spoken(text: str) -> str:
    """A user turn's words without the deleted ones: what prompts, recall and evidence may see."""
    if DELETED not in text:
        return text
    paragraphs = [piece for piece in _GAP.split(text)[::2] if not piece.startswith(DELETED)]
    return "\n\n".join(paragraphs).strip("\n")


def unmarked(said: str) -> str:
    """The words as they were before any of them were marked as deleted."""
    return "".join(piece.removeprefix(DELETED) for piece in _GAP.split(said))


def _change(slice_: Slice, turn_id: str, change: Callable[[str], str]) -> Slice:
    turns = tuple(
        replace(turn, text=change(turn.text)) if turn.role == USER and turn.label == turn_id else turn
        for turn in slice_.turns
    )
    return slice_ if turns == slice_.turns else replace(slice_, turns=turns)


def _without(said: str, note: str) -> str:
    """The words without a note that stands between blank lines, or the edges of the turn; the last such one."""
    padded = f"\n\n{said}\n\n"
    place = padded.rfind(f"\n\n{note}\n\n") if note else -1
    if place < 0:
        return said
    return (padded[:place] + padded[place + len(note) + 2 :]).strip("\n")


def marked(said: str) -> str:
    """The words with `[deleted] ` before each paragraph that does not have it."""
    return "".join(
        piece if number % 2 or not piece or piece.startswith(DELETED) else DELETED + piece
        for number, piece in enumerate(_GAP.split(said))
    )


def _find(said: str, part: str) -> int:
    """Where the message stands unmarked: on lines of its own, or anywhere when it is long; else -1."""
    if not part:
        return -1
    places = [found.start() for found in re.finditer(re.escape(part), said) if not _is_marked(said, found.start())]
    alone = [place for place in places if _stands_alone(said, place, place + len(part))]
    return (alone or (places if len(part) >= _UNMISTAKABLE else []) or [-1])[0]


def _stands_alone(said: str, start: int, end: int) -> bool:
    return (start == 0 or said[start - 1] == "\n") and (end == len(said) or said[end] == "\n")


def _is_marked(said: str, place: int) -> bool:
    paragraph = said.rfind("\n\n", 0, place)
    return said.startswith(DELETED, 0 if paragraph < 0 else paragraph + 2)
