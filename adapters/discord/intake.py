"""What comes in: messages, edits and deletions in their order; what was said while nobody listened is read first."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

import discord

from adapters.discord.incoming import deleted, edited, incoming, numbered, spoken
from adapters.discord.trouble import Barred, reached
from core.errors import DiskLost, PlatformTrouble, PreviouslyError, StorageError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Sequence

    from adapters.discord.house import Household
    from core.conversation import Inbox, Incoming

AWAY: Final = 120.0
"""Seconds after which a message that was not heard at once counts as said while the bot was away."""

AGAIN: Final = (1.0, 2.0, 5.0, 10.0, 30.0)
"""Seconds before what failed is tried again: nothing is lost meanwhile, since Discord keeps its history."""

LOOKED: Final = 50
"""How many older messages are looked at for edits that nobody heard of."""

BATCH: Final = 100
STOP: Final = "/stop"
"""What stops a running answer at once; it is no message to be kept, and after the fact it means nothing."""

_log = logging.getLogger("previously.discord")


@dataclass(frozen=True, slots=True)
class Heard:
    """Something that the gateway told: a message, an edit, a deletion, or that a session began anew."""

    kind: Literal["message", "edit", "deletion", "connected"]
    message: discord.Message | None = None
    channel: int = 0
    id: int = 0


class Intake:
    """Gives the inbox what the owner says. `last` is the id of the newest message of a channel that is journalled."""

    def __init__(
        self, household: Household, last: Callable[[str], str | None], stop: Callable[[], Awaitable[bool]]
    ) -> None:
        self._household = household
        self._last = last
        self._stop = stop
        self._heard: asyncio.Queue[Heard] = asyncio.Queue()

    def hear(self, heard: Heard) -> None:
        """Take up what the gateway told; it is given on in this order."""
        self._heard.put_nowait(heard)

    async def run(self, inbox: Inbox) -> None:
        """Give on what is heard, until cancelled. What the inbox cannot keep is offered again, and the rest waits."""
        while True:
            heard = [await self._heard.get()]
            while not self._heard.empty():
                heard.append(self._heard.get_nowait())
            batch: list[Incoming] = []
            for one in heard:
                if one.kind == "connected":
                    await self._give(inbox, batch)
                    batch = []
                    await self._catch_up(inbox)
                else:
                    batch += await self._heeded(one)
            await self._give(inbox, batch)

    async def _heeded(self, heard: Heard) -> Sequence[Incoming]:
        """What was heard, for us. What we cannot deal with is left out, so that it holds up nothing (P005)."""
        try:
            return await self._taken(heard)
        except DiskLost:
            raise
        except Exception:  # noqa: BLE001 - whatever is wrong with it, the next one must be heard
            _log.exception("what came of message %d is left out", heard.message.id if heard.message else heard.id)
            return []

    async def _taken(self, heard: Heard) -> Sequence[Incoming]:
        """What it is for us: nothing when it is not the owner's."""
        household, message = self._household, heard.message
        if heard.kind == "deletion":
            mine = heard.channel in household.places and heard.id not in household.outlet.removed
            return [deleted(heard.channel, heard.id, household.clock.now())] if mine else []
        if message is None or not spoken(message) or not await household.admits(message):
            return []
        if heard.kind == "message" and message.content.strip() == STOP:
            await household.tell_owner(
                str(message.channel.id), "discord.stopped" if await self._stop() else "discord.idle"
            )
            return []
        if heard.kind == "edit":
            return _understood(lambda: edited(message, household.locale), message.id)
        return _understood(lambda: incoming(message, household.locale), message.id)

    async def _give(self, inbox: Inbox, updates: Sequence[Incoming]) -> None:
        if not updates:
            return
        household = self._household
        for tries in range(len(AGAIN) * 1000):
            try:
                await _accepted(inbox, updates)
                break
            except StorageError as error:
                _log.warning("what was said on Discord cannot be kept yet: %s", error)
                if not tries:
                    await household.tell_owner(updates[0].chat, "discord.unkept")
                await household.clock.sleep(AGAIN[min(tries, len(AGAIN) - 1)])
        for update in updates:
            if update.kind == "message" and not update.text.startswith("/"):
                household.typing.begin(update.chat)

    async def _catch_up(self, inbox: Inbox) -> None:
        """Read what was said since the newest journalled message, however long that takes."""
        for tries in range(len(AGAIN) * 1000):
            try:
                for channel in await self._household.channels():
                    await self._read(inbox, channel)
            except Barred as error:
                await self._household.barred(error.key)
                return
            except PlatformTrouble as error:
                _log.warning("Discord's history cannot be read yet: %s", error)
                await self._household.clock.sleep(AGAIN[min(tries, len(AGAIN) - 1)])
            else:
                return

    async def _read(self, inbox: Inbox, channel: discord.PartialMessageable) -> None:
        last = numbered(self._last(str(channel.id)) or "")
        if last is None:
            await self._give(inbox, await self._unanswered(channel))
            return
        older = [one async for one in _history(channel, limit=LOOKED, before=discord.Object(last + 1))]
        batch = [change for one in reversed(older) if self._own(one) for change in _changes(one)]
        async for message in _history(channel, limit=None, after=discord.Object(last), oldest_first=True):
            batch += self._late(message) if self._own(message) else []
            if len(batch) >= BATCH:
                await self._give(inbox, batch)
                batch = []
        await self._give(inbox, batch)

    async def _unanswered(self, channel: discord.PartialMessageable) -> list[Incoming]:
        """With nothing journalled: what the owner said after the bot's last own message.

        All of it is meant for the bot only in a direct message; in the room, older talk is left alone.
        """
        found: list[Incoming] = []
        async for message in _history(channel, limit=LOOKED):
            if message.author.bot:
                return found[::-1]
            found += self._late(message) if self._own(message) else []
        return [] if channel.id == self._household.room else found[::-1]

    def _own(self, message: discord.Message) -> bool:
        return spoken(message) and message.content.strip() != STOP and self._household.is_owner(message.author.id)

    def _late(self, message: discord.Message) -> Sequence[Incoming]:
        away = (self._household.clock.now() - message.created_at).total_seconds() > AWAY
        return _understood(lambda: incoming(message, self._household.locale, away=away), message.id)


def _changes(message: discord.Message) -> Sequence[Incoming]:
    """The edit that made an older message what it is, if there was one."""
    return _understood(lambda: edited(message, ""), message.id)


def _understood(make: Callable[[], Incoming | None], number: int) -> Sequence[Incoming]:
    """What a message says; nothing when it cannot be understood, so that it holds up nothing (P005)."""
    try:
        found = make()
    except Exception:  # noqa: BLE001 - whatever is wrong with it, the next one must be heard
        _log.exception("message %d cannot be read and is skipped", number)
        return []
    return [found] if found else []


async def _accepted(inbox: Inbox, updates: Sequence[Incoming]) -> None:
    """Give all at once; if that fails for an unknown reason, one by one, without the one that is to blame.

    Raises `StorageError` and `DiskLost`.
    """
    try:
        await inbox.accept(updates)
    except PreviouslyError:
        raise
    except Exception:  # noqa: BLE001 - found out below
        for one in updates:
            try:
                await inbox.accept([one])
            except PreviouslyError:
                raise
            except Exception:  # noqa: BLE001 - whatever is wrong with it, the next one must be heard
                _log.exception("%s cannot be taken and is skipped", one.key)


async def _history(
    channel: discord.PartialMessageable,
    *,
    limit: int | None,
    before: discord.Object | None = None,
    after: discord.Object | None = None,
    oldest_first: bool = False,
) -> AsyncIterator[discord.Message]:
    """Messages of a channel; raises as `reached` does."""
    pages = channel.history(limit=limit, before=before, after=after, oldest_first=oldest_first)
    while True:
        try:
            yield await reached(anext(pages))
        except StopAsyncIteration:
            return
