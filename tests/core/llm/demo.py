"""The demo people's memory, and the loop that answers over it without a model."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from core.agent.loop import Answer, answer
from core.i18n import load_words
from core.llm.base import Message
from core.llm.offline.model import OfflineModel
from core.recall.scan import Recall
from core.slices.store import Slices
from core.storage.memory import MemoryStorage
from core.turn.tools import memory_tools

if TYPE_CHECKING:
    from core.conversation import TurnEvent
    from core.storage.base import Storage
    from tests.doubles.clock import ManualClock

ROOT = Path(__file__).resolve().parents[3]
WORDS = load_words(ROOT / "locales")
BRIEF = Message("user", "[About this turn; not said by the person]\nSent just now.")


def memory_of(persona: str) -> Slices:
    """The slices of a demo person."""
    home = ROOT / "identity" / "personas" / persona
    files = {path.relative_to(home).as_posix(): path.read_bytes() for path in home.rglob("*.md")}
    return Slices(MemoryStorage(files))


@dataclass
class Person:
    """Somebody who talks to the offline model; `said` is the conversation so far."""

    slices: Slices
    clock: ManualClock
    locale: str = "en"
    zone: str = "Europe/Lisbon"
    current: str = ""
    storage: Storage | None = None
    said: list[Message] = field(default_factory=list)
    events: list[TurnEvent] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.recall = Recall(self.slices, self.clock)

    async def say(self, text: str) -> Answer:
        words = WORDS[self.locale]
        tools = memory_tools(self.slices, self.recall, self.clock, self.zone, words, self.current, storage=self.storage)
        messages = [Message("system", "Be kind."), *self.said, BRIEF, Message("user", text)]
        found = await answer(OfflineModel(WORDS), messages, tools, on_event=self._see, words=words)
        self.said += [Message("user", text), Message("assistant", found.text)]
        return found

    async def _see(self, event: TurnEvent) -> None:
        self.events.append(event)
