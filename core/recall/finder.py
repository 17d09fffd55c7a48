"""Recall in its first tier: the worker points, within limits; whenever it does not, the search by words does.

The worker may be slow, down, over budget or talk nonsense: the person's answer does not wait for it longer than its
budget, and gets pointers all the same (original.md 2.11, pains P067).
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from core.errors import ModelError
from core.llm.base import OFFLINE
from core.recall.choose import choose
from core.recall.limits import DEFAULT_LIMITS, Breaker, Limits
from core.recall.report import Report, narrowed
from core.recall.worker import explore
from core.recall.worker_tools import Ground
from core.relative import anchors, local_time

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from core.clock import Clock
    from core.i18n import Words
    from core.llm.base import ChatModel
    from core.recall.atlas import Atlas
    from core.recall.scan import Recall

    Progress = Callable[[str], Awaitable[None]]

Trouble = Literal["", "slow", "failed", "resting", "silent"]

_STRANDS_MOST: Final = 4_000
"""Room for the names of strands in the worker's prompt (code points)."""
_log = logging.getLogger("previously.recall")


@dataclass(frozen=True, slots=True)
class Found:
    """A report, who made it, and what kept the worker from it ("" when nothing did)."""

    report: Report
    by: Literal["worker", "words"]
    trouble: Trouble = ""


async def unwatched(_label: str) -> None:
    """For recalls that nobody watches."""


class Finder:
    """Recalls over one memory. `worker` None, or the offline one, leaves it to the search by words."""

    def __init__(
        self, recall: Recall, atlas: Atlas, worker: ChatModel | None, clock: Clock, limits: Limits = DEFAULT_LIMITS
    ) -> None:
        self._recall = recall
        self._atlas = atlas
        self._worker = worker
        self._clock = clock
        self._limits = limits
        self._breaker = Breaker(clock, limits)
        self._prose: Counter[str] = Counter()

    @property
    def atlas(self) -> Atlas:
        """Catalog and strands."""
        return self._atlas

    async def find(
        self, query: str, zone: str, words: Words, current: str = "", progress: Progress = unwatched
    ) -> Found:
        """The report for a question; `current` is the slice being written, `progress` hears of every step.

        Raises `StorageError` when memory cannot be read: that is not "nothing found".
        """
        if self._worker is None or self._worker.name == OFFLINE:
            return await self._by_words(query, zone, current)
        ground = await self._ground(zone, words, current)
        if not ground.entries:
            return Found(Report(confidence=0.0), "words")
        if not self._breaker.lets:
            return await self._by_words(query, zone, current, "resting")
        told = await self._within_budget(self._worker, query, ground, progress)
        if isinstance(told, str):
            if told != "silent":
                self._breaker.failed()
            _log.warning("recall goes on without the worker: %s", told)
            return await self._by_words(query, zone, current, told)
        self._breaker.succeeded()
        return await self._checked(told, query, zone, current)

    async def _within_budget(
        self, worker: ChatModel, query: str, ground: Ground, progress: Progress
    ) -> Report | Trouble:
        """The worker's report, or why there is none. What comes after the budget is over is discarded."""
        try:
            async with asyncio.timeout(self._limits.seconds) as limit:
                report = await self._ask(worker, query, ground, progress)
        except TimeoutError:
            if not limit.expired():
                raise
            return "slow"
        except ModelError as error:
            _log.warning("the worker of recall failed: %s", error)
            return "slow" if limit.expired() else "failed"
        if limit.expired():
            return "slow"
        return report or "silent"

    async def _ask(self, worker: ChatModel, query: str, ground: Ground, progress: Progress) -> Report | None:
        """The report of a worker that looks around, else its choice among lines; None when it is none at all."""
        question = _question(query, ground)
        if self._prose[worker.name] < self._limits.prose:
            filed = await explore(worker, question, ground, self._limits, progress)
            if filed.report and (filed.looked or filed.report.hits):
                self._prose[worker.name] = 0
                return filed.report
            if worker.name == OFFLINE:
                return None
            self._prose[worker.name] += not filed.looked
        await progress(ground.words("tool.search.running", query=query[:60]))
        return await choose(worker, question, query, ground)

    async def _checked(self, report: Report, query: str, zone: str, current: str) -> Found:
        """The report without what does not exist; one that knows only such slices is as good as none."""
        known = await self._recall.known(current)
        invented = sorted({hit.slice_id for hit in report.hits} - known - {current})
        for slice_id in invented:
            _log.warning("recall points at %r, which does not exist", slice_id[:60])
        narrow = narrowed(report, current, known)
        if invented and not narrow.hits:
            return await self._by_words(query, zone, current, "failed")
        return Found(narrow, "worker")

    async def _by_words(self, query: str, zone: str, current: str, trouble: Trouble = "") -> Found:
        return Found(await self._recall.find(query, zone, current), "words", trouble)

    async def _ground(self, zone: str, words: Words, current: str) -> Ground:
        known = await self._recall.known(current)
        entries = [entry for entry in await self._atlas.entries() if entry.id != current and entry.id in known]
        strands = await self._atlas.strands()
        now = self._clock.now()
        return Ground(self._recall, tuple(entries), strands, now, zone, words, current, self._limits)


def _question(query: str, ground: Ground) -> str:
    """What only this recall is about: the query, the person's time, the slice being written, the strands."""
    local = local_time(ground.now, ground.zone, ground.words)
    newest = sorted(ground.strands, key=lambda name: max(ground.strands[name], default=""), reverse=True)
    names = ", ".join(newest[: ground.limits.strands])[:_STRANDS_MOST]
    lines = [
        f"Find: {query}",
        f"Now it is {local.text} ({local.zone}).",
        *(f"  {line}" for line in anchors(ground.now, ground.zone, ground.words)),
        f"The slice being written (not memory): {ground.current or 'none'}",
        f"Strands: {names or '(none)'}",
    ]
    return "\n".join(lines)
