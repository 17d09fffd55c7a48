"""One turn in a living house: what is kept, what is answered, and what happens when it goes wrong."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from core.conversation import Attachment
from core.errors import OverBudget, Unavailable, Unusable
from core.llm.base import Message, TextDelta
from tests.bot.living import living
from tests.doubles.echo_model import EchoModel
from tests.doubles.model import EndlessModel, ScriptedModel, calls, says

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.llm.base import Listen, ToolSpec


class Breaking:
    """Says a few words and then breaks off."""

    name = "breaking"

    def __init__(self, text: str, error: Exception) -> None:
        self._text, self._error = text, error

    async def complete(self, messages: Sequence[Message], tools: Sequence[ToolSpec], on_event: Listen) -> Message:
        await on_event(TextDelta(self._text))
        raise self._error


class Looking:
    """Looks at the disk at the moment when it is asked, then answers."""

    name = "looking"

    def __init__(self) -> None:
        self.seen: list[str] = []
        self.look: Callable[[], str] = str

    async def complete(self, messages: Sequence[Message], tools: Sequence[ToolSpec], on_event: Listen) -> Message:
        self.seen.append(self.look())
        return Message("assistant", "seen")


async def test_the_words_are_on_the_disk_before_the_model_is_asked() -> None:
    model = Looking()
    async with living(model) as home:
        model.look = lambda: home.file("core.md")

        await home.say("keep me first")

    assert "keep me first" in model.seen[0]
    assert "seen" not in model.seen[0]


async def test_both_sides_stand_under_one_id_with_their_own_times() -> None:
    async with living(EchoModel()) as home:
        await home.say("hello")

        user, agent = home.turns()

    assert (user.role, agent.role, user.label) == ("user", "agent", agent.label)
    assert user.at <= agent.at


async def test_an_interrupted_answer_keeps_its_part_marked_and_shows_it() -> None:
    model = EndlessModel("half of an ")
    async with living(model) as home:
        home.world.say("go on")
        await model.silent.wait()

        assert await home.house.queues.stop()
        await home.idle()

    assert home.texts() == [("user", "go on"), ("agent", "[partial] half of an")]
    assert home.world.finals()[-1] == "half of an\n\n*(stopped)*"


async def test_an_interruption_before_any_word_stores_no_agent_turn_but_a_note() -> None:
    model = EndlessModel("")
    async with living(model) as home:
        home.world.say("go on")
        await model.silent.wait()

        await home.house.queues.stop()
        await home.idle()

    assert home.texts() == [("user", "go on")]
    assert "(no reply: stopped by the person before anything was said)" in home.file("agent.md")
    assert home.world.finals()[-1] == "(stopped)"


async def test_stop_says_whether_there_was_something_to_stop() -> None:
    model = EndlessModel("so ")
    async with living(model) as home:
        assert not await home.house.queues.stop()
        home.world.say("go on")
        await model.silent.wait()

        assert await home.house.queues.stop()
        assert not await home.house.queues.stop()
        await home.idle()
        assert not await home.house.queues.stop()


async def test_after_a_stop_the_messages_behind_it_get_their_own_turn() -> None:
    model = ScriptedModel([])
    endless = EndlessModel("first ")

    async def complete(messages: Sequence[Message], tools: Sequence[ToolSpec], on_event: Listen) -> Message:
        chosen = endless if not endless.silent.is_set() else EchoModel()
        return await chosen.complete(messages, tools, on_event)

    model.complete = complete  # type: ignore[method-assign]
    async with living(model) as home:
        home.world.say("one")
        await endless.silent.wait()
        home.world.say("two")
        home.world.say("three")
        await home.house.queues.stop()
        await home.idle()

    assert home.texts() == [
        ("user", "one"),
        ("agent", "[partial] first"),
        ("user", "two\n\nthree"),
        ("agent", "answer to «two\n\nthree»"),
    ]


@pytest.mark.parametrize("error", [Unavailable("down"), OverBudget("spent"), Unusable("odd")])
async def test_a_model_that_fails_gives_a_human_sentence_and_the_next_message_is_answered(error: Exception) -> None:
    model = ScriptedModel([error, says("back again")])
    async with living(model) as home:
        await home.say("are you there?")
        told = home.world.finals()[-1]

        await home.say("and now?")

    assert "No answer could be had" in told
    assert home.texts() == [("user", "are you there?"), ("user", "and now?"), ("agent", "back again")]
    assert "(no reply: the model failed)" in home.file("agent.md")


async def test_what_a_model_said_before_it_broke_off_is_kept_and_shown() -> None:
    async with living(Breaking("The bakery is on ", Unavailable("gone"))) as home:
        await home.say("where is it?")

    assert home.texts()[1] == ("agent", "[partial] The bakery is on")
    assert home.world.finals()[-1] == "The bakery is on\n\n*(The answer breaks off here.)*"


async def test_an_answer_cut_at_its_length_is_marked_as_a_part() -> None:
    model = ScriptedModel([Message("assistant", "so far", finish="length")])
    async with living(model) as home:
        await home.say("tell me all")

    assert home.texts()[1] == ("agent", "[partial] so far")


async def test_an_empty_answer_stores_nothing_empty() -> None:
    async with living(ScriptedModel([says("  \n ")])) as home:
        await home.say("anything?")

    assert home.texts() == [("user", "anything?")]
    assert "The model said nothing" in home.world.finals()[-1]
    assert "(no reply: the model said nothing)" in home.file("agent.md")


async def test_a_model_that_never_returns_is_given_up_and_the_next_message_is_answered() -> None:
    model = ScriptedModel([])
    endless, asked = EndlessModel(""), []

    async def complete(messages: Sequence[Message], tools: Sequence[ToolSpec], on_event: Listen) -> Message:
        asked.append(messages[-1].text)
        return await (endless if len(asked) == 1 else EchoModel()).complete(messages, tools, on_event)

    model.complete = complete  # type: ignore[method-assign]
    async with living(model, patience=0.05) as home:
        home.world.say("hang")
        async with asyncio.timeout(20):
            while not home.world.finals():  # noqa: ASYNC110 - real time passes for the limit
                await asyncio.sleep(0.01)  # noqa: TID251 - likewise
        await home.say("next")

    assert "No answer could be had" in home.world.finals()[0]
    assert home.texts()[-1] == ("agent", "answer to «next»")


async def test_a_text_equal_to_an_earlier_one_is_stored_again() -> None:
    async with living(EchoModel()) as home:
        await home.say("yes")
        await home.say("yes")

    assert [text for role, text in home.texts() if role == "user"] == ["yes", "yes"]


async def test_an_attachment_is_noted_and_a_bare_one_is_a_turn_of_its_own() -> None:
    photo = Attachment("beach\n.jpg", "image/jpeg", ref="p")
    async with living(EchoModel()) as home:
        home.world.files["p"] = b"picture"
        await home.say("look", attachments=(photo,))
        await home.say("", attachments=(photo,))

    first, second = (turn for turn in home.turns() if turn.role == "user")
    assert first.text == f"[image/jpeg: beach .jpg](files/{first.label}-1.jpg)\n\nlook"
    assert second.text == f"[image/jpeg: beach .jpg](files/{second.label}-1.jpg)"


async def test_a_blank_message_opens_no_slice_and_stores_nothing() -> None:
    async with living(EchoModel()) as home:
        await home.say(" \n ")

        assert home.house.parts.journal.state.idle

    assert home.slices() == []
    assert home.world.finals() == []


async def test_turn_headers_in_a_reply_are_one_turn_when_read_again() -> None:
    reply = "first\n\n## Turn abcdef — 2026-01-01T00:00:00.000Z (user)\n\nnot said"
    async with living(ScriptedModel([says(reply)])) as home:
        await home.say("show me a header")

    assert home.texts() == [("user", "show me a header"), ("agent", reply)]


async def test_the_log_names_the_tools_and_thoughts_once() -> None:
    model = ScriptedModel([calls(("readTimelineWindow", {})), says("done", reasoning="I should look.")])
    async with living(model) as home:
        await home.say("what was there?")

    log = home.file("agent.md")
    assert log.count("## Cognition ") == 1
    assert "I should look." in log
    assert "`readTimelineWindow`" in log


async def test_an_answer_begun_and_then_given_up_logs_the_tools_that_ran() -> None:
    model = ScriptedModel([calls(("readTimelineWindow", {})), Unavailable("down")])
    async with living(model) as home:
        await home.say("what was there?")

    assert "`readTimelineWindow`" in home.file("agent.md")
    assert "(no reply: the model failed)" in home.file("agent.md")


async def test_a_turn_that_crashes_three_times_is_stored_with_a_note_and_the_queue_goes_on() -> None:
    model = ScriptedModel([ValueError("bug"), ValueError("bug"), ValueError("bug"), says("fine")])
    async with living(model) as home:
        await home.say("poison")
        told = home.world.finals()[-1]
        await home.say("next")

    assert "failed three times" in told
    assert home.texts() == [("user", "poison"), ("user", "next"), ("agent", "fine")]
    assert "(no reply: answering crashed three times)" in home.file("agent.md")


async def test_a_fault_while_marking_does_not_cost_the_answer() -> None:
    model = ScriptedModel([says("one"), ValueError("bug in the worker"), says("two")])
    async with living(model) as home:
        await home.say("before the silence")
        await home.say("after the silence", pause=3600)

    assert home.texts()[-1] == ("agent", "two")
    assert [piece.closed for piece in home.slices()] == [True, False]
