"""The answer of one turn: the agent loop, watched, with its finished steps journalled."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from core.agent import loop
from core.agent.run import Step
from core.conversation import ThinkingAdded, ToolChanged
from core.journal import records
from core.llm.base import ToolCall

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.agent.stop import Stop
    from core.clock import Clock
    from core.conversation import Presenter, TurnEvent
    from core.i18n import Words
    from core.journal.open_turn import OpenTurn
    from core.llm.base import Message
    from core.slices.model import Slice
    from core.turn.parts import Parts


@dataclass(frozen=True, slots=True)
class Found:
    """An answer, and what is folded below it: pairs of label and Markdown."""

    answer: loop.Answer
    folds: tuple[tuple[str, str], ...] = ()


@dataclass(slots=True)
class _Watch:
    """Passes events on to the presenter and remembers what will be folded."""

    presenter: Presenter
    clock: Clock
    started: float
    thought: float = 0.0
    tools: dict[str, tuple[str, str]] = field(default_factory=dict)

    async def show(self, event: TurnEvent) -> None:
        if isinstance(event, ThinkingAdded):
            self.thought = self.clock.monotonic() - self.started
        if isinstance(event, ToolChanged) and event.state != "running":
            self.tools[event.call] = (event.label, event.detail)
        await self.presenter.show(event)


async def answer(
    parts: Parts,
    begun: OpenTurn,
    piece: Slice,
    messages: Sequence[Message],
    presenter: Presenter,
    stop: Stop,
    words: Words,
) -> Found:
    """Let the model answer; raises `ModelError` when it cannot, and what the presenter or the journal raises."""
    watch = _Watch(presenter, parts.clock, parts.clock.monotonic())
    number = len(begun.steps)

    async def keep(step: Step) -> None:
        nonlocal number
        parts.journal.append(records.Step(begun.turn, number, frozen(step), step.result))
        number += 1

    found = await loop.answer(
        parts.model,
        messages,
        parts.tools(piece.id, piece.timezone, words),
        on_event=watch.show,
        words=words,
        stop=stop,
        steps=[thawed(step) for _, step in sorted(begun.steps.items())],
        keep_step=keep,
    )
    folds = [pair for pair in watch.tools.values() if pair[1]]
    if found.reasoning.strip():
        folds.insert(0, (words("turn.thought", n=max(1, round(watch.thought))), found.reasoning))
    return Found(found, tuple(folds))


def frozen(step: Step) -> str:
    """A finished step as the journal keeps its call."""
    call = step.call
    return json.dumps({"n": step.n, "id": call.id, "name": call.name, "in": call.arguments, "end": step.outcome})


def thawed(step: records.Step) -> Step:
    """A finished step from the journal."""
    raw = json.loads(step.call)
    return Step(raw["n"], ToolCall(raw["id"], raw["name"], raw["in"]), step.result, raw["end"])
