"""Closing what has fallen silent while nobody talks, so that whoever comes back finds it marked.

The next message would close it as well (seeds, "Slices"), but then the briefing before that message knows neither what
the slice was about nor what it left open.
"""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from core.clock import iso
from core.errors import Malformed, StorageError
from core.evolving import Reason
from core.keeper.operations import CloseSlice
from core.slices import policy

if TYPE_CHECKING:
    from core.slices.model import Slice
    from core.turn.parts import Parts

SILENT: Final = "time_silence"

_log = logging.getLogger("previously.lapse")


class Lapse:
    """Closes the open slice when its silence is over."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def run(self, *, marked: bool = True) -> None:
        """Close what is silent, with its marks; its pass over the card is owed from then on.

        It may be broken off at any moment: the pass is owed first, and what is closed without marks is marked at the
        next boundary, as is everything that is not to be `marked` at once. Raises `DiskLost`; other trouble is logged
        and met again next time.
        """
        try:
            await self._close(marked=marked)
        except (StorageError, Malformed) as error:
            _log.warning("a silent slice stays open: %s", error)

    async def _close(self, *, marked: bool) -> None:
        parts = self._parts
        piece = await self._silent()
        if piece is None:
            return
        await parts.evolving.owe(Reason("slice_closed", piece.id))
        if not parts.journal.state.idle:
            return  # somebody has spoken meanwhile: where that belongs is decided by when it came
        at = iso(parts.clock.now())
        parts.closing.boundary = True  # also when this is broken off: the plan is carried out all the same
        await parts.keeper.keep(f"lapse-{piece.id}", "care", [CloseSlice(piece.id, SILENT, at)])
        if marked:
            await parts.closing.mark([piece.id])
        await parts.projections.after_turn([piece.id], closed=[piece.id])

    async def _silent(self) -> Slice | None:
        """The open slice, if its silence is over."""
        latest = await self._parts.slices.latest()
        if latest is None or latest.slice.closed:
            return None
        slicing = (await self._parts.config.load()).user.slicing
        thresholds = policy.Thresholds(timedelta(minutes=slicing.silence_minutes), slicing.turns)
        signal = policy.closing_signal(latest.slice, self._parts.clock.now(), thresholds)
        return latest.slice if signal == SILENT else None
