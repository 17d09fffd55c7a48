"""`/timezone` and `/language`: shown, searched, set, refused; the same on every surface that shows pages."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from core.config.values import BOT_PATH
from tests.bot.living import Living, living
from tests.doubles.echo_model import EchoModel

if TYPE_CHECKING:
    from core.config.describe import Value


def on_file(home: Living, key: str) -> Value:
    data = home.disk.tree().get(BOT_PATH)
    return json.loads(data).get(key) if data else None


async def ask(home: Living, text: str) -> str:
    await home.say(text)
    return home.world.finals()[-1]


@pytest.mark.parametrize("text", ["/timezone Europe/Berlin", "/timezone europe/berlin", "/timezone Europe.Berlin"])
async def test_a_zone_of_exactly_that_name_is_set(text: str) -> None:
    async with living(EchoModel()) as home:
        page = await ask(home, text)
        assert on_file(home, "timezone") == "Europe/Berlin"
        assert page.startswith("Time zone | Europe/Berlin, ")


async def test_degrees_set_the_zone_that_is_there() -> None:
    async with living(EchoModel()) as home:
        await home.say("/timezone 31.23,121.47")
        assert on_file(home, "timezone") == "Asia/Shanghai"


async def test_a_search_shows_cities_with_their_local_time_and_changes_nothing() -> None:
    async with living(EchoModel(), zone="UTC") as home:
        page = await ask(home, "/timezone lisb")
        assert "What I know by “lisb”" in page
        assert "(Lisbon · " in page
        assert on_file(home, "timezone") is None


async def test_what_is_no_city_is_said_and_changes_nothing() -> None:
    async with living(EchoModel()) as home:
        page = await ask(home, "/timezone Atlantis")
        assert "no city or zone called “Atlantis”" in page
        assert "(London · " in page
        assert on_file(home, "timezone") is None


async def test_automatic_takes_the_zone_out_of_the_file() -> None:
    async with living(EchoModel()) as home:
        await home.say("/timezone Asia/Tokyo")
        assert "(Automatic)" in await ask(home, "/timezone")
        await home.say("/timezone auto")
        assert on_file(home, "timezone") is None


async def test_a_surface_that_tells_the_zone_is_not_asked() -> None:
    async with living(EchoModel()) as home:
        await home.say("hello")
        assert not any("Time zone" in text for text in home.world.finals())


@pytest.mark.parametrize("text", ["/language zh", "/language 中文", "/language Chinese"])
async def test_a_language_is_set_by_its_code_or_name_and_spoken_at_once(text: str) -> None:
    async with living(EchoModel()) as home:
        page = await ask(home, text)
        assert on_file(home, "language") == "zh"
        assert "我说中文" in page
        assert "时区" in await ask(home, "/timezone")
        assert "I speak English" in await ask(home, "/language 英语")
        await home.say("/language 自动")
        assert on_file(home, "language") is None


async def test_a_language_that_is_not_spoken_changes_nothing() -> None:
    async with living(EchoModel()) as home:
        page = await ask(home, "/language Klingon")
        assert "do not speak “Klingon”" in page
        assert on_file(home, "language") is None


async def test_a_broken_file_is_said_and_left_as_it_is() -> None:
    async with living(EchoModel()) as home:
        home.disk.plant(BOT_PATH, b"{broken")
        assert BOT_PATH in await ask(home, "/timezone Asia/Tokyo")
        assert BOT_PATH in await ask(home, "/language zh")
        assert home.disk.tree()[BOT_PATH] == b"{broken"
