"""What a turn writes, as plans: pure functions from what was said to operations (DESIGN 5.4)."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from core.clock import iso
from core.keeper.operations import LogCognition, MergeTurns, NoteMessages
from core.slices import cognition
from core.slices.messages import Message
from core.slices.model import AGENT, USER, Turn
from core.turn.burst import wording
from core.turn.thinking import THINK_DEEP, thoughts_in

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from core.agent.run import Step
    from core.i18n import Words
    from core.journal.open_turn import OpenTurn, Waiting
    from core.journal.records import Json
    from core.keeper.operations import Operation
    from core.slices.model import Slice
    from core.turn.answering import Found
    from core.turn.burst import Burst
    from core.turn.place import Place

PARTIAL: Final = "[partial] "
"""What stands before an answer that was cut short (original.md 1.3)."""


NO_REPLY: Final = "(no reply: {why})"
"""What the log says of a turn without an answer, so that it does not stand there without a trace (original.md B7)."""

_WHY: Final = {
    "turn.stopped": "stopped by the person before anything was said",
    "turn.failed": "the model failed",
    "turn.empty": "the model said nothing",
    "turn.crashed": "answering crashed three times",
    "turn.skipped": "the person asked that it is only stored",
}


@dataclass(frozen=True, slots=True)
class Planned:
    """Operations, and the reply as the journal keeps it: the text, then label and Markdown of every fold."""

    operations: tuple[Operation, ...]
    reply: tuple[str, ...] = ()
    flags: Mapping[str, Json] = field(default_factory=dict)


def words_plan(burst: Burst, place: Place, zone: str) -> Planned:
    """The person's words in their slice, what must happen before (closing, opening), and which messages they are."""
    said = Turn(burst.turn, burst.at, USER, burst.text)
    several = len(burst.messages) > 1
    lines = tuple(_line(burst, message, several=several) for message in burst.messages)
    merge = MergeTurns(place.slice, (said,) if burst.text.strip() else (), place.start, zone)
    return Planned((*place.operations, merge, NoteMessages(place.slice, lines)))


def answer_plan(begun: OpenTurn, piece: Slice, found: Found, now: datetime, words: Words) -> Planned:
    """The answer in its slice (marked when cut short), its cognition, its messages; and what is shown of it."""
    turn, answer, at = begun.turn, found.answer, iso(now)
    cut, spoken = answer.finish != "stop", bool(answer.text.strip())
    text = answer.text.rstrip() if cut else answer.text
    note = () if spoken else (NO_REPLY.format(why=_WHY["turn.stopped"]),)
    operations: list[Operation] = []
    if spoken:
        said = Turn(turn, at, AGENT, f"{PARTIAL}{text}" if cut else text)
        operations.append(MergeTurns(piece.id, (said,), piece.start, piece.timezone))
    operations.append(LogCognition(piece.id, turn, _block(turn, at, found, note)))
    parts = tuple(Message(turn, AGENT, message, at, part) for part, message in sorted(begun.placeholders.items()))
    if parts and spoken:
        operations.append(NoteMessages(piece.id, parts))
    remark = words(found.trouble or "turn.stopped")
    shown = (f"{text}\n\n*{remark}*" if spoken else remark) if cut else text
    return Planned(tuple(operations), (shown, *(text for fold in found.folds for text in fold)))


def failure_plan(turn: str, slice_id: str, why: str, now: datetime, found: Found | None = None) -> Planned:
    """No answer: the log notes why and what was tried, the conversation holds only what the person said.

    `why` is the key of the sentence that the person is told.
    """
    block = _block(turn, iso(now), found, (NO_REPLY.format(why=_WHY.get(why, why)),))
    return Planned(
        (LogCognition(slice_id, turn, block),), flags={"failed": why, "fields": dict(found.fields) if found else {}}
    )


def _block(turn: str, at: str, found: Found | None, notes: Sequence[str]) -> str:
    thoughts = cognition.paragraphs([found.answer.reasoning]) if found else []
    for step in found.answer.steps if found else ():
        if step.call.name == THINK_DEEP.name and step.outcome == "completed":
            thoughts += [one for fragment in thoughts_in(step.result) for one in cognition.paragraphs([fragment])]
    tools = [_tool(step) for step in found.answer.steps] if found else ()
    return cognition.block(turn, at, (*thoughts, *notes), tools) + (
        found.account.section() if found and found.account.model else ""
    )


def _tool(step: Step) -> cognition.ToolNote:
    outcome = "ok" if step.outcome == "completed" else step.result.removeprefix("ERROR: ")
    arguments = json.loads(step.call.arguments or "{}")
    return cognition.ToolNote(step.call.name, arguments if isinstance(arguments, dict) else {}, outcome)


def _line(burst: Burst, message: Waiting, *, several: bool) -> Message:
    gone = message.changes[-1].at if message.deleted else ""
    size = len(wording(message.update, burst.filed.get(message.update.key, ()))) if several else None
    return Message(burst.turn, USER, message.update.key, message.first.at, deleted=gone, size=size)
