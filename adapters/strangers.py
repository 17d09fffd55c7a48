"""What people who do not own the bot hear: a line a day while nobody owns it, nothing once somebody does (DESIGN 7)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from datetime import date

    from core.clock import Clock

A_DAY: Final = 20
"""How many strangers hear the line in a day."""


class Strangers:
    """Counts in memory alone: a stranger causes no write."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._day: date | None = None
        self._told: set[str] = set()

    def may_hear(self, chat: str) -> bool:
        """Whether the line goes to that chat just now; asking counts as telling."""
        today = self._clock.now().date()
        if today != self._day:
            self._day = today
            self._told.clear()
        if chat in self._told or len(self._told) >= A_DAY:
            return False
        self._told.add(chat)
        return True
