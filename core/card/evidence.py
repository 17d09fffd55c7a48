"""What a pass over the card rests on: the talk under its refs, each side named, within the worker's room.

The person's own words are evidence; quoted, forwarded and deleted text is left out, and so is whatever is no turn:
briefings, recalled text, web pages (DESIGN 5.7). Our turns and thoughts stand for the Self-model alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from core.llm.size import ending, newest, tokens
from core.slices.foreign import written
from core.slices.model import USER, rel_of
from core.slices.notes import spoken

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from core.slices.model import Slice, Turn

THOUGHTS: Final = 1_500
"""Tokens of our thoughts at most."""

_ASIDE: Final = "The assistant's thoughts (evidence for Self-model only):"
_US: Final = "the assistant (evidence for Self-model only)"


def evidence(said: Iterable[tuple[Slice, Sequence[Turn]]], thoughts: str, most: int) -> str:
    """The turns of slices under their refs, the newest that fit into `most` tokens, and the end of our thoughts."""
    lines = [line for piece, turns in said for turn in turns if (line := _line(piece, turn))]
    aside = ending(thoughts.strip(), min(THOUGHTS, most // 4)) if lines and thoughts.strip() else ""
    behind = f"\n\n{_ASIDE}\n{aside}" if aside else ""
    room = max(most - tokens(behind), 0)
    return "\n\n".join(newest(lines, room)) + behind


def refs_of(said: Iterable[tuple[Slice, Sequence[Turn]]]) -> frozenset[str]:
    """The refs that point to these turns."""
    return frozenset(f"{rel_of(piece.id)}-{turn.label}" for piece, turns in said for turn in turns)


def words_of(said: Iterable[tuple[Slice, Sequence[Turn]]]) -> str:
    """What the person said themselves."""
    return "\n".join(written(spoken(turn.text)) for _, turns in said for turn in turns if turn.role == USER)


def _line(piece: Slice, turn: Turn) -> str:
    text = written(spoken(turn.text)) if turn.role == USER else turn.text
    who = "the person" if turn.role == USER else _US
    return f"[{rel_of(piece.id)}-{turn.label}] {who}:\n{text}" if text.strip() else ""
