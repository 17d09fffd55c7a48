"""A clock that a test moves by hand."""

from __future__ import annotations

import asyncio
import heapq
from datetime import UTC, datetime, timedelta


class ManualClock:
    """Time stands still until the test advances it; whoever sleeps wakes in order.

    With `instant=True`, sleeping itself moves the time (for tests that do not look at waiting).
    """

    def __init__(self, start: str = "2026-03-09T18:42:00+00:00", *, instant: bool = False) -> None:
        self._now = datetime.fromisoformat(start).astimezone(UTC)
        self._elapsed = 0.0
        self._instant = instant
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []
        self._order = 0

    def now(self) -> datetime:
        return self._now

    def monotonic(self) -> float:
        return self._elapsed

    async def sleep(self, seconds: float) -> None:
        if self._instant or seconds <= 0:
            self.shift(max(seconds, 0))
            await _breathe()
            return
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._order += 1
        heapq.heappush(self._sleepers, (self._elapsed + seconds, self._order, future))
        await future

    def shift(self, seconds: float) -> None:
        """Move calendar and stopwatch without waking anybody."""
        self._now += timedelta(seconds=seconds)
        self._elapsed += seconds

    def jump(self, seconds: float) -> None:
        """Move the calendar alone, as a wrong clock being set does."""
        self._now += timedelta(seconds=seconds)

    async def advance(self, seconds: float) -> None:
        """Move time, waking sleepers one after another as their moments come."""
        target = self._elapsed + seconds
        await settle()
        while self._sleepers and self._sleepers[0][0] <= target:
            due, _, future = heapq.heappop(self._sleepers)
            self.shift(max(due - self._elapsed, 0))
            if not future.done():
                future.set_result(None)
            await settle()
        self.shift(target - self._elapsed)
        await settle()


async def _breathe() -> None:
    await asyncio.sleep(0)  # noqa: TID251 - giving way is all that is left of waiting here


async def settle(rounds: int = 50) -> None:
    """Let every task run until it waits for something."""
    for _ in range(rounds):
        await _breathe()
