from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from core.conversation import Paged
from core.document import Address, Choice, Choices, Document, Text, Title
from tests.adapters.discord.host import CHAT, COMMANDS, Kept, Owned, running, until
from tests.doubles.discord.world import BOT, DM, EPHEMERAL, LOADING, ROOM, STRANGER, V2, buttons, shown

if TYPE_CHECKING:
    from core.conversation import Incoming
    from tests.adapters.discord.host import Bot
    from tests.doubles.clock import ManualClock
    from tests.doubles.discord.gateway import Server
    from tests.doubles.discord.world import World

MARCH, APRIL = Address("timeline", "2026-03"), Address("timeline", "2026-04")


def month(name: str, way: Address, label: str = "April ›") -> Document:
    return Document((Title(name), Choices((Choice(label, way),))), Address("timeline"))


async def answered(bot: Bot, update: Incoming, page: Document) -> None:
    """What the process does with a command: its page, by the presenter of its turn."""
    await bot.platform.presenter(update.chat, f"t{len(bot.kept.updates)}", bot.kept, update.replaces).show(Paged(page))


async def test_a_button_opens_its_page_in_place_also_after_a_restart(world: World, server: Server) -> None:
    kept = Kept()
    async with running(world, server, kept) as bot:
        await bot.platform.presenter(CHAT, "turn01", kept).show(Paged(month("March", APRIL)))
    async with running(world, server, kept) as bot:
        [message] = world.own()
        asked = world.press(int(message["id"]), buttons(message)["April ›"])
        [update] = await kept.until(1)
        await answered(bot, update, month("April", MARCH, "‹ March"))

    assert (update.text, update.replaces, update.locale) == ("/timeline 2026-04", message["id"], "en-US")
    assert asked.answered == 6
    assert [shown(one) for one in world.own()] == ["## April"]


async def test_a_page_of_more_than_an_hour_ago_is_left_and_a_fresh_one_sent(
    world: World, server: Server, clock: ManualClock
) -> None:
    async with running(world, server) as bot:
        await bot.platform.presenter(CHAT, "turn01", bot.kept).show(Paged(month("March", APRIL)))
        [message] = world.own()
        await clock.advance(3601)
        world.press(int(message["id"]), buttons(message)["April ›"])
        [update] = await bot.kept.until(1)
        await answered(bot, update, month("April", MARCH))

    assert [shown(one) for one in world.own()] == ["## March", "## April"]
    assert world.edits == []


async def test_a_day_is_picked_from_a_menu(world: World, server: Server) -> None:
    days = tuple(Choice(f"Mar {day}", Address("timeline", f"2026-03-{day:02d}")) for day in range(1, 20))
    async with running(world, server) as bot:
        page = Document((Title("March"), Choices(days)))
        await bot.platform.presenter(CHAT, "turn01", bot.kept).show(Paged(page))
        [message] = world.own()
        world.select(int(message["id"]), "menu/0", "1/timeline/2026-03-09/0")
        [update] = await bot.kept.until(1)

    assert (update.text, update.replaces) == ("/timeline 2026-03-09", message["id"])


async def test_a_date_typed_into_the_form_opens_its_page(world: World, server: Server) -> None:
    async with running(world, server) as bot:
        await bot.platform.presenter(CHAT, "turn01", bot.kept).show(Paged(month("March", APRIL)))
        [message] = world.own()
        asked = world.press(int(message["id"]), buttons(message)["Go to a date"])
        await until(lambda: asked.answered)
        world.submit(asked, "last spring")
        [update] = await bot.kept.until(1)

    assert asked.answered == 9
    assert (update.text, update.replaces) == ("/timeline last spring", message["id"])


async def test_a_suggestion_is_said_for_the_person_and_can_be_read_in_the_chat(world: World, server: Server) -> None:
    async with running(world, server) as bot:
        page = Document((Title("Mara"), Choices((Choice("Open?", say="Which loops are open?"),))))
        await bot.platform.presenter(CHAT, "turn01", bot.kept).show(Paged(page))
        [message] = world.own()
        asked = world.press(int(message["id"]), buttons(message)["Open?"])
        [update] = await bot.kept.until(1)

    assert (update.text, update.key, update.replaces) == ("Which loops are open?", f"dcq:{DM}:{asked.id}", "")
    assert world.texts()[1] == "> Which loops are open?"


async def test_a_briefing_that_nobody_asked_for_is_silent(world: World, server: Server) -> None:
    async with running(world, server) as bot:
        page = Document((Text("Previously"),))
        await bot.platform.presenter(CHAT, "turn01", bot.kept).show(Paged(page, quiet=True))
        await bot.platform.presenter(CHAT, "turn02", bot.kept).show(Paged(page))

    assert [bool(one["flags"] & 1 << 12) for one in world.own()] == [True, False]
    assert all(one["flags"] & V2 for one in world.own())


async def test_a_page_that_answers_an_older_moment_is_a_reply_to_it(world: World, server: Server) -> None:
    async with running(world, server) as bot:
        number = world.say("the hall costs 380")
        [update] = await bot.kept.until(1)
        page = Paged(Document((Text("Here you said it."),)), reply_to=update.key)
        await bot.platform.presenter(CHAT, "turn01", bot.kept).show(page)

    assert world.own()[0]["message_reference"]["message_id"] == number


async def test_a_page_whose_form_discord_refuses_comes_as_plain_text(world: World, server: Server) -> None:
    async with running(world, server) as bot:
        world.fail("POST", f"/channels/{DM}/messages", 400, {"code": 50035, "message": "Invalid Form Body"})
        await bot.platform.presenter(CHAT, "turn01", bot.kept).show(Paged(month("March", APRIL)))

    assert world.texts() == ["## March"]
    assert not world.own()[0]["flags"] & V2


async def test_a_slash_command_is_answered_in_its_own_place(world: World, server: Server) -> None:
    async with running(world, server) as bot:
        asked = world.slash("timeline", what="2026-03", locale="zh-CN")
        [update] = await bot.kept.until(1)
        [message] = world.own()
        assert message["flags"] & LOADING
        await answered(bot, update, month("三月", APRIL))

    assert (update.text, update.locale, update.replaces) == ("/timeline 2026-03", "zh-CN", message["id"])
    assert asked.answered == 5
    assert [(shown(one), one["flags"] & LOADING) for one in world.own()] == [("## 三月", 0)]


async def test_after_an_interaction_messages_come_with_its_language(world: World, server: Server) -> None:
    async with running(world, server) as bot:
        world.slash("help", locale="zh-TW")
        await bot.kept.until(1)
        world.say("你好")
        updates = await bot.kept.until(2)

    assert updates[1].locale == "zh-TW"


async def test_a_command_whose_token_is_dead_is_answered_by_a_message(
    world: World, server: Server, clock: ManualClock
) -> None:
    async with running(world, server) as bot:
        world.slash("help")
        [update] = await bot.kept.until(1)
        await clock.advance(16 * 60)
        await answered(bot, update, Document((Title("Help"),)))

    assert [shown(one) for one in world.own() if not one["flags"] & LOADING] == ["## Help"]


async def test_a_command_that_a_killed_process_had_deferred_is_answered_by_the_next_one(
    world: World, server: Server
) -> None:
    kept = Kept()
    async with running(world, server, kept):
        world.slash("help")
        [update] = await kept.until(1)
    async with running(world, server, kept) as bot:
        await answered(bot, update, Document((Title("Help"),)))

    assert [shown(one) for one in world.own() if not one["flags"] & LOADING] == ["## Help"]


async def test_a_press_that_is_acknowledged_too_late_is_still_answered(
    world: World, server: Server, clock: ManualClock
) -> None:
    async with running(world, server) as bot:
        await bot.platform.presenter(CHAT, "turn01", bot.kept).show(Paged(month("March", APRIL)))
        [message] = world.own()
        world.press(int(message["id"]), buttons(message)["April ›"])
        clock.shift(5)
        [update] = await bot.kept.until(1)
        await answered(bot, update, month("April", MARCH))

    assert [shown(one) for one in world.own()] == ["## April"]


async def test_a_press_that_cannot_be_kept_is_told(world: World, server: Server) -> None:
    kept = Kept()
    async with running(world, server, kept) as bot:
        await bot.platform.presenter(CHAT, "turn01", kept).show(Paged(month("March", APRIL)))
        [message] = world.own()
        kept.refusals = 1
        world.press(int(message["id"]), buttons(message)["April ›"])
        await until(lambda: len(world.own()) == 2)

    assert "could not be kept" in world.texts()[1]
    assert kept.updates == []


async def test_a_button_of_another_version_says_so(world: World, server: Server) -> None:
    number = world.snowflake()
    row = {"type": 1, "components": [{"type": 2, "style": 2, "label": "Old", "custom_id": "1/timeline//0000"}]}
    world.messages[DM][number] = world.shape(number, DM, BOT, {"content": "x", "components": [row]})
    world.messages[DM][number]["components"][0]["components"][0]["custom_id"] = "say#0123456789abcdef"
    async with running(world, server):
        asked = world.press(number, "say#0123456789abcdef")
        await until(lambda: asked.answered)

    assert "older version" in asked.response["content"]
    assert asked.response["flags"] & EPHEMERAL


async def test_a_stranger_presses_types_and_asks_in_vain(world: World, server: Server) -> None:
    world.approved = 1 << 15
    async with running(world, server, room=ROOM, known={"strand": ["secret"]}) as bot:
        await bot.platform.presenter(str(ROOM), "turn01", bot.kept).show(Paged(month("March", APRIL)))
        [message] = world.own(ROOM)
        presses = [
            world.press(int(message["id"]), buttons(message)["April ›"], who=STRANGER, channel=ROOM),
            world.press(int(message["id"]), "do/jump//0", who=STRANGER, channel=ROOM),
            world.slash("help", who=STRANGER),
        ]
        typed = world.complete("strand", "what", "s", who=STRANGER)
        await until(lambda: typed.id in world.choices)
        world.submit(presses[1], "2026", who=STRANGER)
        world.say("mine")
        await bot.kept.until(1)

    assert [one.answered for one in presses] == [0, 0, 0]
    assert world.choices[typed.id] == []
    assert bot.kept.texts == ["mine"]


async def test_the_owner_in_another_channel_is_told_where_to_talk(world: World, server: Server) -> None:
    async with running(world, server) as bot:
        asked = world.slash("help", channel=ROOM)
        await until(lambda: asked.answered)

    assert "direct messages" in asked.response["content"]
    assert bot.kept.updates == []


async def test_the_one_line_for_strangers_also_answers_commands_of_an_unclaimed_bot(
    world: World, server: Server
) -> None:
    async with running(world, server, owned=Owned(None)) as bot:
        asked = world.slash("help", who=STRANGER)
        await until(lambda: asked.answered)
        again = world.slash("help", who=STRANGER)
        world.slash("start", who=1001)
        await until(lambda: world.interactions_answered() == 2)

    assert "private bot" in asked.response["content"]
    assert again.answered == 0
    assert bot.kept.updates == []


async def test_arguments_that_exist_are_offered_while_one_types(world: World, server: Server) -> None:
    strands = [f"strand {number}" for number in range(60)] + ["外婆", "x" * 150]
    async with running(world, server, known={"strand": strands}):
        asked = [world.complete("strand", "what", text) for text in ("", "5", "外")]
        await until(lambda: all(one.id in world.choices for one in asked))

    every, fives, chinese = ([one["value"] for one in world.choices[one.id]] for one in asked)
    assert every == strands[:25]
    assert fives == [
        "strand 5",
        "strand 15",
        "strand 25",
        "strand 35",
        "strand 45",
        *[f"strand {n}" for n in range(50, 60)],
    ]
    assert chinese == ["外婆"]


async def test_commands_are_registered_for_direct_messages_in_every_language_and_only_when_they_changed(
    world: World, server: Server
) -> None:
    async with running(world, server):
        pass
    assert world.syncs == 1
    timeline = next(one for one in world.commands if one["name"] == "timeline")
    assert timeline["contexts"] == [1]
    assert timeline["integration_types"] == [0, 1]
    assert {"en-US", "en-GB", "zh-CN", "zh-TW"} == set(timeline["description_localizations"])
    assert timeline["options"][0]["autocomplete"]
    assert "stop" in [one["name"] for one in world.commands]

    async with running(world, server) as bot:
        world.say("hello")
        await bot.kept.until(1)
        await asyncio.sleep(0.05)  # noqa: TID251 - nothing tells that no request came
    assert world.syncs == 1

    async with running(world, server, commands=COMMANDS[:2]):
        await until(lambda: world.syncs == 2)
    assert len(world.commands) == 3


async def test_the_stop_command_needs_no_place_in_the_queue(world: World, server: Server) -> None:
    async with running(world, server) as bot:
        bot.runs = False
        asked = world.slash("stop")
        await until(lambda: asked.answered)

    assert (bot.stops, bot.kept.updates) == (1, [])
    assert asked.response["content"] == "Nothing is being written just now."
