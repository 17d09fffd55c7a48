"""What went wrong with Discord: what can be done about it, and what a person is told."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, TypeVar

import aiohttp
import discord

from core.errors import PlatformTrouble

if TYPE_CHECKING:
    from collections.abc import Awaitable

LIMIT: Final = 60.0
"""Seconds that a call to Discord may take; it includes what the library waits for a rate limit."""

UNKNOWN_CHANNEL, UNKNOWN_MESSAGE, UNKNOWN_INTERACTION, UNKNOWN_WEBHOOK = 10003, 10008, 10062, 10015
OLD_EDITS, NOT_OURS, CLOSED, BAD_TOKEN, NO_ACCESS, NO_PERMISSION = 30046, 50005, 50007, 50027, 50001, 50013
INVALID: Final = 50035

GONE: Final = frozenset((UNKNOWN_MESSAGE, UNKNOWN_INTERACTION, UNKNOWN_WEBHOOK, BAD_TOKEN, OLD_EDITS, NOT_OURS))
"""A message with one of these cannot be edited any more: what it was to show is sent anew."""

_TOLD: Final = {
    CLOSED: "discord.trouble.closed",
    NO_ACCESS: "discord.trouble.access",
    NO_PERMISSION: "discord.trouble.access",
    UNKNOWN_CHANNEL: "discord.trouble.access",
}

T = TypeVar("T")


class Gone(PlatformTrouble):
    """The message can no longer be edited; send it anew."""


class Invalid(PlatformTrouble):
    """Discord refuses the form of what was sent; trying it again does not help."""


class Barred(PlatformTrouble):
    """Discord does not let the bot speak there; `key` names the sentence that says why and what helps."""

    def __init__(self, message: str, key: str) -> None:
        super().__init__(message)
        self.key = key


class Lost(PlatformTrouble):
    """The connection broke: whether Discord has done what was asked is not known."""


def known(error: discord.HTTPException) -> PlatformTrouble:
    """The error of ours that says what to do about Discord's. It names the codes and none of what was sent."""
    said = f"Discord answered {error.status} ({error.code})"
    if error.code in GONE:
        return Gone(said)
    if error.code in _TOLD:
        return Barred(said, _TOLD[error.code])
    if error.status == 400:  # noqa: PLR2004 - HTTP's own number
        return Invalid(said)
    return PlatformTrouble(said)


async def reached(call: Awaitable[T], limit: float = LIMIT) -> T:
    """The outcome of a call to Discord. Raises `Gone`, `Barred`, `Invalid`, `Lost` and else `PlatformTrouble`."""
    try:
        async with asyncio.timeout(limit):
            return await call
    except discord.HTTPException as error:
        raise known(error) from None
    except discord.RateLimited as error:
        raise PlatformTrouble(f"Discord asks for {error.retry_after:.0f} s of patience") from None
    except TimeoutError:
        raise PlatformTrouble(f"Discord did not answer within {limit:.0f} s") from None
    except (aiohttp.ClientError, OSError, RuntimeError) as error:  # RuntimeError: the session was closed meanwhile
        raise Lost(f"connection lost: {type(error).__name__}") from None
