"""Which answers say nothing, though they are not empty."""

from __future__ import annotations

import pytest

from core.agent.blank import blank
from tests.bot.living import living
from tests.doubles.model import ScriptedModel, says

UNSEEN = ("", " \n\t ", "\u200b\u200b", "\x00", "\u202e", "\ufeff", "\u00ad", "\u2800\u3164")
FENCES = ("```", "```\n```", "> ~~~python\n> ~~~")
SOMETHING = ("0", "…", "👍", "```\nx\n```", "---", "\u0301", "`x`", "``` two words ```")


@pytest.mark.parametrize("text", [*UNSEEN, *FENCES], ids=ascii)
def test_what_nobody_would_see_is_blank(text: str) -> None:
    assert blank(text)


@pytest.mark.parametrize("text", SOMETHING, ids=ascii)
def test_whatever_can_be_seen_is_not_blank(text: str) -> None:
    assert not blank(text)


@pytest.mark.parametrize("text", ["\u200b\u200b", "```\n```"], ids=ascii)
async def test_a_model_that_answers_with_nothing_visible_has_said_nothing(text: str) -> None:
    async with living(ScriptedModel([says(text)])) as home:
        await home.say("hello")
        assert home.texts() == [("user", "hello")]
        assert "said nothing" in home.world.finals()[-1]


@pytest.mark.parametrize(
    ("said", "kept"), [("half \ud83d", "half \ufffd"), ("a smile \ud83d\ude00", "a smile 😀")], ids=ascii
)
async def test_half_a_character_in_an_answer_costs_only_itself(said: str, kept: str) -> None:
    async with living(ScriptedModel([says(said)])) as home:
        await home.say("hello")
        assert home.texts() == [("user", "hello"), ("agent", kept)]
        assert home.world.finals() == [kept]
