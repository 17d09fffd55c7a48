"""What a turn works with; put together once, by the composition root."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from core.agent.tool import Tool
from core.conversation import Attachment, Incoming
from core.errors import PlatformTrouble
from core.i18n import Words, locale_of
from core.turn.veil import Veil

if TYPE_CHECKING:
    from core.clock import Clock
    from core.closing import Closing
    from core.config import Config, Preferences
    from core.evolving import Evolving
    from core.journal.journal import Journal
    from core.keeper.keeper import Keeper
    from core.llm.base import ChatModel, Transcriber
    from core.llm.models import Models
    from core.slices.store import Slices
    from core.storage.base import Storage
    from core.timeline.projections import Projections
    from core.turn.budget import Budget
    from core.web.outside import Web

PATIENCE: Final = 180.0
"""Seconds that a model and its tools may be silent before the answer counts as failed (pains P009)."""

MakeTools = Callable[[str, str, Words], Sequence[Tool]]
"""The memory tools for (current slice id, zone, words)."""

Fetch = Callable[[Incoming, Attachment], Awaitable[bytes]]
"""The bytes of a file that came with a message. Raises `PlatformTrouble`, and `TooLarge` for good."""


async def nobody(_update: Incoming, file: Attachment) -> bytes:
    """There is no platform to fetch a file from. Raises `PlatformTrouble`."""
    raise PlatformTrouble(f"nobody fetches {file.media}")


@dataclass(frozen=True, slots=True)
class Parts:
    """Memory, models, words and time. `zone` is where the person is unless a message or setting says otherwise.

    `model` answers; `models`, where there are several to choose from, are those for a request that wants another. `web`
    is the world outside, None for none; `veil` masks the secrets of the process. `fetch` gets files, `hearing` writes
    recordings down, where a model for that is set.
    """

    journal: Journal
    storage: Storage
    slices: Slices
    keeper: Keeper
    closing: Closing
    evolving: Evolving
    projections: Projections
    worker: ChatModel
    clock: Clock
    words: Mapping[str, Words]
    config: Config
    model: ChatModel
    tools: MakeTools
    identity: str
    zone: str
    locale: str
    budget: Budget
    demo: bool = False
    patience: float = PATIENCE
    models: Models | None = None
    web: Web | None = None
    veil: Veil = field(default_factory=Veil)
    fetch: Fetch = nobody
    hearing: Transcriber | None = None

    def words_for(self, update: Incoming, preferences: Preferences) -> Words:
        """The words in which this person is spoken to."""
        return self.words[preferences.bot.language or (locale_of(update.locale) if update.locale else self.locale)]

    def zone_of(self, update: Incoming, preferences: Preferences) -> str:
        """The person's zone."""
        return preferences.bot.zone or update.zone or self.zone
