"""What the bot says on Discord: sends that cannot double, edits, and hints that never hold anything up."""

from __future__ import annotations

import asyncio
import io
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import discord

from adapters.discord.trouble import Barred, Gone, Lost, reached
from core.errors import PlatformTrouble

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from core.clock import Clock

TOKEN_LIFE: Final = 14 * 60.0
"""Seconds for which the answer to an interaction can be edited by its token; Discord says fifteen minutes."""

HINT_LIMIT: Final = 5.0
"""Seconds after which an edit that only shows progress is given up."""

CONNECTING: Final = 10.0
"""Seconds that whoever speaks waits for a connection."""

PAUSES: Final = (0.5, 2.0)
"""Seconds before a send is tried again whose outcome is not known; its nonce keeps it from doubling."""

SETTLED: Final = 3600.0
"""Seconds after which a message is not edited any more (Discord's error 30046)."""


@dataclass(frozen=True, slots=True)
class Attached:
    """A file to go with a message."""

    name: str
    data: bytes = field(repr=False)
    about: str = ""


@dataclass(frozen=True, slots=True)
class Said:
    """One message: plain `content` with buttons, or with a `layout` a page."""

    content: str = ""
    buttons: discord.ui.View | None = None
    layout: discord.ui.LayoutView | None = None
    files: tuple[Attached, ...] = ()
    quiet: bool = False
    reply_to: int = 0


@dataclass(frozen=True, slots=True)
class Sent:
    """What Discord has: the message's id, and its content (another one when an earlier try had sent it)."""

    id: int
    content: str


class Outlet:
    """Speaks through the client that is attached just now; `barred` hears the key of a sentence about lost access.

    `removed` are messages that it took away itself: the gateway will tell of them, too.
    """

    def __init__(self, clock: Clock, barred: Callable[[str], Coroutine[Any, Any, None]]) -> None:
        self._clock = clock
        self._barred = barred
        self._client: discord.Client | None = None
        self._online = asyncio.Event()
        self._deferred: dict[int, tuple[discord.Interaction[Any], float]] = {}
        self.removed: set[int] = set()

    def attach(self, client: discord.Client) -> None:
        """Speak through this client from now on."""
        self._client = client
        self._online.set()

    def detach(self) -> None:
        """There is no connection: whoever speaks waits for the next one."""
        self._online.clear()
        self._client = None

    def defer(self, message: int, interaction: discord.Interaction[Any]) -> None:
        """That message is the deferred answer to an interaction."""
        now = self._clock.monotonic()
        alive = {key: one for key, one in self._deferred.items() if now - one[1] < TOKEN_LIFE}
        self._deferred = {**alive, message: (interaction, now)}

    def deferred(self, message: int) -> bool:
        """Whether that message is a deferred answer that can still be given."""
        found = self._deferred.get(message)
        return found is not None and self._clock.monotonic() - found[1] < TOKEN_LIFE

    def settled(self, message: int) -> bool:
        """Whether the message is too old to be edited as often as one likes."""
        born = discord.utils.snowflake_time(message)
        return (self._clock.now() - born).total_seconds() >= SETTLED

    async def send(self, chat: str, said: Said, nonce: str = "") -> Sent:
        """Send it; the same nonce within some minutes sends nothing and returns the first message.

        Raises `Barred`, `Invalid` and else `PlatformTrouble`.
        """
        for pause in (*PAUSES, None):
            try:
                message = await self._send(chat, said, nonce)
            except Lost:
                if pause is None or not nonce:
                    raise
                await self._clock.sleep(pause)
            else:
                return Sent(message.id, message.content)
        raise PlatformTrouble("unreachable")

    async def edit(self, chat: str, message: int, said: Said) -> None:
        """Let the message say this. Raises `Gone` when it has to be sent anew, else as `send`."""
        for pause in (*PAUSES, None):
            try:
                await self._edit(chat, message, said)
            except Lost:
                if pause is None:
                    raise
                await self._clock.sleep(pause)
            else:
                return

    async def delete(self, chat: str, message: int) -> None:
        """Take the message away; one that is away already is a success."""
        channel = await self._channel(chat)
        self.removed.add(message)
        with suppress(Gone):
            await self._watched(channel.get_partial_message(message).delete())

    async def type(self, chat: str) -> None:
        """Show for ten seconds that an answer is being written; it does not matter when that fails."""
        if self._client is None:
            return
        with suppress(PlatformTrouble):
            await reached(self._client.http.send_typing(int(chat)), HINT_LIMIT)

    async def _send(self, chat: str, said: Said, nonce: str) -> discord.Message:
        channel = await self._channel(chat)
        given: dict[str, Any] = {"silent": said.quiet}
        if nonce:
            given["nonce"] = nonce
        if said.files:
            given["files"] = _files(said)
        if said.reply_to:
            given["reference"] = discord.MessageReference(
                message_id=said.reply_to, channel_id=int(chat), fail_if_not_exists=False
            )
        if said.layout:
            given["view"] = said.layout
        else:
            given |= {"content": said.content, "suppress_embeds": True}
            given |= {"view": said.buttons} if said.buttons else {}
        message: discord.Message = await self._watched(channel.send(**given))
        return message

    async def _edit(self, chat: str, message: int, said: Said) -> None:
        given: dict[str, Any] = {"attachments": _files(said)}
        if said.layout:
            given |= {"view": said.layout} if not self.deferred(message) else {"view": said.layout, "content": None}
        else:
            given |= {"content": said.content, "view": said.buttons}
        if self.deferred(message):
            interaction, _ = self._deferred[message]
            await self._watched(interaction.edit_original_response(**given))
            return
        channel = await self._channel(chat)
        await self._watched(channel.get_partial_message(message).edit(**given))

    async def _watched(self, call: Coroutine[Any, Any, Any]) -> Any:
        try:
            return await reached(call)
        except Barred as error:
            await self._barred(error.key)
            raise

    async def _channel(self, chat: str) -> discord.PartialMessageable:
        """Raises `PlatformTrouble` when there is no connection for a while."""
        if not self._online.is_set():
            async with asyncio.TaskGroup() as group:
                online = group.create_task(self._online.wait())
                over = group.create_task(self._clock.sleep(CONNECTING))
                await asyncio.wait({online, over}, return_when=asyncio.FIRST_COMPLETED)
                online.cancel()
                over.cancel()
        if self._client is None:
            raise PlatformTrouble("there is no connection to Discord")
        return self._client.get_partial_messageable(int(chat))


def _files(said: Said) -> list[discord.File]:
    """The files, made anew for every try: the library reads each once."""
    return [discord.File(io.BytesIO(one.data), one.name, description=one.about or None) for one in said.files]
