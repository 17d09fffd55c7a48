"""The `recall` tool: the finder's pointers as the main model is told of them, and as the person sees them come."""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from core.errors import TryAgain
from core.language.sentences import cut
from core.recall.finder import unwatched
from core.recall.naming import quoted
from core.recall.tool import text_of
from core.recall.worker_tools import QUERY_MOST
from core.turn import specs

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from core.i18n import Words
    from core.llm.base import ToolSpec
    from core.recall.finder import Found
    from core.turn.desk import Desk

    Arguments = Mapping[str, object]
    Progress = Callable[[str], Awaitable[None]]

NOTHING: Final = (
    "Nothing was found. This is definitive: do not search for the same again, say that memory holds nothing of it."
)
BY_WORDS: Final = "The worker could not be had ({trouble}); these were found by their words alone, so check them."
REASON_MOST: Final = 300
REASONING_MOST: Final = 600


@dataclass(slots=True)
class RecallTool:
    """Recalls for one turn: the same question again is answered from the first report."""

    desk: Desk
    spec: ToolSpec = specs.RECALL
    _told: dict[str, str] = field(default_factory=dict)
    _asking: defaultdict[str, asyncio.Lock] = field(default_factory=lambda: defaultdict(asyncio.Lock))

    async def run(self, arguments: Arguments) -> str:
        """The report as JSON."""
        return await self.watched(arguments, unwatched)

    async def watched(self, arguments: Arguments, progress: Progress) -> str:
        """The report as JSON; the worker's steps are told on the way."""
        query = text_of(arguments, "query")[:QUERY_MOST]
        if not query:
            raise TryAgain("recall needs a query")
        key = " ".join(query.split()).casefold()
        async with self._asking[key]:
            if key not in self._told:
                desk = self.desk
                found = await desk.finder.find(query, desk.zone, desk.words, desk.current, progress)
                self._told[key] = json.dumps(told(found, desk), ensure_ascii=False)
        return self._told[key]

    def running(self, arguments: Arguments, words: Words) -> str:
        """What is being recalled."""
        return words("tool.recall.running", **quoted(arguments, words))

    def done(self, arguments: Arguments, words: Words) -> str:
        """What was recalled."""
        return words("tool.recall.done", **quoted(arguments, words))

    def detail(self, result: str, words: Words) -> str:
        """The hits, and how the worker came to them."""
        report = json.loads(result)
        lines = [
            words(
                "tool.recall.hit",
                slice=hit["slice_id"],
                when=hit["when"],
                percent=round(100 * hit["relevance"]),
                reason=hit["reason"],
            )
            for hit in report["hits"]
        ]
        shown = "\n".join(lines) or words("tool.recall.none")
        if not report["reasoning"]:
            return shown
        how = words("tool.recall.how", percent=round(100 * report["confidence"]), reasoning=report["reasoning"])
        return f"{shown}\n\n{how}"


def told(found: Found, desk: Desk) -> dict[str, object]:
    """A report with local times beside every id; an empty one says that it is final."""
    report = found.report
    notes = [] if report.hits else [NOTHING]
    if found.trouble:
        notes.append(BY_WORDS.format(trouble=found.trouble))
    raw: dict[str, object] = {
        "hits": [
            {
                "slice_id": hit.slice_id,
                "relevance": hit.relevance,
                "reason": cut(hit.reason, REASON_MOST),
                "date": desk.day(hit.slice_id),
                "when": _when(hit.slice_id, desk),
            }
            for hit in report.hits
        ],
        "confidence": report.confidence,
        "reasoning": cut(report.reasoning, REASONING_MOST),
        "recommended_reads": [
            {
                "slice_id": read.slice_id,
                "priority": read.priority,
                "reason": cut(read.reason, REASON_MOST),
                "note": cut(read.note, REASON_MOST),
                "when": _when(read.slice_id, desk),
            }
            for read in report.recommended_reads
        ],
        "found_by": found.by,
    }
    return raw | {"note": " ".join(notes)} if notes else raw


def _when(slice_id: str, desk: Desk) -> str:
    return f"{desk.stamp(slice_id)} · {desk.distance(slice_id)}"
