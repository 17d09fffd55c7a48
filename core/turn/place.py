"""Where a turn belongs: into the open slice, or into a new one after closing what is over (seeds, "Lifecycle").

Reads first, then a pure decision (`slices.policy`), then the operations that carry it out. A slice left open by an
earlier day is found and closed with its last turn's time (original.md B6).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.clock import instant, iso
from core.errors import NotFound
from core.keeper.operations import CloseSlice, OpenSlice, PostBriefing
from core.slices import messages, policy
from core.slices.model import messages_path

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from core.conversation import Surface
    from core.keeper.operations import Operation
    from core.slices.model import Slice
    from core.slices.policy import Thresholds
    from core.slices.store import Slices
    from core.storage.base import Storage


@dataclass(frozen=True, slots=True)
class Place:
    """The slice of a turn, when it started, and what must happen before the turn stands in it."""

    slice: str
    start: str
    newborn: bool
    operations: tuple[Operation, ...] = ()

    @property
    def closes(self) -> tuple[str, ...]:
        """The slices that this turn closes."""
        return tuple(one.slice for one in self.operations if isinstance(one, CloseSlice))


class Placing:
    """Finds the place of a turn; reads only."""

    def __init__(self, slices: Slices, storage: Storage) -> None:
        self._slices = slices
        self._storage = storage

    async def place(self, at: datetime, surface: Surface, zone: str, thresholds: Thresholds, briefing: str = "") -> Place:
        """Where a message received at that instant on that surface belongs."""
        active = [loaded.slice for loaded in await self._slices.active()]
        current = active[0] if active else None
        lost = current is not None and await self._changed(current, surface)
        decision = policy.place(current, at, thresholds, lost=lost)
        if current and not decision.opens:
            return Place(current.id, current.start, newborn=False, operations=self._closing(active[1:], "time_silence", at))
        closing = self._closing(active[:1], decision.closes or "time_silence", at)
        closing += self._closing(active[1:], "time_silence", at)
        born, start = await self._slices.mint(at), iso(at)
        opening: tuple[Operation, ...] = (OpenSlice(born, start, zone),)
        if briefing:
            opening += (PostBriefing(born, briefing),)
        return Place(born, start, newborn=True, operations=(*closing, *opening))

    async def close(self, at: datetime, signal: str) -> tuple[Operation, ...]:
        """What closes every open slice now, because the person or a new surface asked for it."""
        active = [loaded.slice for loaded in await self._slices.active()]
        return self._closing(active[:1], signal, at) + self._closing(active[1:], "time_silence", at)

    def _closing(self, open_slices: Sequence[Slice], signal: str, at: datetime) -> tuple[Operation, ...]:
        return tuple(CloseSlice(one.id, signal, iso(at)) for one in open_slices)

    async def _changed(self, current: Slice, surface: Surface) -> bool:
        """Whether the talk moves to another surface than the slice has been on (context lost, DESIGN 7)."""
        try:
            lines = messages.read((await self._storage.read(messages_path(current.id))).data)
        except NotFound:
            return False
        surfaces = [messages.surface_of(line["key"]) for line in lines if line.get("role") == "user" and "key" in line]
        last = instant(current.last_at)
        return bool(surfaces) and last is not None and policy.changes_surface(surfaces, surface)
