"""Stopping an answer at once, wherever it is."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Coroutine

Result = TypeVar("Result")


class Stopped(Exception):
    """The person asked to stop."""


class Stop:
    """A wish to stop that one side sets and the other obeys. Once set it stays set.

    `leaving` says that it is the process that ends, and nobody's wish that there be no answer.
    """

    def __init__(self) -> None:
        self.leaving = False
        self._event = asyncio.Event()

    def set(self) -> None:
        """Ask to stop."""
        self._event.set()

    def leave(self) -> None:
        """Ask to stop because the process ends; without effect on what a person has stopped."""
        if not self.asked:
            self.leaving = True
            self.set()

    @property
    def asked(self) -> bool:
        """Whether somebody asked to stop."""
        return self._event.is_set()

    async def unless(self, work: Coroutine[object, object, Result]) -> Result:
        """The result of `work`, which is cancelled when somebody asks to stop; raises `Stopped` then."""
        if self.asked:
            work.close()
            raise Stopped
        try:
            async with asyncio.TaskGroup() as group:
                watch = group.create_task(self._watch())
                result = await work
                watch.cancel()
        except BaseExceptionGroup as several:
            # The group holds the one thing that ended it; a failure beside a wish to stop is the failure.
            task = asyncio.current_task()
            if task and task.cancelling():
                raise asyncio.CancelledError from None  # a group forgets it when something fails at the same moment
            stopped, others = several.split(Stopped)
            raise (others or stopped or several).exceptions[0] from None
        return result

    async def _watch(self) -> None:
        await self._event.wait()
        raise Stopped
