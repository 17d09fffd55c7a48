"""Fragments of thought: side by side, on the turn's model and prompt, in time (original.md 3.19, 239)."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from core.errors import TryAgain, Unavailable
from core.llm.base import Message, TextDelta, ThinkingDelta, Usage
from core.turn.thinking import ThinkTool, fragments_of, thoughts_in
from tests.core.agent.given import WORDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.llm.base import Listen, ToolSpec
    from core.llm.models import Wish

SYSTEM = Message("system", "The turn's own system message.")


@dataclass
class Mind:
    """Thinks by what the question says; `wishes` and `asked` are what it was given."""

    wishes: list[Wish] = field(default_factory=list)
    asked: list[Sequence[Message]] = field(default_factory=list)
    together: int = 0
    most: int = 0
    name: str = "mind"

    def ask(self, wish: Wish) -> Mind:
        self.wishes.append(wish)
        return self

    async def complete(self, messages: Sequence[Message], tools: Sequence[ToolSpec], on_event: Listen) -> Message:
        assert not tools
        self.asked.append(messages)
        self.together += 1
        self.most = max(self.most, self.together)
        question = messages[-1].text
        try:
            await asyncio.sleep(0)  # noqa: TID251 - the others begin
            if "fails" in question:
                raise Unavailable("down")
            if "muses" in question:
                await on_event(ThinkingDelta("only reasoning"))
                await asyncio.Event().wait()
            if "hangs" in question:
                await on_event(TextDelta("half a conclusion"))
                await asyncio.Event().wait()
            return Message("assistant", f"so it is: {question[-5:]}", usage=Usage(100, 20))
        finally:
            self.together -= 1


def tool(mind: Mind, seconds: float = 5.0) -> ThinkTool:
    return ThinkTool(mind.ask, lambda: "the-model", [SYSTEM], "2026-03-09", seconds)


async def think(mind: Mind, *questions: object, seconds: float = 5.0) -> list[dict[str, str]]:
    found: list[dict[str, str]] = json.loads(await tool(mind, seconds).run({"fragments": list(questions)}))["fragments"]
    return found


async def test_fragments_are_thought_side_by_side_on_the_turns_model_and_prompt() -> None:
    mind = Mind()

    told = await think(mind, {"question": "first", "effort": "high"}, {"question": "other"})

    assert [one["answer"] for one in told] == ["so it is: first", "so it is: other"]
    assert [(wish.model, wish.thinking, wish.effort) for wish in mind.wishes] == [
        ("the-model", True, "high"),
        ("the-model", True, "low"),
    ]
    assert mind.most == 2
    assert all(messages[0] is SYSTEM for messages in mind.asked)
    assert all("2026-03-09" in messages[-1].text for messages in mind.asked)


async def test_at_the_deadline_what_was_written_is_kept_and_called_partial() -> None:
    told = await think(Mind(), "first", "it hangs", "it muses", seconds=0.05)

    assert [one["state"] for one in told] == ["whole", "partial", "partial"]
    assert told[1]["answer"] == "half a conclusion"
    assert told[2]["thought"] == "only reasoning"
    assert "do not ask the same again" in told[1]["note"]


async def test_a_fragment_that_fails_costs_none_of_the_others() -> None:
    told = await think(Mind(), "it fails", "first")

    assert [one["state"] for one in told] == ["failed", "whole"]


async def test_what_the_fragments_used_is_told() -> None:
    spent: list[Usage] = []
    thinking = ThinkTool(Mind().ask, lambda: "the-model", [SYSTEM], "2026-03-09", spent=spent.append)

    await thinking.run({"fragments": ["first", "it fails", "other"]})

    assert spent == [Usage(100, 20)] * 2


async def test_when_nothing_came_of_any_the_model_is_told() -> None:
    with pytest.raises(TryAgain):
        await think(Mind(), "it fails")
    with pytest.raises(TryAgain):
        await tool(Mind()).run({})


def test_what_is_asked_is_understood_in_the_ways_models_write_it() -> None:
    assert [one.question for one in fragments_of({"fragments": ["a", {"question": "b"}, 5, {"q": "c"}]})] == ["a", "b"]
    assert [one.effort for one in fragments_of({"question": "a", "effort": "HIGH"})] == ["high"]
    assert fragments_of({"question": "a", "effort": "most"})[0].effort == "low"
    assert len(fragments_of({"fragments": ["a"] * 50})) == 6


async def test_conclusions_go_into_the_cognition_log_failed_ones_do_not() -> None:
    result = await tool(Mind(), 0.05).run({"fragments": ["first", "it hangs", "it fails"]})

    assert thoughts_in(result) == [
        "thinkDeep, low: first\nso it is: first",
        "thinkDeep, low (partial): it hangs\nhalf a conclusion",
    ]
    assert thoughts_in("no report") == []


async def test_lines_and_fold_name_the_questions_in_both_languages() -> None:
    made = tool(Mind(), 0.05)
    result = await made.run({"fragments": ["first", "it hangs"]})

    for words in WORDS.values():
        assert "first" in made.running({"fragments": ["first", "other"]}, words)
        assert "first" in made.done({"question": "first"}, words)
        assert words("tool.think.partial") in made.detail(result, words)
        assert "thinkDeep" not in made.running({}, words)
