"""Closing a slice with its marks, and marking closed slices that have none ("dry", seeds: the dry-slice queue)."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final

from core.errors import Malformed, ModelError, NotFound
from core.marks import mark, plain

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from core.i18n import Words
    from core.keeper.keeper import Keeper
    from core.keeper.operations import MarkSlice
    from core.llm.base import ChatModel
    from core.slices.model import Slice
    from core.slices.store import Slices

LIMIT: Final = 20.0
"""Seconds that marking may take before the answer; then the slice gets deterministic marks (DESIGN 3, step 3)."""

BATCH: Final = 3
"""How many dry slices are marked at one boundary (original.md 2.4)."""

_log = logging.getLogger("previously.closing")


class Closing:
    """Marks closed slices with the worker model, or deterministically when it does not manage."""

    def __init__(self, slices: Slices, keeper: Keeper, worker: ChatModel, words: Mapping[str, Words]) -> None:
        self._slices = slices
        self._keeper = keeper
        self._worker = worker
        self._words = words

    async def mark(self, turn: str, slice_ids: Sequence[str]) -> None:
        """Mark those of the slices that are closed and dry; the plan is journalled under that turn."""
        operations = [await self._marks(piece) for piece in await self._dry(slice_ids)]
        if operations:
            await self._keeper.keep(turn, "care", operations)

    async def mark_dry(self, batch: int = BATCH) -> int:
        """Mark the newest dry slices and return how many there were."""
        heads = await self._slices.heads()
        newest = [piece.id for piece in reversed(heads) if is_dry(piece)][:batch]
        if newest:
            await self.mark(f"care-{newest[0]}", newest)
        return len(newest)

    async def _dry(self, slice_ids: Sequence[str]) -> list[Slice]:
        found = []
        for slice_id in slice_ids:
            try:
                piece = (await self._slices.load(slice_id)).slice
            except (NotFound, Malformed) as error:
                _log.warning("slice %s cannot be marked: %s", slice_id, type(error).__name__)
                continue
            if is_dry(piece):
                found.append(piece)
        return found

    async def _marks(self, piece: Slice) -> MarkSlice:
        try:
            async with asyncio.timeout(LIMIT):
                return await mark(self._worker, piece)
        except (ModelError, TimeoutError) as error:
            _log.warning("slice %s gets plain marks: %s", piece.id, type(error).__name__)
            return plain(piece, self._words)


def is_dry(piece: Slice) -> bool:
    """Whether a slice is closed and nothing says what it was about."""
    return piece.closed and not piece.focus and not piece.summary
