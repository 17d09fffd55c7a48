"""What the bot posts unasked: the briefing that waits, folded up when the talk goes on, and the morning nudge.

Each goes to the chat of the newest message and nowhere else (P095). It is recorded before it is posted, so that it
comes at most once whatever happens between (P089), and its words open the slice that follows, so that an answer to it
is understood (P097).
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Final, cast

from bot.arrival import plain_text
from bot.due import NUDGE
from bot.posted import Posted
from bot.reaching import reaches
from core.clock import iso
from core.conversation import Paged
from core.errors import Malformed, NotAFile, NotFound, PlatformTrouble
from core.i18n import locale_of
from core.journal.records import Ran, Shown
from core.slices.messages import decode_messages
from core.slices.model import USER, messages_path
from core.turn.place import PREFIXES
from core.views.reader import Reader

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date

    from bot.arrival import Arrivals
    from core.config import Preferences
    from core.conversation import Outbox, Platform, Surface
    from core.slices.model import Slice
    from core.turn.parts import Parts

LIMIT: Final = 30.0
"""Seconds that a platform may take to post."""

RARER: Final = (1, 3, 7)
"""Every how many days a nudge comes after each press on "less often"."""

_TERMINAL: Final = "terminal"
_BUTTON: Final = "q"
_log = logging.getLogger("previously.posting")


class Posting:
    """Posts. `platform` gives the platform of a surface that is connected in this process, else None."""

    def __init__(self, parts: Parts, arrivals: Arrivals, platform: Callable[[Surface], Platform | None]) -> None:
        self._parts = parts
        self._arrivals = arrivals
        self._platform = platform
        self._refused: set[str] = set()
        self._looked: date | None = None

    async def place(self, newest: Slice | None) -> tuple[Surface, str] | None:
        """Where the newest message came from, a command or button included: surface and chat.

        A journal that has heard nothing yet is that of a fresh disk, where the newest slice knows it.
        """
        heard = self._parts.journal.state.heard
        if heard:
            return cast("Surface", heard[0]), heard[1]
        return await self._kept(newest) if newest else None

    async def reachable(self, newest: Slice | None) -> bool:
        """Whether that chat can be written to, and has not refused the briefing of this gap already."""
        if newest is None or newest.id in self._refused:
            return False
        place = await self.place(newest)
        return place is not None and reaches(self._platform(place[0]), place[1])

    async def brief(self, last: Slice, preferences: Preferences) -> None:
        """Post the briefing of the gap after this slice, without a notification, so that it is waiting.

        A platform that refuses leaves it to the person's return. Raises `StorageError` with nothing posted.
        """
        place, reader, journal = await self.place(last), self.reader(last, preferences), self._parts.journal
        platform = self._platform(place[0]) if place else None
        if place is None or platform is None:
            return
        page = await self._arrivals.page(reader, waiting=True)
        before = journal.state.shown
        shown = Shown(last.id, iso(reader.now), plain_text(page), *place)
        journal.append(shown)
        outbox = Posted()
        try:
            await _post(platform, place[1], f"briefing-{last.id}", outbox, Paged(page, quiet=True, live=True))
        except PlatformTrouble as error:
            _log.warning("no briefing waits: %s", error)
            self._refused.add(last.id)
            journal.append(before or Shown("", shown.at))
        else:
            journal.append(replace(shown, message=outbox.message))

    async def fold(self, newest: Slice, preferences: Preferences) -> None:
        """Make the briefing that waited one line; one that nobody can reach any more is left as it stands.

        Raises `PlatformTrouble` when it could not be done now, and `StorageError`.
        """
        shown = self._parts.journal.state.shown
        if shown is None or not shown.message:
            return
        platform = self._platform(cast("Surface", shown.surface))
        if platform and reaches(platform, shown.chat):
            page = await self._arrivals.folded(shown.gap, self.reader(newest, preferences))
            event = Paged(page, quiet=True, live=True)
            try:
                await _show(platform, shown.chat, f"briefing-{shown.gap}", Posted(), event, shown.message)
            except TimeoutError as error:
                raise PlatformTrouble(f"{shown.surface} keeps silent") from error
        self._parts.journal.append(replace(shown, surface="", chat="", message=""))

    def slept(self, reader: Reader) -> bool:
        """Whether this morning was looked at already and nothing was to be said."""
        return self._looked == reader.today

    async def nudge(self, last: Slice, preferences: Preferences) -> None:
        """Post the morning nudge if there is anything to say. Raises `StorageError` with nothing posted."""
        place, reader, journal = await self.place(last), self.reader(last, preferences), self._parts.journal
        self._looked = reader.today
        platform = self._platform(place[0]) if place else None
        page = await self._arrivals.morning(reader, _rarer(preferences.bot.briefing.nudge_days))
        if place is None or platform is None or page is None:
            return
        at, before, shown = iso(reader.now), journal.state.ran.get(NUDGE, ""), journal.state.shown
        same = shown if shown and shown.gap == last.id else Shown(last.id, at)
        journal.append(Ran(NUDGE, at), replace(same, text=same.text + plain_text(page)))
        try:
            await _post(platform, place[1], f"nudge-{at[:10]}", Posted(), Paged(page))
        except PlatformTrouble as error:
            _log.warning("no nudge this morning: %s", error)
            journal.append(Ran(NUDGE, before), *((shown,) if shown else ()))

    def reader(self, newest: Slice | None, preferences: Preferences) -> Reader:
        """For whom it is written: in the language of the newest message, in the zone of the newest slice."""
        parts, heard = self._parts, self._parts.journal.state.heard
        locale = locale_of(heard[2]) if len(heard) > 2 and heard[2] else parts.locale  # noqa: PLR2004 - the third
        zone = preferences.bot.zone or (newest.timezone if newest else "") or parts.zone
        return Reader(parts.words[preferences.bot.language or locale], zone, parts.clock.now())

    async def _kept(self, newest: Slice) -> tuple[Surface, str] | None:
        """The chat of the last message of a slice, as its file of messages names it."""
        try:
            file = await self._parts.storage.read(messages_path(newest.id))
        except (NotFound, NotAFile, Malformed):
            return None
        keys = [one.key for one in decode_messages(file.data).entries if one.role == USER]
        prefix, _, rest = keys[-1].partition(":") if keys else ("", "", "")
        surfaces = {known: surface for surface, known in PREFIXES.items()}
        surface = surfaces.get(prefix) or surfaces.get(prefix.removesuffix(_BUTTON))
        if surface is None:
            return None
        return surface, _TERMINAL if surface == _TERMINAL else rest.partition(":")[0]


async def _show(platform: Platform, chat: str, turn: str, outbox: Outbox, event: Paged, replaces: str = "") -> None:
    """Show it within the limit. Raises `PlatformTrouble`, and TimeoutError: the platform may have it or not."""
    async with asyncio.timeout(LIMIT):
        await platform.presenter(chat, turn, outbox, replaces).show(event)


async def _post(platform: Platform, chat: str, turn: str, outbox: Outbox, event: Paged) -> None:
    """Post it at most once. Raises `PlatformTrouble`; what may have come through is not tried again."""
    try:
        await _show(platform, chat, turn, outbox, event)
    except TimeoutError:
        _log.warning("%s: the platform keeps silent; it is not posted again", turn)


def _rarer(days: int) -> int:
    """Every how many days the nudge comes after a press on "less often"; 0 when it cannot come less often."""
    return next((one for one in RARER if one > days), 0)
