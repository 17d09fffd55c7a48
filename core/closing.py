"""Closing a slice with its marks, and marking closed slices that have none ("dry", seeds: the dry-slice queue)."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from core.agent.stop import Stop, Stopped
from core.errors import Malformed, ModelError, NotAFile, NotFound
from core.llm.size import WORKER
from core.marks import is_plain, looks_plain, mark, plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

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
    """Marks closed slices with the worker model, or deterministically when it does not manage.

    `boundary` says that a slice has closed, so that maintenance is due.
    """

    def __init__(
        self,
        slices: Slices,
        keeper: Keeper,
        worker: ChatModel,
        words: Mapping[str, Words],
        *,
        limit: float = LIMIT,
        most: int = WORKER,
    ) -> None:
        """`limit` is how many seconds the worker may take for one slice, `most` how many tokens a request may have."""
        self._limit = limit
        self._most = most
        self._slices = slices
        self._keeper = keeper
        self._worker = worker
        self._words = words
        self._failed: Counter[str] = Counter()
        self.boundary = False

    async def mark(self, slice_ids: Sequence[str], stop: Stop | None = None) -> list[str]:
        """Mark those of the slices that are closed and dry, and return which got marks.

        A set `stop` ends the worker's part at once.
        """
        marked = []
        self.boundary = self.boundary or bool(slice_ids)
        for piece in await self._loaded(slice_ids):
            if is_dry(piece):
                await self._mark(piece, stop or Stop(), limit=self._limit)
                marked.append(piece.id)
        return marked

    async def mark_dry(self, batch: int = BATCH, among: Iterable[str] | None = None) -> list[str]:
        """Mark the newest slices that have no marks, or only provisional ones; returns which got marks.

        With `among` only these are looked at, so that the cost does not grow with the archive. Those on which the
        worker has failed come after the others, so that they stand in nobody's way.
        """
        heads = [head for head in await self._slices.heads(among) if self.lacks(head)]
        heads.sort(key=lambda head: (-self._failed[head.id], head.id), reverse=True)
        marked = []
        for piece in await self._loaded([head.id for head in heads[:batch]]):
            if is_dry(piece) or is_plain(piece, self._words):
                before = (piece.focus, piece.summary)
                if await self._mark(piece, Stop(), limit=self._limit) or not any(before):
                    marked.append(piece.id)
        return marked

    async def newest(self) -> list[str]:
        """The slices of which one may have closed just now."""
        return await self._slices.newest(BATCH)

    def lacks(self, head: Slice) -> bool:
        """Whether a slice, as far as its head tells, has no marks or only provisional ones."""
        return is_dry(head) or (head.closed and looks_plain(head, self._words))

    async def lacking(self, among: Iterable[str]) -> bool:
        """Whether one of these slices has no marks of the worker."""
        return any(self.lacks(head) for head in await self._slices.heads(among))

    async def _loaded(self, slice_ids: Sequence[str]) -> list[Slice]:
        found = []
        for slice_id in slice_ids:
            try:
                found.append((await self._slices.load(slice_id)).slice)
            except (NotFound, NotAFile, Malformed) as error:
                _log.warning("slice %s cannot be marked: %s", slice_id, type(error).__name__)
        return found

    async def _mark(self, piece: Slice, stop: Stop, *, limit: float) -> bool:
        """Give the slice the worker's marks, or plain ones if it has none; whether the worker managed."""
        instead = (piece.focus, piece.summary)
        try:
            async with asyncio.timeout(limit):
                marks = replace(await stop.unless(mark(self._worker, piece, self._most)), instead=instead)
        except Exception as error:  # noqa: BLE001 - whatever fails in the worker, a closed slice is never anonymous
            expected = isinstance(error, (ModelError, TimeoutError, Stopped))
            _log.warning("slice %s gets plain marks: %s", piece.id, type(error).__name__, exc_info=not expected)
            self._failed[piece.id] += 1
            if not any(instead):
                await self._keep(plain(piece, self._words))
            return False
        del self._failed[piece.id]
        await self._keep(marks)
        return True

    async def _keep(self, marks: MarkSlice) -> None:
        await self._keeper.keep(f"marks-{marks.slice}", "care", [marks])


def is_dry(piece: Slice) -> bool:
    """Whether a slice is closed and nothing says what it was about."""
    return piece.closed and not piece.focus and not piece.summary
