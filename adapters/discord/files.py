"""Files that came with a message, by a link that is asked for anew: those of the message itself die within a day."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from adapters.discord.incoming import numbered
from adapters.discord.trouble import Barred, Gone, reached
from core.errors import TooLarge

if TYPE_CHECKING:
    import discord

    from core.conversation import Attachment

LARGEST: Final = 100 << 20
"""Bytes; a larger file is not fetched."""

PATIENCE: Final = 120.0
"""Seconds that a file may take."""


async def fetched(client: discord.Client, attachment: Attachment) -> bytes:
    """The bytes. Raises `TooLarge` when they are not to be had any more, `PlatformTrouble` when not just now."""
    if attachment.size > LARGEST:
        raise TooLarge(f"{attachment.name} has {attachment.size} bytes")
    channel, message, number = (numbered(part) or 0 for part in f"{attachment.ref}::".split(":")[:3])
    try:
        found = await reached(client.get_partial_messageable(channel).fetch_message(message))
        files = [*found.attachments, *(file for copied in found.message_snapshots for file in copied.attachments)]
        file = next((one for one in files if one.id == number), None)
        if file is None:
            raise TooLarge(f"{attachment.name} is not with its message any more")
        return await reached(file.read(), PATIENCE)
    except (Gone, Barred) as error:
        raise TooLarge(f"{attachment.name} was taken away") from error
