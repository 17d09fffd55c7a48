"""What was folded below an older answer, found again in the cognition logs, so that old buttons work."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from core.document import Fold
from core.errors import Malformed, NotAFile, NotFound
from core.slices.model import agent_path
from core.views.thoughts import thoughts_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.turn.parts import Parts

LOOKED: Final = 60
"""How many of the newest slices are looked through; an older answer is opened by its slice."""


class Unfolding:
    """Finds it."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def folds(self, turn: str) -> Sequence[Fold]:
        """What was thought and done in that turn, as one fold; empty when no recent slice has it."""
        words = self._parts.words[self._parts.locale]
        for slice_id in reversed(await self._parts.slices.newest(LOOKED)):
            try:
                log = (await self._parts.storage.read(agent_path(slice_id))).data.decode(errors="replace")
            except (NotFound, NotAFile, Malformed):
                continue
            text = thoughts_of(log, turn, words)
            if text:
                return [Fold(words("slice.thoughts"), text)]
        return []
