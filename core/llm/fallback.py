"""Answers from memory alone while the model cannot be had, and says so."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from core.errors import ModelError, OverBudget, Unavailable
from core.llm.base import TextDelta

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from core.clock import Clock
    from core.llm.base import ChatModel, Listen, Message, ModelEvent, ToolSpec

REST: Final = 30.0
"""Seconds after a failure in which one answer does not wait for the model at every step, and the next not for long."""
TRIAL: Final = 5.0
"""Seconds of the wall clock within which a model that failed a moment ago must begin to answer another message."""
DOWN: Final = "offline.down"
KEY: Final = "offline.key"
CEILING: Final = "offline.ceiling"
_WHY: Final = {"model.ceiling": CEILING, "model.key": KEY}
_OURS: Final = frozenset({"model.context"})
"""Trouble that comes again with every message until the person hears of it: no other answer may hide it."""


class FallbackModel:
    """Asks `model`; when that is unavailable or over budget, what `stand_in` makes answers.

    It is made of the key of its intro and of the fields of that sentence.
    """

    def __init__(
        self,
        model: ChatModel,
        stand_in: Callable[[str, Mapping[str, str | int]], ChatModel],
        clock: Clock,
        trial: float = TRIAL,
    ) -> None:
        self._model = model
        self._make = stand_in
        self._stand_in = stand_in(DOWN, {})
        self._clock = clock
        self._trial = trial
        self._until = 0.0
        self._why = DOWN
        self._standing_in = False

    @property
    def name(self) -> str:
        """The name of the model that answered last, or will answer first."""
        return self._stand_in.name if self._standing_in else self._model.name

    @property
    def down(self) -> str:
        """Why memory alone answers just now, as the key of a stand-in; "" while the model is asked."""
        return self._why if self._clock.monotonic() < self._until else ""

    def wake(self) -> None:
        """Ask the model again at once."""
        self._until = 0.0

    async def complete(self, messages: Sequence[Message], tools: Sequence[ToolSpec], on_event: Listen) -> Message:
        """The next message of whoever can answer.

        Raises what the model raises when text of it was passed on already (the caller keeps that part), when a form is
        to be filled (it is filled later, by a model, rather than badly), and `Unusable`.
        """
        if any(tool.forced for tool in tools):
            return await self._model.complete(messages, tools, on_event)
        resting = self._clock.monotonic() < self._until
        if resting and messages and messages[-1].role == "tool":
            return await self._instead(messages, tools, on_event)
        said = False
        try:
            async with asyncio.timeout(self._trial if resting else None) as limit:

                async def listen(event: ModelEvent) -> None:
                    nonlocal said
                    said = said or isinstance(event, TextDelta)
                    limit.reschedule(None)
                    await on_event(event)

                message = await self._model.complete(messages, tools, listen)
        except TimeoutError:
            if not limit.expired():
                raise
            return await self._instead(messages, tools, on_event)
        except (Unavailable, OverBudget) as error:
            if said or error.key in _OURS:
                raise
            self._rest(error)
            return await self._instead(messages, tools, on_event)
        self._standing_in, self._until = False, 0.0
        return message

    def _rest(self, error: ModelError) -> None:
        self._why = _WHY.get(error.key, DOWN)
        self._stand_in = self._make(self._why, error.fields)
        self._until = self._clock.monotonic() + REST

    async def _instead(self, messages: Sequence[Message], tools: Sequence[ToolSpec], listen: Listen) -> Message:
        self._standing_in = True
        return await self._stand_in.complete(messages, tools, listen)
