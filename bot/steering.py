"""`/model`, `/think`, `/effort`: which model answers and how hard it thinks, in force with the next message."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Final

from core.document import Document, Text
from core.errors import Malformed, NotAFile
from core.llm import roles
from core.llm.models import NO_WISH, Description, thinking_of
from core.llm.providers import current
from core.views.models import EFFORTS, choose, effort_page, models_page, others, thinking_page
from core.views.reader import clip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.helping import Asked
    from core.document import Choice
    from core.turn.parts import Parts
    from core.views.reader import Reader

NAME: Final = "model.provider"
THINKING: Final = "model.thinking"
EFFORT: Final = "model.reasoningEffort"


class Steering:
    """Answers them. What is not to be had changes nothing, and is told with what there is."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def model(self, asked: Asked) -> Document:
        """The models, or another one for all answers from now on."""
        told, text = await self._told(), asked.argument
        if told.main is None:
            return models_page(told, asked.reader)
        if not text or text.isdigit():
            return models_page(told, asked.reader, max(int(text or 1) - 1, 0))
        wanted = current(text)
        found = roles.find(told.entries, wanted)
        if found is None:
            lead = asked.reader.words("model.fallback", missing=text[:80], model=told.main.id)
            return models_page(told, asked.reader, lead=lead)
        trouble = await self._set(NAME, found.id, asked)
        if trouble:
            return trouble
        lead = asked.reader.words("models.done", model=f"`{found.id}`")
        return models_page(await self._told(), asked.reader, lead=lead, set_now=found.id)

    async def think(self, asked: Asked) -> Document:
        """Whether the model thinks first, or `on` or `off`."""
        words, text = asked.reader.words, _plain(asked.argument)
        if not text:
            return thinking_page(await self._told(), asked.reader)
        wanted = _switch(text, words("choice.yes").casefold().split(), words("choice.no").casefold().split())
        if wanted is None:
            return thinking_page(await self._told(), asked.reader, words("models.think.how"))
        return await self._set(THINKING, wanted, asked) or thinking_page(
            await self._told(), asked.reader, words("models.set")
        )

    async def effort(self, asked: Asked) -> Document:
        """How hard the model thinks, or `low`, `medium`, `high`."""
        words, text = asked.reader.words, _plain(asked.argument)
        if not text:
            return effort_page(await self._told(), asked.reader)
        called = {words(f"choice.value.{one}").casefold(): one for one in EFFORTS} | {one: one for one in EFFORTS}
        if text not in called:
            return effort_page(await self._told(), asked.reader, words("models.effort.how"))
        return await self._set(EFFORT, called[text], asked) or effort_page(
            await self._told(), asked.reader, words("models.set")
        )

    async def known(self) -> Sequence[str]:
        """The ids that may be chosen, for completion."""
        return [entry.id for entry in (await self._told()).entries]

    async def again(self, model: str, reader: Reader) -> Sequence[Choice]:
        """Ways to an answer of a few other models than that one."""
        found = others(await self._told(), model)
        return [choose("retry", one.id, reader.words("again.with", model=clip(one.id))) for one in found]

    async def _told(self) -> Description:
        models = self._parts.models
        if models and models.configured:
            return await models.describe()
        preferences = await self._parts.config.load()
        return Description(thinking=thinking_of(preferences, NO_WISH), effort=preferences.user.model.effort)

    async def _set(self, key: str, value: str | bool, asked: Asked) -> Document | None:
        """Set it; the page that says why that was not possible."""
        try:
            await self._parts.config.change(key, value)
        except (Malformed, NotAFile) as error:
            where = error.where if isinstance(error, Malformed) else error.path
            return Document((Text(asked.reader.words("config.broken", path=where)),))
        if self._parts.models:
            self._parts.models.wake()
        return None


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).strip().casefold()


def _switch(text: str, yes: Sequence[str], no: Sequence[str]) -> bool | None:
    if text in {"on", "true", "yes", *yes}:
        return True
    return False if text in {"off", "false", "no", *no} else None
