"""The only source of time: what day it is, how long something took, and waiting."""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Time as the rest of the code sees it, so that a test can live through a year."""

    def now(self) -> datetime:
        """The present instant, aware, in UTC: for the calendar."""

    def monotonic(self) -> float:
        """Seconds since some fixed point, never going back: for pacing and limits."""

    async def sleep(self, seconds: float) -> None:
        """Wait; zero gives other tasks a turn."""


class SystemClock:
    """The clock of this machine."""

    def now(self) -> datetime:
        """The present instant, aware, in UTC."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Seconds since some fixed point."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Wait that many seconds."""
        await asyncio.sleep(seconds)


def iso(instant: datetime) -> str:
    """The instant as files have it: UTC, exactly three millisecond digits and `Z` (original.md T8)."""
    utc = instant.astimezone(UTC)
    return f"{utc:%Y-%m-%dT%H:%M:%S}.{utc.microsecond // 1000:03d}Z"


def instant(text: str) -> datetime | None:
    """The instant that an ISO text names, aware in UTC, or None; a missing zone means UTC (original.md T4)."""
    try:
        parsed = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    aware = parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)
    try:
        return aware.astimezone(UTC)
    except (OverflowError, ValueError):
        return None
