"""`/settings`: what is set, and setting it, in force at once."""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from typing import TYPE_CHECKING

from core.config.describe import described, typed
from core.document import Document, Text
from core.errors import Malformed, NotAFile, SettingsError
from core.views.settings import DEFAULT, found_setting, setting_page, settings_page, split_typed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.helping import Asked
    from core.config import Preferences
    from core.config.describe import Setting, Value
    from core.i18n import Words
    from core.turn.parts import Parts
    from core.views.reader import Reader


class Choosing:
    """Answers it. A wrong value changes nothing and is told with what is allowed."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def settings(self, asked: Asked) -> Document:
        """All settings, one of them, or one with a new value."""
        preferences = await self._parts.config.load()
        settings = described(preferences)
        key, value = split_typed(asked.argument)
        if not key:
            return settings_page(self._listed(settings), preferences.problems, asked.reader)
        setting = found_setting(settings, key)
        if setting is None:
            page = settings_page(self._listed(settings), preferences.problems, asked.reader)
            return Document((Text(asked.reader.words("config.unknown", key=key)), *page.blocks), page.address)
        if not value:
            return setting_page(setting, preferences.problems, asked.reader)
        return await self._set(setting, value, preferences, asked.reader)

    def _listed(self, settings: Sequence[Setting]) -> list[Setting]:
        """The settings that mean something here: a choice of models only with models, that of demo data in the demo."""
        models = self._parts.models
        idle = [] if models and models.configured else ["model.provider", "worker.provider"]
        idle += [] if self._parts.demo else ["datasource"]
        return [one for one in settings if one.key not in idle]

    async def _set(self, setting: Setting, text: str, before: Preferences, reader: Reader) -> Document:
        try:
            after = await self._parts.config.change(setting.key, _meant(setting, text, reader.words))
        except SettingsError:
            lead = reader.words("config.refused", value=text, key=setting.key)
            return setting_page(setting, before.problems, reader, lead)
        except (Malformed, NotAFile):
            lead = reader.words("config.broken", path=setting.path)
            return setting_page(setting, before.problems, reader, lead)
        now = next(one for one in described(after) if one.key == setting.key)
        reader = replace(
            reader,
            words=self._parts.words[after.bot.language] if after.bot.language else reader.words,
            zone=after.bot.zone or reader.zone,
        )
        return setting_page(now, after.problems, reader, reader.words("config.done", key=setting.key))


def _meant(setting: Setting, text: str, words: Words) -> Value:
    """The value that somebody typed, also by the words that pages use for values; None for the default."""
    plain = unicodedata.normalize("NFKC", text).strip()
    called = plain.casefold()
    if called in {DEFAULT, words("choice.defaultWord").casefold()}:
        return None
    for yes, key in (("true", "choice.yes"), ("false", "choice.no")):
        if isinstance(setting.default, bool) and called in words(key).casefold().split():
            return typed(setting, yes)
    for choice in setting.choices:
        if choice and called == words(f"choice.value.{choice}").casefold():
            return typed(setting, choice)
    return typed(setting, plain)
