"""What comes with a message: files as attachments, and what is no file in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from core.conversation import Attachment

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telegram import Message

    from core.i18n import Words

_OTHER: Final = (
    "poll", "dice", "game", "story", "invoice", "paid_media", "checklist", "giveaway",
)  # fmt: skip
_FILES: Final = (
    ("animation", "animation-{n}.mp4", "video/mp4"),
    ("document", "file-{n}", "application/octet-stream"),
    ("voice", "voice-{n}.ogg", "audio/ogg"),
    ("audio", "audio-{n}.mp3", "audio/mpeg"),
    ("video", "video-{n}.mp4", "video/mp4"),
    ("video_note", "video-note-{n}.mp4", "video/mp4"),
)
"""Kinds of files with the names and media types that they have when the sender gives none."""


def attachments_of(message: Message) -> tuple[Attachment, ...]:
    """The files of a message, each with its handle."""
    return tuple(_files(message))


def _files(message: Message) -> Iterator[Attachment]:
    number = message.message_id
    if message.photo:
        largest = max(message.photo, key=lambda size: size.width * size.height)
        yield Attachment(f"photo-{number}.jpg", "image/jpeg", largest.file_size or 0, largest.file_id)
    for kind, name, media in _FILES:
        file = getattr(message, kind)
        if file is None or (kind == "document" and message.animation):  # an animation is told of twice
            continue
        named = getattr(file, "file_name", None) or name.format(n=number)
        yield Attachment(named, getattr(file, "mime_type", None) or media, file.file_size or 0, file.file_id)


def in_words(message: Message, words: Words) -> str:
    """What came that is neither text nor a file; "" when nothing did."""
    if message.sticker:
        return words("telegram.sticker", emoji=message.sticker.emoji or "")
    if message.venue:
        place = message.venue.location
        name = f"{message.venue.title}, {message.venue.address}"
        return words("telegram.place", name=name, latitude=place.latitude, longitude=place.longitude)
    if message.location:
        return words("telegram.location", latitude=message.location.latitude, longitude=message.location.longitude)
    if message.contact:
        name = " ".join(part for part in (message.contact.first_name, message.contact.last_name) if part)
        return words("telegram.contact", name=name, phone=message.contact.phone_number)
    return next((words("telegram.other", kind=kind) for kind in _OTHER if getattr(message, kind, None)), "")
