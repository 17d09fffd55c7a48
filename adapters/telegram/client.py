"""Telegram as a platform: one private chat with the owner, received by polling or a webhook, answered by presenters."""

from __future__ import annotations

import asyncio
import logging
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from weakref import WeakValueDictionary

from adapters.strangers import Strangers
from adapters.telegram.api import Api
from adapters.telegram.beside import Forgetful, first, harmless, unheard
from adapters.telegram.delivery import Delivery
from adapters.telegram.hook import PATH, Hook
from adapters.telegram.intake import SURFACE, Heard, Intake
from adapters.telegram.polling import Polling
from adapters.telegram.presence import publish
from adapters.telegram.presenter import TelegramPresenter
from adapters.telegram.render import render
from adapters.telegram.rendered import Part
from adapters.telegram.working import Working
from core.i18n import locale_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence

    from adapters.telegram.api import Json
    from adapters.telegram.hook import Routes
    from adapters.telegram.presence import Listed
    from adapters.telegram.senders import Sender
    from adapters.telegram.translate import Pressed
    from core.clock import Clock
    from core.conversation import Attachment, Inbox, Incoming, Outbox, Owners, Presenter, Sayings, Surface
    from core.document import Document, Picture
    from core.errors import StorageError
    from core.i18n import Words

LOOK: Final = 60.0
"""Seconds between two looks whether Telegram answers, while it calls and is not asked."""

EYES: Final = "👀"
"""The reaction that says: seen, it is answered next."""

_log = logging.getLogger("previously.telegram")


@dataclass(frozen=True, slots=True)
class Webhook:
    """Where Telegram is to call: the public address of this process, and the server that hears it.

    `secret` is what Telegram must send along; empty, a new one is made at each start.
    """

    url: str
    routes: Routes
    secret: str = ""


class Telegram:
    """The platform of one bot and its owner.

    `stop` ends the answer that is being written and says whether there was one. `commands` are listed in the app, by
    locale. `welcome` is the page for whoever has just claimed the bot. `introduce` is told the bot's name and the link
    that claims it, each time it is connected; `beat` is called whenever Telegram has answered. `draw` makes a picture.
    `sayings` keeps what is too long for a button. `back` is told the chat whenever its person is heard of, so that what
    a blocked bot could not say is said.
    `base_url` and `file_url` are those of a Bot API server of one's own; with a `webhook` Telegram calls, else it is
    asked. `locale` is spoken while the person's language is not known, and `spoken`
    is the language that was set, "" for none. `drafts` False shows "typing" only.
    """

    def __init__(  # noqa: PLR0913 - the composition root names every part
        self,
        *,
        token: str,
        owners: Owners,
        words: Mapping[str, Words],
        clock: Clock,
        stop: Callable[[], Awaitable[bool]],
        commands: Mapping[str, Sequence[Listed]],
        welcome: Callable[[str, Words], Document],
        draw: Callable[[Picture], bytes],
        sayings: Sayings,
        back: Callable[[str], None] | None = None,
        spoken: Callable[[], str] | None = None,
        introduce: Callable[[str, str], None] | None = None,
        beat: Callable[[], None] | None = None,
        base_url: str = "",
        file_url: str = "",
        webhook: Webhook | None = None,
        locale: str = "en",
        drafts: bool = True,
    ) -> None:
        self.api = Api(token, clock, sayings, base_url, file_url)
        self._owners = owners
        self._words = words
        self._clock = clock
        self._stop = stop
        self._commands = commands
        self._welcome = welcome
        self._draw = draw
        self._back = back or unheard
        self._spoken = spoken or str
        self._introduce = introduce
        self._beat = beat or (lambda: None)
        self._webhook = webhook
        self._secret = (webhook.secret if webhook else "") or secrets.token_urlsafe(32)
        self._hook = Hook(webhook.routes, self._secret) if webhook else None
        self._locale = locale
        self._locales: dict[str, str] = {}
        self._working = Working(self.api, clock, drafts=drafts)
        self._strangers = Strangers(clock)
        self._intake = Intake(clock, owners, words, self._answer, sayings)
        self._group: asyncio.TaskGroup | None = None
        self._presenters: WeakValueDictionary[tuple[str, str], TelegramPresenter] = WeakValueDictionary()
        self._told: set[str] = set()
        self._left: set[str] = set()

    @property
    def surface(self) -> Surface:
        """Telegram."""
        return SURFACE

    @property
    def ignored(self) -> int:
        """How many updates were not the owner's."""
        return self._intake.ignored

    def writes_to(self, chat: str) -> bool:
        """Whether that is the private chat with the owner, whose number is the owner's."""
        return chat == self._owners.owner(SURFACE)

    def presenter(self, chat: str, turn: str, outbox: Outbox, replaces: str = "") -> Presenter:
        """A presenter for one turn; it shows nothing before its end while the platform is not served."""
        before = self._presenters.get((chat, turn))
        if before:
            before.leave()
        presenter = self._presenters[chat, turn] = TelegramPresenter(
            api=self.api,
            clock=self._clock,
            words=self._words_in(chat),
            working=self._working,
            begin=self._begin,
            draw=self._draw,
            chat=chat,
            turn=turn,
            outbox=outbox,
            replaces=replaces,
        )
        return presenter

    async def fetch(self, chat: str, attachment: Attachment) -> bytes:
        """The bytes of a file. Raises `PlatformTrouble`, and `TooLarge` for what bots never get."""
        del chat
        return await self.api.fetch(attachment.ref, attachment.size)

    async def serve(self, inbox: Inbox) -> None:
        """Receive until cancelled. Raises `SettingsError` (token, address) and `PlatformTrouble`: nobody answers."""
        try:
            await self._serve(inbox)
        except BaseExceptionGroup as several:
            raise first(several) from None

    async def _serve(self, inbox: Inbox) -> None:
        await self.api.connect()
        try:
            async with asyncio.TaskGroup() as group:
                self._group = group
                beside = [group.create_task(self._working.run()), group.create_task(self._publish())]
                if self._introduce:
                    self._introduce(self.api.name, f"https://t.me/{self.api.name}?start=")
                try:
                    await self._receive(inbox)
                finally:
                    self._group = None
                    for one in beside:
                        one.cancel()
        finally:
            await self.api.close()

    async def _receive(self, inbox: Inbox) -> None:
        async def take(updates: Sequence[Json]) -> None:
            heard = await self._intake.take(inbox, updates)
            self._react(heard)
            if heard.unsettled:
                raise heard.unsettled

        if not self._hook or not self._webhook:
            await Polling(self.api, self._clock, take, self._rival, self._unkept, self._beat).run()
            return
        self._hook.open(take)
        try:
            await self.api.hook(f"{self._webhook.url.rstrip('/')}{PATH}", self._secret)
            while True:
                self._beat()
                await self._clock.sleep(LOOK)
                await self.api.profile.commands("", "")  # calls come only when somebody writes: are we connected?
        finally:
            self._hook.close()

    def _begin(self, work: Coroutine[object, object, None]) -> asyncio.Task[None] | None:
        """Do something beside what is being done; nothing while the platform is not served."""
        if self._group is None:
            work.close()
            return None
        return self._group.create_task(work)

    def _soon(self, work: Coroutine[object, object, object]) -> None:
        """Do something beside, whose failure harms nobody."""
        self._begin(harmless(work))

    # what follows from what came in

    async def _answer(self, one: Pressed) -> None:
        """Let a button stop waiting, before its work begins."""
        old = one.incoming is None and not one.stop
        self._soon(self.api.answer(one.query, self._speech()("telegram.old_button") if old else ""))

    def _react(self, heard: Heard) -> None:
        self._hear(heard)
        if heard.stops:
            self._soon(self._stopped())
        for chat in heard.asked_to_stop:
            self._soon(self._stopped(chat))
        for sender in heard.claimed:
            self._soon(self._greet(sender))
        for sender in heard.strangers:
            if self._strangers.may_hear(sender.chat):
                self._soon(self.api.send(sender.chat, Part(self._words[locale_of(sender.locale)]("telegram.private"))))
        for chat in set(heard.groups) - self._left:
            self._left.add(chat)
            self._soon(self.api.leave(chat))
        if heard.poison:
            self._soon(self._tell("telegram.unreadable"))

    def _hear(self, heard: Heard) -> None:
        """What the owner said, and that they are there."""
        for said in heard.kept:
            self._locales[said.chat] = said.locale or self._locale
            if said.kind == "message" and not said.replaces and not said.text.startswith("/"):
                self._wait_for(said)
        for chat in {*heard.back, *(said.chat for said in heard.kept)}:
            self._back(chat)

    def _wait_for(self, said: Incoming) -> None:
        """The first sign that a message has been taken: something is being done, or a reaction while it must wait."""
        if self._working.busy(said.chat) and said.key.startswith("tg:"):
            self._soon(self.api.react(said.chat, int(said.key.rpartition(":")[2]), EYES))
        self._working.begin(said.chat)

    async def _stopped(self, chat: str = "") -> None:
        if not await self._stop() and chat:
            await self.api.send(chat, Part(self._words_in(chat)("telegram.nothing_runs")), silent=True)

    async def _greet(self, sender: Sender) -> None:
        """Welcome the owner, and show what only the owner is shown."""
        self._locales[sender.chat] = locale_of(sender.locale)
        page = render(self._welcome(sender.person, self._words_in(sender.chat)), self._words_in(sender.chat))
        await Delivery(self.api, sender.chat, "welcome", Forgetful()).deliver(page)
        await self._publish()

    async def _publish(self) -> None:
        await publish(self.api.profile, self._owners.owner(SURFACE) or "", self._words, self._commands)

    async def _rival(self) -> None:
        self._soon(self._tell("telegram.rival"))

    async def _unkept(self, error: StorageError) -> None:
        """The disk refuses: Telegram keeps the messages, and the owner hears of it once."""
        _log.warning("messages wait at Telegram: %s", error)
        self._soon(self._tell("telegram.unkept"))

    async def _tell(self, key: str) -> None:
        """Say something about the process itself to the owner, once."""
        owner = self._owners.owner(SURFACE)
        if owner and key not in self._told:
            self._told.add(key)
            await self.api.send(owner, Part(self._speech()(key)), silent=True)

    def _speech(self) -> Words:
        return self._words_in(self._owners.owner(SURFACE) or "")

    def _words_in(self, chat: str) -> Words:
        return self._words[self._spoken() or self._locales.get(chat, self._locale)]
