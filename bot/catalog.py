"""All slices for pages: from the slices themselves, or in a long archive from the catalog, which stays fast."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from core.errors import Malformed, NotAFile, NotFound, StorageError
from core.slices.model import Slice
from core.strands.codec import ALIASES_PATH, STRANDS_PATH, decode_aliases, decode_index
from core.timeline.entry import build_entry
from core.timeline.stored import read_catalog
from core.timeline.tapestry import Tapestry
from core.views.calendar import Calendar, laid_out

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date

    from core.strands.codec import Index
    from core.timeline.entry import Entry
    from core.turn.parts import Parts
    from core.views.reader import Piece

SMALL: Final = 2_000
"""Up to so many slices, the files themselves are looked at, so that an edit just made by anybody is seen."""
FRESH: Final = 400
"""Up to so many slices on a page of a longer archive, their files are looked at."""

_log = logging.getLogger("previously.pages")


class Catalog:
    """Slices, strands and the calendar as pages need them. Looking at memory writes nothing."""

    def __init__(self, parts: Parts, small: int = SMALL) -> None:
        """An archive of more than `small` slices is a long one."""
        self._parts = parts
        self._small = small
        self._kept: tuple[Sequence[Piece], str, Calendar] = ((), "", Calendar())

    async def breathe(self) -> None:
        """Give other tasks a turn."""
        await self._parts.clock.sleep(0)

    async def pieces(self) -> Sequence[Piece]:
        """All slices, oldest first, without their turns."""
        entries = await self._woven()
        if len(entries) > self._small:
            return entries
        ids = await self._parts.slices.ids()
        if len(ids) <= self._small:
            return await self._parts.slices.heads(ids)
        known: dict[str, Piece] = {entry.id: entry for entry in await self._stored()}
        known |= {head.id: head for head in await self._parts.slices.heads([one for one in ids if one not in known])}
        return [known[one] for one in ids if one in known]

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
        """The strands: of a short archive as its slices are now, of a longer one as they were woven last."""
        pieces = await self.pieces()
        if len(pieces) > self._small:
            return await self._parts.projections.index() if self._parts.projections.woven else await self._strands()
        tapestry = Tapestry()
        tapestry.alias(await self.aliases())
        for piece in pieces:
            if isinstance(piece, Slice):
                tapestry.enter(build_entry(piece, 0))
        return tapestry.index()

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

    async def _woven(self) -> Sequence[Entry]:
        """The catalog that this process has woven; none before that, since weaving writes."""
        projections = self._parts.projections
        return await projections.entries() if projections.woven else ()

    async def _stored(self) -> Sequence[Entry]:
        try:
            catalog = await read_catalog(self._parts.storage)
        except (Malformed, StorageError) as error:
            _log.warning("the catalog cannot be read: %s", error)
            return ()
        return catalog.entries if catalog else ()

    async def _strands(self) -> Index:
        try:
            return decode_index((await self._parts.storage.read(STRANDS_PATH)).data)
        except (NotFound, NotAFile, Malformed):
            return {}


def _alike(one: Piece, other: Piece) -> bool:
    return (one.focus, one.summary, one.status, one.end) == (other.focus, other.summary, other.status, other.end)
