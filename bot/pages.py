"""The pages of time: the timeline, one slice, and what was found in them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from bot.moments import Moments
from core.document import Document, Text
from core.errors import Malformed, NotAFile, NotFound
from core.relative import slice_instant
from core.slices.model import Slice, agent_path, core_path, is_slice_id
from core.slices.reasons import reason
from core.views.asked import asked_for, paged
from core.views.find import MANY, find_page, hits, may_hold
from core.views.slice import slice_page
from core.views.timeline import how, timeline

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.catalog import Catalog
    from bot.helping import Asked
    from core.turn.parts import Parts

BREATH: Final = 20
"""After so many files other tasks get a turn, and a search can be given up."""


class Pages:
    """Makes them; changes nothing."""

    def __init__(self, parts: Parts, catalog: Catalog) -> None:
        self._parts = parts
        self._catalog = catalog
        self._moments = Moments(parts.storage)

    async def timeline(self, asked: Asked) -> Document:
        """The part of the timeline that was asked for: all, a year, a month, a day, or the days that words name."""
        reader = asked.reader
        wanted, page = asked_for(asked.argument, reader.today)
        calendar = await self._catalog.calendar(reader.zone)
        if wanted:
            calendar = await self._catalog.refreshed(calendar, wanted.first, wanted.last)
        elif paged(asked.argument)[0]:
            return how(reader)
        else:
            page = paged(asked.argument)[1]
        return timeline(calendar, wanted, page, reader, self._parts.slices.unreadable)

    async def slice(self, asked: Asked) -> Document:
        """The slice of an id; of a day, if it has one, else what those days have."""
        wanted, page = paged(asked.argument)
        slice_id = wanted.replace("/", "-")
        if is_slice_id(slice_id) and slice_instant(slice_id):
            return await self._slice(slice_id, page, asked)
        days, _ = asked_for(asked.argument, asked.reader.today)
        if days is None:
            return Document((Text(asked.reader.words("slice.how")),))
        found = (await self._catalog.calendar(asked.reader.zone)).between(days.first, days.last)
        if len(found) == 1:
            return await self._slice(found[0].id, 0, asked)
        return await self.timeline(replace(asked, argument=days.argument))

    async def find(self, asked: Asked) -> Document:
        """The slices that say what is looked for, newest first; a hundred are enough."""
        found: list[tuple[Slice, Sequence[str]]] = []
        ids = await self._parts.slices.ids() if asked.argument else []
        for number, slice_id in enumerate(reversed(ids)):
            if number % BREATH == BREATH - 1:
                await self._catalog.breathe()
            try:
                if not await self._may_hold(slice_id, asked.argument):
                    continue
                piece = (await self._parts.slices.load(slice_id)).slice
            except (NotFound, NotAFile, Malformed):
                continue  # what cannot be read is reported by the timeline
            excerpts = hits(piece, asked.argument)
            if excerpts:
                found.append((replace(piece, turns=()), excerpts))
            if len(found) == MANY:
                break
        return find_page(asked.argument, found, asked.reader)

    async def _may_hold(self, slice_id: str, query: str) -> bool:
        try:
            file = await self._parts.storage.read(core_path(slice_id))
        except NotFound:
            return True  # an old flat file
        return may_hold(file.data.decode(errors="replace"), query)

    async def _slice(self, slice_id: str, page: int, asked: Asked) -> Document:
        words = asked.reader.words
        try:
            piece = (await self._parts.slices.load(slice_id)).slice
        except NotFound:
            return Document((Text(words("slice.missing", slice=slice_id)),))
        except (Malformed, NotAFile) as error:
            return Document((Text(words("slice.unreadable", slice=slice_id, why=reason(str(error), words))),))
        log = await self._catalog.text(agent_path(slice_id))
        moments = await self._moments.turns(slice_id, asked.surface)
        return slice_page(piece, page, await self._catalog.ids(), asked.reader, log, moments)
