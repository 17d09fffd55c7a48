"""The clock of the process: APScheduler ticks, and that is all it does (DESIGN 2).

A tick has the house look at what is due (`bot.due`, `bot.rounds`) and runs the hooks whose time has come. Ticks that
were missed are one tick: the interval job is coalesced, has one instance, and is never too late.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from apscheduler.schedulers.asyncio import AsyncIOScheduler

from core.errors import DiskLost, PreviouslyError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from core.clock import Clock

TICK: Final = 60.0
"""Seconds between two ticks."""

LIMIT: Final = 45.0
"""Seconds that a hook may take; what has not come about by then is tried again when it is due the next time."""

_log = logging.getLogger("previously.schedule")


@dataclass(frozen=True, slots=True)
class Hook:
    """Something to be done at most `every` so often, beside the talk: to renew a lease, to push what waits.

    It may raise any `PreviouslyError`, which is logged and met again; `DiskLost` ends the process.
    """

    name: str
    every: timedelta
    run: Callable[[], Awaitable[object]]


class Schedule:
    """Ticks. `wake` has the house look around; `hooks` are run by the tick itself, so that no answer holds them up."""

    def __init__(self, clock: Clock, wake: Callable[[], None], hooks: Sequence[Hook] = (), every: float = TICK) -> None:
        self._clock = clock
        self._wake = wake
        self._hooks = tuple(hooks)
        self._every = every
        self._last: dict[str, datetime] = {}
        self._beat = asyncio.Event()
        self._scheduler = AsyncIOScheduler(timezone=UTC)

    async def tick(self, now: datetime) -> None:
        """What happens at that instant, however long ago the tick before was. Raises `DiskLost`."""
        self._wake()
        async with asyncio.TaskGroup() as group:
            for hook in self._hooks:
                if hook_due(self._last.get(hook.name), hook.every, now):
                    self._last[hook.name] = now
                    group.create_task(self._run(hook))

    async def run(self) -> None:
        """Tick for ever, at once for the first time. Raises `DiskLost`."""
        scheduler = self._scheduler
        scheduler.add_job(
            self._ring, "interval", seconds=self._every, id="tick", coalesce=True, max_instances=1,
            misfire_grace_time=None,
        )  # fmt: skip
        self._beat.set()
        scheduler.start()
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._keep_ticking())
                while True:
                    await self._beat.wait()
                    self._beat.clear()
                    await self.tick(self._clock.now())
        finally:
            scheduler.shutdown(wait=False)

    async def _ring(self) -> None:
        self._beat.set()

    async def _keep_ticking(self) -> None:
        """APScheduler goes by the calendar: when that is set back, it would be silent until it is as late again."""
        while True:
            await self._clock.sleep(self._every)
            job = self._scheduler.get_job("tick")
            if job.next_run_time > self._clock.now() + timedelta(seconds=self._every):
                job.modify(next_run_time=self._clock.now())

    async def _run(self, hook: Hook) -> None:
        try:
            async with asyncio.timeout(LIMIT):
                await hook.run()
        except DiskLost:
            raise
        except (PreviouslyError, TimeoutError) as error:
            _log.warning("%s waits: %s", hook.name, str(error) or type(error).__name__)
        except Exception:  # noqa: BLE001 - a fault in one hook must not end the others; logged with its traceback
            _log.exception("%s failed", hook.name)


def hook_due(last: datetime | None, every: timedelta, now: datetime) -> bool:
    """Whether it is time again: never before, long enough ago, or at a time that a clock set back has not reached."""
    return last is None or now < last or now - last >= every
