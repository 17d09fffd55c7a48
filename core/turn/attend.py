"""What happens between the words and the answer: noticing, marks and card of a closed slice, tags, projections.

All of it helps the answer and none of it may cost it: whatever a model does, the turn goes on (DESIGN 3, step 3). What
does not come about in time is owed, and done between turns.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeVar

from core.clock import instant
from core.agent.stop import Stop, Stopped
from core.errors import DiskLost, Malformed, NotAFile, NotFound, PlatformTrouble, StorageError
from core.evolving import Reason, Told
from core.keeper.operations import CloseSlice, OpenSlice, TagSlice, from_json
from core.llm.base import OFFLINE
from core.marks import talk
from core.strands.index import match
from core.turn.notice import Notice, notice

if TYPE_CHECKING:
    from collections.abc import Coroutine, Mapping, Sequence

    from core.journal.records import Plan
    from core.slices.model import Slice
    from core.turn.burst import Burst
    from core.turn.parts import Parts

LIMIT: Final = 20.0
"""Seconds that a pass over the card may take before the answer (DESIGN 3, step 3)."""

Result = TypeVar("Result")
_log = logging.getLogger("previously.attend")


@dataclass(frozen=True, slots=True)
class Attended:
    """What was noticed, and the sentence on what changed in the card ("" for nothing)."""

    noticed: Notice = field(default_factory=Notice)
    evolved: str = ""


class Attending:
    """Does what a turn is owed before its answer."""

    def __init__(self, parts: Parts, limit: float = LIMIT) -> None:
        self._parts = parts
        self._limit = limit

    async def attend(self, burst: Burst, plan: Plan, slice_id: str, told: Told, stop: Stop) -> Attended:
        """Notice the message, mark and evolve what it closed, tag and list its slice.

        Raises `StorageError` when memory cannot be written, `DiskLost`, and what the presenter raises.
        """
        operations = from_json(plan.ops)
        closed = [one.slice for one in operations if isinstance(one, CloseSlice)]
        born = any(isinstance(one, OpenSlice) for one in operations)
        index = await self._index()
        noticed = await self._softly(self._notice(burst, closed, index, stop), Notice())
        await self._softly(self._parts.closing.mark(closed, stop), None)
        evolved = await self._softly(self._evolve(burst, closed, slice_id, noticed, told, stop), "")
        await self._softly(self._tag(slice_id, noticed, index), None)
        if born:
            await self._softly(self._birth(slice_id, told.zone), None)
        await self._softly(self._project(slice_id, closed, born=born), None)
        return Attended(noticed, evolved)

    async def _softly(self, work: Coroutine[object, object, Result], otherwise: Result) -> Result:
        """What the work gives; a fault in it must not cost the answer and is logged with its traceback."""
        try:
            return await work
        except (StorageError, DiskLost, PlatformTrouble):
            raise
        except Exception:  # noqa: BLE001 - see above
            _log.exception("a step before the answer failed")
            return otherwise

    async def _notice(
        self, burst: Burst, closed: Sequence[str], index: Mapping[str, tuple[str, ...]], stop: Stop
    ) -> Notice:
        closing = "\n\n".join([talk(piece) for slice_id in closed if (piece := await self._piece(slice_id))])
        try:
            return await stop.unless(notice(self._parts.worker, burst.own, list(index), closing))
        except Stopped:
            return Notice()

    async def _evolve(  # noqa: PLR0913 - what a pass depends on
        self, burst: Burst, closed: Sequence[str], slice_id: str, noticed: Notice, told: Told, stop: Stop
    ) -> str:
        """Go over the card: for a closed slice worth it, for an explicit wish, for a card of an older format."""
        if self._parts.demo and self._parts.worker.name == OFFLINE:
            return ""
        wish = noticed.memory_update.content if noticed.memory_update else ""
        if not closed and not wish:
            return ""
        reason = await self._reason(closed, slice_id, noticed, wish)
        if reason is None:
            why = noticed.evolve_card.reason if noticed.evolve_card else ""
            await self._parts.evolving.skip(told, why or told.words("evolution.not_worth"))
            return ""
        begun = instant(burst.at)
        if begun and await self._parts.evolving.done_since(reason, begun):
            return ""
        try:
            async with asyncio.timeout(self._limit):
                return await stop.unless(self._parts.evolving.run(reason, told))
        except (TimeoutError, Stopped):
            await self._parts.evolving.owe(reason)
            await self._parts.evolving.skip(told, told.words("evolution.slow"))
            return ""

    async def _reason(self, closed: Sequence[str], slice_id: str, noticed: Notice, wish: str) -> Reason | None:
        """Why the card is gone over, if it is: a wish is carried out whatever the closed slice is worth (B14)."""
        worth = noticed.evolve_card.worth if noticed.evolve_card else True
        if wish:
            return Reason("request", slice_id, wish)
        if worth:
            return Reason("slice_closed", closed[-1])
        return Reason("legacy", closed[-1]) if await self._parts.evolving.legacy() else None

    async def _tag(self, slice_id: str, noticed: Notice, index: Mapping[str, tuple[str, ...]]) -> None:
        """Topics of a message worth remembering: known ones in their spelling, unknown reuse dropped."""
        if not noticed.memory_worthy:
            return
        reused = [key for tag in noticed.message_tags.reuse if (key := match(index, tag))]
        created = [match(index, one.tag) or one.tag.strip() for one in noticed.message_tags.create]
        tags = tuple(dict.fromkeys((*reused, *created)))
        piece = await self._piece(slice_id) if tags else None
        if piece and not set(tags) <= set(piece.tags):
            await self._parts.keeper.keep(f"tags-{slice_id}", "care", [TagSlice(slice_id, tags)])

    async def _birth(self, slice_id: str, zone: str) -> None:
        """The card as of the new slice."""
        operations = await self._parts.evolving.birth(slice_id, zone)
        if operations:
            await self._parts.keeper.keep(f"birth-{slice_id}", "care", operations)

    async def _project(self, slice_id: str, closed: Sequence[str], *, born: bool) -> None:
        """Bring strands and timeline in line; they can always be rebuilt, so trouble with them stops nobody."""
        projections = self._parts.projections
        try:
            if closed:
                await projections.after_turn([slice_id], closed=closed, born=[slice_id] if born else [], force=True)
                await projections.consolidate(self._parts.worker)
            else:
                await projections.after_turn([slice_id], born=[slice_id] if born else [])
        except StorageError as error:
            _log.warning("the timeline is not in line: %s", error)

    async def _index(self) -> Mapping[str, tuple[str, ...]]:
        try:
            return await self._parts.projections.index()
        except StorageError as error:
            _log.warning("the strands cannot be had: %s", error)
            return {}

    async def _piece(self, slice_id: str) -> Slice | None:
        try:
            return (await self._parts.slices.load(slice_id)).slice
        except (NotFound, NotAFile, Malformed):
            return None
