"""The Bot API through python-telegram-bot without its updater: each call with a time limit, in its lane, quiet in logs.

The library is asked for nothing that it keeps to itself: no queue of updates, no rate limiter, no handlers.
"""

from __future__ import annotations

import logging
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final

from telegram import (
    Bot,
    InputMediaPhoto,
    LinkPreviewOptions,
    ReactionTypeEmoji,
)
from telegram.error import BadRequest, EndPointNotFound, InvalidToken, TelegramError
from telegram.request import HTTPXRequest

from adapters.telegram.lanes import Lanes
from adapters.telegram.profile import Profile
from adapters.telegram.sent import answered, entities_of, markup
from core.errors import PlatformTrouble, SettingsError, TooLarge

if TYPE_CHECKING:
    from adapters.telegram.lanes import Answer, Outcome
    from adapters.telegram.rendered import Button, NamedFile, Part
    from core.clock import Clock
    from core.conversation import Sayings

PUBLIC: Final = "https://api.telegram.org"
POLL: Final = 50
"""Seconds that a poll may be held; the server allows no more."""

READ: Final = 20.0
DOWNLOAD: Final = 20 << 20
"""Bytes that bots may fetch (ux.md 1.2)."""

KINDS: Final = ("message", "edited_message", "callback_query", "my_chat_member", "stopped_message_generation")
TOKEN: Final = "TELEGRAM_BOT_TOKEN"  # noqa: S105 - the name of the variable
_PLAIN: Final = LinkPreviewOptions(is_disabled=True)
_ALL: Final = ""

Json = dict[str, Any]
Keyboard = tuple[tuple["Button", ...], ...]


class Api:
    """What the bot can do on Telegram. `base_url` and `file_url` are those of a server of one's own."""

    def __init__(self, token: str, clock: Clock, sayings: Sayings, base_url: str = "", file_url: str = "") -> None:
        for name in ("httpx", "httpcore", "telegram"):
            logging.getLogger(name).setLevel(logging.WARNING)  # httpx logs addresses, which hold the token (P087)
        base = (base_url or PUBLIC).rstrip("/")
        files = (file_url or base).rstrip("/")
        self._request = request = HTTPXRequest(
            connection_pool_size=32, read_timeout=READ, connect_timeout=10.0, pool_timeout=10.0
        )
        self._bot = Bot(
            token,
            base_url=f"{base}/bot",
            base_file_url=f"{files}/file/bot",
            request=request,
            get_updates_request=request,
        )
        self.lanes = Lanes(clock)
        self._sayings = sayings
        self.profile = Profile(self._bot, self.lanes)
        self.name = ""
        """The bot's name as people type it, without the @; "" before it is connected."""

    async def connect(self) -> None:
        """Learn who we are. Raises `SettingsError` when the token is refused, `PlatformTrouble` when nobody answers."""
        try:
            await self._bot.initialize()
            self.name = self._bot.username
        except InvalidToken:
            raise SettingsError(TOKEN, "Telegram refuses this token: ask @BotFather for the right one") from None
        except TelegramError as error:
            raise PlatformTrouble(f"getMe: {type(error).__name__}") from None

    async def close(self) -> None:
        """Close the connections."""
        await self._bot.shutdown()
        await self._request.shutdown()  # the library closes nothing when it has never been connected

    # receiving

    async def updates(self, offset: int | None, seconds: int = POLL) -> list[Json]:
        """The next updates, as they came; waits until there are some or the time is over.

        Raises the library's errors, and `SettingsError` when the token has been revoked. The name is written unlike the
        library's own method, which would read a whole batch or nothing of it; the API does not mind.
        """
        asked = {"timeout": seconds, "allowed_updates": list(KINDS)} | ({} if offset is None else {"offset": offset})
        try:
            found = await self._bot.do_api_request("GetUpdates", api_kwargs=asked, read_timeout=seconds + 10.0)
        except EndPointNotFound:
            raise SettingsError(TOKEN, "Telegram does not take this token any more") from None
        return list(found)

    async def forget_hook(self) -> None:
        """Be asked again, rather than called; what waits is kept."""
        await self.lanes.durable(_ALL, "deleteWebhook", lambda: self._bot.delete_webhook(drop_pending_updates=False))

    async def hook(self, url: str, secret: str) -> None:
        """Be called at that address, one update after another. Raises `SettingsError` when Telegram refuses it."""
        answer = await self.lanes.durable(
            _ALL,
            "setWebhook",
            lambda: self._bot.set_webhook(
                url, allowed_updates=KINDS, secret_token=secret, max_connections=1, drop_pending_updates=False
            ),
        )
        if answer.outcome != "done":
            raise SettingsError("WEBHOOK_URL", "Telegram does not take this address")

    # showing

    async def send(
        self,
        chat: str,
        part: Part,
        keyboard: Keyboard = (),
        *,
        silent: bool = False,
        repeat: bool = False,
        reply: int = 0,
    ) -> Answer[int]:
        """Send a message; its id. `repeat` when a second one would do no harm.

        `reply` is a message that it answers, while that is there.
        """

        async def call() -> int:
            sent = await self._bot.send_message(
                int(chat),
                part.text,
                entities=entities_of(part.entities),
                reply_markup=markup(keyboard, self._sayings),
                disable_notification=silent,
                link_preview_options=_PLAIN,
                reply_parameters=answered(reply),
            )
            return sent.message_id

        return await self.lanes.durable(chat, "sendMessage", call, repeat=repeat)

    async def edit(self, chat: str, message: int, part: Part, keyboard: Keyboard = ()) -> Outcome:
        """Let a message read so."""
        answer = await self.lanes.durable(chat, "editMessageText", lambda: self._edit(chat, message, part, keyboard))
        return answer.outcome

    async def try_edit(self, chat: str, message: int, part: Part, keyboard: Keyboard = ()) -> bool:
        """Let a message read so, if Telegram likes; whether it does."""
        return await self.lanes.cosmetic(chat, "editMessageText", lambda: self._edit(chat, message, part, keyboard))

    async def _edit(self, chat: str, message: int, part: Part, keyboard: Keyboard) -> object:
        return await self._bot.edit_message_text(
            part.text,
            int(chat),
            message,
            entities=entities_of(part.entities),
            reply_markup=markup(keyboard, self._sayings),
            link_preview_options=_PLAIN,
        )

    async def illustrate(self, chat: str, message: int, picture: bytes, part: Part, keyboard: Keyboard) -> Outcome:
        """Let a message show a picture with text below it."""
        media = InputMediaPhoto(picture, part.text, caption_entities=entities_of(part.entities), filename="picture.png")

        async def call() -> object:
            return await self._bot.edit_message_media(
                media, int(chat), message, reply_markup=markup(keyboard, self._sayings)
            )

        return (await self.lanes.durable(chat, "editMessageMedia", call)).outcome

    async def delete(self, chat: str, message: int) -> Outcome:
        """Take a message away."""
        call = await self.lanes.durable(chat, "deleteMessage", lambda: self._bot.delete_message(int(chat), message))
        return call.outcome

    async def send_file(self, chat: str, file: NamedFile) -> Answer[int]:
        """Send a file, without a sound."""

        async def call() -> int:
            sent = await self._bot.send_document(
                int(chat), BytesIO(file.data), filename=file.name, disable_notification=True, write_timeout=60.0
            )
            return sent.message_id

        return await self.lanes.durable(chat, "sendDocument", call, repeat=False)

    # signs of life

    async def typing(self, chat: str) -> bool:
        """Show for five seconds that something is being written."""
        return await self.lanes.cosmetic(
            chat, "sendChatAction", lambda: self._bot.send_chat_action(int(chat), "typing")
        )

    async def draft(self, chat: str, number: int, text: str) -> bool:
        """Show a draft with a stop button; empty is Telegram's own "Thinking". It lasts 30 s, or until a message."""
        return await self.lanes.cosmetic(
            chat,
            "sendMessageDraft",
            lambda: self._bot.send_message_draft(int(chat), number, text, api_kwargs={"can_stop": True}),
        )

    async def react(self, chat: str, message: int, emoji: str) -> bool:
        """React to a message of the person's; "" takes the reaction back."""
        wanted = [ReactionTypeEmoji(emoji)] if emoji else []
        return await self.lanes.cosmetic(
            chat, "setMessageReaction", lambda: self._bot.set_message_reaction(int(chat), message, wanted)
        )

    async def answer(self, query: str, toast: str = "") -> bool:
        """Answer a pressed button, so that it stops waiting. One that waited too long is nobody's fault."""
        return await self.lanes.cosmetic(
            _ALL, "answerCallbackQuery", lambda: self._bot.answer_callback_query(query, toast or None)
        )

    async def leave(self, chat: str) -> bool:
        """Leave a group or channel."""
        return await self.lanes.cosmetic(chat, "leaveChat", lambda: self._bot.leave_chat(int(chat)))

    # files

    async def fetch(self, ref: str, size: int = 0) -> bytes:
        """The bytes of a file that somebody sent. Raises `TooLarge` when bots do not get it, and `PlatformTrouble`."""
        if size > DOWNLOAD:
            raise TooLarge(f"{size} bytes: bots get 20 MB")
        try:
            file = await self._bot.get_file(ref)
            return bytes(await file.download_as_bytearray(read_timeout=60.0))
        except BadRequest as error:
            raise TooLarge(error.message) from None
        except TelegramError as error:  # its words may hold the address, and that the token
            raise PlatformTrouble(f"getFile: {type(error).__name__}") from None
