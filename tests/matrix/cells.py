"""The failure matrix: kinds of failure, where they strike, and what each cell promises (reliability T10)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from tests.doubles.model_server import Fail, Say

Place = Literal["main", "notice", "recall", "evolution", "marks"]
When = Literal["first", "later"]
Shown = Literal["answer", "memory", "sentence", "part"]
"""What the person sees: the model's answer, memory's in its stead, a sentence why there is none, or a marked part."""

PLACES: Final[tuple[Place, ...]] = ("main", "notice", "recall", "evolution", "marks")
WHENS: Final[tuple[When, ...]] = ("first", "later")
HTML: Final = "<html><body>Bad gateway</body></html>"


@dataclass(frozen=True)
class Kind:
    """A kind of failure: what the provider does, for ever, at that place; `shown` is what it comes to as an answer.

    `slow` kinds take seconds of the real clock by their nature; they run with `-m long`.
    """

    name: str
    does: Say | Fail
    shown: Shown
    slow: bool = False
    newer: Shown | None = None
    """What it comes to where the protocol of OpenAI's newer models is spoken, if that differs."""

    @property
    def waits(self) -> bool:
        """Whether it is met by waiting on the real clock."""
        return isinstance(self.does, Say) and self.does.act in {"hang", "stall", "trickle"}


KINDS: Final = (
    Kind("connection refused", Fail(0), "memory"),
    Kind("hangs with no byte", Say(act="hang"), "memory", slow=True),
    Kind("falls silent after a word", Say("It is", act="stall"), "part", slow=True),
    Kind("signs of life alone", Say(act="trickle"), "memory", slow=True),
    Kind("context too long", Fail(400, code="context_length_exceeded: context length"), "sentence"),
    Kind("bad request", Fail(400), "sentence"),
    Kind("wrong key", Fail(401), "memory"),
    Kind("no credit", Fail(402), "memory"),
    Kind("forbidden", Fail(403), "memory"),
    Kind("unknown model", Fail(404), "memory"),
    Kind("timed out there", Fail(408), "memory"),
    Kind("too large", Fail(413), "sentence"),
    Kind("throttled", Fail(429), "memory"),
    Kind("throttled for an hour", Fail(429, {"Retry-After": "3600"}), "memory"),
    Kind("broken inside", Fail(500), "memory"),
    Kind("bad gateway in HTML", Fail(502, body=HTML, media="text/html"), "memory"),
    Kind("unavailable", Fail(503), "memory"),
    Kind("overloaded", Fail(529), "memory"),
    Kind("HTML with status 200", Fail(200, body=HTML, media="text/html"), "sentence", newer="memory"),
    Kind("truncated JSON", Fail(200, body='{"id": "c1", "choi'), "sentence", newer="memory"),
    Kind("HTML as an answer", Say("<!DOCTYPE html><html>down</html>"), "memory"),
    Kind("an error as an answer", Say('{"error": {"message": "overloaded", "code": 503}}'), "memory"),
    Kind("cut before a word", Say(act="cut"), "memory"),
    Kind("cut in the middle", Say("It is ", act="cut"), "part"),
    Kind("a corrupt chunk", Say("It is ", act="corrupt"), "part"),
    Kind("an error in the stream", Say("It is ", act="error"), "part"),
    Kind("no end", Say("It is ", act="unfinished"), "part"),
    Kind("empty text", Say(), "sentence"),
    Kind("reasoning alone", Say(reasoning="Hm."), "sentence"),
    Kind("declined", Say(finish="content_filter"), "sentence"),
    Kind("cut for length for ever", Say("and on ", finish="length"), "part"),
    Kind("an unknown tool for ever", Say(calls=[("fly", "{}")]), "sentence"),
    Kind("bad JSON for a tool for ever", Say(calls=[("recall", '{"query": "fl')]), "sentence"),
    Kind("a huge argument for ever", Say(calls=[("recall", '{"query": "' + "x" * 300_000 + '"}')]), "sentence"),
    Kind("60 calls at once for ever", Say(calls=[("currentTime", "{}")] * 60), "sentence", slow=True),
    Kind("invalid UTF-8", Say("It is ", act="invalid"), "part"),
    Kind("5 MB of text", Say(["x" * 50_000] * 100), "part"),
    Kind("impossible usage", Say("It is blue.", usage=(-5, "many")), "answer", newer="part"),
)
