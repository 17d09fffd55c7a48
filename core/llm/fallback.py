"""Answers from memory alone while the model cannot be had, and says so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from core.errors import ModelError, OverBudget, Unavailable
from core.llm.base import TextDelta

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from core.clock import Clock
    from core.llm.base import ChatModel, Listen, Message, ModelEvent, ToolSpec

REST: Final = 30.0
"""Seconds for which a model that failed is not asked again, so that one answer does not wait for it at every step."""
DOWN: Final = "offline.down"
CEILING: Final = "offline.ceiling"
_OURS: Final = frozenset({"model.context"})
"""Trouble that comes again with every message until the person hears of it: no other answer may hide it."""


class FallbackModel:
    """Asks `model`; when that is unavailable or over budget, one of `stand_ins` answers (by the key of its intro)."""

    def __init__(self, model: ChatModel, stand_ins: Mapping[str, ChatModel], clock: Clock) -> None:
        self._model = model
        self._stand_ins = stand_ins
        self._clock = clock
        self._until = 0.0
        self._why = DOWN
        self._standing_in = False

    @property
    def name(self) -> str:
        """The name of the model that answered last, or will answer first."""
        return self._stand_ins[self._why].name if self._standing_in else self._model.name

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
        if self._clock.monotonic() < self._until:
            return await self._stand_in(messages, tools, on_event)
        said = False

        async def listen(event: ModelEvent) -> None:
            nonlocal said
            said = said or isinstance(event, TextDelta)
            await on_event(event)

        try:
            message = await self._model.complete(messages, tools, listen)
        except (Unavailable, OverBudget) as error:
            if said or error.key in _OURS:
                raise
            self._rest(error)
            return await self._stand_in(messages, tools, on_event)
        self._standing_in = False
        return message

    def _rest(self, error: ModelError) -> None:
        self._why = CEILING if error.key == "model.ceiling" else DOWN
        self._until = self._clock.monotonic() + REST

    async def _stand_in(self, messages: Sequence[Message], tools: Sequence[ToolSpec], listen: Listen) -> Message:
        self._standing_in = True
        return await self._stand_ins[self._why].complete(messages, tools, listen)
