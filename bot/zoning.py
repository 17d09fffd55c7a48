"""`/timezone`: where the person is, by city, by a zone's name or by a shared place; asked once where nobody knows.

A platform that tells no zone leaves the process's own, which on a server is nobody's. So after the first answer there
the question stands in the chat, once; while it stands, and after the button of the page, a shared place is its answer
and no talk (DESIGN 8).
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from bot.posted import Posted
from core.clock import instant, iso
from core.config.values import BOT_PATH
from core.conversation import Paged
from core.errors import Malformed, NotAFile, PlatformTrouble, StorageError
from core.journal.records import Ran
from core.places import located, point_of, zone_at
from core.views.reader import Reader
from core.views.zones import AUTO, HERE, found_page, zone_in, zone_page
from core.zones import spelt

if TYPE_CHECKING:
    from datetime import datetime

    from bot.helping import Asked
    from core.config import Preferences
    from core.conversation import Incoming, Platform
    from core.document import Document
    from core.journal.state import State
    from core.turn.parts import Parts

ASKED: Final = "zone-asked"
"""The journal's name for the one question; `AWAITED` is that for a place which may be shared."""
AWAITED: Final = "zone-awaited"
STANDS: Final = timedelta(hours=1)
"""How long a shared place is an answer."""
LIMIT: Final = 30.0
"""Seconds that a platform may take to show the question."""
KEY: Final = "bot.timezone"
NOWHERE: Final = frozenset({"telegram", "discord"})
"""Surfaces that tell nobody's zone."""
PLACES: Final = "telegram"
"""The surface on which a place can be shared."""

_log = logging.getLogger("previously.zoning")


class Zoning:
    """Answers it, and asks."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def timezone(self, asked: Asked) -> Document:
        """The zone as it is; after it was set, if one or a place was named; else what was found by that text."""
        wanted, reader, words = asked.argument.strip(), asked.reader, asked.reader.words
        share = asked.surface == PLACES and located()
        point, zone = point_of(wanted), spelt(zone_in(wanted))
        if point:
            zone = zone_at(*point)
        if zone or wanted.casefold() in {AUTO, *words("zone.autoWords").split()}:
            return await self._set(zone, reader, share=share)
        chosen = (await self._parts.config.load()).bot.zone
        if wanted and wanted != HERE and not point:
            return found_page(wanted, chosen, reader, share=share)
        if share:
            self._parts.journal.append(Ran(AWAITED, iso(self._parts.clock.now())))
        lead = words("zone.nowhere") if point else words("zone.share") if wanted and share else ""
        return zone_page(chosen, reader, lead=lead, share=share and not wanted)

    async def _set(self, zone: str, reader: Reader, *, share: bool) -> Document:
        words = reader.words
        try:
            after = await self._parts.config.change(KEY, zone or None)
        except (Malformed, NotAFile):
            chosen = (await self._parts.config.load()).bot.zone
            return zone_page(chosen, reader, lead=words("config.broken", path=BOT_PATH), share=share)
        if self._parts.journal.state.ran.get(AWAITED):
            self._parts.journal.append(Ran(AWAITED, ""))
        reader = replace(reader, zone=after.bot.zone or self._parts.zone)
        return zone_page(after.bot.zone, reader, lead=words("zone.done" if zone else "zone.cleared"))

    async def ask(self, said: Incoming, platform: Platform | None) -> None:
        """Ask where the person is, once, where the platform does not tell and nothing is set. Trouble is no harm."""
        parts = self._parts
        told = said.zone or said.surface not in NOWHERE
        if parts.demo or platform is None or told or ASKED in parts.journal.state.ran:
            return
        try:
            preferences = await parts.config.load()
            if not preferences.bot.zone:
                await self._show(said, preferences, platform)
        except (PlatformTrouble, StorageError, TimeoutError) as error:
            _log.warning("where the person is could not be asked: %s", error)

    async def _show(self, said: Incoming, preferences: Preferences, platform: Platform) -> None:
        parts = self._parts
        at, share = iso(parts.clock.now()), said.surface == PLACES and located()
        parts.journal.append(Ran(ASKED, at), *((Ran(AWAITED, at),) if share else ()))
        reader = Reader(parts.words_for(said, preferences), parts.zone, parts.clock.now())
        lead = reader.words("zone.asked.share" if share else "zone.asked")
        page = Paged(zone_page("", reader, lead=lead), quiet=True)
        async with asyncio.timeout(LIMIT):
            await platform.presenter(said.chat, "zone", Posted()).show(page)


def placed(update: Incoming, state: State, now: datetime) -> Incoming:
    """The update; a shared place, while one is awaited, is the command that sets the zone."""
    if not update.place:
        return update
    since = instant(state.ran.get(AWAITED, ""))
    if since is None or now - since > STANDS or update.forwarded or update.kind != "message":
        return replace(update, place="")
    return replace(update, place="", text=f"/timezone {update.place}")
