"""Who is at home on Discord: the owner, the channels in which the owner is heard, and what others are told."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import discord

from adapters.discord.outlet import Said
from adapters.discord.plain import answer
from adapters.discord.trouble import Barred, reached
from adapters.strangers import Strangers
from core.errors import PlatformTrouble, StorageError
from core.i18n import locale_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from adapters.discord.outlet import Outlet
    from adapters.discord.typing import Typing
    from core.clock import Clock
    from core.conversation import Owners
    from core.document import Document
    from core.i18n import Words

START: Final = "/start "
TOLD: Final = 3.0
"""Seconds in which the gateway tells about a server once a session began."""

_log = logging.getLogger("previously.discord")


@dataclass(slots=True)
class Household:
    """What all parts of the adapter ask about people and places.

    `tell` gives the operator a sentence; `welcome` is the page for who has just claimed the bot. `room` is the channel
    of a server in which the owner is heard, too; it must be one that not everybody can read (pain P043). `locale` is
    the language of the person's client, which only interactions tell. `surveyed` once `places` are known.
    """

    owners: Owners
    clock: Clock
    outlet: Outlet
    typing: Typing
    words: Mapping[str, Words]
    default: str
    tell: Callable[[str], Awaitable[None]]
    welcome: Callable[[str, Words], Document]
    room: int = 0
    locale: str = ""
    client: discord.Client | None = None
    places: set[int] = field(default_factory=set)
    strangers: Strangers = field(init=False)
    told: set[str] = field(default_factory=set)
    guilds: asyncio.Event = field(default_factory=asyncio.Event)
    surveyed: bool = False

    def __post_init__(self) -> None:
        self.strangers = Strangers(self.clock)

    def said(self) -> Words:
        """The words for the person."""
        return self.words[locale_of(self.locale) if self.locale else self.default]

    def is_owner(self, person: int) -> bool:
        """Whether that is the owner."""
        return self.owners.owner("discord") == str(person)

    def reads(self, chat: str) -> bool:
        """Whether that channel is the owner's; any may be until the owner's direct messages have been found."""
        return not self.surveyed or (chat.isdecimal() and int(chat) in {*self.places, self.room})

    async def admits(self, message: discord.Message) -> bool:
        """Whether a message is the owner's and stands where the owner is heard; claims and strangers are seen to."""
        person, channel = message.author.id, message.channel
        private = message.guild is None and not isinstance(channel, discord.GroupChannel)
        if channel.id == self.room and not private:
            return self.is_owner(person) and await self._private_room(channel)
        if not private:
            return False
        if self.owners.owner("discord") is None:
            await self._unclaimed(str(person), str(channel.id), message.content)
            return False
        if self.is_owner(person):
            self.places.add(channel.id)
            return True
        return False

    async def claim(self, person: str, chat: str, code: str) -> bool:
        """Make that person the owner if the code is right, and say so. A claim that cannot be kept is told, too."""
        try:
            if not self.owners.claim("discord", person, code):
                return False
        except StorageError as error:
            _log.warning("the claim cannot be kept: %s", error)
            await self.tell_owner(chat, "discord.unkept")
            return True
        self.places.add(int(chat))
        self.surveyed = True
        page = self.welcome(person, self.said())
        for text in answer(page):
            with suppress(PlatformTrouble):
                await self.outlet.send(chat, Said(text))
        return True

    async def tell_owner(self, chat: str, key: str) -> None:
        """Say a sentence in the chat, as far as Discord lets us."""
        with suppress(PlatformTrouble):
            await self.outlet.send(chat, Said(self.said()(key)))

    async def barred(self, key: str) -> None:
        """Tell the operator once that the bot may not speak, and what helps."""
        if key not in self.told:
            self.told.add(key)
            await self.tell(self.words[self.default](key))

    async def channels(self) -> list[discord.PartialMessageable]:
        """The channels whose history is read: the owner's direct messages, and the room. Raises as `reached` does."""
        owner, client = self.owners.owner("discord"), self.client
        if owner is None or client is None:
            return []
        found = False
        with suppress(Barred):
            direct = await reached(client.create_dm(discord.Object(int(owner), type=discord.User)))
            self.places.add(direct.id)
            found = True
        if self.room and not await self._private_room(await self._known_room(client)):
            self.places.discard(self.room)
        self.surveyed = self.surveyed or found
        return [client.get_partial_messageable(place) for place in sorted(self.places)]

    async def _known_room(self, client: discord.Client) -> Any:
        """The room with the permissions of its server, once the gateway has told them; None when it does not."""
        with suppress(TimeoutError):
            async with asyncio.timeout(TOLD):
                while client.get_channel(self.room) is None:
                    self.guilds.clear()
                    await self.guilds.wait()
        return client.get_channel(self.room)

    async def _unclaimed(self, person: str, chat: str, text: str) -> None:
        bare = text.strip()
        if bare.startswith(START) and await self.claim(person, chat, bare.removeprefix(START).strip()):
            return
        if self.strangers.may_hear(chat):
            await self.tell_owner(chat, "discord.stranger")

    async def _private_room(self, channel: Any) -> bool:
        """Whether not everybody of the server can read the room; one that everybody reads is told once and not used."""
        if not isinstance(channel, discord.abc.GuildChannel):
            await self.barred("discord.trouble.access")
            return False
        if channel.permissions_for(channel.guild.default_role).view_channel:
            await self.barred("discord.trouble.public")
            return False
        self.places.add(channel.id)
        return True
