"""The main model's memory tools: find, look up, read; every time in them is the person's local time.

Names and arguments are those of the original (original.md 2.12), so that models find what they know. What cannot be
found or understood is an `ERROR:` text that the model can act on.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from core.errors import TryAgain
from core.language.sentences import cut
from core.slices.read import read_range, summary_text
from core.turn import specs
from core.turn.desk import Desk
from core.turn.ranges import range_of
from core.turn.window import Window, listed

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from core.agent.tool import Tool
    from core.clock import Clock
    from core.i18n import Words
    from core.llm.base import ToolSpec
    from core.recall.report import Report
    from core.recall.scan import Recall
    from core.slices.store import Slices

    Arguments = Mapping[str, object]

QUERY_MOST: Final = 2_000
NOTHING: Final = (
    "Nothing was found. This is definitive: do not search for the same again, say that memory holds nothing of it."
)
_LABEL_MOST: Final = 60


@dataclass(frozen=True, slots=True)
class MemoryTool:
    """A tool over memory: `work` does it, `label` is the prefix of its two lines and `naming` fills their fields."""

    spec: ToolSpec
    work: Callable[[Arguments], Awaitable[str]]
    label: str
    naming: Callable[[Arguments, Words], dict[str, str]]
    showing: Callable[[str, Words], str]

    async def run(self, arguments: Arguments) -> str:
        """The result as text for the model."""
        return await self.work(arguments)

    def running(self, arguments: Arguments, words: Words) -> str:
        """What is being looked up."""
        return words(f"{self.label}.running", **self.naming(arguments, words))

    def done(self, arguments: Arguments, words: Words) -> str:
        """What was looked up."""
        return words(f"{self.label}.done", **self.naming(arguments, words))

    def detail(self, result: str, words: Words) -> str:
        """What was found, where that is short."""
        return self.showing(result, words)


def memory_tools(slices: Slices, recall: Recall, clock: Clock, zone: str, words: Words, current: str) -> Sequence[Tool]:
    """The memory tools for one turn. `zone` is the person's, `current` the slice being written."""
    desk = Desk(slices, recall, clock, zone, words, current)

    def talk(arguments: Arguments, words: Words) -> dict[str, str]:
        return {"day": desk.stamp(_slice_id(arguments)) or words("tool.slice.unknown")}

    async def read_slice(arguments: Arguments) -> str:
        slice_id = _slice_id(arguments)
        found = await desk.load(slice_id)
        if isinstance(found, str):
            return found
        wanted = range_of(arguments.get("range"))
        return read_range(found, wanted, annotate=desk.note, banner=desk.banner(slice_id))

    async def read_summary(arguments: Arguments) -> str:
        found = await desk.load(_slice_id(arguments))
        return found if isinstance(found, str) else summary_text(found, note=desk.note)

    async def read_window(arguments: Arguments) -> str:
        window = Window.of(arguments, desk.today())
        return window if isinstance(window, str) else listed(window, await slices.heads(), zone, desk.today(), words)

    return (
        MemoryTool(specs.RECALL, _recall(desk), "tool.recall", _query_named, _hits_shown),
        MemoryTool(specs.READ_SLICE, read_slice, "tool.slice", talk, lambda _, __: ""),
        MemoryTool(specs.READ_SLICE_SUMMARY, read_summary, "tool.summary", talk, lambda result, _: result),
        MemoryTool(specs.READ_TIMELINE_WINDOW, read_window, "tool.window", _period_named, lambda result, _: result),
    )


def _recall(desk: Desk) -> Callable[[Arguments], Awaitable[str]]:
    """The same question again in a turn is answered from the first report."""
    known: dict[str, str] = {}

    async def recall(arguments: Arguments) -> str:
        query = _argument(arguments, "query")[:QUERY_MOST]
        if not query:
            raise TryAgain("recall needs a query")
        key = " ".join(query.split()).casefold()
        if key not in known:
            report = await desk.recall.find(query, desk.zone, desk.current)
            known[key] = json.dumps(_told(report, desk), ensure_ascii=False)
        return known[key]

    return recall


def _told(report: Report, desk: Desk) -> dict[str, object]:
    """The report with local times; an empty one says that it is final."""
    told: dict[str, object] = report.model_dump(mode="json")
    told["hits"] = [
        {
            **hit.model_dump(mode="json"),
            "date": desk.day(hit.slice_id),
            "when": f"{desk.stamp(hit.slice_id)} · {desk.distance(hit.slice_id)}",
        }
        for hit in report.hits
    ]
    return told if report.hits else told | {"note": NOTHING}


def _query_named(arguments: Arguments, _words: Words) -> dict[str, str]:
    return {"query": cut(_argument(arguments, "query"), _LABEL_MOST)}


def _hits_shown(result: str, words: Words) -> str:
    lines = [
        words(
            "tool.recall.hit",
            slice=hit["slice_id"],
            when=hit["when"],
            percent=round(100 * hit["relevance"]),
            reason=hit["reason"],
        )
        for hit in json.loads(result)["hits"]
    ]
    return "\n".join(lines) or words("tool.recall.none")


def _period_named(arguments: Arguments, words: Words) -> dict[str, str]:
    first, last = (cut(_argument(arguments, name), _LABEL_MOST) for name in ("from", "to"))
    if first and last:
        return {"period": first if first == last else words("tool.window.span", first=first, last=last)}
    if first:
        return {"period": words("tool.window.since", first=first)}
    return {"period": words("tool.window.until", last=last) if last else words("tool.window.all")}


def _argument(arguments: Arguments, name: str) -> str:
    value = arguments.get(name)
    return value.strip() if isinstance(value, str) else ""


def _slice_id(arguments: Arguments) -> str:
    """The id as given; models write it with slashes, or call it otherwise."""
    given = _argument(arguments, "sliceId") or _argument(arguments, "slice_id") or _argument(arguments, "id")
    return given.replace("/", "-")
