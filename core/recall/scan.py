"""Recall: from a question to pointers at the slices that may answer it."""

from __future__ import annotations

import asyncio
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
_BREATH: Final = 25
"""After so many slices read in a row others get a turn."""


class Recall:
    """Finds slices by their words. Keeps its index in memory and brings it up to date by itself."""

    def __init__(self, slices: Slices, clock: Clock) -> None:
        self._slices = slices
        self._clock = clock
        self._index = Index()
        self._versions: dict[str, str | None] = {}
        self._open: set[str] = set()
        self._there: frozenset[str] = frozenset()
        self._listed: float | None = None
        self._refreshing = asyncio.Lock()

    def note(self, entry: Slice, version: str | None = None) -> None:
        """Take in a slice that was just written, so that it can be found at once; `version` is its file's."""
        self._index.add(entry)
        self._versions[entry.id] = version
        (self._open.discard if entry.closed else self._open.add)(entry.id)

    def forget(self, slice_id: str) -> None:
        """Drop a slice that is gone or was changed by somebody else; it is read again when it still exists."""
        self._drop(slice_id)
        self._listed = None

    def clear(self) -> None:
        """Drop everything: it is another memory from here on."""
        self._index = Index()
        self._versions, self._open, self._there, self._listed = {}, set(), frozenset(), None

    async def find(self, query: str, zone: str, current: str = "") -> Report:
        """The report for a question. `zone` says what "yesterday" means, `current` is the slice being written.

        Raises `StorageError` when memory cannot be read: that is not "nothing found".
        """
        hits = await self.candidates(query, zone, current)
        return narrowed(_report(_found(hits)), current, frozenset(self._index.ids()))

    async def candidates(self, query: str, zone: str, current: str = "", limit: int = MOST) -> list[Hit]:
        """The slices that a question may be about, best first, good enough or not. Raises `StorageError`."""
        await self._refresh(current)
        hits = self._search(query, zone, current, limit)
        if await self._changed(hits):
            hits = self._search(query, zone, current, limit)
        return hits

    async def known(self, current: str = "") -> frozenset[str]:
        """The ids of all slices that can be read. Raises `StorageError`."""
        await self._refresh(current)
        return frozenset(self._index.ids())

    def key_words(self, slice_id: str, most: int) -> tuple[str, ...]:
        """The words that mark a slice, as far as it was read already."""
        return self._index.key_words(slice_id, most)

    def _search(self, query: str, zone: str, current: str, limit: int) -> list[Hit]:
        now, place = self._clock.now(), known_zone(zone) or UTC
        return self._index.search(query, now, place, exclude=(current,), limit=limit)

    async def _refresh(self, current: str) -> None:
        """Learn of new and gone slices, when a minute is over and when the slice at hand is a new one; of changed ones.

        Those whoever looks through the archive has found: words that a hand adds to an old slice are found from then.
        """
        async with self._refreshing:
            await self._take_in(current)

    async def _take_in(self, current: str) -> None:
        now = self._clock.monotonic()
        if self._listed is None or now - self._listed > _FRESH or (current and current not in self._there):
            self._there = frozenset(await self._slices.ids())
            for gone in set(self._index.ids()) - self._there:
                self._drop(gone)
            for number, new in enumerate(sorted(self._there - set(self._index.ids()) - self._open)):
                await self._read(new)
                if number % _BREATH == _BREATH - 1:
                    await self._clock.sleep(0)
            self._listed = now
        changed = {slice_id for slice_id in self._slices.changed() if slice_id in self._index}
        for slice_id in sorted(self._open | changed):
            await self._read(slice_id)

    async def _changed(self, hits: Sequence[Hit]) -> bool:
        """Whether a slice that was found stands otherwise on file by now: what was deleted must not be found."""
        old = [(hit.slice_id, self._versions.get(hit.slice_id)) for hit in hits]
        for slice_id, _ in old:
            await self._read(slice_id)
        return any(self._versions.get(slice_id) != version for slice_id, version in old)

    async def _read(self, slice_id: str) -> None:
        """Index the slice as its file is; one that cannot be understood stays out until it can (DESIGN 5.5)."""
        try:
            loaded = await self._slices.load(slice_id)
        except (Malformed, NotFound):
            self._drop(slice_id)
            return
        if slice_id not in self._index or self._versions.get(slice_id) != loaded.version:
            self.note(loaded.slice, loaded.version)

    def _drop(self, slice_id: str) -> None:
        self._index.remove(slice_id)
        self._versions.pop(slice_id, None)
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
