"""How far a recall may go, and what keeps a failing worker from being asked again and again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from core.clock import Clock


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one recall (original.md 2.11).

    `seconds` is the wall-clock budget of the worker, `steps` how often it is asked, `failures` in a row open the
    breaker for `rest` seconds; so often `prose` instead of a call, and a worker counts as one without tools.
    """

    seconds: float = 20.0
    steps: int = 8
    failures: int = 3
    rest: float = 300.0
    prose: int = 2
    listed: int = 40
    paths: int = 20
    candidates: int = 12
    key_words: int = 10
    strands: int = 200


DEFAULT_LIMITS: Final = Limits()


class Breaker:
    """Opens after some failures in a row; when it has rested, one trial is let through (half-open)."""

    def __init__(self, clock: Clock, limits: Limits = DEFAULT_LIMITS) -> None:
        self._clock = clock
        self._limits = limits
        self._failures = 0
        self._opened: float | None = None

    @property
    def lets(self) -> bool:
        """Whether the worker may be asked now. While a trial is under way nobody else is let through."""
        if self._opened is None:
            return True
        now = self._clock.monotonic()
        if now - self._opened < self._limits.rest:
            return False
        self._opened = now
        return True

    def succeeded(self) -> None:
        """The worker did its part."""
        self._failures, self._opened = 0, None

    def failed(self) -> None:
        """It did not."""
        self._failures += 1
        if self._failures >= self._limits.failures:
            self._opened = self._clock.monotonic()
