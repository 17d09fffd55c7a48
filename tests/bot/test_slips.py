"""What somebody types beside the mark: commands that are none, models that are not there, settings to type back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bot.helping import help_page, near, unknown_page
from core.document import Document, Items, Text
from tests.bot.living import WORDS, Living, living
from tests.doubles.echo_model import EchoModel

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

KNOWN = ("timeline", "timezone", "status", "card", "help")


@pytest.fixture
async def home() -> AsyncIterator[Living]:
    async with living(EchoModel()) as house:
        yield house


async def asked(home: Living, text: str) -> str:
    await home.say(text)
    return home.world.finals()[-1]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("timelin", ["timeline"]),
        ("tim", ["timeline", "timezone"]),
        ("stauts", ["status"]),
        ("Timeline", ["timeline"]),
        ("retyr", ["retry"]),
        ("xyzzy", []),
    ],
)
def test_the_command_that_was_meant_is_the_one_that_begins_so_or_the_likest(typed: str, meant: list[str]) -> None:
    assert near(typed, KNOWN) == meant


@pytest.mark.parametrize("locale", ["en", "zh"])
def test_a_command_that_is_none_is_told_in_one_line(locale: str) -> None:
    words = WORDS[locale]

    assert unknown_page("timelin", KNOWN, "", words) == Document(
        (Text(words("help.near", name="timelin", near="/timeline")),)
    )
    assert unknown_page("xyzzy", KNOWN, "", words) == Document((Text(words("help.unknown", name="xyzzy")),))


def test_leaving_is_listed_on_the_terminal_alone() -> None:
    def lines(surface: str) -> str:
        return "\n".join(
            line for block in help_page(WORDS["en"], surface).blocks if isinstance(block, Items) for line in block.items
        )

    assert "/quit" in lines("terminal")
    assert "/quit" not in lines("telegram")


async def test_a_slip_is_answered_with_the_nearest_command(home: Living) -> None:
    assert "/timeline" in await asked(home, "/timelin")


async def test_without_a_model_no_other_can_answer_again(home: Living) -> None:
    await home.say("hello")

    assert WORDS["en"]("again.bare") in await asked(home, "/retry foo")


async def test_thinking_is_stored_and_shown_although_no_model_is_there(home: Living) -> None:
    for command, value in (("/think off", "Answers without"), ("/think on", "Thinks first"), ("/effort high", "high")):
        page = await asked(home, command)
        assert value in page
        assert WORDS["en"]("models.think.bare") in page
    assert "Thinks first · high" in await asked(home, "/think")


async def test_settings_show_values_as_they_are_typed_and_none_that_mean_nothing_here(home: Living) -> None:
    page = await asked(home, "/settings")

    assert "`bot.briefing.mode` = on_return" in page
    assert "= true" in page
    assert "datasource" not in page
    assert "model.provider" not in page
