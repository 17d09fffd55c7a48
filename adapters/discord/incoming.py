"""Discord's messages as updates of ours; pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import discord

from core.conversation import Attachment, Incoming

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

SPOKEN: Final = (discord.MessageType.default, discord.MessageType.reply)
"""The types of messages that somebody wrote; others are Discord's own (pins, calls)."""

UNNAMED: Final = "application/octet-stream"


def message_key(channel: int, message: int) -> str:
    """The key of a message."""
    return f"dc:{channel}:{message}"


def pressed_key(channel: int, interaction: int) -> str:
    """The key of a pressed button or a slash command."""
    return f"dcq:{channel}:{interaction}"


def numbered(key: str) -> int | None:
    """The platform's id in a key of ours or an id that stands alone; None when there is none."""
    last = key.rpartition(":")[2]
    return int(last) if last.isascii() and last.isdigit() else None


def spoken(message: discord.Message) -> bool:
    """Whether a person wrote it: no bot, no webhook, no notice of Discord's."""
    return message.type in SPOKEN and not message.author.bot and message.webhook_id is None


def incoming(message: discord.Message, locale: str, *, away: bool = False) -> Incoming:
    """The message as an update. What is forwarded or quoted is kept apart from the person's own words (DESIGN 5.7)."""
    forwarded, quoted, foreign, reply_to = _foreign(message)
    return Incoming(
        key=message_key(message.channel.id, message.id),
        surface="discord",
        chat=str(message.channel.id),
        sent=message.created_at,
        text=message.content or " ".join(f":{sticker.name}:" for sticker in message.stickers),
        locale=locale,
        forwarded=forwarded,
        quoted=quoted,
        foreign=foreign,
        reply_to=reply_to,
        away=away,
        attachments=tuple(_attachments(message)),
    )


def edited(message: discord.Message, locale: str) -> Incoming | None:
    """The edit that made the message what it is; None when nobody has edited it (a link's preview was added)."""
    if message.edited_at is None:
        return None
    found = incoming(message, locale)
    return Incoming(
        key=found.key,
        surface="discord",
        chat=found.chat,
        sent=message.edited_at,
        text=found.text,
        kind="edit",
        edited=message.edited_at.isoformat(),
        locale=locale,
        forwarded=found.forwarded,
        quoted=found.quoted,
        foreign=found.foreign,
        reply_to=found.reply_to,
        attachments=found.attachments,
    )


def deleted(channel: int, message: int, at: datetime) -> Incoming:
    """The deletion of a message."""
    return Incoming(message_key(channel, message), "discord", str(channel), at, "", kind="deletion")


def _foreign(message: discord.Message) -> tuple[str, str, str, str]:
    """The origin of what is forwarded, of what is quoted, the foreign text, and the key of the message answered."""
    if message.message_snapshots:
        copied = message.message_snapshots[0]
        return f"Discord, {_stamp(copied.created_at)}", "", copied.content or "", ""
    reference = message.reference
    if reference is None or reference.message_id is None:
        return "", "", "", ""
    key = message_key(reference.channel_id, reference.message_id)
    resolved = reference.resolved
    if not isinstance(resolved, discord.Message):
        return "", "", "", key
    text = resolved.content or shown_text(resolved)
    return "", f"{resolved.author.display_name}, {_stamp(resolved.created_at)}" if text else "", text, key


def shown_text(message: discord.Message) -> str:
    """What the components of a page say."""
    return "\n".join(_texts(message.components))


def _texts(components: Iterable[object]) -> Iterable[str]:
    for one in components:
        if isinstance(one, discord.TextDisplay):
            yield one.content
        elif isinstance(one, discord.Container | discord.SectionComponent):
            yield from _texts(one.children)


def _attachments(message: discord.Message) -> Iterable[Attachment]:
    files = list(message.attachments)
    for copied in message.message_snapshots:
        files += copied.attachments
    for file in files:
        # The link that came with it dies within a day; by the message a fresh one can always be had.
        ref = f"{message.channel.id}:{message.id}:{file.id}"
        yield Attachment(file.filename, (file.content_type or UNNAMED).partition(";")[0], file.size, ref)


def _stamp(instant: datetime) -> str:
    return f"{instant:%Y-%m-%d %H:%M} UTC"
