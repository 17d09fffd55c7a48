from __future__ import annotations

from typing import TYPE_CHECKING

from tests.adapters.discord.host import Kept, Owned, running, until
from tests.doubles.discord.world import DM, OTHER_ROOM, OWNER, ROOM, STRANGER

if TYPE_CHECKING:
    from tests.doubles.clock import ManualClock
    from tests.doubles.discord.gateway import Server
    from tests.doubles.discord.world import World


async def test_what_the_owner_says_is_kept_once_and_in_order(world: World, server: Server) -> None:
    async with running(world, server) as bot:
        ids = [world.say(f"message {number}") for number in range(20)]

        updates = await bot.kept.until(20)

    assert [one.key for one in updates] == [f"dc:{DM}:{number}" for number in ids]
    assert [one.text for one in updates] == [f"message {number}" for number in range(20)]
    assert {(one.surface, one.chat, one.away) for one in updates} == {("discord", str(DM), False)}


async def test_what_was_said_while_nobody_listened_is_read_first_and_marked(
    world: World, server: Server, clock: ManualClock
) -> None:
    kept = Kept()
    async with running(world, server, kept):
        world.say("before")
        await kept.until(1)
    for number in range(230):
        world.say(f"away {number}")
    await clock.advance(600)

    async with running(world, server, kept):
        world.say("live")
        updates = await kept.until(232)

    assert kept.texts == ["before", *(f"away {number}" for number in range(230)), "live"]
    assert [one.away for one in updates] == [False, *[True] * 230, False]


async def test_nothing_is_kept_twice_when_the_gateway_repeats_what_the_history_had(
    world: World, server: Server
) -> None:
    kept = Kept()
    async with running(world, server, kept):
        number = world.say("one")
        await kept.until(1)
    world.say("two")

    async with running(world, server, kept):
        await kept.until(2)
        world.tell("MESSAGE_CREATE", world.messages[DM][number], DM)
        world.say("three")
        await kept.until(3)

    assert kept.texts == ["one", "two", "three"]


async def test_a_bot_without_a_journal_answers_only_what_came_after_its_own_last_word(
    world: World, server: Server
) -> None:
    world.say("long ago, answered")
    answer = world.snowflake()
    world.messages[DM][answer] = world.shape(answer, DM, 9000, {"content": "an answer"})
    world.say("not answered yet")

    async with running(world, server) as bot:
        await bot.kept.until(1)
        world.say("live")
        await bot.kept.until(2)

    assert bot.kept.texts == ["not answered yet", "live"]


async def test_a_first_word_that_came_before_the_first_start_is_answered(world: World, server: Server) -> None:
    world.say("is anybody there?")

    async with running(world, server) as bot:
        await bot.kept.until(1)

    assert bot.kept.texts == ["is anybody there?"]


async def test_an_edit_and_a_deletion_carry_the_key_of_their_message(world: World, server: Server) -> None:
    async with running(world, server) as bot:
        number = world.say("Tuseday")
        world.edit(number, "Tuesday")
        world.embed(number)
        world.delete(number)
        said, change, gone = await bot.kept.until(3)

    assert (change.key, change.kind, change.text) == (said.key, "edit", "Tuesday")
    assert (gone.key, gone.kind) == (said.key, "deletion")


async def test_an_edit_made_while_nobody_listened_is_found_and_taken_once(
    world: World, server: Server, clock: ManualClock
) -> None:
    kept = Kept()
    async with running(world, server, kept):
        number = world.say("Tuseday")
        await kept.until(1)
    await clock.advance(60)
    world.edit(number, "Tuesday", silent=True)

    for _ in range(2):
        async with running(world, server, kept):
            await kept.until(2)

    assert [(one.kind, one.text) for one in kept.updates] == [("message", "Tuseday"), ("edit", "Tuesday")]


async def test_a_quote_is_kept_apart_from_the_persons_own_words(world: World, server: Server) -> None:
    async with running(world, server) as bot:
        first = world.say("The hall costs 380.")
        world.say("Is that with heating?", reply=first)
        world.say("", forward="Meeting moved to nine.")
        _, reply, forward = await bot.kept.until(3)

    assert (reply.text, reply.foreign, reply.reply_to) == (
        "Is that with heating?",
        "The hall costs 380.",
        f"dc:{DM}:{first}",
    )
    assert reply.quoted.startswith("mara, 2026-03-09")
    assert (forward.text, forward.foreign) == ("", "Meeting moved to nine.")
    assert forward.forwarded


async def test_an_attachment_is_fetched_by_a_fresh_link_a_month_later(
    world: World, server: Server, clock: ManualClock
) -> None:
    kept = Kept()
    async with running(world, server, kept):
        world.say("look", files={"gate.png": b"picture"})
        world.say("", files={"voice-message.ogg": b"sound"}, voice=True)
        picture, voice = await kept.until(2)
    await clock.advance(30 * 86_400)

    async with running(world, server, kept) as bot:
        found = [await bot.platform.fetch(one.chat, one.attachments[0]) for one in (picture, voice)]

    assert found == [b"picture", b"sound"]
    assert [one.attachments[0].media for one in (picture, voice)] == ["image/png", "audio/ogg"]
    assert "http" not in picture.attachments[0].ref


async def test_what_a_stranger_says_is_not_kept_and_not_answered(world: World, server: Server) -> None:
    async with running(world, server) as bot:
        world.say("let me in", who=STRANGER)
        world.say("mine")
        await bot.kept.until(1)

    assert bot.kept.texts == ["mine"]
    assert world.own() == []


async def test_an_unclaimed_bot_says_one_line_a_day_and_keeps_nothing(
    world: World, server: Server, clock: ManualClock
) -> None:
    async with running(world, server, owned=Owned(None)) as bot:
        world.say("hello", who=STRANGER)
        world.say("hello?", who=STRANGER)
        await until(world.own)
        await clock.advance(86_400)
        world.say("good morning", who=STRANGER)
        await until(lambda: len(world.own()) == 2)

    assert {one["content"] for one in world.own()} == {
        "This is a private bot. If it is yours, send the line that its terminal or log shows."
    }
    assert bot.kept.updates == []


async def test_the_one_time_code_makes_its_sender_the_owner(world: World, server: Server) -> None:
    owned = Owned(None)
    async with running(world, server, owned=owned) as bot:
        world.say("/start wrong", who=OWNER)
        world.say("/start right", who=OWNER)
        world.say("hello", who=OWNER)
        await bot.kept.until(1)

    assert owned.person == str(OWNER)
    assert bot.kept.texts == ["hello"]
    assert f"`DISCORD_OWNER_ID={OWNER}`" in world.texts()
    assert bot.names == ["previously"]


async def test_a_claim_that_cannot_be_kept_is_told_and_does_not_count(world: World, server: Server) -> None:
    async with running(world, server, owned=Owned(None, refuses=True)) as bot:
        world.say("/start right")
        await until(world.own)

    assert "cannot keep" in world.texts()[0]
    assert bot.kept.updates == []


async def test_the_owner_in_another_channel_of_a_server_is_not_heard(world: World, server: Server) -> None:
    """Pain P043: private memory in a group."""
    world.approved = 1 << 15
    async with running(world, server, room=OTHER_ROOM) as bot:
        world.say("hello <@9000>", channel=ROOM)
        world.say("in private")
        await bot.kept.until(1)

    assert bot.kept.texts == ["in private"]
    assert world.own(ROOM) == []


async def test_the_private_room_that_is_named_is_heard_like_the_direct_message(world: World, server: Server) -> None:
    world.approved = 1 << 15
    async with running(world, server, room=ROOM) as bot:
        world.say("in the room", channel=ROOM)
        world.say("somebody else in it", channel=ROOM, who=STRANGER)
        world.say("in private")
        await bot.kept.until(2)

    assert {(one.chat, one.text) for one in bot.kept.updates} == {(str(ROOM), "in the room"), (str(DM), "in private")}


async def test_a_room_that_everybody_can_read_is_refused_with_a_sentence(world: World, server: Server) -> None:
    """Pain P043: what is said in public must not meet private memory."""
    world.approved, world.public = 1 << 15, True
    async with running(world, server, room=ROOM) as bot:
        world.say("in the room", channel=ROOM)
        world.say("again", channel=ROOM)
        world.say("in private")
        await bot.kept.until(1)
        await until(lambda: bot.told)

    assert bot.kept.texts == ["in private"]
    assert ["@everyone" in one for one in bot.told] == [True]


async def test_a_room_that_is_not_there_is_told_and_the_direct_message_goes_on(world: World, server: Server) -> None:
    world.approved = 1 << 15
    async with running(world, server, room=5999) as bot:
        world.say("in private")
        await bot.kept.until(1)

    assert ["View Channel" in one for one in bot.told] == [True]


async def test_what_was_said_in_the_room_while_nobody_listened_is_read_unless_everybody_reads_it_by_now(
    world: World, server: Server
) -> None:
    world.approved = 1 << 15
    kept = Kept()
    async with running(world, server, kept, room=ROOM):
        world.say("one", channel=ROOM)
        await kept.until(1)
    world.say("two", channel=ROOM)
    async with running(world, server, kept, room=ROOM):
        await kept.until(2)
    world.say("three", channel=ROOM)
    world.public = True
    async with running(world, server, kept, room=ROOM) as bot:
        await until(lambda: bot.told)
        world.say("in private")
        await kept.until(3)

    assert kept.texts == ["one", "two", "in private"]


async def test_a_full_disk_delays_and_loses_nothing(world: World, server: Server, clock: ManualClock) -> None:
    kept = Kept()
    kept.refusals = 3
    async with running(world, server, kept):
        world.say("one")
        world.say("two")
        await until(lambda: len(kept.updates) == 2, clock)

    assert kept.texts == ["one", "two"]
    assert ["cannot keep" in one for one in world.texts()] == [True]


async def test_typing_stop_stops_at_once_and_is_no_message(world: World, server: Server) -> None:
    async with running(world, server) as bot:
        world.say("/stop")
        await until(world.own)

    assert bot.stops == 1
    assert world.texts() == ["Stopped. What was written so far is kept."]
    assert bot.kept.updates == []


async def test_it_is_shown_that_an_answer_is_coming(world: World, server: Server, clock: ManualClock) -> None:
    async with running(world, server) as bot:
        world.say("hello")
        await bot.kept.until(1)
        await until(lambda: world.typing == 1)
        await until(lambda: world.typing == 3, clock, 4.0)


async def test_a_message_that_cannot_be_taken_holds_up_nothing_live_or_in_the_history(
    world: World, server: Server
) -> None:
    kept = Kept()
    async with running(world, server, kept) as bot:
        for text in ("one", "poison", "two"):
            world.say(text)
        await kept.until(2)
        world.say("three")
        await kept.until(3)
        assert bot.failure is None
    for text in ("four", "poison", "five"):
        world.say(text)
    async with running(world, server, kept) as bot:
        world.say("six")
        await kept.until(6)
        assert bot.failure is None

    assert kept.texts == ["one", "two", "three", "four", "five", "six"]
