"""Conversations cut into slices by the person's own silence and cap: pure, the same every time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.clock import iso
from core.journal.ids import turn_id
from core.slices.foreign import quote
from core.slices.messages import Message
from core.slices.model import AGENT, USER, Turn
from core.slices.policy import silence

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from core.owning.talks import Said, Talk
    from core.slices.policy import Thresholds


@dataclass(frozen=True, slots=True)
class Burst:
    """A slice to be: when it began, what closed it, its conversation's title, its turns and which messages they are."""

    start: datetime
    signal: str
    title: str
    turns: tuple[Turn, ...]
    lines: tuple[Message, ...]

    @property
    def label(self) -> str:
        """The label by which it is known again."""
        return self.turns[0].label


def bursts(talk: Talk, thresholds: Thresholds) -> Iterator[Burst]:
    """The slices of a conversation, in order."""
    held: list[Said] = []
    for said in talk.messages:
        over = bool(held) and silence(held[-1].at, said.at) >= thresholds.silence
        if over or len(held) >= thresholds.cap:
            yield _burst(talk, held, "time_silence" if over else "capacity")
            held = []
        held.append(said)
    if held:
        yield _burst(talk, held, "time_silence")


def _burst(talk: Talk, held: Sequence[Said], signal: str) -> Burst:
    turns: list[Turn] = []
    lines: list[Message] = []
    asked, answered = "", True
    for said in held:
        label, role = turn_id(said.key), AGENT if not said.mine and not said.who else USER
        if role == AGENT and not answered:
            label, answered = asked, True
        elif role == USER:
            asked, answered = label, False
        text = quote("forwarded", said.who, said.text) if said.who else said.text
        turns.append(Turn(label, iso(said.at), role, text))
        lines.append(Message(label, role, said.key, iso(said.at)))
    return Burst(held[0].at, signal, talk.title, tuple(turns), tuple(lines))
