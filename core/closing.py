"""Closing a slice with its marks, and marking closed slices that have none ("dry", seeds: the dry-slice queue)."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final

from core.agent.stop import Stop, Stopped
from core.errors import Malformed, ModelError, NotAFile, NotFound
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

    def __init__(
        self, slices: Slices, keeper: Keeper, worker: ChatModel, words: Mapping[str, Words], limit: float = LIMIT
    ) -> None:
        """`limit` is how many seconds the worker may take for one slice."""
        self._limit = limit
        self._slices = slices
        self._keeper = keeper
        self._worker = worker
        self._words = words

    async def mark(self, slice_ids: Sequence[str], stop: Stop | None = None) -> None:
        """Mark those of the slices that are closed and dry; a set `stop` ends the worker's part at once."""
        for piece in await self._dry(slice_ids):
            marks = await self._marks(piece, stop or Stop())
            await self._keeper.keep(f"marks-{piece.id}", "care", [marks])

    async def mark_dry(self, batch: int = BATCH) -> list[str]:
        """Mark the newest dry slices and return which they were."""
        heads = await self._slices.heads()
        newest = [piece.id for piece in reversed(heads) if is_dry(piece)][:batch]
        await self.mark(newest)
        return newest

    async def _dry(self, slice_ids: Sequence[str]) -> list[Slice]:
        found = []
        for slice_id in slice_ids:
            try:
                piece = (await self._slices.load(slice_id)).slice
            except (NotFound, NotAFile, Malformed) as error:
                _log.warning("slice %s cannot be marked: %s", slice_id, type(error).__name__)
                continue
            if is_dry(piece):
                found.append(piece)
        return found

    async def _marks(self, piece: Slice, stop: Stop) -> MarkSlice:
        try:
            async with asyncio.timeout(self._limit):
                return await stop.unless(mark(self._worker, piece))
        except (ModelError, TimeoutError, Stopped) as error:
            _log.warning("slice %s gets plain marks: %s", piece.id, type(error).__name__)
            return plain(piece, self._words)


def is_dry(piece: Slice) -> bool:
    """Whether a slice is closed and nothing says what it was about."""
    return piece.closed and not piece.focus and not piece.summary
