"""A provider's model as the rest of the code sees it: it answers, or raises an error with a sentence for the person."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

from core.llm.base import Message, Usage
from core.llm.driver import troubles
from core.llm.driver.limits import DEFAULT_PATIENCE, Patience
from core.llm.driver.retry import Retries
from core.llm.driver.sight import blinded, pictured
from core.llm.driver.signatures import Signatures
from core.llm.driver.take import Take
from core.llm.driver.wire import TRANSIENT, Request, Trouble

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.clock import Clock
    from core.llm.base import Finish, Listen, ModelEvent, ToolSpec
    from core.llm.driver.wire import Target, Wire

_NUDGE: Final = (
    "[Your answer was cut off here by a technical limit; the person did not say anything. Go on exactly where it"
    " stopped, with the very next characters. Do not repeat anything, do not greet, do not mention the cut.]"
)
_USAGE_WAIT: Final = 2.0
"""Seconds that an answer which is complete waits for the count of its tokens."""


@dataclass(slots=True)
class _Answer:
    """What an answer has come to over its takes."""

    said: str = ""
    thought: str = ""
    usage: Usage = field(default_factory=Usage)
    lengths: int = 0
    cuts: int = 0

    def add(self, take: Take) -> None:
        self.said += take.said
        self.thought += take.thought
        self.usage = _sum(self.usage, take.usage)


class DrivenModel:
    """A model behind a wire. `thinking` is how hard it thinks, "" for not at all."""

    def __init__(
        self,
        wire: Wire,
        target: Target,
        clock: Clock,
        *,
        thinking: Literal["", "low", "medium", "high"] = "",
        patience: Patience = DEFAULT_PATIENCE,
        signatures: Signatures | None = None,
    ) -> None:
        self._wire = wire
        self._target = target
        self._clock = clock
        self._thinking = thinking
        self._patience = patience
        self._signatures = signatures or Signatures()

    @property
    def name(self) -> str:
        """The model's id, as the provider calls it."""
        return self._target.model

    async def complete(self, messages: Sequence[Message], tools: Sequence[ToolSpec], on_event: Listen) -> Message:
        """The next message. Raises `Unavailable`, `OverBudget` or `Unusable` with the key of a human sentence.

        Nothing is asked again once text was passed on, except for its continuation: at most 5 when it was cut for
        length, at most 2 when the connection failed or fell silent (original.md 2.12, pains P009). What was
        passed on before an error is the caller's to keep.
        """
        heard = False

        async def listen(event: ModelEvent) -> None:
            nonlocal heard
            heard = True
            await on_event(event)

        try:
            return await self._complete(messages, tools, listen)
        except Trouble as trouble:
            if trouble.kind != "request" or heard or not pictured(messages):
                raise troubles.error(trouble, self._target) from None
        try:  # a model that was thought to see, or a picture that it does not take: the words alone can be answered
            return await self._complete([*map(blinded, messages)], tools, on_event)
        except Trouble as trouble:
            raise troubles.error(trouble, self._target) from None

    async def _complete(self, messages: Sequence[Message], tools: Sequence[ToolSpec], listen: Listen) -> Message:
        await self._wire.warm()
        deadline = asyncio.get_running_loop().time() + self._patience.whole
        answer, retries = _Answer(), Retries(self._patience)
        while True:
            take = Take(listen, answer.said, self._patience.characters)
            try:
                await self._take(take, _history(messages, answer.said), tools, deadline)
                end = _verdict(take, answer)
            except Trouble as trouble:
                await self._again(trouble, take, answer, retries, deadline)
                continue
            answer.add(take)
            if end == "length" and answer.lengths < self._patience.lengths and not take.full:
                answer.lengths += 1
                continue
            self._signatures.keep(take.calls, take.signed)
            return Message(
                "assistant", answer.said, calls=take.calls, reasoning=answer.thought, finish=end, usage=answer.usage
            )

    async def _take(self, take: Take, history: list[Message], tools: Sequence[ToolSpec], deadline: float) -> None:
        """One request. Raises `Trouble`; leaving it for any reason hangs up."""
        loop, patience = asyncio.get_running_loop(), self._patience
        request = Request(
            self._target,
            history,
            tools,
            thinking="" if any(tool.forced for tool in tools) else self._thinking,
            signed=self._signatures.of(history),
            connect=patience.connect,
        )
        try:
            async with (
                asyncio.timeout_at(min(deadline, loop.time() + patience.first)) as limit,
                aclosing(self._wire.send(request)) as chunks,
            ):
                async for chunk in chunks:
                    if chunk.says_something:
                        limit.reschedule(None)  # whoever listens may take the time it needs
                        await take.feed(chunk)
                        wait = _USAGE_WAIT if take.end else patience.silence
                        limit.reschedule(min(deadline, loop.time() + wait))
                    else:
                        await take.feed(chunk)
                    if take.full:
                        take.end = "length"
                        break
        except TimeoutError:
            if not limit.expired():
                raise
            if not take.end:
                raise Trouble("slow") from None
        except Trouble:
            if not take.end:  # an answer that is complete loses nothing when the count of its tokens is broken
                raise
        if not take.end:
            raise Trouble("transport")
        await take.close()

    async def _again(self, trouble: Trouble, take: Take, answer: _Answer, retries: Retries, deadline: float) -> None:
        """Make ready for another take and wait as long as it should; raises the trouble when there is to be none."""
        if trouble.kind not in {"notice", "empty"}:
            await take.break_off()
        answer.add(take)
        late = asyncio.get_running_loop().time() >= deadline
        if answer.said:
            answer.cuts += 1
            if late or trouble.kind not in TRANSIENT or answer.cuts > self._patience.cuts:
                raise trouble
            return
        wait = retries.wait(trouble)
        if late or wait is None:
            raise trouble
        await self._clock.sleep(wait)


def _history(messages: Sequence[Message], said: str) -> list[Message]:
    """What is sent: the conversation, and behind it what was said already with the wish to go on."""
    return [*messages, Message("assistant", said), Message("user", _NUDGE)] if said else list(messages)


def _verdict(take: Take, answer: _Answer) -> Finish:
    """How a take that came to its end finishes the answer. Raises `Trouble` when there is nothing in it."""
    if take.calls:
        return "tools"
    said = (answer.said + take.said).strip()
    if take.end == "filtered":
        if not said:
            raise Trouble("filtered")
        return "error"
    if not said:
        raise Trouble("empty")
    return "length" if take.end == "length" else "stop"


def _sum(one: Usage, other: Usage) -> Usage:
    costs = [cost for cost in (one.cost, other.cost) if cost is not None]
    return Usage(
        one.prompt + other.prompt,
        one.completion + other.completion,
        one.cached + other.cached,
        sum(costs) if costs else None,
    )
