"""Showing to nobody, where a turn's platform is not connected in this process."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.conversation import TurnEvent


class Unseen:
    """Shows nothing: the answer is found on the timeline."""

    async def show(self, event: TurnEvent) -> None:
        """Let it pass."""
