"""What happens between the words and the answer: noticing, marks and card of a closed slice, tags, projections.

All of it helps the answer and none of it may cost it: whatever a model does, the turn goes on (DESIGN 3, step 3). What
does not come about in time is owed, and done between turns.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, TypeVar

from core.agent.stop import Stop, Stopped
from core.clock import instant
from core.conversation import ToolChanged
from core.errors import DiskLost, Malformed, NotAFile, NotFound, PlatformTrouble, StorageError
from core.evolving import Reason, Told
from core.keeper.operations import CloseSlice, OpenSlice, TagSlice, from_json
from core.latest import Latest
from core.llm.base import OFFLINE
from core.marks import talk
from core.strands.index import match
from core.strands.newest import newest
from core.timeline.ahead import strands_now
from core.turn.notice import Notice, notice, unnoticed

if TYPE_CHECKING:
    from collections.abc import Coroutine, Mapping, Sequence

    from core.conversation import TurnEvent
    from core.journal.records import Plan
    from core.slices.model import Slice
    from core.turn.burst import Burst
    from core.turn.parts import Parts

LIMIT: Final = 20.0
"""Seconds that marks and a pass over the card may take together before the answer (DESIGN 3, step 3)."""

_MARKS: Final = "marks"
Result = TypeVar("Result")
_log = logging.getLogger("previously.attend")


@dataclass(frozen=True, slots=True)
class Attended:
    """What was noticed, the sentence on what changed in the card ("" for nothing), and what is folded of that."""

    noticed: Notice = field(default_factory=Notice)
    evolved: str = ""
    folds: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The pass that is asked for, the slice that has closed ("" for none), and why that one is worth none."""

    reason: Reason | None
    closed: str = ""
    why: str = ""


class Attending:
    """Does what a turn is owed before its answer."""

    def __init__(self, parts: Parts, limit: float = LIMIT) -> None:
        self._parts = parts
        self._limit = limit
        self._topics: Latest[Sequence[str]] = Latest()

    async def attend(self, burst: Burst, plan: Plan, slice_id: str, told: Told, stop: Stop) -> Attended:
        """Notice the message, mark and evolve what it closed, tag and list its slice.

        Raises `StorageError` when memory cannot be written, `DiskLost`, and what the presenter raises.
        """
        folds: list[tuple[str, str]] = []
        outward = told.show

        async def show(event: TurnEvent) -> None:
            if isinstance(event, ToolChanged) and event.detail:
                folds.append((event.label, event.detail))
            await outward(event)

        told = replace(told, show=show)
        operations = from_json(plan.ops)
        closed = [one.slice for one in operations if isinstance(one, CloseSlice)]
        born = any(isinstance(one, OpenSlice) for one in operations)
        await self._unseen(told)
        index = await self._index()
        noticed = await self._softly(self._notice(burst, closed, index, stop), unnoticed(closing=bool(closed)))
        until = asyncio.get_running_loop().time() + self._limit
        await self._softly(self._mark(closed, told, stop), None)
        evolved = await self._softly(
            self._evolve(burst, self._wanted(closed, slice_id, noticed), told, stop, until), ""
        )
        await self._softly(self._tag(slice_id, noticed, index), None)
        if born:
            await self._softly(self._birth(slice_id, closed, told.zone), None)
        await self._softly(self._project(slice_id, closed, born=born), None)
        return Attended(noticed, evolved, tuple(folds))

    async def _unseen(self, told: Told) -> None:
        """Show what became of the card while nobody looked."""
        unseen = self._parts.evolving.unseen
        while unseen:
            await told.show(unseen.pop(0))

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
        topics = self._topics.of(lambda: sorted(index, key=lambda key: newest(index[key]), reverse=True), index)
        looking = notice(self._parts.worker, burst.own, topics, closing, most=self._parts.budget.worker)
        try:
            return await stop.unless(looking)
        except Stopped:
            return unnoticed(closing=bool(closed))

    async def _mark(self, closed: Sequence[str], told: Told, stop: Stop) -> None:
        """Mark what has closed, and say that it has."""
        if not closed:
            return
        await told.show(ToolChanged(_MARKS, "running", told.words("marks.running")))
        await self._parts.closing.mark(closed, stop)
        piece = await self._piece(closed[-1])
        about = (piece.focus or piece.summary or piece.id) if piece else closed[-1]
        await told.show(ToolChanged(_MARKS, "completed", told.words("marks.done", focus=about)))

    async def _evolve(self, burst: Burst, wanted: _Wanted, told: Told, stop: Stop, until: float) -> str:
        """Go over the card: for a closed slice worth it, for an explicit wish, for a card of an older format."""
        evolving = self._parts.evolving
        if (self._parts.demo and self._parts.worker.name == OFFLINE) or not (wanted.reason or wanted.closed):
            return ""
        reason = wanted.reason
        if reason is None and await evolving.legacy():
            reason = Reason("legacy", wanted.closed)
        if wanted.closed and (reason is None or reason.why == "request"):
            await evolving.forgo(wanted.closed)
        if reason is None:
            await evolving.skip(told, wanted.why or told.words("evolution.not_worth"))
            return ""
        begun = instant(burst.at)
        if begun and await evolving.done_since(reason, begun):
            return ""
        try:
            async with asyncio.timeout_at(until):
                return await stop.unless(evolving.run(reason, told))
        except (TimeoutError, Stopped):
            await evolving.owe(reason)
            await evolving.skip(told, told.words("evolution.slow"))
            return ""

    def _wanted(self, closed: Sequence[str], slice_id: str, noticed: Notice) -> _Wanted:
        """What is asked of the card; a wish is carried out whatever the closed slice is worth (B14)."""
        wish = noticed.memory_update.content if noticed.memory_update else ""
        judged = noticed.evolve_card
        if closed and (judged is None or judged.worth):
            return _Wanted(Reason("slice_closed", closed[-1], wish), closed[-1])
        reason = Reason("request", slice_id, wish) if wish else None
        return _Wanted(reason, closed[-1] if closed else "", judged.reason if judged else "")

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

    async def _birth(self, slice_id: str, closed: Sequence[str], zone: str) -> None:
        """The card as of the end of the closed slice, and as of the start of the new one."""
        copies = self._parts.evolving.copies
        endings = [one for slice_ in closed for one in await copies.ending(slice_)]
        operations = [*endings, *await copies.birth(slice_id, zone)]
        if operations:
            await self._parts.keeper.keep(f"birth-{slice_id}", "care", operations)

    async def _project(self, slice_id: str, closed: Sequence[str], *, born: bool) -> None:
        """Bring strands and timeline in line; they can always be rebuilt, so trouble with them stops nobody."""
        projections = self._parts.projections
        if not projections.woven:
            return  # the archive is being looked through just now; the turn does not wait for that
        try:
            if closed:
                await projections.after_turn([slice_id], closed=closed, born=[slice_id] if born else [], force=True)
            else:
                await projections.after_turn([slice_id], born=[slice_id] if born else [])
        except StorageError as error:
            _log.warning("the timeline is not in line: %s", error)

    async def _index(self) -> Mapping[str, tuple[str, ...]]:
        return await strands_now(self._parts.projections, self._parts.storage)

    async def _piece(self, slice_id: str) -> Slice | None:
        try:
            return (await self._parts.slices.load(slice_id)).slice
        except (NotFound, NotAFile, Malformed):
            return None
