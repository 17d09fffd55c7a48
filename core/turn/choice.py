"""Which model answers a turn, and what the person is told when the one they want is not to be had."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.conversation import Noted
from core.llm.models import NO_WISH, Wish

if TYPE_CHECKING:
    from core.conversation import Presenter
    from core.i18n import Words
    from core.llm.base import ChatModel
    from core.turn.parts import Parts


class Choosing:
    """Finds the model for a turn, by the settings or by what one request wants otherwise."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._told: set[str] = set()

    async def model(self, presenter: Presenter, words: Words, wish: Wish = NO_WISH) -> ChatModel:
        """The model; an id that is not to be had is said, that of the settings once per process (original.md 2.15)."""
        models = self._parts.models
        if models is None or not models.configured:
            return self._parts.model
        found = await models.describe(wish)
        if found.main and found.missing and (wish.model or found.missing not in self._told):
            self._told.add(found.missing)
            await presenter.show(Noted(words("model.fallback", missing=found.missing, model=found.main.id)))
        return self._parts.model if wish == NO_WISH else models.asked(wish)
