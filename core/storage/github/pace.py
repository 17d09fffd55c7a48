"""How fast the pusher may go: GitHub's limits on what creates content, and growing pauses after refusals (3.1, 3.3)."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from core.clock import Clock

GAP: Final = 10.0
"""Seconds between two pushes: GitHub advises against more than six a minute."""
HOURLY: Final = 400
"""Calls an hour that create content; GitHub refuses from 500 on, and the lease needs sixty."""
FIRST: Final = 60.0
LONGEST: Final = 900.0
SHORT: Final = 2.0
_HOUR: Final = 3600.0


class Pace:
    """Counts what was asked and refused."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._writes: deque[float] = deque()
        self._last = -GAP
        self._until = 0.0
        self._limited = 0
        self._failed = 0

    def wait(self) -> float:
        """Seconds to wait before the next push."""
        now = self._clock.monotonic()
        while self._writes and self._writes[0] <= now - _HOUR:
            self._writes.popleft()
        full = self._writes[0] + _HOUR - now if len(self._writes) >= HOURLY else 0.0
        return max(self._until - now, self._last + GAP - now, full, 0.0)

    def resting(self) -> float:
        """Seconds until anything at all may be asked again."""
        return max(self._until - self._clock.monotonic(), 0.0)

    def pushed(self, calls: int) -> None:
        """A push was made by so many calls."""
        now = self._clock.monotonic()
        self._last = now
        self._writes.extend([now] * calls)

    def fine(self) -> None:
        """An answer came: the pauses begin anew."""
        self._limited = self._failed = 0

    def limited(self, seconds: float | None) -> float:
        """GitHub set a limit: as long as it says, else a minute, doubling to a quarter of an hour; the seconds."""
        pause = seconds if seconds is not None else min(FIRST * 2**self._limited, LONGEST)
        self._limited += 1
        return self._rest(pause)

    def failed(self) -> float:
        """No answer, or a server's error: 2 s, doubling to a quarter of an hour; the seconds."""
        pause = min(SHORT * 2**self._failed, LONGEST)
        self._failed += 1
        return self._rest(pause)

    def _rest(self, seconds: float) -> float:
        self._until = self._clock.monotonic() + seconds
        return seconds
