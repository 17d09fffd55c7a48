"""Workers for the tests of recall, and a memory for them to look at."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from core.errors import DiskTrouble, Unavailable
from core.llm.base import Message
from core.recall.atlas import Atlas
from core.recall.finder import Finder
from core.recall.limits import Limits
from core.recall.scan import Recall
from core.slices.codec import encode
from core.slices.model import core_path
from core.slices.store import Slices
from core.storage.memory import MemoryStorage
from core.strands.codec import STRANDS_PATH, encode_index
from core.timeline.projections import Projections
from tests.core.llm.demo import WORDS
from tests.core.recall.given import said
from tests.doubles.clock import ManualClock
from tests.doubles.model import ScriptedModel, calls

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.llm.base import ChatModel, Listen, ToolSpec
    from core.recall.finder import Found
    from core.slices.model import Slice
    from core.storage.base import File

ZONE = "Europe/Paris"
YEAST = said("2026-03-09-1842", "The yeast comes from Remi.", "Good to know.", focus="Yeast", tags=("bakery",))
ROOF = said("2026-05-02-1300", "The roof leaks over the kitchen.", "Call a roofer?", focus="The roof", tags=("house",))
CURRENT = said("2026-07-15-1100", "Who brings the yeast?", status="active")


class Failing:
    """A worker whose provider is down; counts how often it was asked."""

    name = "failing"

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error or Unavailable("down")
        self.asked = 0

    async def complete(self, messages: Sequence[Message], tools: Sequence[ToolSpec], on_event: Listen) -> Message:
        self.asked += 1
        raise self.error


class Sleeping:
    """A worker that never answers; a stubborn one does not let itself be cancelled at once and then reports."""

    name = "sleeping"

    def __init__(self, late: Message | None = None) -> None:
        self.late = late

    async def complete(self, messages: Sequence[Message], tools: Sequence[ToolSpec], on_event: Listen) -> Message:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            if self.late is None:
                raise
        assert self.late is not None
        return self.late


@dataclass
class Scene:
    """Recall over a memory, with a worker; `steps` are the lines that the person saw."""

    finder: Finder
    clock: ManualClock
    steps: list[str] = field(default_factory=list)
    locale: str = "en"

    async def find(self, query: str = "Who brings the yeast?", current: str = CURRENT.id) -> Found:
        return await self.finder.find(query, ZONE, WORDS[self.locale], current, self._see)

    async def ids(self, query: str = "Who brings the yeast?") -> list[str]:
        return [hit.slice_id for hit in (await self.find(query)).report.hits]

    async def _see(self, label: str) -> None:
        self.steps.append(label)


class Unreadable(MemoryStorage):
    """A disk that lists its files and reads none."""

    async def read(self, path: str) -> File:
        raise DiskTrouble(path, 5, "I/O error")


def scene(
    worker: ChatModel | None,
    *slices: Slice,
    limits: Limits | None = None,
    strands: dict[str, list[str]] | None = None,
    storage: MemoryStorage | None = None,
) -> Scene:
    """A memory of the yeast and the roof, or of these slices, on 15 July 2026 in Paris."""
    files = {core_path(one.id): encode(one).encode() for one in slices or (YEAST, ROOF, CURRENT)}
    if strands:
        files[STRANDS_PATH] = encode_index({key: tuple(paths) for key, paths in strands.items()})
    storage = storage or MemoryStorage(files)
    clock = ManualClock("2026-07-15T12:00:00+00:00")
    pieces = Slices(storage)
    atlas = Atlas(pieces, storage, Projections(storage, pieces, clock))
    return Scene(Finder(Recall(pieces, clock), atlas, worker, clock, limits or Limits(seconds=5)), clock)


def report(*ids: str, relevance: object = 0.9, **more: object) -> tuple[str, object]:
    """A call that files a report."""
    hits = [{"slice_id": one, "relevance": relevance, "reason": "it says so"} for one in ids]
    return "recallReport", {"hits": hits, "confidence": 0.8, "reasoning": "By their lines.", **more}


def worker(*steps: Message | Exception) -> ScriptedModel:
    """A worker that takes these steps."""
    return ScriptedModel(list(steps), "worker")


def looks(*wanted: tuple[str, object]) -> Message:
    """A step that calls these tools."""
    return calls(*wanted)


def told(model: ScriptedModel, tool: str) -> str:
    """What the worker was last told by a tool."""
    return next(
        message.text for messages, _ in reversed(model.asked) for message in reversed(messages) if message.name == tool
    )


def as_text(call: tuple[str, object]) -> Message:
    """The same report as JSON in prose."""
    return Message("assistant", f"```json\n{json.dumps(call[1])}\n```")
