"""Where the person is: asked once on a platform that does not tell, answered by a button, a city or a shared place."""

from __future__ import annotations

import json

from core.config.values import BOT_PATH
from tests.adapters.telegram.day import Day, day
from tests.adapters.telegram.stand import MARA
from tests.adapters.telegram.waiting import until

LISBON = (38.72, -9.14)


def zone(one: Day) -> str:
    """The zone on file."""
    data = one.disk.tree().get(BOT_PATH)
    return str(json.loads(data).get("timezone", "")) if data else ""


async def asked(one: Day) -> str:
    """Wait for the question; what it says."""
    await until(lambda: any(text.startswith("Time zone") for text in one.world.shown(MARA)))
    await until(one.mara.buttons)
    return one.world.shown(MARA)[-1]


async def test_the_zone_is_asked_for_once_after_the_first_answer_also_over_a_restart() -> None:
    async with day(zone="") as one:
        async with one.life():
            one.mara.say("good morning <m1>")
            assert "Where are you?" in await asked(one)
            assert one.world.shown(MARA)[0].startswith("answer to")
        async with one.life():
            one.mara.say("and again <m2>")
            await one.idle()
        assert sum("Where are you?" in text for text in one.world.shown(MARA)) == 1


async def test_nobody_whose_zone_is_known_is_asked() -> None:
    async with day(zone="Asia/Shanghai") as one, one.life():
        one.mara.say("good morning <m1>")
        await one.idle()
        assert len(one.world.shown(MARA)) == 1


async def test_a_tap_on_a_city_sets_the_zone_in_the_same_message_after_a_restart() -> None:
    async with day(zone="") as one:
        async with one.life():
            one.mara.say("good morning <m1>")
            await asked(one)
            one.mara.say("/timezone 慕尼黑")
            await one.idle()
        async with one.life():
            count = len(one.world.shown(MARA))
            one.mara.press(next(label for label in one.mara.buttons() if label.startswith("Munich")))
            await until(lambda: zone(one) == "Europe/Berlin")
            await until(lambda: "Europe/Berlin" in one.world.shown(MARA)[-1])
            assert len(one.world.shown(MARA)) == count


async def test_a_place_that_is_shared_when_asked_sets_the_zone_and_is_not_kept() -> None:
    async with day(zone="") as one, one.life():
        one.mara.say("good morning <m1>")
        await asked(one)
        one.mara.location(*LISBON)
        await until(lambda: zone(one) == "Europe/Lisbon")
        await one.idle()
        assert len(one.model.requests) == 1
        assert not any("38.7" in turn.text for turn in one.turns())
        assert "Done." in one.world.shown(MARA)[-1]


async def test_a_place_is_talk_when_nobody_asked_and_an_answer_after_the_button() -> None:
    async with day(zone="UTC") as one, one.life():
        one.mara.location(*LISBON)
        await until(one.turns)
        await one.idle()
        assert zone(one) == "UTC"
        assert "38.72" in one.turns()[0].text
        one.mara.say("/timezone")
        await one.idle()
        one.mara.press("By my location")
        await until(lambda: "paperclip" in one.world.shown(MARA)[-1])
        one.mara.location(*LISBON)
        await until(lambda: zone(one) == "Europe/Lisbon")
        one.mara.location(48.2, 16.37)
        await until(lambda: len(one.turns()) > 2)
        await one.idle()
        assert zone(one) == "Europe/Lisbon"


async def test_a_place_shared_long_after_the_question_is_talk() -> None:
    async with day(zone="") as one, one.life():
        one.mara.say("good morning <m1>")
        await asked(one)
        one.clock.shift(2 * 3600)
        one.mara.location(*LISBON)
        await until(lambda: len(one.model.requests) == 2)
        await one.idle()
        assert zone(one) == ""
