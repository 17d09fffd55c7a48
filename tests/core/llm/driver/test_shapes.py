from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

import pytest

from core.agent.loop import answer
from core.i18n import load_words
from core.llm.base import Message, TextDelta, ToolCall, ToolSpec
from core.llm.driver.signatures import Signatures
from core.llm.driver.wire import Target
from tests.core.llm.driver.bench import ASKED, RECALL, Audience, driven, target
from tests.doubles.model_server import KEY, ModelServer, Say
from tests.tree import ROOT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from core.conversation import TurnEvent
    from core.i18n import Words
    from core.llm.effort import Thinking
    from core.llm.litellm import LiteLLM
    from tests.doubles.model_server import Shape

SHAPES: tuple[Shape, ...] = ("openai", "responses", "deepseek", "anthropic")
WORDS = load_words(ROOT / "locales")["en"]


class Finder:
    """A tool that finds one talk."""

    spec = RECALL

    async def run(self, arguments: Mapping[str, object]) -> str:
        return f"2026-03-09-1842: the flute ({arguments.get('query', '')})"

    def running(self, arguments: Mapping[str, object], words: Words) -> str:
        return "Looking"

    def done(self, arguments: Mapping[str, object], words: Words) -> str:
        return "Looked"

    def detail(self, result: str, words: Words) -> str:
        return ""


@pytest.mark.parametrize("shape", SHAPES)
async def test_text_reasoning_and_usage_stream_in_every_shape(wire: LiteLLM, server: ModelServer, shape: Shape) -> None:
    server.script = [Say(["The fl", "ute is ", "blue 🎶 青い"], reasoning="Let me see.", usage=(1000, 50), cached=200)]
    audience = Audience()

    message = await driven(wire, target(server, shape), thinking="medium").complete(ASKED, (), audience.hear)

    assert (message.text, audience.text) == ("The flute is blue 🎶 青い",) * 2
    assert (message.reasoning, audience.thoughts) == ("Let me see.",) * 2
    assert (message.finish, message.usage.completion, message.usage.cached) == ("stop", 50, 200)
    assert message.usage.prompt == (1200 if shape == "anthropic" else 1000)
    assert message.usage.cost is not None
    assert 0 < message.usage.cost < 0.01
    assert len([event for event in audience.heard if isinstance(event, TextDelta)]) >= 3
    assert server.refused == []


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("thinking", ["", "high"])
async def test_a_tool_is_called_and_the_answer_goes_on_in_every_shape(
    wire: LiteLLM, server: ModelServer, shape: Shape, thinking: str
) -> None:
    reasoning = "I should look." if thinking else ""
    server.script = [
        Say("Wait.", reasoning=reasoning, calls=[("recall", '{"query": "flute"}'), ("recall", '{"query": "music"}')]),
        Say("", reasoning=reasoning, calls=[("recall", "{}"), ("recall", "{oops")]),
        Say("It is blue (2026-03-09).", reasoning=reasoning),
    ]
    shown: list[TurnEvent] = []

    async def show(event: TurnEvent) -> None:
        shown.append(event)

    model = driven(wire, target(server, shape), thinking="high" if thinking else "")
    found = await answer(model, ASKED, [Finder()], on_event=show, words=WORDS)

    assert found.text == "Wait.\n\nIt is blue (2026-03-09)."
    assert [step.outcome for step in found.steps[:2]] == ["completed", "completed"]
    assert server.refused == []
    assert len(server.asked) == 3


@pytest.mark.parametrize("shape", SHAPES)
async def test_a_forced_tool_is_forced_and_thinking_is_off_for_it(
    wire: LiteLLM, server: ModelServer, shape: Shape
) -> None:
    server.script = [Say(calls=[("marks", '{"focus": "flute"}')])]
    tool = ToolSpec("marks", "Marks.", {"type": "object", "properties": {"focus": {"type": "string"}}}, forced=True)

    message = await driven(wire, target(server, shape), thinking="high").complete(ASKED, [tool], Audience().hear)

    assert message.calls[0].arguments == '{"focus": "flute"}'
    body = server.asked[0][1]
    assert "marks" in str(body["tool_choice"])
    assert server.refused == []


async def test_signed_reasoning_is_given_back_to_anthropic_alone(wire: LiteLLM, server: ModelServer) -> None:
    server.script = [Say(reasoning="Hm.", calls=[("recall", "{}")]), Say("Blue.")]
    model = driven(wire, target(server, "anthropic"), thinking="low")
    first = await model.complete(ASKED, [RECALL], Audience().hear)
    told = Message("tool", "nothing", call_id=first.calls[0].id, name="recall")

    await model.complete([*ASKED, first, told], [RECALL], Audience().hear)

    blocks = server.asked[1][1]["messages"][1]["content"]
    assert (blocks[0]["type"], blocks[0]["thinking"]) == ("thinking", "Hm.")


@pytest.mark.parametrize("shape", SHAPES)
async def test_a_resumed_turn_without_reasoning_is_still_answered(
    wire: LiteLLM, server: ModelServer, shape: Shape
) -> None:
    server.script = [Say("Blue.")]
    step = Message("assistant", "", calls=(ToolCall("call-0-0", "recall", "{}"),), finish="tools")
    told = Message("tool", "nothing", call_id="call-0-0", name="recall")

    message = await driven(wire, target(server, shape), thinking="high").complete(
        [*ASKED, step, told], [RECALL], Audience().hear
    )

    assert message.text == "Blue."
    assert server.refused == []


@pytest.mark.parametrize(
    ("shape", "thinking", "expected"),
    [
        ("deepseek", "", {"thinking": {"type": "disabled"}}),
        ("deepseek", "high", {"thinking": {"type": "enabled"}, "reasoning_effort": "high"}),
        ("anthropic", "", {"thinking": {"type": "disabled"}}),
        ("anthropic", "medium", {"thinking": {"type": "enabled", "budget_tokens": 12_000}}),
        ("openai", "", {"reasoning_effort": "minimal"}),
        ("openai", "low", {"reasoning_effort": "low"}),
        ("responses", "", {"reasoning": {"effort": "none"}}),
        ("responses", "high", {"reasoning": {"effort": "high"}}),
    ],
)
async def test_thinking_reaches_the_wire_in_the_providers_words(
    wire: LiteLLM, server: ModelServer, shape: Shape, thinking: Thinking, expected: dict[str, object]
) -> None:
    server.script = [Say("Yes.")]

    await driven(wire, target(server, shape), thinking=thinking).complete(ASKED, (), Audience().hear)

    body = server.asked[0][1]
    assert {name: body.get(name) for name in expected} == expected


async def test_a_newer_claude_thinks_by_effort(wire: LiteLLM, server: ModelServer) -> None:
    server.script = [Say("Yes.")]
    aim = Target("anthropic", "claude-sonnet-5", KEY, server.base("anthropic"))

    await driven(wire, aim, thinking="medium").complete(ASKED, (), Audience().hear)

    body = server.asked[0][1]
    assert body["thinking"]["type"] == "adaptive"
    assert body["output_config"] == {"effort": "medium"}


async def test_the_constant_prefix_may_be_kept_by_anthropic(wire: LiteLLM, server: ModelServer) -> None:
    server.script = [Say("Yes.")]

    await driven(wire, target(server, "anthropic")).complete(ASKED, (), Audience().hear)

    assert server.asked[0][1]["system"][0]["cache_control"] == {"type": "ephemeral"}


async def test_a_server_of_ones_own_needs_no_key_and_costs_nothing(wire: LiteLLM, server: ModelServer) -> None:
    server.script = [Say("Hi.")]
    aim = Target("custom", "qwen3:4b", KEY, server.base("openai"), thinks=False)

    message = await driven(wire, aim, thinking="high").complete(ASKED, (), Audience().hear)

    assert (message.text, message.usage.cost) == ("Hi.", 0.0)
    assert "reasoning_effort" not in server.asked[0][1]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("moment", ["before the first token", "in the middle"])
async def test_cancelling_ends_the_call_and_hangs_up_within_a_second(
    wire: LiteLLM, server: ModelServer, shape: Shape, moment: str
) -> None:
    server.script = [Say("Some", act="hang" if moment.startswith("before") else "stall")]
    audience = Audience()
    await wire.warm()

    async with asyncio.TaskGroup() as group:
        task = group.create_task(
            driven(wire, target(server, shape), limits={"first": 60.0, "silence": 60.0}).complete(
                ASKED, (), audience.hear
            )
        )
        until = time.monotonic() + 30  # noqa: TID251 - the limit is one of real time
        while not (server.asked if moment.startswith("before") else audience.text):
            assert time.monotonic() < until  # noqa: TID251
            await asyncio.sleep(0.01)  # noqa: TID251
        begun = time.monotonic()  # noqa: TID251
        task.cancel()
    ended = time.monotonic() - begun  # noqa: TID251
    for _ in range(100):
        if server.left:
            break
        await asyncio.sleep(0.01)  # noqa: TID251

    assert task.cancelled()
    assert ended < 1
    assert server.left == 1


async def test_the_loop_of_the_process_is_not_held_up_by_the_library(wire: LiteLLM, server: ModelServer) -> None:
    server.script = [Say("Hello.")]
    longest = 0.0

    async def watch() -> None:
        nonlocal longest
        while True:
            before = time.monotonic()  # noqa: TID251
            await asyncio.sleep(0.01)  # noqa: TID251
            longest = max(longest, time.monotonic() - before)  # noqa: TID251

    async with asyncio.TaskGroup() as group:
        watching = group.create_task(watch())
        await driven(wire, target(server, "openai"), limits={"first": 60.0}).complete(ASKED, (), Audience().hear)
        watching.cancel()

    assert longest < 1.0


def test_signatures_of_old_calls_are_forgotten() -> None:
    kept = Signatures()
    for n in range(100):
        kept.keep([ToolCall(f"c{n}", "recall", "{}")], ({"type": "thinking"},))

    history = [Message("assistant", "", calls=(ToolCall(f"c{n}", "recall", "{}"),)) for n in range(100)]

    assert len(kept.of(history)) == 64
    assert "c99" in kept.of(history)


async def test_a_talk_that_a_briefing_opens_begins_with_the_user_for_anthropic(
    wire: LiteLLM, server: ModelServer
) -> None:
    server.script = [Say("Blue.")]
    opened = (ASKED[0], Message("assistant", "PREVIOUSLY ON you"), Message("system", "About this turn."), ASKED[1])

    message = await driven(wire, target(server, "anthropic")).complete(opened, (), Audience().hear)

    assert (message.text, server.refused) == ("Blue.", [])
