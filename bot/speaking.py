"""`/language`: in which language the bot speaks; what a person writes is answered in its own by the model anyway."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Final

from core.config.values import BOT_PATH
from core.document import Address, Choice, Choices, Document, Text, Title
from core.errors import Malformed, NotAFile
from core.views.reader import LINE, clip

if TYPE_CHECKING:
    from bot.helping import Asked
    from core.i18n import Words
    from core.turn.parts import Parts

KEY: Final = "bot.language"
AUTO: Final = "auto"


class Speaking:
    """Answers it."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def language(self, asked: Asked) -> Document:
        """What is spoken, after it was set if a language was named; "auto" leaves it to each message's own app."""
        wanted, words, lead = asked.argument.strip(), asked.reader.words, ""
        named = self.named(wanted)
        if named is not None:
            try:
                await self._parts.config.change(KEY, None if named == AUTO else named)
                words = words if named == AUTO else self._parts.words[named]
                lead = words("language.done")
            except (Malformed, NotAFile):
                lead = words("config.broken", path=BOT_PATH)
        elif wanted:
            lead = words("language.wrong", value=clip(wanted, LINE))
        return self._page((await self._parts.config.load()).bot.language or AUTO, words, lead)

    def named(self, text: str) -> str | None:
        """The language that somebody typed, by its code or its name in any language; None for what names none."""
        plain = unicodedata.normalize("NFKC", text).strip().casefold()
        for one in (AUTO, *self._parts.words):
            names = [name for words in self._parts.words.values() for name in words(f"language.names.{one}").split()]
            if plain in {one, *(name.casefold() for name in names)}:
                return one
        return None

    def _page(self, chosen: str, words: Words, lead: str) -> Document:
        now = words("language.now", language=words(f"language.name.{chosen}"))
        said = [Text(one) for one in (lead, words("language.how")) if one]
        offered = [
            Choice(words(f"language.name.{one}"), Address("language", one))
            for one in (*self._parts.words, AUTO)
            if one != chosen
        ]
        return Document((Title(words("language.title"), note=now), *said, Choices(tuple(offered))), Address("language"))
