"""The sign that an answer is being written: it lasts until the first words, and never longer than some minutes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Coroutine

    from adapters.discord.outlet import Outlet
    from core.clock import Clock

EVERY: Final = 8.0
"""Seconds after which it is shown again; Discord takes it away after ten."""

LONGEST: Final = 120.0
"""Seconds after which nobody believes it any more."""


class Typing:
    """Shows it per chat."""

    def __init__(
        self,
        outlet: Outlet,
        clock: Clock,
        start: Callable[[Coroutine[Any, Any, None]], asyncio.Task[None] | None],
    ) -> None:
        self._outlet = outlet
        self._clock = clock
        self._start = start
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def begin(self, chat: str) -> None:
        """Show it from now on."""
        if chat not in self._tasks and (task := self._start(self._show(chat))):
            self._tasks[chat] = task
            task.add_done_callback(lambda done: self._forget(chat, done))

    def end(self, chat: str) -> None:
        """Show it no longer."""
        task = self._tasks.pop(chat, None)
        if task:
            task.cancel()

    def end_all(self) -> None:
        """Show it nowhere any more."""
        for chat in list(self._tasks):
            self.end(chat)

    def _forget(self, chat: str, task: asyncio.Task[None]) -> None:
        if self._tasks.get(chat) is task:
            del self._tasks[chat]

    async def _show(self, chat: str) -> None:
        until = self._clock.monotonic() + LONGEST
        while self._clock.monotonic() < until:
            await self._outlet.type(chat)
            await self._clock.sleep(EVERY)
