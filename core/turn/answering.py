"""The answer of one turn: the agent loop, watched, with its finished steps journalled and a limit on silence."""

from __future__ import annotations

import asyncio
import json
import logging
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from core.agent import loop
from core.agent.run import Step
from core.errors import ModelError
from core.journal import records
from core.llm.base import ToolCall
from core.masking import masked
from core.slices.text import encodable
from core.turn.outfit import outfit
from core.turn.sources import Account, sources, summed
from core.turn.tame import tamed
from core.turn.watching import Watch

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from core.agent.stop import Stop
    from core.conversation import Presenter, TurnEvent
    from core.i18n import Words
    from core.journal.open_turn import OpenTurn
    from core.turn.parts import Parts
    from core.turn.question import Question
    from core.turn.veil import Veil


_log = logging.getLogger("previously.turn")


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
    watch = Watch(presenter, parts.clock, parts.veil, parts.clock.monotonic())
    steps = [thawed(step) for _, step in sorted(begun.steps.items())]
    before = tuple(steps)
    outfitted = await outfit(parts, question, before, words)

    async def keep(step: Step) -> None:
        parts.journal.append(records.Step(begun.turn, len(steps), frozen(step), step.result))
        steps.append(step)
        outfitted.taint.note(step)

    try:
        async with asyncio.timeout(parts.patience) as limit:

            async def show(event: TurnEvent) -> None:
                await watch.show(event)
                limit.reschedule(asyncio.get_running_loop().time() + parts.patience)

            answer = await loop.answer(
                question.model,
                question.messages,
                outfitted.tools,
                on_event=show,
                words=words,
                stop=stop,
                steps=before,
                keep_step=keep,
            )
            await watch.end()
        trouble = _trouble(answer)
    except (ModelError, TimeoutError) as error:
        if isinstance(error, TimeoutError) and not limit.expired():
            raise
        _log.warning("turn %s breaks off: %s", begun.turn, type(error).__name__)
        await watch.end()
        answer = loop.Answer(watch.said, watch.thoughts, tuple(steps), "error")
        known = error.key if isinstance(error, ModelError) else ""
        if not watch.said.strip():
            fields = {name: str(value) for name, value in error.fields.items()} if isinstance(error, ModelError) else {}
            return Found(answer, watch.folds(answer, words), known or "turn.failed", fields)
        trouble = "turn.broken"
    answer = _clean(answer, parts.veil, outfitted.taint.known.knows)
    took = parts.clock.monotonic() - watch.started
    account = Account(question.model.name, took, summed([*answer.usage, *outfitted.spent]), sources(answer.steps))
    return Found(answer, watch.folds(answer, words), trouble, account=account)


def _trouble(answer: loop.Answer) -> str:
    """Why an answer that the model ended by itself is not whole."""
    if answer.finish == "error" and not answer.text.strip():
        return "turn.empty"
    return "turn.broken" if answer.finish in {"error", "length"} else ""


def _clean(answer: loop.Answer, veil: Veil, known: Callable[[str], bool]) -> loop.Answer:
    """The answer as it may be shown and kept: secrets masked, strange addresses as code (reliability 4.2 and 4.6).

    Half a character becomes U+FFFD: no file and no platform could hold it.
    """
    calls = [replace(step.call, arguments=encodable(veil.text(step.call.arguments))) for step in answer.steps]
    results = [encodable(step.result) for step in answer.steps]
    steps = tuple(
        replace(step, call=call, result=result) for step, call, result in zip(answer.steps, calls, results, strict=True)
    )
    return replace(
        answer,
        text=tamed(masked(veil.text(encodable(answer.text))), known),
        reasoning=masked(veil.text(encodable(answer.reasoning))),
        steps=steps,
    )


def frozen(step: Step) -> str:
    """A finished step as the journal keeps its call."""
    call = step.call
    return json.dumps({"n": step.n, "id": call.id, "name": call.name, "in": call.arguments, "end": step.outcome})


def thawed(step: records.Step) -> Step:
    """A finished step from the journal."""
    raw = json.loads(step.call)
    return Step(raw["n"], ToolCall(raw["id"], raw["name"], raw["in"]), step.result, raw["end"])
