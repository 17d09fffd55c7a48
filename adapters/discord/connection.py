"""The connection: discord.py's client with what it tells us, and the addresses of the service."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import discord
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from adapters.discord.intake import Heard
from adapters.discord.interactions import dynamic

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

    from adapters.discord.intake import Intake
    from adapters.discord.interactions import Presses
    from core.clock import Clock

BETWEEN_SESSIONS: Final = 5.0
"""Seconds between two IDENTIFYs (Discord's rule)."""

LONGEST_PATIENCE: Final = 60.0
"""Seconds of a rate limit that are waited for; beyond it the call fails and is done again later."""


def point_at(api_url: str, gateway_url: str) -> None:
    """Let the library speak with a service elsewhere; "" leaves Discord's own address."""
    if api_url:
        Route.BASE = api_url.rstrip("/")
    if gateway_url:
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway_url)


def intents(*, in_room: bool) -> discord.Intents:
    """What the gateway is asked to tell: direct messages, and with a room that of the server, which is privileged."""
    wanted = discord.Intents.none()
    wanted.guilds = wanted.dm_messages = True
    if in_room:
        wanted.guild_messages = wanted.message_content = True
    return wanted


class Connection(discord.Client):
    """One session with Discord; `connected` while its gateway answers.

    Handlers only hand on what they hear, so that its order is kept.
    """

    def __init__(
        self,
        intake: Intake,
        presses: Presses,
        clock: Clock,
        heartbeat: float,
        guilds: asyncio.Event,
        *,
        in_room: bool,
        greet: Callable[[Connection], None],
    ) -> None:
        discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # nobody misses voice calls here
        super().__init__(
            intents=intents(in_room=in_room),
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            heartbeat_timeout=heartbeat,
            max_ratelimit_timeout=LONGEST_PATIENCE,
        )
        self._intake = intake
        self._presses = presses
        self._clock = clock
        self._greet = greet
        self._guilds = guilds
        self.connected = False

    async def setup_hook(self) -> None:
        """What is done once per login, before anything is heard."""
        self.add_dynamic_items(*dynamic(self._presses))
        self._greet(self)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Keep Discord's distance between two sessions."""
        del shard_id
        if not initial:
            await self._clock.sleep(BETWEEN_SESSIONS)

    async def on_connect(self) -> None:
        """A session began anew: what was said before it is in the history. A session that goes on tells it itself."""
        self.connected = True
        self._intake.hear(Heard("connected"))

    async def on_guild_available(self, _: discord.Guild) -> None:
        """The channels of a server are known."""
        self._guilds.set()

    async def on_guild_join(self, _: discord.Guild) -> None:
        """The channels of another server are known."""
        self._guilds.set()

    async def on_resumed(self) -> None:
        """The session goes on."""
        self.connected = True

    async def on_disconnect(self) -> None:
        """The connection broke; the library makes the next one."""
        self.connected = False

    async def on_message(self, message: discord.Message) -> None:
        """A message was written."""
        self._intake.hear(Heard("message", message))

    async def on_raw_message_edit(self, payload: discord.RawMessageUpdateEvent) -> None:
        """A message was edited, by whomever."""
        self._intake.hear(Heard("edit", payload.message))

    async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        """A message was deleted."""
        self._intake.hear(Heard("deletion", None, payload.channel_id, payload.message_id))

    async def on_raw_bulk_message_delete(self, payload: discord.RawBulkMessageDeleteEvent) -> None:
        """Messages were deleted together."""
        for number in sorted(payload.message_ids):
            self._intake.hear(Heard("deletion", None, payload.channel_id, number))

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """A form was filled in; buttons and commands find their way by themselves."""
        if interaction.type is discord.InteractionType.modal_submit:
            await self._presses.submitted(interaction)
