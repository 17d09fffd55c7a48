"""Where a turn belongs: into the open slice, or into a new one after closing what is over (seeds, "Lifecycle").

Reads first, then a pure decision (`slices.policy`), then the operations that carry it out. A slice left open by an
earlier day is found and closed with its last turn's time (original.md B6).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from core.clock import iso
from core.errors import NotAFile, NotFound
from core.keeper.operations import CloseSlice, OpenSlice, PostBriefing
from core.slices import policy
from core.slices.messages import decode_messages
from core.slices.model import USER, messages_path

if TYPE_CHECKING:
    from datetime import datetime

    from core.conversation import Surface
    from core.journal.records import Shown
    from core.keeper.operations import Operation
    from core.slices.model import Slice
    from core.slices.policy import Thresholds
    from core.slices.store import Slices
    from core.storage.base import Storage

PREFIXES: Final[dict[Surface, str]] = {"terminal": "tm", "telegram": "tg", "discord": "dc", "double": "db"}
"""How the message keys of each surface begin."""


@dataclass(frozen=True, slots=True)
class Place:
    """The slice of a turn, when it started, and what must happen before the turn stands in it."""

    slice: str
    start: str
    operations: tuple[Operation, ...] = ()


class Placing:
    """Finds the place of a turn; reads only."""

    def __init__(self, slices: Slices, storage: Storage) -> None:
        self._slices = slices
        self._storage = storage

    async def place(
        self,
        at: datetime,
        surface: Surface,
        zone: str,
        thresholds: Thresholds,
        shown: Shown | None = None,
        begun: str = "",
    ) -> Place:
        """Where a message received at that instant on that surface belongs; `shown` is the briefing shown last.

        A new slice takes the briefing with it that was shown for the gap before it; it is `begun`, if an earlier try
        has put files there already.
        """
        latest = await self._slices.latest()
        current = latest.slice if latest and not latest.slice.closed else None
        lost = current is not None and await self._changed(current, surface, at)
        decision = policy.place(current, at, thresholds, lost=lost)
        if current and not decision.opens:
            return Place(current.id, current.start)
        closing = (CloseSlice(current.id, decision.closes, iso(at)),) if current and decision.closes else ()
        born, start = begun or await self._slices.mint(at), iso(at)
        opening: tuple[Operation, ...] = (OpenSlice(born, start, zone),)
        if shown and shown.text and latest and shown.gap == latest.slice.id:
            opening += (PostBriefing(born, shown.text),)
        return Place(born, start, (*closing, *opening))

    async def close(self, at: datetime, signal: str) -> tuple[CloseSlice, ...]:
        """What closes the open slice now, because the person or a new surface asked for it."""
        latest = await self._slices.latest()
        return (CloseSlice(latest.slice.id, signal, iso(at)),) if latest and not latest.slice.closed else ()

    async def sweep(self, at: datetime) -> tuple[CloseSlice, ...]:
        """What closes slices that an earlier day left open; the newest slice may still go on."""
        latest = await self._slices.latest()
        left = [one.slice for one in await self._slices.active() if latest and one.slice.id != latest.slice.id]
        return tuple(CloseSlice(one.id, "time_silence", iso(at)) for one in left)

    async def _changed(self, current: Slice, surface: Surface, at: datetime) -> bool:
        """Whether the talk moves to another surface than the slice has been on (context lost, DESIGN 7)."""
        try:
            file = await self._storage.read(messages_path(current.id))
        except (NotFound, NotAFile):
            return False
        surfaces = [one.surface for one in decode_messages(file.data).entries if one.role == USER]
        last = policy.last_instant(current)
        return last is not None and policy.changes_surface(surfaces, PREFIXES[surface], policy.silence(last, at))
