from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from core.conversation import Failed, Finished, Noted, TextAdded, ThinkingAdded, ToolChanged
from core.document import Document, Fold, Text
from core.errors import PlatformTrouble
from tests.adapters.discord.host import CHAT, Kept, running, until
from tests.doubles.discord.world import DM, EPHEMERAL, buttons

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from tests.doubles.clock import ManualClock
    from tests.doubles.discord.gateway import Server
    from tests.doubles.discord.world import World

CODE = "\n".join(f"x{number} = {number}" for number in range(500))
LONG = "\n\n".join(f"{number} " + "word " * 70 for number in range(14))


def finished(text: str, *folds: Fold, unknown: frozenset[str] = frozenset()) -> Finished:
    return Finished(Document((Text(text), *folds), unknown=unknown))


async def test_an_answer_is_plain_content_that_pings_nobody_and_shows_no_preview(world: World, server: Server) -> None:
    async with running(world, server) as bot:
        await bot.platform.presenter(CHAT, "turn01", bot.kept).show(finished("Hello @everyone, see https://a.example"))

    [message] = world.own()
    assert message["content"] == "Hello @everyone, see https://a.example"
    assert message["flags"] == 1 << 2
    assert bot.kept.outbox["turn01", 0] == message["id"]


async def test_a_long_reply_with_a_fence_comes_in_parts_that_stand_alone(world: World, server: Server) -> None:
    """Pain P023: error 50035 instead of an answer."""
    async with running(world, server) as bot:
        shown = finished(f"Before.\n\n```python\n{CODE}\n```\n\nAfter.")
        await bot.platform.presenter(CHAT, "turn01", bot.kept).show(shown)

    texts = world.texts()
    assert len(texts) > 2
    assert all(len(text) <= 2000 and text.count("```") % 2 == 0 for text in texts)
    assert [line for text in texts for line in text.split("\n") if line.startswith("x")] == CODE.split("\n")
    assert ["Answer again" in buttons(one) for one in world.own()] == [False] * (len(texts) - 1) + [True]
    assert [bool(one["flags"] & 1 << 12) for one in world.own()] == [False] + [True] * (len(texts) - 1)


async def test_an_address_that_nobody_gave_is_shown_as_code(world: World, server: Server) -> None:
    async with running(world, server) as bot:
        shown = finished("See https://bad.example/x", unknown=frozenset({"https://bad.example/x"}))
        await bot.platform.presenter(CHAT, "turn01", bot.kept).show(shown)

    assert world.texts() == ["See `https://bad.example/x`"]


async def test_a_table_is_set_as_code_and_deep_headings_in_bold(world: World, server: Server) -> None:
    async with running(world, server) as bot:
        shown = finished("#### Rent\n\n| hall | rent |\n|---|---|\n| 7 | 380 |\n\nDone.")
        await bot.platform.presenter(CHAT, "turn01", bot.kept).show(shown)

    assert world.texts() == ["**Rent**\n\n```\n| hall | rent |\n|---|---|\n| 7 | 380 |\n```\n\nDone."]


async def test_an_answer_is_written_in_one_message_at_a_humane_pace(
    world: World, server: Server, clock: ManualClock
) -> None:
    async with running(world, server) as bot:
        presenter = bot.platform.presenter(CHAT, "turn01", bot.kept)
        for number in range(100):
            await presenter.show(TextAdded(f"word{number} "))
            await clock.advance(0.1)
        await until(lambda: len(world.edits) >= 3, clock, 0.1)
        [message] = world.own()
        assert buttons(message) == {"Stop": "do/stop//0"}
        await presenter.show(finished("The whole answer."))

    assert world.texts() == ["The whole answer."]
    assert 3 <= len(world.edits) <= 8
    assert set(buttons(world.own()[0])) == {"Answer again"}


async def test_an_answer_that_comes_at_once_is_sent_once(world: World, server: Server) -> None:
    async with running(world, server) as bot:
        presenter = bot.platform.presenter(CHAT, "turn01", bot.kept)
        await presenter.show(TextAdded("A whole answer that is long enough to be shown before its end."))
        await presenter.show(finished("A whole answer that is long enough to be shown before its end."))

    assert (len(world.own()), len(world.edits)) == (1, 0)


async def test_an_answer_that_grows_beyond_a_message_goes_on_in_the_next_one(
    world: World, server: Server, clock: ManualClock
) -> None:
    async with running(world, server) as bot:
        presenter = bot.platform.presenter(CHAT, "turn01", bot.kept)
        await clock.advance(2)
        for at in range(0, len(LONG), 400):
            await presenter.show(TextAdded(LONG[at : at + 400]))
            await clock.advance(1.6)
        await until(lambda: len(world.own()) == 3, clock, 0.2)
        await presenter.show(finished(LONG))

    assert "\n".join(world.texts()).split() == LONG.split()
    assert len(world.texts()) == 3


async def test_parts_that_the_whole_answer_does_not_need_are_taken_away(
    world: World, server: Server, clock: ManualClock
) -> None:
    async with running(world, server) as bot:
        presenter = bot.platform.presenter(CHAT, "turn01", bot.kept)
        await clock.advance(2)
        await presenter.show(TextAdded(LONG))
        await until(lambda: len(world.own()) == 3, clock, 0.2)
        await presenter.show(finished("Short after all."))
        world.say("hello")
        await bot.kept.until(1)

    assert world.texts() == ["Short after all."]
    assert bot.kept.texts == ["hello"]  # taking its own messages away is nothing that the person did


async def test_what_is_going_on_is_said_while_there_are_no_words(
    world: World, server: Server, clock: ManualClock
) -> None:
    async with running(world, server) as bot:
        presenter = bot.platform.presenter(CHAT, "turn01", bot.kept)
        await clock.advance(6)
        await presenter.show(ThinkingAdded("hm"))
        await presenter.show(ToolChanged("1", "running", "Recalling “visa”"))
        await until(world.own, clock, 0.1)
        assert world.texts() == ["-# Thinking… 6 s\n-# Recalling “visa”"]
        await presenter.show(finished("Here it is."))

    assert world.texts() == ["Here it is."]


async def test_the_end_does_not_wait_behind_edits_that_discord_holds_back(
    world: World, server: Server, clock: ManualClock
) -> None:
    async with running(world, server) as bot:
        presenter = bot.platform.presenter(CHAT, "turn01", bot.kept)
        await clock.advance(2)
        await presenter.show(TextAdded("The beginning of an answer, long enough to be shown."))
        await until(world.own, clock, 0.1)
        world.fail("PATCH", "/channels", 429, {"retry_after": 30.0, "global": False, "message": "slow"})
        await presenter.show(TextAdded(" And more of it."))
        await until(lambda: not world.faults, clock, 0.2)
        ending = presenter.show(finished("All of it."))
        await until_done(ending, clock)

    assert world.texts() == ["All of it."]


async def test_a_send_whose_outcome_is_unknown_is_not_doubled(world: World, server: Server, clock: ManualClock) -> None:
    async with running(world, server) as bot:
        world.fail("POST", f"/channels/{DM}/messages", reset="after")
        world.fail("POST", f"/channels/{DM}/messages", reset="before")
        await until_done(bot.platform.presenter(CHAT, "turn01", bot.kept).show(finished("Once.")), clock)

    assert world.texts() == ["Once."]
    assert [request for request in world.requests if request == ("POST", f"/channels/{DM}/messages")] != []


async def test_a_turn_that_is_done_again_edits_its_message(world: World, server: Server) -> None:
    kept = Kept()
    async with running(world, server, kept) as bot:
        await bot.platform.presenter(CHAT, "turn01", kept).show(finished("First try."))
    async with running(world, server, kept) as bot:
        await bot.platform.presenter(CHAT, "turn01", kept).show(finished("Second try."))

    assert world.texts() == ["Second try."]


async def test_a_turn_that_died_between_sending_and_noting_sends_nothing_new(world: World, server: Server) -> None:
    async with running(world, server) as bot:
        await bot.platform.presenter(CHAT, "turn01", Kept()).show(finished("The beginning"))
        await bot.platform.presenter(CHAT, "turn01", Kept()).show(finished("The beginning and the end"))

    assert world.texts() == ["The beginning and the end"]


async def test_a_message_that_somebody_took_away_is_sent_anew(world: World, server: Server) -> None:
    async with running(world, server) as bot:
        await bot.platform.presenter(CHAT, "turn01", bot.kept).show(finished("First."))
        world.messages[DM].clear()
        await bot.platform.presenter(CHAT, "turn01", bot.kept).show(finished("Second."))

    assert world.texts() == ["Second."]


async def test_a_message_of_long_ago_is_not_edited_but_sent_anew(
    world: World, server: Server, clock: ManualClock
) -> None:
    async with running(world, server) as bot:
        await bot.platform.presenter(CHAT, "turn01", bot.kept).show(finished("Half of it"))
        await clock.advance(2 * 3600)
        await bot.platform.presenter(CHAT, "turn01", bot.kept).show(finished("All of it"))

    assert world.texts() == ["Half of it", "All of it"]
    assert world.edits == []


async def test_what_is_folded_is_a_button_and_shows_its_detail_to_the_owner_alone(world: World, server: Server) -> None:
    async with running(world, server) as bot:
        shown = finished("Yes.", Fold("Thought · 14 s", "first this\n\nthen that"), Fold("Recalled “rent”", "one hit"))
        await bot.platform.presenter(CHAT, "turn01", bot.kept).show(shown)
        [message] = world.own()
        asked = world.press(int(message["id"]), buttons(message)["Thought · 14 s"])
        await until(lambda: asked.answered)

    assert "first this" not in message["content"]
    assert asked.response["content"] == "**Thought · 14 s**\nfirst this\n\nthen that"
    assert asked.response["flags"] & EPHEMERAL


async def test_a_fold_of_an_earlier_process_is_looked_up_or_said_to_be_gone(world: World, server: Server) -> None:
    async def unfold(turn: str) -> list[Fold]:
        return [Fold("Thought", "from the slice")] if turn == "turn01" else []

    kept = Kept()
    async with running(world, server, kept) as bot:
        for turn in ("turn01", "turn02"):
            await bot.platform.presenter(CHAT, turn, kept).show(finished("Yes.", Fold("Thought", "so")))
    async with running(world, server, kept, unfold=unfold):
        asked = [world.press(int(one["id"]), buttons(one)["Thought"]) for one in world.own()]
        await until(lambda: all(one.answered for one in asked))

    assert asked[0].response["content"] == "**Thought**\nfrom the slice"
    assert "/why" in asked[1].response["content"]


async def test_a_failure_is_told_and_its_button_asks_again(world: World, server: Server) -> None:
    async with running(world, server) as bot:
        await bot.platform.presenter(CHAT, "turn01", bot.kept).show(Failed(Document((Text("No model answers."),))))
        [message] = world.own()
        asked = world.press(int(message["id"]), buttons(message)["Answer again"])
        [update] = await bot.kept.until(1)

    assert (update.text, update.replaces, update.key) == ("/retry", "", f"dcq:{DM}:{asked.id}")
    assert asked.answered == 6
    assert world.texts() == ["No model answers."]


async def test_pressing_stop_stops_the_running_answer(world: World, server: Server, clock: ManualClock) -> None:
    async with running(world, server) as bot:
        presenter = bot.platform.presenter(CHAT, "turn01", bot.kept)
        await clock.advance(2)
        await presenter.show(TextAdded("The beginning of an answer, long enough to be shown."))
        await until(world.own, clock, 0.1)
        asked = world.press(int(world.own()[0]["id"]), "do/stop//0")
        await until(lambda: asked.answered)

    assert bot.stops == 1
    assert asked.response["content"] == "Stopped. What was written so far is kept."


async def test_a_note_is_a_small_silent_line(world: World, server: Server) -> None:
    async with running(world, server) as bot:
        await bot.platform.presenter(CHAT, "turn01", bot.kept).show(Noted("Your card changed"))

    assert (world.texts(), world.own()[0]["flags"]) == (["-# Your card changed"], 1 << 2 | 1 << 12)


async def test_a_turn_with_a_long_name_is_told_too(world: World, server: Server) -> None:
    async with running(world, server) as bot:
        name = "late-dc:5001:1480636791521280006"
        await bot.platform.presenter(CHAT, name, bot.kept).show(Noted("It is noted."))
        await bot.platform.presenter(CHAT, name, bot.kept).show(Noted("It is noted."))

    assert world.texts() == ["-# It is noted."]


async def test_without_a_connection_the_answer_stays_to_be_sent(
    world: World, server: Server, clock: ManualClock
) -> None:
    async with running(world, server) as bot:
        pass

    showing = bot.platform.presenter(CHAT, "turn01", bot.kept).show(finished("Later."))
    with pytest.raises(ExceptionGroup) as raised:
        await until_done(showing, clock)

    assert raised.group_contains(PlatformTrouble)


async def until_done(work: Coroutine[Any, Any, None], clock: ManualClock) -> None:
    """Run it while the clock goes on."""
    async with asyncio.TaskGroup() as group:
        task = group.create_task(work)
        await until(task.done, clock, 0.5)
