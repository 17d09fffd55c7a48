"""What is rendered, as the Bot API library takes it: entities, buttons, what a message answers."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from telegram import InlineKeyboardButton, InlineKeyboardMarkup, MessageEntity, ReplyParameters

from adapters.telegram.buttons import packed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adapters.telegram.rendered import Button, Entity
    from core.conversation import Sayings


def markup(keyboard: Sequence[Sequence[Button]], sayings: Sayings) -> InlineKeyboardMarkup | None:
    """The rows as Telegram takes them; None when there are none."""
    rows = [
        [InlineKeyboardButton(button.label, callback_data=packed(button, sayings)) for button in row]
        for row in keyboard
    ]
    return InlineKeyboardMarkup(rows) if any(rows) else None


def entities_of(entities: Sequence[Entity]) -> list[MessageEntity]:
    """The entities as Telegram takes them."""
    return [
        MessageEntity(
            one.kind,
            one.offset,
            one.length,
            url=one.url or None,
            language=one.language or None,
            unix_time=datetime.fromtimestamp(one.unix, UTC) if one.unix else None,
            date_time_format=one.format or None,
        )
        for one in entities
    ]


def answered(message: int) -> ReplyParameters | None:
    """Let it be a reply to that message while it is there; None for 0."""
    return ReplyParameters(message, allow_sending_without_reply=True) if message else None
