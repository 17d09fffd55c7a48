"""When each platform was last heard of: for `/status`, `/readyz`, and whoever wonders why nothing is answered."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from core.clock import Clock
    from core.conversation import Surface

FRESH: Final = 180.0
"""Seconds after which a platform that says nothing counts as away: a long poll lasts less than a minute."""


class Pulse:
    """Counts beats. A platform beats whenever the other side has answered: a poll, a heartbeat, a call of a webhook.

    `connected` is set once every platform that is served has been heard of.
    """

    def __init__(self, clock: Clock) -> None:
        self.connected = asyncio.Event()
        self._clock = clock
        self._last: dict[Surface, tuple[datetime, float]] = {}
        self._expected: set[Surface] = set()

    def expect(self, *surfaces: Surface) -> None:
        """These platforms are served from now on; the process is ready once one of them has been heard of."""
        self._expected.update(surfaces)
        self._look()

    def beat(self, surface: Surface) -> None:
        """The platform has answered just now."""
        self._last[surface] = (self._clock.now(), self._clock.monotonic())
        self._look()

    @property
    def last(self) -> Mapping[Surface, datetime | None]:
        """The instant of the last beat of every platform that is served, None before the first."""
        return {surface: self._last[surface][0] if surface in self._last else None for surface in self._expected}

    @property
    def ready(self) -> bool:
        """Whether any platform that is served is alive; also when none is that could be silent."""
        return not self._expected or any(
            self._clock.monotonic() - self._last[one][1] <= FRESH for one in self._expected & self._last.keys()
        )

    def _look(self) -> None:
        if self._expected <= self._last.keys():
            self.connected.set()
