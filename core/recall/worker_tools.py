"""What the worker of a recall may do: read pointers, follow strands, search by words, and report."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from pydantic import ValidationError

from core.errors import TryAgain
from core.language.sentences import cut
from core.llm.base import ToolSpec
from core.recall.limits import DEFAULT_LIMITS, Limits
from core.recall.naming import period, quoted, strand_named
from core.recall.report import MOST, Report
from core.recall.tool import MemoryTool, text_of
from core.recall.window import Pen, Window, listed
from core.relative import day_of
from core.strands.index import match

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import date, datetime

    from core.agent.tool import Tool
    from core.i18n import Words
    from core.recall.scan import Recall
    from core.strands.codec import Index
    from core.timeline.entry import Entry

    Arguments = Mapping[str, object]

QUERY_MOST: Final = 2_000
"""How much of a question is looked at (code points)."""


def _tool(name: str, description: str, properties: Mapping[str, object], *required: str) -> ToolSpec:
    schema = {"type": "object", "properties": dict(properties), "required": list(required)}
    return ToolSpec(name, description, schema)


_ID: Final = {"type": "string", "description": "A slice id, exactly as a line shows it."}
_WHY: Final = {"type": "string", "description": "One line: what of the question its pointer line speaks of."}
GLOBAL: Final = _tool("readGlobalTimeline", "The newest slices of the timeline, one pointer line each.", {})
WINDOW: Final = _tool(
    "readTimelineWindow",
    "The slices of a time, newest first. Both ends are included and local: YYYY-MM-DD, YYYY-MM, or words such as "
    "`last week`, `上周五`, which are resolved for you.",
    {
        "from": {"type": "string"},
        "to": {"type": "string"},
        "limit": {"type": "integer", "minimum": 1, "maximum": DEFAULT_LIMITS.listed},
    },
)
STRAND: Final = _tool(
    "readStrand",
    "The slices that carry a strand, newest first.",
    {"strand": {"type": "string", "description": "The name of a strand, as listed."}},
    "strand",
)
SEARCH: Final = _tool(
    "searchTimeline",
    "The slices whose words, marks or date fit best, the best first, with the words that were found.",
    {"query": {"type": "string", "description": "Names, things, times; in the language of the talk."}},
    "query",
)
REPORT: Final = _tool(
    "recallReport",
    "File the one report; call it last, also when nothing was found.",
    {
        "hits": {
            "type": "array",
            "maxItems": MOST,
            "items": {
                "type": "object",
                "properties": {
                    "slice_id": _ID,
                    "relevance": {"type": "number", "minimum": 0, "maximum": 1},
                    "reason": _WHY,
                },
                "required": ["slice_id", "relevance", "reason"],
            },
        },
        "confidence": {"type": "number", "minimum": 0, "maximum": 1},
        "reasoning": {"type": "string", "description": "One or two sentences on how they were found."},
        "recommended_reads": {
            "type": "array",
            "maxItems": MOST,
            "items": {
                "type": "object",
                "properties": {
                    "slice_id": _ID,
                    "priority": {"type": "string", "enum": ["high", "medium", "low"]},
                    "reason": _WHY,
                    "note": {"type": "string", "description": "What to look for in it."},
                },
                "required": ["slice_id", "priority", "reason"],
            },
        },
    },
    "hits",
    "confidence",
)
FORCED: Final = replace(REPORT, forced=True)


@dataclass(frozen=True, slots=True)
class Ground:
    """What one recall stands on: the catalog without the slice being written, the strands, the search, the person."""

    recall: Recall
    entries: tuple[Entry, ...]
    strands: Index
    now: datetime
    zone: str
    words: Words
    current: str = ""
    limits: Limits = DEFAULT_LIMITS

    @property
    def today(self) -> date:
        """The person's day."""
        return day_of(self.now, self.zone)

    def line(self, entry: Entry, found: str = "") -> str:
        """The pointer line of a slice, with its key words and what was `found` in it."""
        return self._pen().line(entry) + found

    def window(self, window: Window) -> str:
        """The pointer lines of a time."""
        return listed(window, self.entries, self._pen())

    def newest(self) -> str:
        """The newest pointer lines under a line that says how many there are."""
        total, most = len(self.entries), self.limits.listed
        if not total:
            return "(the timeline is empty: nothing was said before)"
        lines = [self.line(entry) for entry in self.entries[-most:][::-1]]
        more = "; readTimelineWindow shows older ones" if total > most else ""
        return "\n".join([f"{len(lines)} of {total} slices, newest first{more}.", *lines])

    def traced(self, name: str) -> str:
        """The pointer lines of the slices that carry a strand."""
        key = name if name in self.strands else match(self.strands, name)
        if key is None:
            return f"(no strand is called {cut(name, 60)!r}; search for it instead)"
        ids = {path.replace("/", "-") for path in self.strands[key]}
        carrying = [entry for entry in self.entries if entry.id in ids][::-1]
        lines = [self.line(entry) for entry in carrying[: self.limits.paths]]
        return "\n".join([f"{len(lines)} of {len(carrying)} slices carry {key!r}, newest first.", *lines])

    async def search(self, query: str) -> str:
        """The pointer lines of the slices that fit a query, the best first."""
        by_id = {entry.id: entry for entry in self.entries}
        hits = await self.recall.candidates(query, self.zone, self.current, self.limits.candidates)
        lines = []
        for hit in hits:
            if hit.slice_id in by_id:
                words = ", ".join(dict.fromkeys(hit.why)) or "the date"
                lines.append(self.line(by_id[hit.slice_id], f" {{found: {words}; {round(100 * hit.covers)} % of it}}"))
        return "\n".join(lines) or "(no slice holds any of these words)"

    def _pen(self) -> Pen:
        return Pen(self.zone, self.today, self.words, self._key_words)

    def _key_words(self, slice_id: str) -> str:
        found = self.recall.key_words(slice_id, self.limits.key_words)
        return f" {{words: {', '.join(found)}}}" if found else ""


def worker_tools(ground: Ground, file: Callable[[Report], None]) -> Sequence[Tool]:
    """The worker's tools; `file` is given the report."""

    async def newest(_arguments: Arguments) -> str:
        return ground.newest()

    async def window(arguments: Arguments) -> str:
        wanted = Window.of(arguments, ground.today)
        if isinstance(wanted, str):
            return wanted
        return ground.window(replace(wanted, limit=min(wanted.limit, ground.limits.listed)))

    async def strand(arguments: Arguments) -> str:
        name = text_of(arguments, "strand") or text_of(arguments, "name")
        if not name:
            raise TryAgain("readStrand needs the name of a strand")
        return ground.traced(name)

    async def search(arguments: Arguments) -> str:
        query = text_of(arguments, "query")[:QUERY_MOST]
        if not query:
            raise TryAgain("searchTimeline needs a query")
        return await ground.search(query)

    async def report(arguments: Arguments) -> str:
        try:
            file(Report.model_validate(dict(arguments)))
        except ValidationError as error:
            raise TryAgain(f"the report cannot be read: {error.errors()[0]['msg']}") from error
        return "filed"

    return (
        MemoryTool(GLOBAL, newest, "tool.timeline"),
        MemoryTool(WINDOW, window, "tool.window", period),
        MemoryTool(STRAND, strand, "tool.strand", strand_named),
        MemoryTool(SEARCH, search, "tool.search", quoted),
        MemoryTool(REPORT, report, "tool.report"),
    )
