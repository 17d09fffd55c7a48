"""What comes in is kept before Telegram may forget it, in order, once, whatever comes between."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

import pytest

from core.errors import PlatformTrouble, SettingsError, TooLarge
from tests.adapters.telegram.stand import MARA, PNG, Kept, Named, adapter, standing
from tests.adapters.telegram.waiting import until
from tests.doubles.quick_clock import QuickClock
from tests.doubles.telegram.people import Person, channel_post, group
from tests.doubles.telegram.refusals import Refusal, flood
from tests.doubles.telegram.server import TelegramServer
from tests.doubles.telegram.world import TOKEN, Fault, TelegramWorld

if TYPE_CHECKING:
    from core.conversation import Incoming


async def test_a_message_is_kept_with_its_key_time_and_language() -> None:
    async with standing() as stand:
        stand.mara.language = "zh-hans"
        said = stand.mara.say("你好")
        (kept,) = await stand.kept(1)
        assert (kept.key, kept.chat, kept.text) == (f"tg:{MARA}:{said['message_id']}", str(MARA), "你好")
        assert (kept.surface, kept.locale, kept.away) == ("telegram", "zh", False)
        assert kept.sent.tzinfo


async def test_what_was_said_while_the_bot_was_down_is_kept_in_order_and_marked() -> None:  # P001
    world = TelegramWorld(QuickClock())
    mara = Person(world, MARA)
    for text in ("one", "two", "three"):
        mara.say(text)
    assert isinstance(world.clock, QuickClock)
    world.clock.shift(3600)
    async with standing(world=world) as stand:
        kept = await stand.kept(3)
        assert [(one.text, one.away) for one in kept] == [("one", True), ("two", True), ("three", True)]
        assert stand.inbox.batches == 1
        stand.mara.say("four")
        assert not (await stand.kept(4))[-1].away


async def test_telegram_may_forget_only_what_the_inbox_has_kept() -> None:
    async with standing() as stand:
        stand.inbox.refusals = 2
        stand.mara.say("precious")
        await until(lambda: stand.inbox.refusals == 0)
        await stand.kept(1)
        await stand.quiet()
        assert stand.inbox.texts == ["precious"]
        notices = [text for text in stand.world.shown(MARA) if "memory" in text]
        assert len(notices) == 1


async def test_updates_that_come_twice_are_kept_once() -> None:
    async with standing() as stand:
        stand.world.fault("getUpdates", Fault(lose="after"), Fault(lose="after"))
        stand.mara.say("once")
        await stand.kept(1)
        await stand.quiet()
        assert stand.inbox.texts == ["once"]


async def test_messages_out_of_order_in_a_batch_are_kept_by_number() -> None:
    world = TelegramWorld(QuickClock())
    mara = Person(world, MARA)
    mara.say("second", message_id=900)
    mara.say("first", message_id=899)
    async with standing(world=world) as stand:
        assert [one.text for one in await stand.kept(2)] == ["first", "second"]


async def test_ids_that_begin_anew_after_a_quiet_week_lose_nothing() -> None:
    async with standing() as stand:
        stand.mara.say("before")
        await stand.kept(1)
        await stand.quiet()
        stand.clock.shift(8 * 24 * 3600)
        await until(lambda: stand.server.calls.count("getUpdates") > 3)
        stand.mara.say("after")
        assert [one.text for one in await stand.kept(2)] == ["before", "after"]


async def test_a_second_poller_is_told_once_and_polled_for_less_often() -> None:  # P007
    async with standing() as stand:
        stand.mara.say("hello")
        await stand.kept(1)
        conflict = Refusal(409, "Conflict: terminated by other getUpdates request")
        stand.world.fault("getUpdates", *[Fault(refuse=conflict)] * 4)
        stand.mara.say("through")  # ends the poll that is held
        await until(lambda: not stand.world.faults["getupdates"])
        assert stand.clock.monotonic() > 3 + 6 + 12
        await stand.kept(2)
        assert sum("token" in text for text in stand.world.shown(MARA)) == 1


FAULTS = (
    Fault(status=502),
    Fault(lose="before"),
    Fault(lose="after"),
    Fault(refuse=flood(2)),
    Fault(refuse=Refusal(500, "Internal")),
)


@pytest.mark.parametrize("fault", FAULTS)
async def test_polling_survives_whatever_the_network_does(fault: Fault) -> None:
    async with standing() as stand:
        await until(lambda: "getUpdates" in stand.server.calls)
        stand.world.fault("getUpdates", fault, fault)
        stand.mara.say("one")
        await stand.kept(1)
        stand.mara.say("two")
        assert [one.text for one in await stand.kept(2)] == ["one", "two"]


async def test_a_poll_that_never_ends_is_given_up() -> None:
    async with standing(clock=QuickClock(speed=400)) as stand:
        await until(lambda: "getUpdates" in stand.server.calls)
        stand.world.fault("getUpdates", Fault(wait=asyncio.Event()))
        stand.mara.say("one")
        await stand.kept(1)
        await until(lambda: not stand.world.faults["getupdates"])
        stand.mara.say("two")
        assert [one.text for one in await stand.kept(2)] == ["one", "two"]


async def test_an_update_that_cannot_be_read_is_logged_reported_once_and_skipped(
    caplog: pytest.LogCaptureFixture,
) -> None:  # P005
    async with standing() as stand:
        for _ in range(2):
            stand.world.enqueue("message", {"message_id": "?", "date": "yesterday", "chat": 7})
            stand.mara.say("poison for the inbox")
        stand.mara.say("after")
        await until(lambda: "after" in stand.inbox.texts)
        await stand.quiet()
        assert stand.inbox.texts == ["after"]
        assert sum("could not read" in text for text in stand.world.shown(MARA)) == 1
        assert caplog.text.count("is skipped") == 4
        assert "yesterday" in caplog.text


async def test_unknown_kinds_and_fields_are_ignored() -> None:
    async with standing() as stand:
        stand.world.allowed |= {"telepathy"}
        stand.world.enqueue("telepathy", {"thought": "x"})
        stand.mara.say("said", colour="red", rich_message={"blocks": []})
        assert [one.text for one in await stand.kept(1)] == ["said"]
        await stand.quiet()


async def test_a_revoked_token_ends_the_platform_with_a_sentence() -> None:
    clock = QuickClock()
    world = TelegramWorld(clock)
    async with TelegramServer(world).running() as server:
        telegram = adapter(server, Named(), clock, lambda: None)
        world.revoked = True
        with pytest.raises(SettingsError, match="TELEGRAM_BOT_TOKEN"):
            await telegram.serve(Kept())
        world.revoked = False
        async with asyncio.TaskGroup() as tasks:
            serving = tasks.create_task(_error_of(telegram, Kept()))
            await until(lambda: "getUpdates" in server.calls)
            world.revoked = True
            Person(world, MARA).say("wakes the poll")
            assert isinstance(await serving, SettingsError)


async def test_a_server_that_is_not_there_is_trouble_that_passes() -> None:
    clock = QuickClock()
    server = TelegramServer(TelegramWorld(clock))
    server.port = 9
    with pytest.raises(PlatformTrouble):
        await adapter(server, Named(), clock, lambda: None).serve(Kept())


async def test_the_token_is_in_no_log(caplog: pytest.LogCaptureFixture) -> None:  # P087
    caplog.set_level(logging.DEBUG)
    async with standing() as stand:
        stand.world.fault("getUpdates", Fault(lose="before"))
        stand.mara.say("hello")
        await stand.kept(1)
    assert TOKEN not in caplog.text


# what a message carries


async def one(stand_says: object) -> Incoming:
    async with standing() as stand:
        assert callable(stand_says)
        stand_says(stand)
        return (await stand.kept(1))[0]


async def test_a_file_keeps_its_name_and_its_caption() -> None:
    kept = await one(lambda stand: stand.mara.document(b"%PDF", "report.pdf", "summarise"))
    (file,) = kept.attachments
    assert (kept.text, file.name, file.media, file.size) == ("summarise", "report.pdf", "application/pdf", 4)


async def test_of_a_photo_the_largest_size_is_taken() -> None:
    kept = await one(lambda stand: stand.mara.photo(PNG, "look"))
    (photo,) = kept.attachments
    assert (kept.text, photo.media, photo.size) == ("look", "image/jpeg", len(PNG))


async def test_an_album_is_joined_by_its_group() -> None:  # P035
    async with standing() as stand:
        for number in range(3):
            stand.mara.photo(PNG, "three of them" if not number else "", group="g1")
        kept = await stand.kept(3)
        assert [(one.group, len(one.attachments)) for one in kept] == [("g1", 1)] * 3
        assert kept[0].text == "three of them"


async def test_voice_is_a_file_that_can_be_fetched() -> None:  # P039
    async with standing() as stand:
        stand.mara.voice(b"OggS" + b"1" * 20)
        (kept,) = await stand.kept(1)
        (voice,) = kept.attachments
        assert (voice.media, kept.text) == ("audio/ogg", "")
        assert await stand.telegram.fetch(kept.chat, voice) == b"OggS" + b"1" * 20


async def test_files_above_20_megabytes_are_never_had_and_network_trouble_passes() -> None:  # P005
    async with standing() as stand:
        stand.mara.document(b"x", "film.mkv", "what is this", size=25 << 20)
        stand.mara.document(b"y", "fine.txt")
        large, fine = await stand.kept(2)
        assert large.text == "what is this"
        with pytest.raises(TooLarge):
            await stand.telegram.fetch(large.chat, large.attachments[0])
        stand.world.fault("download", Fault(lose="before"))
        with pytest.raises(PlatformTrouble) as caught:
            await stand.telegram.fetch(fine.chat, fine.attachments[0])
        assert not isinstance(caught.value, TooLarge)
        assert TOKEN not in str(caught.value)
        assert await stand.telegram.fetch(fine.chat, fine.attachments[0]) == b"y"


@pytest.mark.parametrize(("language", "says"), [("en", "[sticker 😀]"), ("zh", "[贴纸 😀]")])
async def test_a_sticker_is_kept_in_words(language: str, says: str) -> None:
    def send(stand: object) -> None:
        stand.mara.language = language  # type: ignore[attr-defined]
        stand.mara.sticker("😀")  # type: ignore[attr-defined]

    assert (await one(send)).text == says


async def test_a_place_and_a_contact_are_kept_in_words() -> None:
    assert (await one(lambda stand: stand.mara.location(1.5, 103.25))).text == "[location 1.5, 103.25]"
    person = {"phone_number": "+351", "first_name": "Inês"}
    assert (await one(lambda stand: stand.mara.say(contact=person))).text == "[contact Inês, +351]"


@pytest.mark.parametrize("text", ["🎩" * 4096, "\u200d", "a\u2028b\u0085c"])
async def test_odd_text_is_kept_as_it_is(text: str) -> None:
    assert (await one(lambda stand: stand.mara.say(text))).text == text


async def test_the_same_number_in_two_chats_is_two_messages() -> None:
    async with standing() as stand:
        first = stand.mara.say("mine", message_id=500)
        group(stand.world)
        assert first["message_id"] == 500
        (kept,) = await stand.kept(1)
        assert kept.key == f"tg:{MARA}:500"


async def test_forwarded_text_is_not_the_persons_own() -> None:
    kept = await one(lambda stand: stand.mara.forward("/close everything"))
    assert (kept.text, kept.foreign, kept.forwarded) == ("", "/close everything", "Anna, 2026-03-09")


async def test_a_reply_carries_what_is_replied_to() -> None:
    async with standing() as stand:
        first = stand.mara.say("the flat costs 900")
        stand.mara.reply(first, "too much", quote="900")
        stand.mara.reply(first, "all of it")
        _, quoted, whole = await stand.kept(3)
        assert (quoted.text, quoted.foreign, quoted.quoted) == ("too much", "900", "Mara, 2026-03-09")
        assert quoted.reply_to == f"tg:{MARA}:{first['message_id']}"
        assert whole.foreign == "the flat costs 900"


async def test_an_edit_carries_the_new_text_and_one_of_nothing_is_ignored() -> None:  # P037
    async with standing() as stand:
        said = stand.mara.say("tomorow")
        await stand.kept(1)
        stand.mara.edit(said)
        stand.mara.edit(said, "tomorrow")
        stand.mara.edit(said)
        stand.mara.edit(said, "tomorrow!")
        _, first, second = await stand.kept(3)
        await stand.quiet()
        assert (first.kind, first.text, second.text) == ("edit", "tomorrow", "tomorrow!")
        assert first.key == second.key == f"tg:{MARA}:{said['message_id']}"
        assert first.edited != second.edited
        assert len(stand.inbox.messages) == 3


async def test_a_message_about_nothing_is_ignored() -> None:
    async with standing() as stand:
        stand.mara.say(delete_chat_photo=True)
        stand.mara.say("real")
        await stand.quiet()
        assert stand.inbox.texts == ["real"]


async def test_stop_ends_the_answer_and_is_no_message() -> None:
    async with standing() as stand:
        stand.mara.say("/stop")
        await until(lambda: stand.stops)
        stand.running = False
        stand.mara.say("/stop")
        await until(lambda: len(stand.stops) == 2)
        await until(lambda: any("Nothing is being written" in text for text in stand.world.shown(MARA)))
        assert not stand.inbox.messages


async def test_posts_of_channels_are_ignored() -> None:
    async with standing() as stand:
        stand.world.allowed |= {"channel_post"}
        channel_post(stand.world, group(stand.world, -1009, "channel"), "news")
        stand.mara.say("hello")
        assert [one.text for one in await stand.kept(1)] == ["hello"]


async def _error_of(telegram: object, inbox: Kept) -> Exception | None:
    try:
        await telegram.serve(inbox)  # type: ignore[attr-defined]
    except Exception as error:  # noqa: BLE001 - the error is what is looked at
        return error
    return None


async def test_a_stop_is_heard_at_once_and_once_while_telegram_must_keep_the_message_that_is_answered() -> None:
    async with standing() as stand:
        stand.inbox.unsettled = True
        stand.mara.say("write a long story")
        await stand.kept(1)
        stand.mara.say("/stop")
        await until(lambda: stand.stops == [True])
        rounds = stand.inbox.rounds
        await until(lambda: stand.inbox.rounds > rounds + 3)
        assert stand.stops == [True]
        stand.inbox.unsettled = False
        await stand.quiet()
        assert stand.inbox.texts == ["write a long story"]


async def test_a_claim_is_no_command_when_it_comes_again_with_a_message_that_is_unsettled() -> None:
    async with standing(owners=Named(None)) as stand:
        stand.inbox.unsettled = True
        stand.mara.say("/start the-code")
        stand.mara.say("hello")
        await stand.kept(1)
        rounds = stand.inbox.rounds
        await until(lambda: stand.inbox.rounds > rounds + 3)
        stand.inbox.unsettled = False
        await stand.quiet()
        assert stand.inbox.texts == ["hello"]
        assert [text for text in stand.world.shown(MARA) if "welcome" in text] == [f"welcome {MARA}"]
