"""All slices for pages: from the catalog, which stays fast in a long archive, else from the slices themselves."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from core.errors import Malformed, NotAFile, NotFound, StorageError
from core.strands.codec import ALIASES_PATH, decode_aliases
from core.views.calendar import Calendar, laid_out

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date

    from core.strands.codec import Index
    from core.turn.parts import Parts
    from core.views.reader import Piece

SMALL: Final = 2_000
"""Up to so many slices, files that others have changed are looked for before a page, at most every five minutes."""
FRESH: Final = 400
"""Up to so many slices on a page, their files are looked at, so that an edit just made is seen."""

_log = logging.getLogger("previously.pages")


class Catalog:
    """Slices, strands and the calendar as pages need them."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._kept: tuple[Sequence[Piece], str, Calendar] = ((), "", Calendar())

    async def breathe(self) -> None:
        """Give other tasks a turn."""
        await self._parts.clock.sleep(0)

    async def pieces(self) -> Sequence[Piece]:
        """All slices, oldest first, without their turns."""
        projections = self._parts.projections
        try:
            entries = await projections.entries()
            if len(entries) > SMALL:
                return entries
            await projections.weave()
            return await projections.entries()
        except StorageError as error:
            _log.warning("the catalog cannot be had: %s", error)
            return await self._parts.slices.heads()

    async def ids(self) -> list[str]:
        """The ids of all slices, oldest first."""
        return [piece.id for piece in await self.pieces()]

    async def calendar(self, zone: str) -> Calendar:
        """All slices on the calendar of a zone."""
        pieces = await self.pieces()
        known, of, calendar = self._kept
        if of != zone or known != pieces:
            calendar = await laid_out(pieces, zone, self.breathe)
            self._kept = (pieces, zone, calendar)
        return calendar

    async def refreshed(self, calendar: Calendar, first: date, last: date) -> Calendar:
        """The calendar with the slices of these days as their files now are, unless there are very many."""
        shown = calendar.between(first, last)
        if len(shown) > FRESH:
            return calendar
        now = {head.id: head for head in await self._parts.slices.heads([piece.id for piece in shown])}
        if all(_alike(piece, now.get(piece.id, piece)) for piece in shown):
            return calendar
        return replace(calendar, pieces=tuple(now.get(piece.id, piece) for piece in calendar.pieces))

    async def index(self) -> Index:
        """The strands; none while they cannot be had."""
        try:
            await self.pieces()
            return await self._parts.projections.index()
        except StorageError as error:
            _log.warning("the strands cannot be had: %s", error)
            return {}

    async def aliases(self) -> Mapping[str, str]:
        """Which strands have become part of which."""
        try:
            return decode_aliases((await self._parts.storage.read(ALIASES_PATH)).data)
        except (NotFound, NotAFile, Malformed):
            return {}

    async def text(self, path: str) -> str:
        """A file as text, "" when there is none."""
        try:
            return (await self._parts.storage.read(path)).data.decode(errors="replace")
        except (NotFound, NotAFile):
            return ""


def _alike(one: Piece, other: Piece) -> bool:
    return (one.focus, one.summary, one.status, one.end) == (other.focus, other.summary, other.status, other.end)
