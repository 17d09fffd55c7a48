from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from core.conversation import Finished
from core.document import Document, Text
from core.errors import PlatformTrouble, SettingsError
from tests.adapters.discord.host import CHAT, Kept, running, until
from tests.doubles.discord.world import DM, ROOM

if TYPE_CHECKING:
    from tests.adapters.discord.host import Bot
    from tests.doubles.clock import ManualClock
    from tests.doubles.discord.gateway import Server
    from tests.doubles.discord.world import World

HISTORY = ("GET", f"/channels/{DM}/messages")


def answer(text: str) -> Finished:
    return Finished(Document((Text(text),)))


async def show(bot: Bot, text: str) -> None:
    await bot.platform.presenter(CHAT, f"turn{text[:3]}", bot.kept).show(answer(text))


async def test_a_dropped_connection_is_resumed_and_nothing_is_read_twice(world: World, server: Server) -> None:
    async with running(world, server) as bot:
        world.say("before")
        await bot.kept.until(1)
        before = world.requests.count(HISTORY)
        await server.drop()
        world.say("meanwhile")
        await bot.kept.until(2)
        world.say("after")
        await bot.kept.until(3)

    assert bot.kept.texts == ["before", "meanwhile", "after"]
    assert (server.resumed, len(server.identified)) == (1, 1)
    assert world.requests.count(HISTORY) == before


async def test_a_request_to_reconnect_is_followed(world: World, server: Server) -> None:
    async with running(world, server) as bot:
        world.say("before")
        await bot.kept.until(1)
        await server.reconnect()
        await until(lambda: server.resumed == 1)
        world.say("after")
        await bot.kept.until(2)

    assert bot.kept.texts == ["before", "after"]


async def test_after_an_invalid_session_the_history_is_read_and_nothing_is_registered_twice(
    world: World, server: Server, clock: ManualClock
) -> None:
    async with running(world, server) as bot:
        world.say("before")
        await bot.kept.until(1)
        await server.invalidate()
        world.say("meanwhile")
        await until(lambda: len(server.identified) == 2, clock)
        await bot.kept.until(2)
        world.say("after")
        await bot.kept.until(3)
        await asyncio.sleep(0.05)  # noqa: TID251 - nothing tells that no second copy came

    assert bot.kept.texts == ["before", "meanwhile", "after"]
    assert world.syncs == 1


async def test_a_resume_that_fails_is_made_good_from_the_history(
    world: World, server: Server, clock: ManualClock
) -> None:
    async with running(world, server) as bot:
        world.say("before")
        await bot.kept.until(1)
        await server.drop(forget=True)
        ids = [world.say(f"meanwhile {number}") for number in range(3)]
        await until(lambda: len(server.identified) == 2, clock)
        await bot.kept.until(4)

    assert [one.key for one in bot.kept.updates[1:]] == [f"dc:{DM}:{number}" for number in ids]


async def test_a_gateway_that_answers_no_heartbeat_is_left_for_a_new_connection(world: World, server: Server) -> None:
    server.acknowledges, server.interval = False, 100_000
    async with running(world, server, heartbeat=0.3) as bot:
        await until(lambda: server.resumed >= 1)
        world.say("after")
        await bot.kept.until(1)

    assert bot.kept.texts == ["after"]


async def test_a_history_that_cannot_be_read_yet_holds_back_what_is_newer(
    world: World, server: Server, clock: ManualClock
) -> None:
    kept = Kept()
    async with running(world, server, kept):
        world.say("before")
        await kept.until(1)
    world.say("away")
    world.fail("GET", f"/channels/{DM}/messages", reset="before", times=2)
    async with running(world, server, kept):
        world.say("live")
        await until(lambda: len(kept.updates) == 3, clock)

    assert kept.texts == ["before", "away", "live"]


@pytest.mark.parametrize("everywhere", [False, True])
async def test_a_rate_limit_delays_an_answer_and_loses_nothing(world: World, server: Server, everywhere: bool) -> None:
    async with running(world, server) as bot:
        body = {"retry_after": 0.05, "global": everywhere, "message": "You are being rate limited."}
        world.fail("POST", f"/channels/{DM}/messages", 429, body, times=2)
        await show(bot, "Once.")

    assert world.texts() == ["Once."]


async def test_a_server_error_of_discord_is_tried_again(world: World, server: Server) -> None:
    async with running(world, server) as bot:
        world.fail("POST", f"/channels/{DM}/messages", 502, {"message": "Bad Gateway"})
        await show(bot, "Once.")

    assert world.texts() == ["Once."]


async def test_a_closed_direct_message_is_told_once_with_what_helps(world: World, server: Server) -> None:
    async with running(world, server) as bot:
        world.closed.add(1)
        for _ in range(2):
            with pytest.raises(PlatformTrouble):
                await show(bot, "Hello.")
        world.closed.clear()
        await show(bot, "Hello.")

    assert world.texts() == ["Hello."]
    assert ["Share a server with the bot" in one for one in bot.told] == [True]


async def test_a_channel_that_the_bot_may_not_see_any_more_is_told(world: World, server: Server) -> None:
    world.approved = 1 << 15
    async with running(world, server, room=ROOM) as bot:
        world.lost.add(ROOM)
        with pytest.raises(PlatformTrouble):
            await bot.platform.presenter(str(ROOM), "turn01", bot.kept).show(answer("Hello."))
        world.say("in private")
        await bot.kept.until(1)

    assert ["View Channel" in one for one in bot.told] == [True]


async def test_a_missing_intent_ends_the_platform_with_a_sentence_that_mends(world: World, server: Server) -> None:
    async with running(world, server, room=ROOM, wait=False) as bot:
        await until(lambda: bot.failure)

    assert isinstance(bot.failure, SettingsError)
    assert bot.failure.variable == "DISCORD_CHANNEL_ID"
    assert "Message Content Intent" in str(bot.failure)


async def test_a_direct_message_needs_no_privileged_intent(world: World, server: Server) -> None:
    async with running(world, server):
        pass

    assert server.identified[0]["intents"] & (1 << 15 | 1 << 1 | 1 << 8) == 0


async def test_a_wrong_token_ends_the_platform_and_is_shown_nowhere(world: World, server: Server) -> None:
    async with running(world, server, token="wrong-token", wait=False) as bot:
        await until(lambda: bot.failure)

    assert isinstance(bot.failure, SettingsError)
    assert bot.failure.variable == "DISCORD_BOT_TOKEN"
    assert "wrong-token" not in str(bot.failure)


async def test_a_service_that_is_down_at_the_start_is_waited_for(
    world: World, server: Server, clock: ManualClock
) -> None:
    world.fail("GET", "/users/@me", reset="before", times=3)
    async with running(world, server, wait=False) as bot:
        await until(server.ready.is_set, clock)
        world.say("hello")
        await bot.kept.until(1)

    assert bot.failure is None


async def test_it_gives_a_sign_of_life_only_while_the_gateway_is_there(
    world: World, server: Server, clock: ManualClock
) -> None:
    async with running(world, server) as bot:
        await until(lambda: bot.beats, clock, 5)
        before = len(bot.beats)
        server.refuses = True
        await server.drop()
        await asyncio.sleep(0.05)  # noqa: TID251 - nothing tells that the library has seen it
        await clock.advance(100)

    assert len(bot.beats) == before


async def test_a_gateway_that_is_down_at_the_start_and_later_is_waited_for(
    world: World, server: Server, clock: ManualClock
) -> None:
    server.refuses = True
    async with running(world, server, wait=False) as bot:
        await until(lambda: server.refused >= 2, clock)
        server.refuses = False
        await until(server.ready.is_set, clock)
        world.say("one")
        await bot.kept.until(1)
        server.refuses = True
        await server.drop()
        world.say("two")
        await until(lambda: server.refused >= 4, clock)
        server.refuses = False
        await until(lambda: len(bot.kept.updates) == 2, clock)

    assert bot.kept.texts == ["one", "two"]
    assert bot.failure is None


async def test_no_secret_stands_in_an_error(world: World, server: Server) -> None:
    async with running(world, server) as bot:
        world.fail("POST", f"/channels/{DM}/messages", 403, {"code": 50007, "message": "secret words of the person"})
        with pytest.raises(PlatformTrouble) as raised:
            await show(bot, "Hello.")

    assert "secret" not in str(raised.value)
    assert raised.value.__cause__ is None
