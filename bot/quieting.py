"""`/quiet`: the hours in which nothing is posted unasked, shown and set."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Final

from core.config.values import BOT_PATH
from core.document import Address, Choice, Choices, Document, Text
from core.errors import Malformed, NotAFile
from core.language.hours import hours_of
from core.views.reader import LINE, clip

if TYPE_CHECKING:
    from bot.helping import Asked
    from core.config.values import Quiet
    from core.i18n import Words
    from core.turn.parts import Parts

KEYS: Final = ("bot.quiet.from", "bot.quiet.to")
OFF: Final = "off"
USUAL: Final = ("22:00-07:00", "23:00-08:00")
"""The hours that a page offers."""


class Quieting:
    """Answers it. What names no hours changes nothing."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def quiet(self, asked: Asked) -> Document:
        """The quiet hours as they are, after they were set if some were named."""
        wanted, words = asked.argument.strip(), asked.reader.words
        hours = hours_in(wanted, words) if wanted else None
        lead = words("quiet.wrong", value=clip(wanted, LINE)) if wanted and hours is None else ""
        config = self._parts.config
        for key, value in zip(KEYS, hours, strict=True) if hours else ():
            try:
                await config.change(key, value)
            except (Malformed, NotAFile):
                lead = words("config.broken", path=BOT_PATH)
                break
        return quiet_page((await config.load()).bot.quiet, asked.reader.zone, words, lead)


def hours_in(text: str, words: Words) -> tuple[str | None, str | None] | None:
    """Both ends as `HH:MM` that somebody typed, two Nones (the default) for "off", None for what names no hours."""
    plain = unicodedata.normalize("NFKC", text).strip().casefold()
    return (None, None) if plain in {OFF, *words("quiet.off").split()} else hours_of(plain)


def quiet_page(quiet: Quiet, zone: str, words: Words, lead: str = "") -> Document:
    """What holds, and how it is changed; `lead` says what was not understood."""
    none = quiet.start == quiet.end
    now = words("quiet.none") if none else words("quiet.now", start=quiet.start, end=quiet.end, zone=zone)
    said = [Text(one) for one in (lead, now, words("quiet.how")) if one]
    offered = [Choice(hours, Address("quiet", hours)) for hours in USUAL if hours != f"{quiet.start}-{quiet.end}"]
    stop = () if none else (Choice(words("quiet.off").split()[0], Address("quiet", OFF)),)
    return Document((*said, Choices((*offered, *stop))), Address("quiet"))
