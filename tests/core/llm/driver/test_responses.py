"""OpenAI's newer protocol (Responses): who is asked by it, what is sent, and what the library leaves to us."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core.llm.base import Message
from core.llm.driver.responses import speaks_responses
from core.llm.driver.wire import Target
from tests.core.llm.driver.bench import ASKED, RECALL, Audience, driven, target
from tests.doubles.model_server import KEY, ModelServer, Say

if TYPE_CHECKING:
    from core.llm.litellm import LiteLLM


async def test_sealed_reasoning_is_given_back_to_openai_which_keeps_nothing(wire: LiteLLM, server: ModelServer) -> None:
    server.script = [Say(reasoning="Hm.", calls=[("recall", "{}")]), Say("Blue.")]
    model = driven(wire, target(server, "responses"), thinking="low")
    first = await model.complete(ASKED, [RECALL], Audience().hear)
    told = Message("tool", "nothing", call_id=first.calls[0].id, name="recall")

    await model.complete([*ASKED, first, told], [RECALL], Audience().hear)

    kinds = [item["type"] for item in server.asked[1][1]["input"]]
    assert kinds == ["message", "message", "reasoning", "function_call", "function_call_output"]
    assert [body["store"] for _, body in server.asked] == [False, False]
    assert server.refused == []


async def test_words_that_got_lost_on_the_way_are_missed(wire: LiteLLM, server: ModelServer) -> None:
    server.script = [Say("It is ", act="corrupt"), Say("blue.")]

    message = await driven(wire, target(server, "responses")).complete(ASKED, (), Audience().hear)

    assert (message.text, len(server.asked)) == ("It is blue.", 2)


async def test_a_server_of_ones_own_is_never_asked_by_the_newer_protocol(wire: LiteLLM, server: ModelServer) -> None:
    server.script = [Say("Hi.")]
    aim = Target("custom", "gpt-5.4", KEY, server.base("openai"))

    await driven(wire, aim, thinking="high").complete(ASKED, [RECALL], Audience().hear)

    assert [shape for shape, _ in server.asked] == ["openai"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("gpt-5.4", True), ("gpt-5.4-mini-2026-03-17", True), ("gpt-6-sol", True), ("gpt-10", True),
        ("gpt-5.3", False), ("gpt-5-mini", False), ("gpt-4.1", False), ("o3", False), ("gpt-5.4-search-api", False),
    ],
)  # fmt: skip
def test_openais_models_from_gpt_5_4_on_speak_its_newer_protocol(name: str, expected: bool) -> None:
    assert speaks_responses(Target("openai", name), {}) is expected
    assert not speaks_responses(Target("custom", name), {})


def test_a_model_that_the_table_knows_by_that_protocol_alone_speaks_it() -> None:
    assert speaks_responses(Target("openai", "o3-pro"), {"mode": "responses"})
