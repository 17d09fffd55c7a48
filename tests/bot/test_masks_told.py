"""Whoever sends a password or key hears, once, that it was not kept."""

from __future__ import annotations

import pytest

from tests.bot.living import WORDS, living
from tests.doubles.echo_model import EchoModel

TOKEN = "ghp_" + "a1B2" * 9
TOLD = WORDS["en"]("turn.masked")


async def test_a_masked_secret_is_told_once_and_stands_nowhere() -> None:
    async with living(EchoModel()) as home:
        said = await home.say(f"My token is {TOKEN}, keep it.")
        home.world.deliver(said)
        await home.say("And the rent is 380.")

        assert home.world.finals().count(TOLD) == 1
        assert not any(TOKEN in data.decode(errors="replace") for data in home.disk.tree().values())
        assert "‹secret: github" in home.texts()[0][1]

        await home.say(f"Another one: {TOKEN[:-1]}x")
        assert home.world.finals().count(TOLD) == 2


@pytest.mark.parametrize("text", ["I lost my ‹secret: github a1b2c3d4› again.", "ghp_short", "The rent is 380."])
async def test_nothing_is_told_where_nothing_was_masked(text: str) -> None:
    async with living(EchoModel()) as home:
        await home.say(text)

        assert TOLD not in home.world.finals()
