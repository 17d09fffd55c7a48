"""The answer of one turn: the agent loop, watched, with its finished steps journalled and a limit on silence."""

from __future__ import annotations

import asyncio
import json
import logging
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from core.agent import loop
from core.agent.run import Step
from core.conversation import TextAdded, ThinkingAdded, ToolChanged
from core.errors import ModelError
from core.journal import records
from core.llm.base import ToolCall
from core.turn.sources import Account, sources, summed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from core.agent.stop import Stop
    from core.clock import Clock
    from core.conversation import Presenter, TurnEvent
    from core.i18n import Words
    from core.journal.open_turn import OpenTurn
    from core.llm.base import ChatModel, Message
    from core.slices.model import Slice
    from core.turn.burst import Burst
    from core.turn.parts import Parts


_log = logging.getLogger("previously.turn")


@dataclass(frozen=True, slots=True)
class Question:
    """What is to be answered: the slice and the words in it, the request as the model gets it, and who answers."""

    piece: Slice
    burst: Burst
    messages: Sequence[Message]
    model: ChatModel


@dataclass(frozen=True, slots=True)
class Found:
    """An answer, and what is folded below it: pairs of label and Markdown.

    `trouble` is the key of the sentence that says why there is none, or why it breaks off, with its `fields`; "" when
    all went well. `account` is what the answer rests on and what it took.
    """

    answer: loop.Answer
    folds: tuple[tuple[str, str], ...] = ()
    trouble: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)
    account: Account = field(default_factory=Account)


@dataclass(slots=True)
class _Watch:
    """Passes events on to the presenter and remembers what will be folded."""

    presenter: Presenter
    clock: Clock
    started: float
    said: str = ""
    thoughts: str = ""
    thought: float = 0.0
    tools: dict[str, tuple[str, str]] = field(default_factory=dict)

    async def show(self, event: TurnEvent) -> None:
        if isinstance(event, TextAdded):
            self.said += event.text
        if isinstance(event, ThinkingAdded):
            self.thoughts += event.text
            self.thought = self.clock.monotonic() - self.started
        if isinstance(event, ToolChanged) and event.state != "running":
            self.tools[event.call] = (event.label, event.detail)
        await self.presenter.show(event)


async def answer(
    parts: Parts,
    begun: OpenTurn,
    question: Question,
    presenter: Presenter,
    stop: Stop,
    words: Words,
) -> Found:
    """Let the model answer. What it said before it failed is the answer then, with `trouble` (original.md 2.2).

    Raises what the presenter or the journal raises.
    """
    watch = _Watch(presenter, parts.clock, parts.clock.monotonic())
    steps = [thawed(step) for _, step in sorted(begun.steps.items())]
    before = tuple(steps)

    async def keep(step: Step) -> None:
        parts.journal.append(records.Step(begun.turn, len(steps), frozen(step), step.result))
        steps.append(step)

    try:
        async with asyncio.timeout(parts.patience) as limit:

            async def show(event: TurnEvent) -> None:
                await watch.show(event)
                limit.reschedule(asyncio.get_running_loop().time() + parts.patience)

            answer = await loop.answer(
                question.model,
                question.messages,
                parts.tools(question.piece.id, question.piece.timezone, words),
                on_event=show,
                words=words,
                stop=stop,
                steps=before,
                keep_step=keep,
            )
        trouble = _trouble(answer)
    except (ModelError, TimeoutError) as error:
        if isinstance(error, TimeoutError) and not limit.expired():
            raise
        _log.warning("turn %s breaks off: %s", begun.turn, type(error).__name__)
        answer = loop.Answer(watch.said, watch.thoughts, tuple(steps), "error")
        known = error.key if isinstance(error, ModelError) else ""
        if not watch.said.strip():
            fields = {name: str(value) for name, value in error.fields.items()} if isinstance(error, ModelError) else {}
            return Found(answer, _folds(watch, answer, words), known or "turn.failed", fields)
        trouble = "turn.broken"
    took = parts.clock.monotonic() - watch.started
    account = Account(question.model.name, took, summed(answer.usage), sources(answer.steps))
    return Found(answer, _folds(watch, answer, words), trouble, account=account)


def _trouble(answer: loop.Answer) -> str:
    """Why an answer that the model ended by itself is not whole."""
    if answer.finish == "error" and not answer.text.strip():
        return "turn.empty"
    return "turn.broken" if answer.finish in {"error", "length"} else ""


def _folds(watch: _Watch, answer: loop.Answer, words: Words) -> tuple[tuple[str, str], ...]:
    folds = [pair for pair in watch.tools.values() if pair[1]]
    if answer.reasoning.strip():
        folds.insert(0, (words("turn.thought", n=max(1, round(watch.thought))), answer.reasoning))
    return tuple(folds)


def frozen(step: Step) -> str:
    """A finished step as the journal keeps its call."""
    call = step.call
    return json.dumps({"n": step.n, "id": call.id, "name": call.name, "in": call.arguments, "end": step.outcome})


def thawed(step: records.Step) -> Step:
    """A finished step from the journal."""
    raw = json.loads(step.call)
    return Step(raw["n"], ToolCall(raw["id"], raw["name"], raw["in"]), step.result, raw["end"])
