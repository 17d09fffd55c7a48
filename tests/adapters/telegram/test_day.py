"""Days in the chat with the whole house behind it: every word kept once and answered once, whatever dies meanwhile."""

from __future__ import annotations

import pytest

from tests.adapters.telegram.day import TOKEN, day
from tests.adapters.telegram.stand import MARA, PNG
from tests.adapters.telegram.waiting import until
from tests.doubles.telegram.refusals import Refusal
from tests.doubles.telegram.world import Fault

MARK = "…"


async def test_a_day_with_restarts() -> None:  # P001 P003
    async with day() as one:
        one.mara.say("good morning <m1>")
        one.mara.say("are you there <m2>")
        async with one.life():
            await one.idle()
            assert one.answered("<m1>") == one.answered("<m2>") == 1
            one.mara.say("and now <m3>")
            await one.idle()

        one.mara.say("while you were away <m4>")
        one.model.pause, one.model.filler = 0.5, 60
        async with one.life(killed=True):
            await until(lambda: any("word5" in text for text in one.world.shown(MARA)))
        assert one.stored("<m4>") == 1

        one.model.pause, one.model.filler = 0.0, 3
        async with one.life():
            await one.idle()
            assert one.answered("<m4>") == 1
            one.clock.shift(3 * 3600)
            one.mara.say("back again <m5>")
            await one.idle()
        shown = one.world.shown(MARA)
        for token in ("<m1>", "<m2>", "<m3>", "<m4>", "<m5>"):
            assert (token, one.stored(token), one.answered(token)) == (token, 1, 1)
        assert MARK not in shown
        back = next(at for at, text in enumerate(shown) if "<m5>" in text)
        assert "PREVIOUSLY ON" in shown[back - 1]


async def test_a_long_paste_is_one_turn_and_one_answer() -> None:  # P033
    text = "<m1> " + "abcdefghi " * 899
    async with day() as one, one.life():
        one.mara.paste(text.strip())
        await one.idle()
        (said,) = [turn for turn in one.turns() if turn.role == "user"]
        assert said.text.replace("\n", "").replace(" ", "") == text.replace(" ", "")
        assert one.answered("<m1>") == 1
        assert len(one.model.requests) == 1


async def test_an_album_is_one_turn_with_its_caption_and_pictures() -> None:  # P035
    async with day() as one, one.life():
        for number in range(3):
            one.mara.photo(PNG, "look <m1>" if not number else "", group="g")
        await one.idle()
        assert (one.stored("<m1>"), one.answered("<m1>")) == (1, 1)
        assert sum(turn.role == "user" for turn in one.turns()) == 1


async def test_a_hundred_forwards_are_a_few_turns_in_order() -> None:
    async with day() as one, one.life():
        for number in range(100):
            one.mara.forward(f"forwarded <m{number}>")
        await one.idle()
        turns = [turn for turn in one.turns() if turn.role == "user"]
        assert len(turns) <= 4
        assert [token for turn in turns for token in TOKEN.findall(turn.text)] == [f"<m{n}>" for n in range(100)]


async def test_two_messages_at_once_are_both_kept_in_order() -> None:  # P011
    async with day() as one, one.life():
        one.mara.say("first <m1>")
        one.mara.say("second <m2>")
        await one.idle()
        said = "\n".join(turn.text for turn in one.turns() if turn.role == "user")
        assert said.index("<m1>") < said.index("<m2>")


async def test_an_edit_before_the_answer_counts_and_one_after_it_is_noted() -> None:  # P037
    async with day() as one:
        early = one.mara.say("meet at five <m1>")
        one.mara.edit(early, "meet at six <m1>")
        async with one.life():
            await one.idle()
            assert "six" in one.turns()[0].text
            assert "five" not in one.turns()[0].text
            one.mara.edit(early, "meet at seven <m1>")
            await one.idle()
            assert "[edited" in one.turns()[0].text
            assert len(one.model.requests) == 1
            await until(one.mara.buttons)


async def test_the_stop_button_keeps_the_part_and_the_next_message_is_answered() -> None:
    async with day() as one:
        one.model.pause, one.model.filler = 0.4, 400
        async with one.life():
            one.mara.say("tell me everything <m1>")
            await until(lambda: "Stop" in one.mara.buttons() if one.world.shown(MARA) else False)
            one.mara.press("Stop")
            await one.idle()
            one.model.pause, one.model.filler = 0.0, 0
            one.mara.say("and this <m2>")
            await one.idle()
            first, second = one.world.shown(MARA)
            assert "word1" in first
            assert "word399" not in first
            assert second == "answer to <m2>"
            assert one.stored("<m1>") == 1


async def test_stop_is_heard_while_the_model_hangs() -> None:  # P009
    async with day() as one:
        one.model.pause = 10_000
        async with one.life():
            one.mara.say("a question <m1>")
            await until(lambda: one.model.requests)
            one.mara.say("/stop")
            await one.idle()
            assert one.stored("<m1>") == 1


async def test_the_timeline_is_browsed_in_one_message_also_after_a_restart() -> None:
    async with day() as one:
        async with one.life():
            one.mara.say("we moved to Lisbon <m1>")
            await one.idle()
            one.mara.say("/timeline")
            await one.idle()
            count = len(one.world.shown(MARA))
        async with one.life():
            month = next(label for label in one.mara.buttons() if "Mar" in label)
            one.mara.press(month)
            await one.idle()
            assert len(one.world.shown(MARA)) <= count + 1
            assert "Mar" in one.world.shown(MARA)[-1]
            before = len(one.world.shown(MARA))
            one.mara.press(one.mara.buttons()[0])
            await one.idle()
            assert len(one.world.shown(MARA)) == before
            await until(lambda: one.server.calls.count("answerCallbackQuery") == 2)


@pytest.mark.parametrize("lose", ["before", "after"])
async def test_an_answer_that_meets_a_bad_network_comes_once(lose: str) -> None:
    async with day() as one, one.life():
        one.world.fault("sendMessage", *[Fault(lose=lose)] * 2)
        one.world.fault("editMessageText", *[Fault(lose=lose)] * 2)
        one.mara.say("hello <m1>")
        await one.idle()
        assert one.answered("<m1>") == 1


async def test_a_telegram_that_is_down_for_minutes_gets_the_answer_later() -> None:
    async with day() as one, one.life():
        one.world.fault("sendMessage", *[Fault(refuse=Refusal(502, "Bad Gateway"))] * 9)
        one.mara.say("hello <m1>")
        await one.idle()
        assert (one.stored("<m1>"), one.answered("<m1>")) == (1, 1)
        assert len(one.model.requests) == 1
