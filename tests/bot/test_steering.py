"""Which model answers: chosen, thought with, asked again, and said when it is not available."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

from core.llm.base import Usage
from core.llm.driver.wire import CallPart, Chunk, Trouble
from core.slices.codec import decode
from core.turn.prompt import standing
from tests.bot.living import WORDS, Worker, living
from tests.bot.routed import Plan, Routed, routed
from tests.core.llm.test_models import Script
from tests.doubles.echo_model import EchoModel
from tests.doubles.model import EndlessModel

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from core.llm.driver.wire import Request

EN = WORDS["en"]


class Named(Script):
    """A wire whose models say who they are."""

    def chunks(self, request: Request) -> list[Chunk]:
        return [Chunk(text=f"I am {request.target.model}."), Chunk(end="stop"), Chunk(usage=Usage(10, 5, 0, 0.01))]

    async def send(self, request: Request) -> AsyncGenerator[Chunk, None]:
        self.asked.append(request)
        for chunk in self.chunks(request):
            yield chunk


def plan(**more: object) -> Plan:
    return Plan(worker=Worker(), **more)  # type: ignore[arg-type]


def setting(home: Routed, *keys: str) -> object:
    value = json.loads(home.file("memory/user/config.json"))
    for key in keys:
        value = value[key]
    return value


async def test_the_page_of_models_shows_what_answers_and_what_may_be_chosen() -> None:
    async with routed(Named(), plan()) as home:
        page = await home.ask("/model")

    assert page.startswith("Models | deepseek-v4-pro | Thinks first · medium")
    assert "- Work inside: `deepseek-v4-flash`" in page
    assert "(claude-sonnet-5)" in page


async def test_a_model_that_is_chosen_answers_from_then_on() -> None:
    async with routed(Named(), plan()) as home:
        page = await home.ask("/model claude-sonnet-5")
        answer = await home.ask("Who are you?")

    assert "`claude-sonnet-5` answers from now on." in page
    assert "(Answer again with claude-sonnet-5)" in page
    assert answer == "I am claude-sonnet-5."
    assert setting(home, "model", "provider") == "claude-sonnet-5"


async def test_an_unknown_model_changes_nothing_and_is_said() -> None:
    async with routed(Named(), plan()) as home:
        page = await home.ask("/model gpt-99")
        answer = await home.ask("Who are you?")

    assert "gpt-99 is not available; deepseek-v4-pro answers instead." in page
    assert answer == "I am deepseek-v4-pro."
    assert home.file("memory/user/config.json") == ""


async def test_an_unknown_model_in_the_file_is_said_once_and_another_answers() -> None:
    async with routed(Named(), plan()) as home:
        await home.house.parts.config.change("model.provider", "gpt-99")
        for text in ("one", "two"):
            await home.say(text)

    said = [text for text in home.world.finals() if "gpt-99" in text]
    assert said == ["gpt-99 is not available; deepseek-v4-pro answers instead."]
    assert [text for role, text in home.texts() if role == "agent"] == ["I am deepseek-v4-pro."] * 2


async def test_thinking_and_effort_are_set_by_command_in_both_languages() -> None:
    wire = Named()
    async with routed(wire, plan()) as home:
        await home.say("/effort high")
        await home.say("one")
        assert "Thinking" in await home.ask("/think")
        await home.say("/think off")
        await home.say("two")
        assert "Write /think on" in await home.ask("/think perhaps")
        assert "Write /effort low" in await home.ask("/effort most")

    assert [request.thinking for request in wire.asked] == ["high", ""]
    assert (setting(home, "model", "thinking"), setting(home, "model", "reasoningEffort")) == (False, "high")


class Thinking(Named):
    """A wire whose models think before they answer."""

    def chunks(self, request: Request) -> list[Chunk]:
        if len(self.asked) > 1:
            return super().chunks(request)
        call = CallPart(0, "c1", "thinkDeep", json.dumps({"fragments": ["Is it one?", "Is it two?"]}))
        return [Chunk(calls=(call,)), Chunk(end="tools"), Chunk(usage=Usage(10, 5, 0, 0.01))]


async def test_what_thinking_aside_used_is_part_of_the_account() -> None:
    wire = Thinking()
    async with routed(wire, plan()) as home:
        await home.say("Which is it?")
        why = await home.ask("/why")

    assert len(wire.asked) == 4
    assert "Tokens: 40 in (0 from the cache), 20 out" in why
    assert "Cost: about $0.0400" in why


async def test_an_answer_is_given_again_by_another_model_and_the_former_stays_on_file() -> None:
    wire = Named()
    async with routed(wire, plan()) as home:
        await home.say("Who are you?")
        again = await home.ask("/retry claude-sonnet-5")
        why = await home.ask("/why")
        await home.say("And now?")

    (piece,) = home.slices()
    first, second, third = (turn for turn in piece.turns if turn.role == "agent")
    assert again == second.text == "I am claude-sonnet-5."
    assert first.text == third.text == "I am deepseek-v4-pro."
    assert len({turn.label for turn in piece.turns}) == 3
    assert "Model: `claude-sonnet-5`" in why
    assert "(Answer again with deepseek-v4-pro)" in why
    texts = [message.text for message in wire.asked[1].messages]
    assert texts[-1] == "Who are you?"
    assert "I am deepseek-v4-pro." not in texts
    assert [m.text for m in wire.asked[2].messages if m.role == "assistant"] == ["I am claude-sonnet-5."]


async def test_without_a_name_the_model_in_force_answers_again() -> None:
    async with living(EchoModel()) as home:
        await home.say("the flute")
        await home.say("/retry")

    assert home.texts() == [
        ("user", "the flute"),
        ("agent", "answer to «the flute»"),
        ("agent", "answer to «the flute»"),
    ]


async def test_nothing_to_answer_again_is_said() -> None:
    async with living(EchoModel()) as home:
        await home.say("/retry")

    assert home.world.finals() == [EN("again.nothing")]


async def test_a_talk_that_is_over_is_not_reopened() -> None:
    async with living(EchoModel()) as home:
        await home.say("the flute")
        await home.say("/close")
        await home.say("/retry")

    assert EN("again.closed") in home.world.finals()[-1]
    assert len(home.texts()) == 2


async def test_an_unknown_model_asked_for_an_answer_is_said_and_another_answers() -> None:
    async with routed(Named(), plan()) as home:
        await home.say("Who are you?")
        again = await home.ask("/retry gpt-99")

    assert again == "I am deepseek-v4-pro."
    assert any("gpt-99 is not available" in text for text in home.world.finals())


async def test_answering_again_can_be_stopped_and_its_part_is_kept() -> None:
    model = EndlessModel("half ")
    async with living(model) as home:
        home.world.say("the flute")
        await model.silent.wait()
        await home.house.queues.stop()
        await home.idle()
        model.silent.clear()
        home.world.say("/retry")
        await model.silent.wait()
        await home.house.queues.stop()
        await home.idle()

    assert [text for role, text in home.texts() if role == "agent"] == ["[partial] half"] * 2


async def test_answering_again_goes_on_after_the_process_ended_in_it() -> None:
    class Slow(Named):
        async def send(self, request: Request) -> AsyncGenerator[Chunk, None]:
            if request.target.provider == "anthropic":
                begun.set()
                await asyncio.Event().wait()
            async for chunk in Named.send(self, request):
                yield chunk

    begun = asyncio.Event()
    async with routed(Slow(), plan()) as first:
        await first.say("Who are you?")
        first.world.say("/retry claude-sonnet-5")
        await begun.wait()
    async with routed(Named(), plan(), first.disk, first.world) as second:
        await second.idle()

    assert [text for role, text in second.texts() if role == "agent"] == [
        "I am deepseek-v4-pro.",
        "I am claude-sonnet-5.",
    ]
    assert second.last() == "I am claude-sonnet-5."


async def test_an_answer_given_again_that_could_not_be_shown_is_shown_later_and_not_made_twice() -> None:
    wire = Named()
    async with routed(wire, plan()) as home:
        await home.say("Who are you?")
        home.world.down = 2
        again = await home.ask("/retry claude-sonnet-5")

    assert again == "I am claude-sonnet-5."
    assert len([text for role, text in home.texts() if role == "agent"]) == 2


async def test_when_the_other_model_fails_memory_answers_and_says_so() -> None:
    class Down(Named):
        async def send(self, request: Request) -> AsyncGenerator[Chunk, None]:
            if request.target.provider == "anthropic":
                raise Trouble("key", status=401)
            async for chunk in Named.send(self, request):
                yield chunk

    async with routed(Down(), plan()) as home:
        await home.say("Who are you?")
        again = await home.ask("/retry claude-sonnet-5")
        after = await home.ask("And now?")

    assert again == EN("offline.key.about", variable="ANTHROPIC_API_KEY")
    assert after == "I am deepseek-v4-pro."


async def test_an_edit_of_the_newest_message_is_answered_again_in_its_place() -> None:
    async with routed(Named(), plan()) as home:
        message = await home.say("meet at five")
        home.world.edit(message, "meet at six")
        await home.idle()
        offered = home.last()
        await home.say("/retry")

    assert offered.endswith("(Answer again with the edited text)")
    (piece,) = home.slices()
    assert [turn.role for turn in piece.turns] == ["user", "agent", "agent"]


async def test_a_model_chosen_after_a_failure_is_asked_at_once() -> None:
    class Broke(Named):
        async def send(self, request: Request) -> AsyncGenerator[Chunk, None]:
            if request.target.provider == "deepseek":
                raise Trouble("credit", status=402)
            async for chunk in Named.send(self, request):
                yield chunk

    async with routed(Broke(), plan()) as home:
        await home.say("one")
        page = await home.ask("/model", 1)
        await home.say("/model claude-sonnet-5", 1)
        answer = await home.ask("two", 1)

    assert EN("models.down") in page
    assert answer == "I am claude-sonnet-5."


def test_an_answer_that_was_given_again_stands_alone_and_plain_histories_stay() -> None:
    text = (
        "---\ntype: timeslice\nstatus: active\n---\n\n## Turn a — 2026-03-09T18:42:00.000Z (user)\n\nq\n\n"
        "## Turn a — 2026-03-09T18:42:01.000Z (agent)\n\nfirst\n\n## Turn b — 2026-03-09T18:43:00.000Z (agent)\n\n"
        "second\n\n## Turn c — 2026-03-09T18:44:00.000Z (user)\n\nr\n\n"
        "## Turn c — 2026-03-09T18:44:01.000Z (agent)\n\ns\n"
    )
    piece = decode(text.encode(), "core.md")

    assert [turn.text for turn in standing(piece.turns)] == ["q", "second", "r", "s"]
