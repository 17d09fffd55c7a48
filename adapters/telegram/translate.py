"""From an update of Telegram to what the conversation knows: pure. Who sent it was checked before."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from telegram import (
    Message,
    MessageOriginChannel,
    MessageOriginChat,
    MessageOriginHiddenUser,
    MessageOriginUser,
)

from adapters.telegram.attachments import attachments_of, in_words
from adapters.telegram.buttons import STOP, meant
from core.conversation import Incoming
from core.i18n import locale_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from telegram import CallbackQuery, Chat, MessageOrigin, Update, User

    from core.conversation import Sayings
    from core.i18n import Words


@dataclass(frozen=True, slots=True)
class Pressed:
    """A pressed button, whose `query` wants an answer; `incoming` is None for a `stop` or a button too old to know."""

    query: str
    incoming: Incoming | None = None
    stop: bool = False


def message_of(update: Update, words: Mapping[str, Words]) -> Incoming | None:
    """The message or edit that an update brings; None when it says nothing (a pinned message, a preview that came)."""
    message = update.message or update.edited_message
    if message is None:
        return None
    locale = locale_of((message.from_user.language_code if message.from_user else "") or "")
    text = message.text or message.caption or ""
    files = attachments_of(message)
    if update.edited_message:
        mark = message.edit_date.timestamp() if message.edit_date else 0
        kind, edited = "edit", f"{mark:.0f}.{update.update_id}"
    else:
        kind, edited = "message", ""
        text = text or ("" if files else in_words(message, words[locale]))
    if not text and not (files and kind == "message"):
        return None
    forwarded, quoted, foreign = _foreign(message, text)
    return Incoming(
        key=f"tg:{message.chat.id}:{message.message_id}",
        surface="telegram",
        chat=str(message.chat.id),
        sent=message.date.astimezone(UTC),
        text="" if forwarded else text,
        kind="edit" if kind == "edit" else "message",
        edited=edited,
        locale=locale,
        group=message.media_group_id or "",
        forwarded=forwarded,
        quoted=quoted,
        foreign=foreign,
        reply_to=f"tg:{message.chat.id}:{message.reply_to_message.message_id}" if message.reply_to_message else "",
        attachments=files,
        place=_place(message) if kind == "message" else "",
    )


def _place(message: Message) -> str:
    """A shared place that is no shop or monument: where the person is, or means to be."""
    where = None if message.venue else message.location
    return f"{where.latitude:.5f},{where.longitude:.5f}" if where else ""


def pressed(query: CallbackQuery, now: datetime, sayings: Sayings) -> Pressed:
    """What a pressed button means: a message of its own, whose page takes the place of the button's message.

    A message that Telegram shows to the bot no more comes with the date 0; its page is sent anew.
    """
    shown = query.message
    if query.data == STOP:
        return Pressed(query.id, stop=True)
    text = meant(query.data or "", _labels(shown) if isinstance(shown, Message) else {}, sayings)
    if shown is None or not text.strip():
        return Pressed(query.id)
    opens = text.startswith("/")
    return Pressed(
        query.id,
        Incoming(
            key=f"tgq:{shown.chat.id}:{query.id}",
            surface="telegram",
            chat=str(shown.chat.id),
            sent=now,
            text=text,
            locale=locale_of(query.from_user.language_code or ""),
            replaces=str(shown.message_id) if opens and shown.date.timestamp() > 0 else "",
        ),
    )


def _labels(message: Message) -> dict[str, str]:
    rows = message.reply_markup.inline_keyboard if message.reply_markup else ()
    return {str(button.callback_data): button.text for row in rows for button in row if button.callback_data}


def _foreign(message: Message, text: str) -> tuple[str, str, str]:
    """Where foreign text is from, forwarded or quoted, and that text."""
    if message.forward_origin:
        return _origin(message.forward_origin), "", text
    answered = message.reply_to_message
    quote = message.quote.text if message.quote else ""
    if answered:
        said = quote or answered.text or answered.caption or ""
        who = _named(answered.sender_chat or answered.from_user)
        return "", _line(who, answered.date) if said else "", said
    if message.external_reply and quote:
        return "", _origin(message.external_reply.origin), quote
    return "", "", ""


def _origin(origin: MessageOrigin) -> str:
    match origin:
        case MessageOriginUser():
            who = _named(origin.sender_user)
        case MessageOriginHiddenUser():
            who = origin.sender_user_name
        case MessageOriginChat():
            who = _named(origin.sender_chat)
        case MessageOriginChannel():
            who = _named(origin.chat)
        case _:
            who = ""
    return _line(who, origin.date)


def _named(who: User | Chat | None) -> str:
    if who is None:
        return ""
    return " ".join((who.title or who.full_name or "").split()) if hasattr(who, "title") else who.full_name


def _line(who: str, at: datetime) -> str:
    return ", ".join(part for part in (who, f"{at.astimezone(UTC):%Y-%m-%d}") if part)
