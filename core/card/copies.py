"""The copies of the card that slices carry: as of their start while they are open, then as of their end."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from core.card import legacy
from core.clock import iso
from core.errors import Malformed, NotAFile, NotFound
from core.keeper.operations import ReplaceCard, SnapCard
from core.relative import day_of
from core.slices.model import CARD_PATH, snapshot_path

if TYPE_CHECKING:
    from core.clock import Clock
    from core.keeper.operations import Operation
    from core.slices.store import Slices
    from core.storage.base import File, Storage

_log = logging.getLogger("previously.card")


class Copies:
    """Says what must be written so that a slice carries its card; raises only what the storage raises."""

    def __init__(self, slices: Slices, storage: Storage, clock: Clock) -> None:
        self._slices = slices
        self._storage = storage
        self._clock = clock

    async def birth(self, slice_id: str, zone: str) -> tuple[Operation, ...]:
        """What gives a new slice its copy of the card, and migrates or seeds the live one (original.md 1.6)."""
        now = self._clock.now()
        try:
            card, copy = await self._file(CARD_PATH), await self._text(snapshot_path(slice_id))
            live, version = (card.text, card.version) if card else ("", "")
            found = legacy.ensure(
                live, copy, await self._seed() if not live.strip() else "",
                slice_id=slice_id, now=iso(now), today=day_of(now, zone).isoformat(),
            )  # fmt: skip
        except (Malformed, NotAFile) as error:
            _log.warning("the card is left alone: %s", error)
            return ()
        operations: tuple[Operation, ...] = ()
        if found.write_live:
            operations += (ReplaceCard(found.text, version, iso(now)),)
        if found.write_copy:
            operations += (SnapCard(slice_id, found.text),)
        return operations

    async def ending(self, slice_id: str) -> tuple[Operation, ...]:
        """What makes a closed slice carry the card as of its end, also when a hand has edited it meanwhile."""
        try:
            live, copy = await self._file(CARD_PATH), await self._file(snapshot_path(slice_id))
        except NotAFile as error:
            _log.warning("the slice keeps its copy of the card: %s", error)
            return ()
        if live is None or copy is None or live.data == copy.data:
            return ()
        return (SnapCard(slice_id, live.data.decode(errors="surrogateescape")),)

    async def _seed(self) -> str:
        """The newest snapshot of any slice."""
        for slice_id in reversed(await self._slices.ids()):
            text = await self._text(snapshot_path(slice_id))
            if text.strip():
                return text
        return ""

    async def _text(self, path: str) -> str:
        file = await self._file(path)
        return file.text if file else ""

    async def _file(self, path: str) -> File | None:
        try:
            return await self._storage.read(path)
        except NotFound:
            return None
