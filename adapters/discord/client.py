"""Discord as a platform: the owner's direct message, or a private channel, goes to the inbox and is answered there."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any, Final

import aiohttp
import discord

from adapters.discord.buttons import Shelf
from adapters.discord.commands import Command, Tree
from adapters.discord.connection import Connection, point_at
from adapters.discord.files import fetched
from adapters.discord.house import Household
from adapters.discord.intake import Intake
from adapters.discord.interactions import Presses
from adapters.discord.outlet import Outlet
from adapters.discord.presenter import DiscordPresenter, Stage
from adapters.discord.typing import Typing
from adapters.pictures import drawn
from core.errors import PlatformTrouble, SettingsError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence

    from adapters.discord.render import Draw
    from core.clock import Clock
    from core.conversation import Attachment, Inbox, Outbox, Owners, Presenter, Surface
    from core.document import Document, Fold
    from core.i18n import Words

HEARTBEAT: Final = 60.0
"""Seconds of silence after which the gateway counts as gone."""

BEAT: Final = 20.0
"""Seconds between two signs of life."""

AGAIN: Final = (1.0, 2.0, 5.0, 15.0, 60.0)
"""Seconds before the next try to connect."""

_WRONG: Final = {
    4004: ("DISCORD_BOT_TOKEN", "discord.trouble.token"),
    4014: ("DISCORD_CHANNEL_ID", "discord.trouble.intent"),
}
"""Codes with which the gateway closes for good, the variable that is wrong, and the sentence that mends it."""

_log = logging.getLogger("previously.discord")


class Discord:
    """The platform for one owner.

    `last` gives the key of the newest journalled message of a channel, `known` the arguments of a command that exist;
    `stop` stops the answer that is running. `introduce` is told the bot's name once it is known, `beat` is called
    while the gateway answers, `tell` gives the operator a sentence, `welcome` is the page for a new owner. `room` is a
    channel of a server that is listened to beside the direct message. `unfold` finds what was folded below an older
    answer, `draw` makes pictures.
    """

    def __init__(  # noqa: PLR0913 - the composition root names every part
        self,
        *,
        token: str,
        owners: Owners,
        words: Mapping[str, Words],
        clock: Clock,
        stop: Callable[[], Awaitable[bool]],
        known: Callable[[str], Awaitable[Sequence[str]]],
        last: Callable[[str], str | None],
        commands: Sequence[Command],
        tell: Callable[[str], Awaitable[None]],
        introduce: Callable[[str], None],
        beat: Callable[[], None],
        welcome: Callable[[str, Words], Document],
        locale: str = "en",
        room: int = 0,
        api_url: str = "",
        gateway_url: str = "",
        heartbeat: float = HEARTBEAT,
        unfold: Callable[[str], Awaitable[Sequence[Fold]]] | None = None,
        draw: Draw | None = drawn,
    ) -> None:
        point_at(api_url, gateway_url)
        self._token = token
        self._words = words
        self._clock = clock
        self._known = known
        self._commands = (*commands, Command("stop", key="discord.stop_help"))
        self._introduce = introduce
        self._beat = beat
        self._room = room
        self._heartbeat = heartbeat
        self._group: asyncio.TaskGroup | None = None
        self._outlet = Outlet(clock, self._barred)
        typing = Typing(self._outlet, clock, self._start)
        self._household = Household(owners, clock, self._outlet, typing, words, locale, tell, welcome, room=room)
        shelf = Shelf()
        self._intake = Intake(self._household, last, stop)
        self._presses = Presses(self._household, shelf, stop, unfold)
        self._stage = Stage(self._outlet, self._household.said, clock, shelf, typing, self._start, draw)

    @property
    def surface(self) -> Surface:
        """Discord."""
        return "discord"

    def writes_to(self, chat: str) -> bool:
        """Whether the owner is heard in that channel; while it is not known which those are, nothing can be sent."""
        return self._household.reads(chat)

    def presenter(self, chat: str, turn: str, outbox: Outbox, replaces: str = "") -> Presenter:
        """A presenter for one turn, also for one that an earlier process left unfinished."""
        return DiscordPresenter(self._stage, outbox, chat, turn, replaces)

    async def fetch(self, chat: str, attachment: Attachment) -> bytes:
        """The bytes of a file. Raises `PlatformTrouble`, and `TooLarge` when it is not to be had any more."""
        del chat
        client = self._household.client
        if client is None:
            raise PlatformTrouble("there is no connection to Discord")
        return await fetched(client, attachment)

    async def serve(self, inbox: Inbox) -> None:
        """Receive until cancelled. Raises `SettingsError` when the token or what the bot may hear is wrong."""
        self._presses.inbox = inbox
        wrong: SettingsError | None = None
        async with asyncio.TaskGroup() as group:
            self._group = group
            receiving = group.create_task(self._intake.run(inbox))
            try:
                await self._connected()
            except SettingsError as error:
                wrong = error
            finally:
                self._group = None
                receiving.cancel()
                self._household.typing.end_all()
        if wrong:
            raise wrong

    async def _connected(self) -> None:
        """Stay connected for ever; what breaks a session begins the next one."""
        tries = 0
        while True:
            began = self._clock.monotonic()
            try:
                await self._session()
            except (PlatformTrouble, discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError) as error:
                _log.warning("the connection to Discord is lost: %s", type(error).__name__)
            tries = 0 if self._clock.monotonic() - began > AGAIN[-1] else tries + 1
            await self._clock.sleep(AGAIN[min(tries, len(AGAIN)) - 1])

    def made(self) -> tuple[Connection, Tree]:
        """A client that is not connected yet, and its commands."""
        client = Connection(
            self._intake,
            self._presses,
            self._clock,
            self._heartbeat,
            self._household.guilds,
            in_room=bool(self._room),
            greet=self._greeted,
        )
        tree = Tree(client, self._presses, self._commands, self._words, self._known, in_room=bool(self._room))
        return client, tree

    async def _session(self) -> None:
        client, tree = self.made()
        words = self._words[self._household.default]
        try:
            await client.login(self._token)
            beside = [self._start(self._register(tree)), self._start(self._watch(client))]
            try:
                await client.connect(reconnect=False)  # a resume is tried all the same; the rest is ours
            finally:
                for task in filter(None, beside):
                    task.cancel()
        except discord.LoginFailure:
            raise SettingsError("DISCORD_BOT_TOKEN", words("discord.trouble.token")) from None
        except discord.ConnectionClosed as error:
            if error.code in _WRONG:
                variable, key = _WRONG[error.code]
                raise SettingsError(variable, words(key)) from None
            raise
        finally:
            self._outlet.detach()
            self._household.client = None
            await client.close()

    def _greeted(self, client: Connection) -> None:
        """The token is right: from now on there is somebody to speak with."""
        self._household.client = client
        self._outlet.attach(client)
        if client.user:
            self._introduce(client.user.name)

    async def _register(self, tree: Tree) -> None:
        """Let Discord know the commands; without them everything can still be typed."""
        try:
            changed = await tree.register()
        except (PlatformTrouble, discord.DiscordException) as error:
            _log.warning("the commands cannot be registered: %s", error)
        else:
            _log.info("commands %s", "registered" if changed else "unchanged")

    async def _watch(self, client: Connection) -> None:
        """Say that the platform lives, as long as its gateway answers; the library leaves one that does not."""
        while True:
            if client.connected:
                self._beat()
            await self._clock.sleep(BEAT)

    async def _barred(self, key: str) -> None:
        await self._household.barred(key)

    def _start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None] | None:
        """Run it until the platform ends; None while it is not served."""
        if self._group is None:
            work.close()
            return None
        return self._group.create_task(work)
