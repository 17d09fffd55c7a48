"""Between turns: passes over the card that are owed, a look at all slices, missing marks, strands that mean the same.

Nothing here costs a model call when there is nothing to do, and nothing here is awaited by a person (seeds, "The
Dry-Slice Queue"; DESIGN 3). It may be broken off at any moment: what was not done is still owed.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

from core.conversation import ToolChanged
from core.errors import DiskLost, Malformed, ModelError, StorageError
from core.evolving import Told
from core.llm.base import OFFLINE
from core.slices.model import CLOSED

if TYPE_CHECKING:
    from core.closing import Closing
    from core.conversation import TurnEvent
    from core.evolving import Evolving
    from core.i18n import Words
    from core.llm.base import ChatModel
    from core.timeline.projections import Projections

PASSES: Final = 3
"""How many owed passes are done at one boundary."""

_log = logging.getLogger("previously.maintenance")


class Maintenance:
    """What is done between turns."""

    def __init__(self, closing: Closing, evolving: Evolving, projections: Projections, worker: ChatModel) -> None:
        self._closing = closing
        self._evolving = evolving
        self._projections = projections
        self._worker = worker

    @property
    def due(self) -> bool:
        """Whether a slice has closed since it last ran."""
        return self._closing.boundary

    async def run(self, words: Words, zone: str, *, merging: bool = True) -> None:
        """Do what is owed; with `merging` the worker is also asked which strands mean the same.

        Raises `DiskLost`; other trouble is logged and met again next time.
        """
        try:
            await self._evolve(words, zone)
            await self._projections.weave(force=True)
            marked = await self._closing.mark_dry(among=await self._unmarked())
            if marked:
                await self._projections.after_turn(marked, closed=marked)
            if merging and self._worker.name != OFFLINE:
                await self._projections.consolidate(self._worker)
            self._closing.boundary = False
        except DiskLost:
            raise
        except (StorageError, Malformed, ModelError) as error:
            _log.warning("maintenance waits: %s", error)
        except Exception:  # noqa: BLE001 - a fault of the worker must not end the process; logged with its traceback
            _log.exception("maintenance broke off")

    def put_off(self) -> None:
        """Take note that what came with the close could not all be done: `lacking` says what is left."""
        self._closing.boundary = False

    async def lacking(self) -> bool:
        """Whether something still lacks a model's work: a pass that is owed, or a closed slice without its marks.

        Without a model nothing lacks it. Raises storage trouble.
        """
        if self._worker.name == OFFLINE:
            return False
        return bool(await self._evolving.owed()) or await self._closing.lacking(await self._unmarked())

    async def look(self) -> None:
        """Notice what hands or `git pull` have changed in old slices; at most every five minutes (original.md 2.3).

        Raises `DiskLost`; trouble with the storage is logged and met again next time.
        """
        if not self._projections.woven:
            return  # they are being looked through for the first time just now
        try:
            await self._projections.weave()
        except StorageError as error:
            _log.warning("the timeline is not in line: %s", error)

    async def _unmarked(self) -> list[str]:
        """The closed slices that may lack a worker's marks, which always have a tone; and the newest.

        Those may have closed since they were listed.
        """
        listed = await self._projections.entries()
        lacking = [one.id for one in listed if one.status == CLOSED and not one.tone]
        return list(dict.fromkeys((*lacking, *await self._closing.newest())))

    async def _evolve(self, words: Words, zone: str) -> None:
        """The passes that are owed, the oldest first; none more once one has failed."""
        for reason in (await self._evolving.owed())[:PASSES]:
            await self._evolving.run(reason, Told(self._unseen, words, zone))
            if reason in await self._evolving.owed():
                return

    async def _unseen(self, event: TurnEvent) -> None:
        """Nobody watches: what came of it is shown at the next turn. What failed will be tried again."""
        if isinstance(event, ToolChanged) and event.state == "completed" and event.detail:
            self._evolving.unseen.append(event)
