"""A week in which one person talks on Telegram and Discord, and the process is not always there: one timeline."""

from __future__ import annotations

import random
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest

from core.slices.model import USER
from tests.adapters.contract.process import Home, until
from tests.adapters.contract.surfaces import OnDiscord, OnTelegram
from tests.doubles.echo_model import EchoModel

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

HOUR = 3600.0


@asynccontextmanager
async def awake(home: Home, *places: OnTelegram | OnDiscord) -> AsyncIterator[None]:
    """One process with these platforms; it is broken off at the end."""
    async with home.process(*(place.make for place in places)):
        await until(lambda: all(place.ready() for place in places))
        yield


def heard(home: Home, text: str) -> int:
    """How often something stands in the timeline as the person's words."""
    return sum(turn.count(text) for turn in home.turns(USER))


async def stored(home: Home, *texts: str) -> None:
    await until(lambda: all(heard(home, text) for text in texts))
    await home.idle()


async def test_a_week_on_two_surfaces_is_one_timeline() -> None:
    home, phone, desk = Home(EchoModel()), OnTelegram(), OnDiscord()
    async with phone.served(home), desk.served(home):
        assert desk.world
        async with awake(home, phone, desk):  # Monday: both surfaces within one sitting
            phone.say("mon-1 from the tram")
            await stored(home, "mon-1")
            home.clock.shift(120)
            desk.say("mon-2 at the desk")
            await stored(home, "mon-2")
        assert len(home.slices()) == 2  # changing the surface is context lost

        home.clock.shift(20 * HOUR)  # Tuesday: nobody is there
        desk.say("tue-1 into the void")
        home.clock.shift(60)
        desk.say("tue-2 also")
        number = desk.said["tue-2 also"]
        home.clock.shift(5 * HOUR)
        phone.say("tue-3 from the phone")

        home.clock.shift(2 * HOUR)
        async with awake(home, phone, desk):  # and back in the evening
            await stored(home, "tue-1", "tue-2", "tue-3")
            desk.world.edit(number, "tue-2 also, amended")
            await stored(home, "amended")
            desk.world.delete(desk.said["tue-1 into the void"])
            await until(lambda: any("[deleted]" in turn for turn in home.turns(USER)))

        home.clock.shift(24 * HOUR)  # Wednesday: the gateway drops in the middle of it
        async with awake(home, phone, desk):
            desk.say("wed-1 before the drop")
            await stored(home, "wed-1")
            await desk.server.drop(forget=True)
            desk.say("wed-2 while it is down")
            desk.say("wed-3 too")
            await stored(home, "wed-2", "wed-3")

        home.clock.shift(48 * HOUR)  # Friday: a briefing first, then pages on the other surface
        async with awake(home, phone, desk):
            phone.say("fri-1 hello again")
            await stored(home, "fri-1")
            desk.say("/timeline 2026-03")
            await until(lambda: any("Mar 2026" in text for text in desk.shown()))
        home.clock.shift(24 * HOUR)
        async with awake(home, phone, desk):  # Saturday, another process: the page of yesterday still works
            desk.open("Mar 9 · 2", "/timeline 2026-03-09")
            await until(lambda: any("2026-03-09-1842" in text for text in desk.shown()))
            desk.say("sat-1 and a last word")
            await stored(home, "sat-1")

    said = ["mon-1", "mon-2", "tue-1", "tue-3", "wed-1", "wed-2", "wed-3", "fri-1", "sat-1"]
    assert {text: heard(home, text) for text in said} == dict.fromkeys(said, 1)
    shown = "\n".join((*phone.shown(), *desk.shown()))
    assert {text: shown.count(f"answer to «{text}") for text in said if text.endswith("1")} == {
        text: 1 for text in said if text.endswith("1")
    }
    assert any("PREVIOUSLY ON" in text for text in phone.shown())


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(2, 26))])
async def test_a_process_that_is_broken_off_again_and_again_stores_and_answers_everything_once(seed: int) -> None:
    dice, home, desk = random.Random(seed), Home(EchoModel()), OnDiscord()
    said = [f"<{number:03d}>" for number in range(30)]
    left = list(said)
    async with desk.served(home):
        while left:
            async with home.process(desk.make):
                if dice.random() < 0.8:
                    await until(desk.ready)
                for text in left[: dice.randint(1, 4)]:
                    desk.say(text)
                    home.clock.shift(dice.choice([0, 0, 20]))
                    left.remove(text)
                wait = dice.randint(0, 40)
                for _ in range(wait):
                    await until(lambda: True)
                    await home.clock.sleep(dice.choice([0.01, 0.1]))
            if left and dice.random() < 0.3:
                desk.say(left.pop(0))
        async with home.process(desk.make):
            await until(desk.ready)
            await stored(home, *said)

        assert {text: heard(home, text) for text in said} == dict.fromkeys(said, 1)
        answers = [text for text in desk.shown() if "answer to" in text]
        shown = "\n".join(answers)
        assert {text: shown.count(text) for text in said} == dict.fromkeys(said, 1)
        assert desk.shown() == answers
