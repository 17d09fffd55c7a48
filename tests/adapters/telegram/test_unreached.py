"""What the person did not get: a blocked bot's answer comes later, a long saying is found again, a briefing folds."""

from __future__ import annotations

import json

from bot.sayings import MOST, Sayings
from core.config.values import BOT_PATH
from core.llm.base import Message
from tests.adapters.telegram.day import Day, day
from tests.adapters.telegram.stand import MARA
from tests.adapters.telegram.waiting import until
from tests.bot.living import Worker
from tests.doubles.model import calls
from tests.doubles.sim_disk import SimDisk

MARKS = {
    "focus": "外婆的菜谱和去年冬天我们一起做的剁椒鱼头以及她没有说完的故事",
    "summary": "说了外婆。",
    "open_loops": ["问妈妈"],
}
MINUTE = 60


async def tick(one: Day, minutes: float) -> None:
    """Time goes by, and the clock of the process ticks."""
    house = one.house
    assert house
    one.clock.shift(minutes * MINUTE)
    before = house.rounds.done["look"]
    await house.schedule.tick(one.clock.now())
    await until(lambda: house.rounds.done["look"] > before and house.rounds.resting)
    await one.idle()


def worker() -> Worker:
    return Worker([calls(("mark_slice", MARKS)), Message("assistant", "")])


async def test_a_briefing_that_waits_is_folded_in_its_place_when_the_talk_goes_on() -> None:
    async with day() as one:
        one.disk.plant(BOT_PATH, json.dumps({"timezone": "UTC", "briefing": {"mode": "waiting"}}).encode())
        async with one.life(worker=worker()):
            one.mara.say("the kiln is cold <m1>")
            await one.idle()
            await tick(one, 16)
            waits = one.world.last(MARA)["message_id"]
            assert "PREVIOUSLY ON" in one.world.shown(MARA)[-1]
        async with one.life():
            one.mara.say("and now <m2>")
            await one.idle()
            chat = one.mara.chat.messages
            await until(lambda: "PREVIOUSLY ON" not in chat[waits]["text"])
            assert chat[waits]["text"].count("\n") == 0
            assert "reply_markup" not in chat[waits]
            assert sum("PREVIOUSLY ON" in text for text in one.world.shown(MARA)) == 0


async def test_an_answer_that_a_blocked_bot_could_not_show_comes_when_it_is_let_in_again() -> None:
    async with day() as one, one.life() as house:
        one.model.pause = 1.0
        one.mara.say("hello <m1>")
        await until(lambda: one.model.requests)
        one.mara.block()
        await until(lambda: any(turn.role == "agent" for turn in one.turns()))
        await until(lambda: "sendMessage" in one.server.calls)
        assert (one.answered("<m1>"), house.parts.journal.state.idle) == (0, False)
        one.mara.block(blocked=False)
        await one.idle()
        assert (one.stored("<m1>"), one.answered("<m1>"), len(one.model.requests)) == (1, 1, 1)


async def test_it_also_comes_after_a_restart_when_they_write_and_both_are_answered_once() -> None:
    async with day() as one:
        one.model.pause = 1.0
        async with one.life():
            one.mara.say("hello <m1>")
            await until(lambda: one.model.requests)
            one.mara.block()
            await until(lambda: any(turn.role == "agent" for turn in one.turns()))
            await until(lambda: "sendMessage" in one.server.calls)
        one.model.pause = 0.0
        async with one.life():
            await until(lambda: one.server.calls.count("sendMessage") > 1)
            one.mara.chat.alive = True
            one.mara.say("are you there <m2>")
            await one.idle()
        assert (one.answered("<m1>"), one.answered("<m2>")) == (1, 1)
        assert len(one.model.requests) == 2


async def test_what_a_button_says_at_length_is_said_whole_after_a_restart() -> None:
    async with day() as one:
        async with one.life(worker=worker()):
            one.mara.say("外婆的事 <m1>")
            await one.idle()
            await tick(one, 16)
            one.clock.shift(8 * 3600)
            one.mara.say("我回来了 <m2>")
            await one.idle()
        async with one.life():
            button = next(
                button
                for message in one.mara.chat.messages.values()
                for row in message.get("reply_markup", {}).get("inline_keyboard", [])
                for button in row
                if button.get("callback_data", "").startswith("kept/")
            )
            one.mara.press(button["callback_data"])
            await until(lambda: len(one.model.requests) == 3)
            await one.idle()
        assert str(MARKS["focus"]) in one.turns()[-2].text


def test_sayings_last_are_bounded_and_are_let_go() -> None:
    disk = SimDisk()
    disk.make_folder("state")
    kept = Sayings(disk)
    names = [kept.keep(f"saying {number}") for number in range(MOST + 1)]
    again = Sayings(disk)
    assert again.find(names[0]) == ""
    assert again.find(names[-1]) == f"saying {MOST}"
    again.clear()
    assert Sayings(disk).find(names[-1]) == again.find(names[-1]) == ""


def test_a_torn_file_of_sayings_is_begun_anew() -> None:
    disk = SimDisk()
    disk.plant("state/sayings.json", b'{"abc')
    kept = Sayings(disk)
    assert kept.find("abc") == ""
    assert Sayings(disk).find(kept.keep("a new one")) == "a new one"
