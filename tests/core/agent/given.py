"""Tools and people for the tests of the loop."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from core.conversation import TextAdded, ToolChanged
from core.i18n import load_words
from core.llm.base import ToolSpec

if TYPE_CHECKING:
    from collections.abc import Mapping

    from core.conversation import TurnEvent
    from core.i18n import Words

WORDS = load_words(Path(__file__).resolve().parents[3] / "locales")


@dataclass
class LookTool:
    """Looks under a stone, or raises what it is given; `seen` are the arguments it ran with."""

    name: str = "look"
    trouble: Exception | None = None
    result: str = "a beetle"
    hangs: bool = False
    after: asyncio.Event | None = None
    seen: list[Mapping[str, object]] = field(default_factory=list)
    begun: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def spec(self) -> ToolSpec:
        return ToolSpec(self.name, "Look under a stone.", {"type": "object"})

    async def run(self, arguments: Mapping[str, object]) -> str:
        self.seen.append(arguments)
        self.begun.set()
        if self.trouble:
            raise self.trouble
        if self.after:
            await self.after.wait()
        if self.hangs:
            await asyncio.Event().wait()
        return self.result

    def running(self, arguments: Mapping[str, object], words: Words) -> str:
        return f"Looking under {arguments.get('stone', 'a stone')}"

    def done(self, arguments: Mapping[str, object], words: Words) -> str:
        return f"Looked under {arguments.get('stone', 'a stone')}"

    def detail(self, result: str, words: Words) -> str:
        return f"found {result}"


@dataclass
class Watcher:
    """Sees all events of an answer."""

    events: list[TurnEvent] = field(default_factory=list)

    async def show(self, event: TurnEvent) -> None:
        self.events.append(event)

    @property
    def text(self) -> str:
        return "".join(event.text for event in self.events if isinstance(event, TextAdded))

    @property
    def tools(self) -> list[tuple[str, str]]:
        return [(event.state, event.label) for event in self.events if isinstance(event, ToolChanged)]
