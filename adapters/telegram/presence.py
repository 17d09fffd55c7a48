"""What Telegram shows of the bot before a word is said: commands for the owner alone, descriptions in each language."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

from core.errors import PlatformTrouble

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from adapters.telegram.profile import Profile
    from core.i18n import Words

DEFAULT: Final = "en"
"""The locale whose words stand for all languages that have none of their own."""

_EVERYBODY: Final = ""
_log = logging.getLogger("previously.telegram")

Listed = tuple[str, str]
"""A command's name, and what it does."""


async def publish(
    profile: Profile, owner: str, words: Mapping[str, Words], commands: Mapping[str, Sequence[Listed]]
) -> None:
    """Bring what Telegram shows up to date, calling only for what differs. Trouble with it is no harm."""
    try:
        if await profile.commands(_EVERYBODY, ""):
            await profile.offer((), _EVERYBODY, "")
        for locale, said in words.items():
            language = "" if locale == DEFAULT else locale
            await _describe(profile, said, language)
            listed = list(commands.get(locale, ()))
            if owner and await profile.commands(owner, language) != listed:
                await profile.offer(listed, owner, language)
    except PlatformTrouble as error:
        _log.warning("what Telegram shows of the bot is not up to date: %s", error)


async def _describe(profile: Profile, words: Words, language: str) -> None:
    about, short = words("telegram.about"), words("telegram.short")
    if await profile.description(language) != about:
        await profile.describe(about, language)
    if await profile.short_description(language) != short:
        await profile.describe_shortly(short, language)
