"""What Telegram shows of the bot: in both languages, for the owner alone, and called for only when it differs."""

from __future__ import annotations

import json

from tests.adapters.telegram.stand import MARA, WORDS, standing
from tests.adapters.telegram.waiting import until
from tests.doubles.quick_clock import QuickClock
from tests.doubles.telegram.refusals import bad
from tests.doubles.telegram.world import Fault, TelegramWorld

SETTERS = ("setMyCommands", "setMyDescription", "setMyShortDescription")


async def test_commands_and_descriptions_stand_in_both_languages_and_strangers_see_no_command() -> None:
    world = TelegramWorld(QuickClock())
    world.commands["default", ""] = [{"command": "leftover", "description": "of another bot"}]
    async with standing(world=world):
        await until(lambda: len(world.effects("setMyCommands")) == 3)
        owner = {language: listed for (scope, language), listed in world.commands.items() if str(MARA) in scope}
        assert [one["command"] for one in owner[""]] == ["timeline"]
        assert owner["zh"][0]["description"] == WORDS["zh"]("help.timeline")
        assert world.commands["default", ""] == []
        assert world.about["description", "zh"] == WORDS["zh"]("telegram.about")
        assert world.about["short_description", ""] == WORDS["en"]("telegram.short")


async def test_nothing_is_set_again_when_nothing_has_changed() -> None:
    world = TelegramWorld(QuickClock())
    async with standing(world=world):
        await until(lambda: len(world.effects(*SETTERS)) == 6)
    async with standing(world=world) as stand:
        await until(lambda: world.effects("getMyCommands")[-1].given.get("language_code") == "zh")
        stand.mara.say("x")
        await stand.kept(1)
        assert len(world.effects(*SETTERS)) == 6


async def test_trouble_with_it_stops_nobody() -> None:
    world = TelegramWorld(QuickClock())
    world.fault("getMyCommands", Fault(refuse=bad("no")), *[Fault(status=502)] * 4)
    world.fault("setMyDescription", *[Fault(lose="after")] * 4)
    async with standing(world=world) as stand:
        stand.mara.say("hello")
        assert (await stand.kept(1))[0].text == "hello"


def test_descriptions_fit_their_limits() -> None:
    for words in WORDS.values():
        assert len(words("telegram.about")) <= 512
        assert len(words("telegram.short")) <= 120
        assert json.dumps(words("telegram.private"))
