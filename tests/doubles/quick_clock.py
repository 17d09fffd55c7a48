"""A clock that runs by itself, many times faster than the real one: for tests in which other processes take part."""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime, timedelta


class QuickClock:
    """Time that passes `speed` times as fast; `shift` lets so many seconds pass at once, for nobody who sleeps."""

    def __init__(self, start: str = "2026-03-09T18:42:00+00:00", speed: float = 50.0) -> None:
        self._start = datetime.fromisoformat(start).astimezone(UTC)
        self._speed = speed
        self._began = time.monotonic()  # noqa: TID251 - this is a clock
        self._shifted = 0.0

    def now(self) -> datetime:
        return self._start + timedelta(seconds=self.monotonic())

    def monotonic(self) -> float:
        return (time.monotonic() - self._began) * self._speed + self._shifted  # noqa: TID251 - this is a clock

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(max(seconds, 0) / self._speed)  # noqa: TID251 - this is a clock

    def shift(self, seconds: float) -> None:
        self._shifted += seconds
