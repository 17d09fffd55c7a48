"""The driver's part of the failure matrix (reliability T10): each cell names what is raised or shown, and why."""

from __future__ import annotations

import socket
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from core.errors import ModelError, OverBudget, Unavailable, Unusable
from core.i18n import load_words
from tests.core.llm.driver.bench import ASKED, RECALL, Audience, driven, target
from tests.doubles.clock import ManualClock
from tests.doubles.model_server import SECRET_TEXT, Fail, ModelServer, Say
from tests.tree import ROOT

if TYPE_CHECKING:
    from core.llm.litellm import LiteLLM
    from tests.doubles.model_server import Shape

WORDS = load_words(ROOT / "locales")
SHAPES: tuple[Shape, ...] = ("openai", "responses", "deepseek", "anthropic")
GOOD = Say("It is blue.")
LONG = [f"{n:04}" + "x" * 996 for n in range(1100)]
SILENT: list[Say | Fail] = [Say("It is so", act="stall"), Say(" very", act="stall"), Say(" odd", act="stall")]
HTML = "<html><body>Bad gateway</body></html>"


@dataclass(frozen=True)
class Cell:
    """A kind of failure; `raised` and `key`, or `text` that is shown; `asked` is how often the provider was asked."""

    name: str
    script: list[Say | Fail]
    raised: type[ModelError] | None = None
    key: str = ""
    text: str = ""
    finish: str = "stop"
    asked: int = 1
    waited: float = 0.0
    only: tuple[Shape, ...] = SHAPES
    limits: dict[str, float] = field(default_factory=dict)


CELLS = [
    Cell("hangs with no byte", [Say(act="hang")], Unavailable, "model.slow", asked=2, limits={"first": 0.7}),
    Cell("hangs once", [Say(act="hang"), GOOD], text="It is blue.", asked=2, limits={"first": 1.5}),
    Cell("trickles signs of life", [Say(act="trickle")], Unavailable, "model.slow", asked=2, limits={"first": 0.7}),
    Cell("falls silent after a word", [Say("It is ", act="stall"), Say("blue.")], text="It is blue.", asked=2,
         limits={"silence": 1.0}),
    Cell("falls silent again and again", SILENT, Unavailable, "model.slow", "It is so very odd", asked=3,
         limits={"silence": 0.4}),
    Cell("speaks too slowly for the whole call", [Say(["a"] * 400, pause=0.05)], Unavailable, "model.slow",
         limits={"whole": 1.0}, text="…"),
    Cell("context is too long, as 400", [Fail(400, code="context_length_exceeded: context length")],
         OverBudget, "model.context"),
    Cell("bad request", [Fail(400)], Unusable, "model.request"),
    Cell("key is wrong", [Fail(401)], Unavailable, "model.key"),
    Cell("credit is used up", [Fail(402)], OverBudget, "model.credit"),
    Cell("credit is used up, as 400", [Fail(400, code="Your credit balance is too low")], OverBudget, "model.credit"),
    Cell("quota is used up, as 429", [Fail(429, code="insufficient_quota")], OverBudget, "model.credit"),
    Cell("forbidden", [Fail(403)], Unavailable, "model.key"),
    Cell("unknown model", [Fail(404)], Unavailable, "model.unknown"),
    Cell("request timed out there", [Fail(408)], Unavailable, "model.slow", asked=2),
    Cell("too large", [Fail(413)], OverBudget, "model.context"),
    Cell("throttled for good", [Fail(429)], Unavailable, "model.throttled", asked=4, waited=7),
    Cell("throttled twice", [Fail(429), Fail(429), GOOD], text="It is blue.", asked=3, waited=3),
    Cell("throttled, says when", [Fail(429, {"Retry-After": "11"}), GOOD], text="It is blue.", asked=2, waited=11),
    Cell("throttled, says when as a date",
         [Fail(429, {"Retry-After": "Mon, 09 Mar 2026 18:42:05 GMT", "Date": "Mon, 09 Mar 2026 18:42:00 GMT"}), GOOD],
         text="It is blue.", asked=2, waited=5),
    Cell("throttled for an hour", [Fail(429, {"Retry-After": "3600"})], Unavailable, "model.throttled"),
    Cell("throttled, nonsense when", [Fail(429, {"Retry-After": "soon"}), GOOD], text="It is blue.", asked=2, waited=1),
    Cell("broken inside", [Fail(500)], Unavailable, "model.server", asked=4, waited=7),
    Cell("bad gateway in HTML", [Fail(502, body=HTML, media="text/html")], Unavailable, "model.server", asked=4,
         waited=7),
    Cell("unavailable once", [Fail(503), GOOD], text="It is blue.", asked=2, waited=1),
    Cell("overloaded twice", [Fail(529), Fail(529), GOOD], text="It is blue.", asked=3, waited=3),
    Cell("overloaded for good", [Fail(529)], Unavailable, "model.server", asked=4, waited=7),
    Cell("HTML with status 200", [Fail(200, body=HTML, media="text/html")], Unusable, "model.empty", asked=2,
         only=("openai", "deepseek", "anthropic")),
    Cell("HTML with status 200 where events are wanted", [Fail(200, body=HTML, media="text/html")], Unavailable,
         "model.transport", asked=4, waited=7, only=("responses",)),
    Cell("HTML told as an answer", [Say("<!DOCTYPE html><html>down</html>")], Unavailable, "model.notice", asked=2),
    Cell("an error told as an answer", [Say('{"error": {"message": "overloaded", "code": 503}}'), GOOD],
         text="It is blue.", asked=2),
    Cell("a notice told as an answer", [Say("Rate limit exceeded, please try again later.", usage=(5, 0))],
         Unavailable, "model.notice", asked=2),
    Cell("cut before a word", [Say(act="cut"), GOOD], text="It is blue.", asked=2, waited=1),
    Cell("cut before a word, always", [Say(act="cut")], Unavailable, "model.transport", asked=4, waited=7),
    Cell("cut after reasoning alone", [Say(reasoning="Hm", act="cut"), GOOD], text="It is blue.", asked=2, waited=1),
    Cell("cut in the middle", [Say("It is ", act="cut"), Say("blue.")], text="It is blue.", asked=2),
    Cell("cut in the middle, repeats itself", [Say("The flute is of", act="cut"), Say("The flute is of wood.")],
         text="The flute is of wood.", asked=2),
    Cell("cut in the middle, always", [Say("Well, ", act="cut")], Unavailable, "model.transport",
         "Well, Well, Well, ", asked=3),
    Cell("ends without an end", [Say("It is ", act="unfinished"), Say("blue.")], text="It is blue.", asked=2),
    Cell("a corrupt chunk", [Say("It is ", act="corrupt"), Say("blue.")], text="It is blue.", asked=2),
    Cell("an error in the stream", [Say("It is ", act="error"), Say("blue.")], text="It is blue.", asked=2),
    Cell("an error first in the stream", [Say(act="error"), GOOD], text="It is blue.", asked=2, waited=1),
    Cell("nothing at all", [Say()], Unusable, "model.empty", asked=2),
    Cell("nothing once", [Say(), GOOD], text="It is blue.", asked=2),
    Cell("reasoning alone", [Say(reasoning="Hm.")], Unusable, "model.empty", asked=2),
    Cell("an error event in the stream", [Say("It is ", act="event"), Say("blue.")], only=("responses",),
         text="It is blue.", asked=2),
    Cell("declines in the words of its protocol", [Say("No.", refuses=True)], Unusable, "model.empty",
         only=("responses",), asked=2),
    Cell("reasoning alone, in the text", [Say("<think>Hm.</think>\n")], Unusable, "model.empty", asked=2),
    Cell("reasoning never closed", [Say("<think>Hm. It is"), GOOD], text="It is blue.", asked=2),
    Cell("declined", [Say(finish="content_filter")], Unusable, "model.filtered"),
    Cell("declined in the middle", [Say("It is", finish="content_filter")], text="It is", finish="error"),
    Cell("cut for length", [Say("It is ", finish="length"), Say("blue.")], text="It is blue.", asked=2),
    Cell("cut for length, always", [Say("and on ", finish="length")], text="and on " * 6, finish="length", asked=6),
    Cell("a call with bad JSON", [Say(calls=[("recall", '{"query": "fl')])], finish="tools"),
    Cell("a call with a huge argument", [Say(calls=[("recall", '{"query": "' + "x" * 300_000 + '"}')])],
         finish="tools"),
    Cell("a call of an unknown tool", [Say(calls=[("launch", "{}")])], finish="tools"),
    Cell("200 calls at once", [Say(calls=[("recall", "{}")] * 200)], finish="tools"),
    Cell("a call that is cut", [Say(calls=[("recall", '{"query": "flute"}')], act="cut"), GOOD], text="It is blue.",
         asked=2, waited=1),
    Cell("text, then a call that is cut", [Say("Wait, ", calls=[("recall", "{}")], act="cut"), Say("blue.")],
         text="Wait, blue.", asked=2),
    Cell("a reply of 900 KB", [Say(LONG[:900])], text="".join(LONG[:900])),
    Cell("a reply beyond what memory takes", [Say(LONG)], text="".join(LONG[:1001]), finish="length"),
    Cell("wrong counts of tokens", [Say("It is blue.", usage=(-5, 10**12))], text="It is blue."),
    Cell("no counts of tokens", [Say("It is blue.", usage=None)], text="It is blue."),
    Cell("bytes that are no text", [Say("It is ", act="invalid"), Say("blue.")], text="It is blue.", asked=2,
         only=("openai", "responses", "deepseek")),
]  # fmt: skip


def cells() -> list[tuple[Cell, Shape]]:
    return [(cell, shape) for cell in CELLS for shape in cell.only]


@pytest.mark.parametrize(("cell", "shape"), cells(), ids=[f"{cell.name}-{shape}" for cell, shape in cells()])
async def test_a_failure_is_told_or_mended(wire: LiteLLM, server: ModelServer, cell: Cell, shape: Shape) -> None:
    server.script = list(cell.script)
    audience, clock = Audience(), ManualClock(instant=True)
    model = driven(wire, target(server, shape), clock=clock, limits=cell.limits)

    if cell.raised:
        with pytest.raises(cell.raised) as caught:
            await model.complete(ASKED, [RECALL], audience.hear)
        error = caught.value
        assert (type(error), error.key) == (cell.raised, cell.key)
        for words in WORDS.values():
            assert model.name in words(error.key, **error.fields)
        assert SECRET_TEXT not in str(error)
    else:
        message = await model.complete(ASKED, [RECALL], audience.hear)
        assert message.finish == cell.finish
        assert message.text == audience.text
        assert message.usage.completion < 10**9

    if cell.text != "…":
        assert audience.text == cell.text
    assert len(server.asked) == cell.asked
    assert clock.monotonic() == cell.waited
    assert server.refused == []


@pytest.mark.parametrize("shape", SHAPES)
async def test_the_next_message_is_answered_after_any_failure(wire: LiteLLM, server: ModelServer, shape: Shape) -> None:
    server.script = [Fail(401), GOOD]
    model = driven(wire, target(server, shape))
    with pytest.raises(Unavailable):
        await model.complete(ASKED, (), Audience().hear)

    message = await model.complete(ASKED, (), Audience().hear)

    assert message.text == "It is blue."


@pytest.mark.parametrize("shape", SHAPES)
async def test_a_key_that_the_provider_refuses_is_told_once(wire: LiteLLM, server: ModelServer, shape: Shape) -> None:
    server.script = [GOOD]

    with pytest.raises(Unavailable) as caught:
        await driven(wire, target(server, shape, key="sk-wrong")).complete(ASKED, (), Audience().hear)

    assert caught.value.key == "model.key"
    assert len(server.refused) == 1


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("where", ["refused", "name", "tls", "silent"])
async def test_a_server_that_cannot_be_reached_is_told(
    wire: LiteLLM, server: ModelServer, shape: Shape, where: str
) -> None:
    deaf = socket.create_server(("127.0.0.1", 0))
    port = deaf.getsockname()[1]
    if where == "refused":
        deaf.close()
    address = {
        "refused": f"http://127.0.0.1:{port}/v1",
        "name": "http://no-such-host.invalid/v1",
        "tls": server.base(shape).replace("http://", "https://"),
        "silent": f"http://127.0.0.1:{port}/v1",
    }[where]
    model = driven(wire, target(server, shape, base=address), limits={"first": 1.0})

    with pytest.raises(Unavailable) as caught:
        await model.complete(ASKED, (), Audience().hear)
    deaf.close()

    assert caught.value.key in {"model.transport", "model.server", "model.slow"}
    assert server.asked == []


async def test_nothing_is_repeated_after_text_but_its_continuation(wire: LiteLLM, server: ModelServer) -> None:
    server.script = [Say("It is ", act="cut"), Say("blue.")]

    await driven(wire, target(server, "openai")).complete(ASKED, [RECALL], Audience().hear)

    first, second = (body["messages"] for _, body in server.asked)
    assert second[: len(first)] == first
    assert [message["role"] for message in second[len(first) :]] == ["assistant", "user"]
    assert second[-2]["content"] == "It is "


def test_every_kind_of_the_chaos_matrix_has_cells() -> None:
    assert len(cells()) + 4 * len(SHAPES) >= 40
    assert len({cell.name for cell in CELLS}) == len(CELLS)
