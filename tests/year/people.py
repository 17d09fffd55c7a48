"""The two models of the year, who know the script by heart: what they say depends on what they are asked alone."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from core.llm.base import TextDelta, ThinkingDelta
from core.turn.notice import NEWEST
from tests.doubles.model import calls, says

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.llm.base import Listen, Message, ToolSpec
    from tests.doubles.clock import ManualClock
    from tests.year.story import Edit, Pass, Scene

SAME = (("xiaoman", "小满"), ("changsha", "长沙"), ("tree", "trees"), ("mother", "妈妈"), ("xiaotang", "小棠"))
"""Keywords that mean the same as another one."""
MARKED = re.compile(r"^Slice (\S+), zone ", re.MULTILINE)
PASSED = re.compile(r"The slice: (\S+?)\.$", re.MULTILINE)
WISHED = re.compile(r"carry it out: (.*)$", re.MULTILINE)
HEADER = re.compile(r"^\[(\S+)\] the person", re.MULTILINE)
PLACE = re.compile(r"@(\d+)\Z")
READING = 5
"""Seconds that a thought takes, or a step."""


@dataclass
class Talker:
    """The main model: answers as it is written, and looks things up where that is written."""

    scenes: Sequence[Scene]
    clock: ManualClock
    name: str = "talker"
    recalled: list[str] = field(default_factory=list)

    async def complete(self, messages: Sequence[Message], tools: Sequence[ToolSpec], on_event: Listen) -> Message:
        said = next(message.text for message in reversed(messages) if message.role == "user")
        exchange = self._known[said]
        results = [message for message in messages if message.role == "tool"]
        self.clock.shift(READING if exchange.query or exchange.thought else 1 + len(exchange.answer) % 7)
        if exchange.query and not results:
            return calls(("recall", {"query": exchange.query}))
        if exchange.query and len(results) == 1:
            hits = [hit["slice_id"] for hit in json.loads(results[0].text)["hits"]]
            assert exchange.source in hits, (exchange.query, exchange.source, hits)
            self.recalled.append(exchange.source)
            return calls(("readSlice", {"sliceId": exchange.source}))
        if exchange.thought:
            await on_event(ThinkingDelta(exchange.thought))
        await on_event(TextDelta(exchange.answer))
        return says(exchange.answer, exchange.thought)

    def __post_init__(self) -> None:
        self._known = {one.text: one for scene in self.scenes for one in scene.exchanges}


@dataclass
class Scribe:
    """The worker: notices, marks, merges strands and goes over the card as it is written."""

    scenes: Sequence[Scene]
    name: str = "scribe"
    replies: list[tuple[str, str]] = field(default_factory=list)
    """Each edit of the card that was tried, and what came of it."""
    notices: int = 0
    merged: int = 0

    def __post_init__(self) -> None:
        self._ids = {scene.id: scene for scene in self.scenes}
        self._known = {one.text: (at, one) for at, scene in enumerate(self.scenes) for one in scene.exchanges}

    async def complete(self, messages: Sequence[Message], tools: Sequence[ToolSpec], on_event: Listen) -> Message:
        task = next((tool.name for tool in tools if tool.forced or tool.name == "recallReport"), "")
        asked = messages[1].text
        match task:
            case "notice_turn":
                self.notices += 1
                return calls((task, self._notice(asked)))
            case "mark_slice":
                return calls((task, self._marks(asked)))
            case "merge_strands":
                return calls((task, self._merges(asked)))
            case "recallReport":
                return self._recall(messages)
            case _:
                return self._step(messages)

    def _notice(self, asked: str) -> dict[str, object]:
        newest = asked.rpartition(f"{NEWEST}\n\n")[2]
        at, exchange = self._known[newest]
        scene = self.scenes[at]
        first = exchange is scene.exchanges[0]
        worth = first and at > 0 and bool(self.scenes[at - 1].closing.edits)
        return {
            "message_tags": {"create": [{"tag": tag} for tag in scene.tags[:2]] if first else []},
            "memory_worthy": first,
            "memory_update": {"content": newest} if exchange.wish else None,
            "evolve_card": {"worth": worth, "reason": "" if worth else "nothing that lasts"},
        }

    def _marks(self, asked: str) -> dict[str, object]:
        found = MARKED.search(asked)
        scene = self._scene(found[1] if found else "")
        return {
            "focus": scene.focus,
            "summary": scene.summary,
            "tags": scene.tags,
            "open_loops": scene.loops,
            "decisions": scene.decisions,
        }

    def _merges(self, asked: str) -> dict[str, object]:
        listed = {json.loads(found) for found in re.findall(r'^("(?:[^"\\]|\\.)*")', asked, re.MULTILINE)}
        merges = [{"from": one, "to": other} for one, other in SAME if {one, other} <= listed]
        self.merged += len(merges)
        return {"merges": merges}

    def _recall(self, messages: Sequence[Message]) -> Message:
        """One search by words, then the slice that the script names, for what stands there."""
        query = messages[1].text.partition("\n")[0].removeprefix("Find: ")
        if messages[-1].role != "tool":
            return calls(("searchTimeline", {"query": query}))
        source = next(one.source for _, one in self._known.values() if one.query == query)
        hit = {"slice_id": source, "relevance": 0.9, "reason": self._scene(source).focus}
        return calls(("recallReport", {"hits": [hit], "confidence": 0.9, "reasoning": "found by its words"}))

    def _step(self, messages: Sequence[Message]) -> Message:
        """The next edit of the pass, one at a time, then its end."""
        asked, done = messages[1].text, [message for message in messages if message.role == "tool"]
        edits, summary = self._pass(asked)
        if done:
            edit, reply = edits[len(done) - 1][0], done[-1].text
            self.replies.append((edit.tool, reply))
            assert reply.startswith("REJECTED") == edit.refused, (edit, reply)
        if len(done) == len(edits):
            return calls(("finish", {"summary": summary}))
        edit, last = edits[len(done)]
        return calls((edit.tool, _cited(edit, HEADER.findall(asked)[last:])))

    def _pass(self, asked: str) -> tuple[list[tuple[Edit, int]], str]:
        """The edits that are due, of the slice that has closed, of the wish, or of both, and where their words are."""
        found, wish = PASSED.search(asked), WISHED.search(asked)
        scene = self._scene(found[1] if found else "")
        wished = self.scenes[self._known[wish[1]][0]] if wish else None
        due: list[tuple[Pass, int]] = [(scene.wish, -1)] if wished is scene else [(scene.closing, 0)]
        due += [(wished.wish, -1)] if wished and wished is not scene else []
        edits = [(edit, last) for one, last in due for edit in one.edits]
        return edits, " ".join(one.summary for one, _ in due if one.summary)

    def _scene(self, slice_id: str) -> Scene:
        return self._ids[slice_id]


def _cited(edit: Edit, headers: Sequence[str]) -> dict[str, object]:
    """The arguments, with `@2` as the ref of what the person said as the second thing."""
    refs = edit.arguments.get("refs")
    if not isinstance(refs, list):
        return edit.arguments
    return edit.arguments | {"refs": [headers[int(at[1]) - 1] if (at := PLACE.match(ref)) else ref for ref in refs]}
