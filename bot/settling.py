"""When a platform may forget a message on a host whose disk does not last: once it is on GitHub (DESIGN 5.9)."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from core.errors import Unsettled

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from core.clock import Clock
    from core.conversation import Incoming
    from core.journal.state import State
    from core.storage.github.courier import Courier

    Settle = Callable[[State, Sequence[Incoming]], Awaitable[None]]

REDELIVERING: Final = frozenset({"telegram", "double"})
"""Surfaces that deliver again what was not acknowledged. On Discord the history is read again instead (DESIGN 5.2)."""
LOOK: Final = 0.05
AGAIN: Final = 1.0
PATIENCE: Final = 50.0
"""Seconds that a webhook waits; Telegram gives up after a minute and calls again."""


class Settling:
    """Waits for messages to be in the repository.

    With a webhook (`patient`) it waits until the person's words are pushed, in a commit of their own. Without, where
    the platform is asked again and again, it says at once that it is not so far: until the whole turn is pushed.
    """

    def __init__(self, courier: Courier, clock: Clock, *, patient: bool) -> None:
        self._courier = courier
        self._clock = clock
        self._patient = patient

    async def __call__(self, state: State, updates: Sequence[Incoming]) -> None:
        """Return when they are there. Raises `Unsettled` when the platform must keep them for now."""
        keys = {update.key for update in updates if update.surface in REDELIVERING}
        if not keys:
            return
        if not self._patient:
            if keys & unfinished(state) or not await self._courier.settled():
                raise Unsettled("state/journal.jsonl", "the message is not in the repository yet")
            return
        try:
            async with asyncio.timeout(PATIENCE):
                while keys & unwritten(state):
                    await self._clock.sleep(LOOK)
                while not await self._courier.settled():
                    await self._clock.sleep(AGAIN)
        except TimeoutError as error:
            raise Unsettled("state/journal.jsonl", "GitHub did not take the message in time") from error


def unwritten(state: State) -> set[str]:
    """The keys of messages that do not stand in a slice yet; commands never will."""
    taken = {one.first.update.key for turn in state.turns.values() if "words" not in turn.applied for one in turn.taken}
    return set(state.waiting) | taken


def unfinished(state: State) -> set[str]:
    """The keys of messages whose turn is not closed."""
    taken = {one.first.update.key for turn in state.turns.values() for one in turn.taken}
    return set(state.waiting) | taken
