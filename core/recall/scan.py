"""Recall: from a question to pointers at the slices that may answer it."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING, Final

from core.errors import Malformed, NotFound
from core.recall.lexical import Index
from core.recall.report import MOST, Pointer, Reading, Report, narrowed
from core.relative import known_zone

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.clock import Clock
    from core.recall.lexical import Hit
    from core.slices.model import Slice
    from core.slices.store import Slices

_ENOUGH: Final = 0.45
"""The share of what a question looks for that must stand together before a slice counts as found."""
_BESIDE: Final = 0.5
"""The share of the best hit's score that another hit needs to be named beside it."""
_FRESH: Final = 60.0
"""Seconds for which the list of slices is taken as it was; what this process writes is noted at once."""


class Recall:
    """Finds slices by their words. Keeps its index in memory and brings it up to date by itself."""

    def __init__(self, slices: Slices, clock: Clock) -> None:
        self._slices = slices
        self._clock = clock
        self._index = Index()
        self._open: set[str] = set()
        self._listed: float | None = None

    def note(self, entry: Slice) -> None:
        """Take in a slice that was just written, so that it can be found at once."""
        self._index.add(entry)
        (self._open.discard if entry.closed else self._open.add)(entry.id)

    def forget(self, slice_id: str) -> None:
        """Drop a slice that is gone or was changed by somebody else; it is read again when it still exists."""
        self._index.remove(slice_id)
        self._listed = None

    async def find(self, query: str, zone: str, current: str = "") -> Report:
        """The report for a question. `zone` says what "yesterday" means, `current` is the slice being written.

        Raises `StorageError` when memory cannot be read: that is not "nothing found".
        """
        await self._refresh()
        hits = self._index.search(query, self._clock.now(), known_zone(zone) or UTC, exclude=(current,), limit=MOST)
        return narrowed(_report(_found(hits)), current, frozenset(self._index.ids()))

    async def _refresh(self) -> None:
        now = self._clock.monotonic()
        if self._listed is None or now - self._listed > _FRESH:
            there = set(await self._slices.ids())
            for gone in set(self._index.ids()) - there:
                self._index.remove(gone)
            for new in sorted(there - set(self._index.ids()) - self._open):
                await self._read(new)
            self._listed = now
        for still_open in sorted(self._open):
            await self._read(still_open)

    async def _read(self, slice_id: str) -> None:
        """Index the slice as its file is; one that cannot be understood stays out until it can (DESIGN 5.5)."""
        try:
            self.note((await self._slices.load(slice_id)).slice)
        except (Malformed, NotFound):
            self._index.remove(slice_id)
            self._open.discard(slice_id)


def _found(hits: Sequence[Hit]) -> list[Hit]:
    enough = [hit for hit in hits if hit.covers >= _ENOUGH]
    best = max((hit.score for hit in enough), default=0.0)
    return [hit for hit in enough if hit.score >= _BESIDE * best]


def _report(hits: Sequence[Hit]) -> Report:
    return Report(
        hits=tuple(Pointer(slice_id=hit.slice_id, relevance=round(hit.covers, 2), reason=_why(hit)) for hit in hits),
        confidence=round(max((hit.covers for hit in hits), default=0.0), 2),
        reasoning="",
        recommended_reads=tuple(
            Reading(slice_id=hit.slice_id, priority="medium" if place else "high", reason=_why(hit), note=hit.turn)
            for place, hit in enumerate(hits)
        ),
    )


def _why(hit: Hit) -> str:
    return ", ".join(dict.fromkeys(hit.why)) or hit.slice_id[:10]
