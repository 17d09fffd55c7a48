"""Edits and deletions: before, during and after the answer, of one message and of one in a burst."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core.slices.messages import decode_messages
from core.slices.notes import spoken
from tests.bot.living import Living, living
from tests.doubles.echo_model import EchoModel
from tests.doubles.model import EndlessModel, ScriptedModel, says

if TYPE_CHECKING:
    from core.conversation import Incoming


def said(home: Living) -> list[str]:
    return [text for role, text in home.texts() if role == "user"]


async def burst(home: Living, *texts: str) -> list[Incoming]:
    home.world.clock.shift(30)
    sent = [home.world.say(text) for text in texts]
    await home.idle()
    return sent


async def test_an_edit_before_the_answer_replaces_the_text() -> None:
    async with living(EchoModel()) as home:
        message = home.world.say("the wrong word")
        home.world.edit(message, "the right word")
        await home.idle()

    assert home.texts() == [("user", "the right word"), ("agent", "answer to «the right word»")]


async def test_a_hundred_edits_before_the_answer_make_one_turn_with_the_last_text() -> None:
    async with living(EchoModel()) as home:
        message = home.world.say("version 0")
        for number in range(1, 101):
            home.world.edit(message, f"version {number}")
        await home.idle()

    assert home.texts() == [("user", "version 100"), ("agent", "answer to «version 100»")]


async def test_a_message_deleted_before_the_answer_is_marked_and_not_answered() -> None:
    async with living(EchoModel()) as home:
        home.world.delete(home.world.say("oh no\n\nnever mind"))
        await home.idle()

    assert home.texts() == [("user", "[deleted] oh no\n\n[deleted] never mind")]
    assert home.world.finals() == []


async def test_a_message_of_a_burst_deleted_before_the_answer_is_not_in_the_question() -> None:
    async with living(EchoModel()) as home:
        home.world.say("keep")
        home.world.delete(home.world.say("drop"))
        await home.idle()

    assert home.texts() == [("user", "keep\n\n[deleted] drop"), ("agent", "answer to «keep»")]


async def test_an_edit_during_the_answer_is_noted_after_it() -> None:
    model = EndlessModel("half ")
    async with living(model) as home:
        message = home.world.say("first words")
        await model.silent.wait()
        home.world.edit(message, "second words")
        await home.until(lambda: bool(home.house.parts.journal.state.late))
        await home.house.queues.stop()
        await home.idle()

    assert home.texts() == [("user", "first words\n\n[edited 18:42] second words"), ("agent", "[partial] half")]


async def test_an_edit_after_the_answer_is_appended_and_a_new_answer_is_offered() -> None:
    async with living(EchoModel()) as home:
        message = await home.say("meet at five")
        home.world.edit(message, "meet at six")
        await home.idle()

    assert said(home) == ["meet at five\n\n[edited 18:42] meet at six"]
    assert home.world.finals()[-1].endswith("(Answer again with the edited text)")
    assert len([text for role, text in home.texts() if role == "agent"]) == 1


async def test_of_several_edits_after_the_answer_the_last_wins_without_a_call_of_the_model() -> None:
    model = EchoModel()
    async with living(model) as home:
        message = await home.say("meet at five")
        asked = model.calls
        for hour in ("six", "seven", "eight"):
            home.world.edit(message, f"meet at {hour}")
            await home.idle()

    assert said(home) == ["meet at five\n\n[edited 18:42] meet at eight"]
    assert model.calls == asked


async def test_an_edit_that_changes_no_word_is_not_noted() -> None:
    async with living(EchoModel()) as home:
        message = await home.say("look at this link")
        home.world.edit(message, "look at this link")
        await home.idle()
        home.world.edit(message, "look here")
        await home.idle()
        before = home.world.finals()
        home.world.edit(message, "look here")
        await home.idle()

    assert said(home) == ["look at this link\n\n[edited 18:42] look here"]
    assert home.world.finals() == before


async def test_a_deletion_after_the_answer_marks_the_words_and_the_edit() -> None:
    async with living(EchoModel()) as home:
        message = await home.say("a secret\n\nin two parts")
        home.world.edit(message, "another secret")
        await home.idle()
        home.world.delete(message)
        await home.idle()

    assert spoken(said(home)[0]) == ""
    assert "a secret" in said(home)[0]


async def test_an_edit_and_a_deletion_that_come_together_are_both_noted() -> None:
    async with living(EchoModel()) as home:
        message, *_ = await burst(home, "alpha", "beta")
        home.world.edit(message, "gamma")
        home.world.delete(message)
        await home.idle()

    assert spoken(said(home)[0]) == "beta"
    assert "[deleted] [edited 18:42] gamma" in said(home)[0]
    assert home.house.parts.journal.state.late == {}


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 0, 2)])
async def test_messages_of_a_burst_are_deleted_one_by_one_in_any_order(order: tuple[int, ...]) -> None:
    texts = ["one", "two\n\nwith a second paragraph", "three"]
    async with living(EchoModel()) as home:
        sent = await burst(home, *texts)
        for place in order[:2]:
            home.world.delete(sent[place])
            await home.idle()

    assert spoken(said(home)[0]) == texts[order[2]]


async def test_a_message_deleted_before_and_one_after_the_answer_leave_the_third() -> None:
    async with living(EchoModel()) as home:
        home.world.clock.shift(30)
        first, second = home.world.say("one"), home.world.say("two")
        home.world.say("three")
        home.world.delete(first)
        await home.idle()
        home.world.delete(second)
        await home.idle()

    assert spoken(said(home)[0]) == "three"


async def test_a_deleted_sticker_of_a_burst_leaves_the_words_beside_it() -> None:
    async with living(EchoModel()) as home:
        sent = await burst(home, "hello", " ")
        home.world.delete(sent[1])
        await home.idle()

    assert said(home) == ["hello"]
    lines = decode_messages(home.file("messages.jsonl").encode()).entries
    assert [bool(line.deleted) for line in lines if line.role == "user"] == [False, True]


async def test_an_edit_of_a_message_that_is_not_known_is_let_go() -> None:
    async with living(EchoModel()) as home:
        stranger = home.world.say("never delivered")
        home.world.queue.clear()
        home.world.edit(stranger, "edited")
        await home.idle()

    assert home.texts() == []


async def test_an_edit_a_day_later_finds_its_slice() -> None:
    async with living(EchoModel()) as home:
        message = await home.say("yesterday's words")
        await home.say("a new day", pause=86_400)
        home.world.edit(message, "yesterday's better words")
        await home.idle()

    first, second = home.slices()
    assert first.turns[0].text.endswith("[edited 18:42] yesterday's better words")
    assert second.turns[0].text == "a new day"


async def test_the_next_prompt_has_the_edit_and_not_the_deleted() -> None:
    model = ScriptedModel([says("noted"), says("hm"), says("at six")])
    async with living(model) as home:
        kept = await home.say("meet at five")
        gone = await home.say("a secret")
        home.world.edit(kept, "meet at six")
        home.world.delete(gone)
        await home.idle()
        await home.say("when do we meet?")

    prompt = [message.text for message in model.asked[-1][0]]
    assert "meet at five\n\n[edited 18:43] meet at six" in prompt
    assert not any("a secret" in text for text in prompt)
