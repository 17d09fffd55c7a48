"""Who an update is from, and whether that is the owner: on every kind, by numeric id, in a private chat (DESIGN 7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from telegram import Chat, Update, User

STOPPED = "stopped_message_generation"
"""The update of a native stop button; the library does not know it yet."""


@dataclass(frozen=True, slots=True)
class Sender:
    """Who sent an update: the numeric ids of the person ("" when it has none) and of the chat."""

    person: str
    chat: str
    private: bool
    locale: str = ""

    def is_owner(self, owner: str | None) -> bool:
        """Whether this is that person, alone with the bot. A private chat has its person's id."""
        return bool(owner) and self.private and self.person == owner == self.chat


def sender_of(update: Update) -> Sender | None:
    """Who sent it; None for kinds that are not asked for. Bots, channels and missing senders have no person."""
    message = update.message or update.edited_message
    if message:
        return _sender(message.chat, None if message.sender_chat else message.from_user)
    if update.callback_query:
        shown = update.callback_query.message
        return _sender(shown.chat if shown else None, update.callback_query.from_user)
    if update.my_chat_member:
        return _sender(update.my_chat_member.chat, update.my_chat_member.from_user)
    stopped = update.api_kwargs.get(STOPPED)
    if isinstance(stopped, dict):
        chat: dict[str, Any] = stopped.get("chat") or {}
        number = str(chat.get("id", ""))
        return Sender(number, number, chat.get("type") == "private")
    return None


def _sender(chat: Chat | None, person: User | None) -> Sender:
    known = person if person and not person.is_bot else None
    return Sender(
        str(known.id) if known else "",
        str(chat.id) if chat else "",
        chat is not None and chat.type == "private",
        (known.language_code or "") if known else "",
    )
