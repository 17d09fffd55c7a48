"""A provider that fails at one place of a turn and serves well at all others, over the real libraries."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.doubles.model_server import Fail, ModelServer, Say

if TYPE_CHECKING:
    from aiohttp import web

    from tests.doubles.model_server import Shape
    from tests.matrix.cells import Place, When

MARKS = {"focus": "The flute", "summary": "Of the flute.", "tags": ["flute"], "tone": "neutral"}
FIRST: dict[str, str] = {"notice": "notice_turn", "marks": "mark_slice"}


@dataclass
class Provider(ModelServer):
    """`does` at `place` while `failing`; "later" lets the first request of that place in each turn pass well."""

    place: Place = "main"
    when: When = "first"
    does: Say | Fail | None = None
    failing: bool = False
    struck: int = 0
    served: int = 0

    async def answered(self, shape: Shape, request: web.Request, body: dict[str, Any]) -> web.StreamResponse:
        """Fail or serve."""
        at = place_of(body)
        good = _good(at, body)
        if at == self.place and self.failing and self.does is not None:
            if self.when == "later" and not self.served:
                self.served += 1
                first = _first(at) or good
                return await self.play(shape, request, body["model"], first)
            self.struck += 1
            if self.does == Fail(0):
                assert request.transport
                request.transport.abort()
                raise ConnectionResetError
            return await self.play(shape, request, body["model"], self.does)
        return await self.play(shape, request, body["model"], good)


def place_of(body: dict[str, Any]) -> Place:
    """What a request is for, by its tools."""
    names = {tool.get("name") or tool["function"]["name"] for tool in body.get("tools", [])}
    if "notice_turn" in names:
        return "notice"
    if "mark_slice" in names:
        return "marks"
    if "recallReport" in names:
        return "recall"
    if "readSlice" in names or not names:
        return "main"
    return "evolution"


def _good(at: Place, body: dict[str, Any]) -> Say:
    """What a sound provider says there."""
    if at == "notice":
        return Say(calls=[("notice_turn", json.dumps({"memory_worthy": True, "evolve_card": {"worth": True}}))])
    if at == "marks":
        return Say(calls=[("mark_slice", json.dumps(MARKS))])
    if at == "recall":
        return Say(calls=[("recallReport", json.dumps({"hits": [], "confidence": 0.5, "reasoning": "nothing"}))])
    if at == "evolution":
        return Say(calls=[("finish", json.dumps({"summary": ""}))])
    asked = (body.get("messages") or body["input"])[-1]
    if asked.get("role") == "user" and "recall" in (text := _words(asked["content"])) and not text.startswith("["):
        return Say(calls=[("recall", json.dumps({"query": "the flute"}))])
    return Say("It is blue.")


def _words(content: str | list[dict[str, str]]) -> str:
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


def _first(at: Place) -> Say | None:
    """The first request of a place that fails later: one that calls for more requests."""
    if at == "main":
        return Say(calls=[("currentTime", "{}")])
    if at == "recall":
        return Say(calls=[("searchTimeline", json.dumps({"query": "flute"}))])
    if at == "evolution":
        return Say(calls=[("look", "{}")])
    if at in FIRST:
        return Say(calls=[(FIRST[at], '{"broken": ')])
    return None
