"""A backlog: the person hears how much is still to be answered, and may have it only stored (reliability 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from core.clock import iso
from core.conversation import Noted
from core.document import Document, Text
from core.journal.records import Ran
from core.turn.pipeline import SKIPPED

if TYPE_CHECKING:
    from bot.helping import Asked
    from core.conversation import Presenter
    from core.turn.burst import Burst
    from core.turn.parts import Parts

MANY: Final = 15
"""Waiting messages from which on the person is told of them: about as many as one long turn holds."""


class Backlog:
    """What waits behind the turn that begins."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._told = False

    async def tell(self, burst: Burst, presenter: Presenter) -> None:
        """Say once how many messages wait behind this turn; again when they were all dealt with and more came."""
        waiting = len(self._parts.journal.state.waiting) - len(burst.messages)
        if waiting < MANY:
            self._told = self._told and waiting > 0
            return
        if not self._told:
            self._told = True
            words = self._parts.words_for(burst.first, await self._parts.config.load())
            await presenter.show(Noted(words("queue.backlog", n=waiting)))

    async def skip(self, asked: Asked) -> Document:
        """`/skip`: what was received until now and is not begun is stored without an answer, also after a restart."""
        journal, words = self._parts.journal, asked.reader.words
        waiting = len(journal.state.waiting)
        if not waiting:
            return Document((Text(words("queue.skip.none")),))
        journal.append(Ran(SKIPPED, iso(self._parts.clock.now())))
        return Document((Text(words("queue.skipped", n=waiting)),))
