"""Between turns: passes over the card that are owed, marks that are missing, the timeline in line with the slices.

Nothing here costs a model call when there is nothing to do, and nothing here is awaited by a person (seeds, "The
Dry-Slice Queue"; DESIGN 3).
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from core.errors import StorageError
from core.evolving import Told

if TYPE_CHECKING:
    from core.closing import Closing
    from core.conversation import TurnEvent
    from core.evolving import Evolving
    from core.i18n import Words
    from core.timeline.projections import Projections

_log = logging.getLogger("previously.maintenance")


class Maintenance:
    """What is done between turns."""

    def __init__(self, closing: Closing, evolving: Evolving, projections: Projections) -> None:
        self._closing = closing
        self._evolving = evolving
        self._projections = projections

    async def run(self, words: Words, zone: str) -> None:
        """Do what is owed. Raises `DiskLost`; other trouble is logged and met again next time."""
        try:
            for reason in await self._evolving.owed():
                await self._evolving.run(reason, Told(_unseen, words, zone))
            marked = await self._closing.mark_dry()
            if marked:
                await self._projections.after_turn(marked, closed=marked)
        except StorageError as error:
            _log.warning("maintenance waits: %s", error)


async def _unseen(event: TurnEvent) -> None:
    """Nobody watches: what came of it is found in the card's history."""
    del event
