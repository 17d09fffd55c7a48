"""When to edit: at most once in so many seconds, and always the last state; and how long a model thought.

Knows no platform (DESIGN 2).
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from core.clock import Clock

State = TypeVar("State")


class Pacer(Generic[State]):
    """Hands offered states to `show`: the first at once, later ones `interval` seconds apart, skipping those overtaken.

    `interval` may be changed while it runs (a platform that asks for patience). `run` belongs into the owner's
    TaskGroup; what `show` raises ends it.
    """

    def __init__(self, clock: Clock, interval: float, show: Callable[[State], Awaitable[None]]) -> None:
        self.interval = interval
        self._clock = clock
        self._show = show
        self._waiting: list[State] = []
        self._offered = asyncio.Event()
        self._showing = asyncio.Lock()

    def offer(self, state: State) -> None:
        """Make this the state to show next, in place of one that still waits."""
        self._waiting = [state]
        self._offered.set()

    async def settle(self) -> None:
        """Drop the state that waits and return when none is being shown: the place is free for a final state."""
        self._waiting.clear()
        async with self._showing:
            pass

    async def run(self) -> None:
        """Show what is offered until cancelled."""
        while True:
            await self._offered.wait()
            self._offered.clear()
            async with self._showing:
                if not self._waiting:
                    continue
                await self._show(self._waiting.pop())
            await self._clock.sleep(self.interval)


class Thinking:
    """The reasoning so far and the seconds that went into it."""

    def __init__(self, clock: Clock) -> None:
        self.text = ""
        self._clock = clock
        self._since: float | None = None
        self._seconds = 0.0

    def add(self, text: str) -> None:
        """More reasoning: time counts from here until the pause."""
        self.text += text
        if self._since is None:
            self._since = self._clock.monotonic()

    def pause(self) -> float:
        """Something else happens; returns the seconds of thinking so far."""
        if self._since is not None:
            self._seconds += self._clock.monotonic() - self._since
            self._since = None
        return self._seconds
