"""A living house with a card, a scripted worker and a chat that remembers what was shown of passes."""

from __future__ import annotations

import re
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from core.conversation import ToolChanged
from core.evolving import Told
from core.slices.model import CARD_PATH
from tests.bot.living import WORDS, Living, living
from tests.doubles.chat import Bubble, Chat, World
from tests.doubles.echo_model import EchoModel
from tests.doubles.sim_disk import SimDisk

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from core.conversation import Outbox, Presenter, TurnEvent
    from core.llm.base import ChatModel, Message

DAY = 86_400
WORTH = {"evolve_card": {"worth": True, "reason": "a new job"}}
NO_WORTH = {"evolve_card": {"worth": False, "reason": "only small talk"}}
CARD = """# Previously On

_Active slice: 2026-03-01-0900 | Format: user card v2 | Updated: 2026-03-01T09:00:00.000Z_

## Identity

- Name: Mara

## Past

Bakes bread for a living.

- Opened the bakery — refs: [2026/03/01/0900]

## Now

- Looks for a new oven — refs: [2026/03/01/0900] | since: 2026-03-01

## Horizon

- Pay the baker's guild — refs: [2026/03/01/0900] — by: 2026-03-05
"""


def wish(content: str) -> dict[str, object]:
    return {"memory_update": {"content": content}}


def here(messages: Sequence[Message]) -> str:
    """The newest turn ref of the person in the evidence."""
    return str(re.findall(r"^\[([\d/]+-\S+)\] the person:", messages[1].text, re.MULTILINE)[-1])


def adding(text: str, summary: str = "noted", tool: str = "addNow") -> list[object]:
    """A pass that adds one entry with the newest ref of the evidence."""
    return [
        lambda messages: [(tool, {"text": text, "refs": [here(messages)]})],
        [("finish", {"summary": summary})],
    ]


def carded(card: str = CARD) -> SimDisk:
    disk = SimDisk()
    disk.plant(CARD_PATH, card.encode())
    disk.plant("memory/episodic/slices/2026/03/01/0900/timeline/core.md", OLD.encode())
    return disk


OLD = """---
id: 2026-03-01-0900
status: closed
start: 2026-03-01T09:00:00.000Z
end: 2026-03-01T09:10:00.000Z
timezone: UTC
focus: The bakery opens
summary: It has opened.
---

## Turn abcdef — 2026-03-01T09:00:00.000Z (user)

It is open.
"""


LEGACY = """# Previously

## User profile

### Identity & background

- Mara, a baker

### Current state

- Looks for an oven
"""


def card(home: Living) -> str:
    return home.disk.tree()[CARD_PATH].decode()


def records(home: Living) -> dict[str, str]:
    return {p: d.decode() for p, d in sorted(home.disk.tree().items()) if re.search(r"evolution-[1-9]\d*\.md\Z", p)}


@dataclass
class Watched(Chat):
    """A chat that remembers every event."""

    events: list[TurnEvent] = field(default_factory=list)

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.events = []

    def presenter(self, chat: str, turn: str, outbox: Outbox, replaces: str = "") -> Presenter:
        return Noting(self, Bubble(self.world, self._effect, turn, outbox))

    def labels(self) -> list[str]:
        """What was said of the card."""
        return [one.label for one in self.events if isinstance(one, ToolChanged) and one.call == "card"]


@dataclass
class Noting:
    chat: Watched
    inner: Presenter

    async def show(self, event: TurnEvent) -> None:
        self.chat.events.append(event)
        await self.inner.show(event)


@asynccontextmanager
async def watched(
    worker: ChatModel, disk: SimDisk | None = None, model: ChatModel | None = None, zone: str = "UTC"
) -> AsyncIterator[tuple[Living, Watched]]:
    async with living(model or EchoModel(), worker=worker, disk=disk, zone=zone) as home:
        chat = Watched(home.world)
        home.house.queues.join({"double": chat})
        yield home, chat


def told(words: str = "en") -> tuple[Told, list[ToolChanged]]:
    events: list[ToolChanged] = []

    async def show(event: TurnEvent) -> None:
        assert isinstance(event, ToolChanged)
        events.append(event)

    return Told(show, WORDS[words], "UTC"), events


def snapshot(home: Living, slice_id: str) -> str:
    return home.disk.tree()[f"memory/episodic/slices/{slice_id.replace('-', '/')}/previously.md"].decode()
