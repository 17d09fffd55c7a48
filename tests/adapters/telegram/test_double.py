"""The double is as strict as the Bot API is documented to be: the unmodified client is told so."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest
from telegram import Bot, InlineKeyboardButton, InlineKeyboardMarkup, InputMediaPhoto, MessageEntity, Update
from telegram.error import BadRequest, Conflict, EndPointNotFound, Forbidden, InvalidToken, NetworkError, RetryAfter

from tests.adapters.telegram.waiting import until
from tests.doubles.clock import ManualClock
from tests.doubles.telegram.people import Person
from tests.doubles.telegram.server import TelegramServer
from tests.doubles.telegram.world import TOKEN, Fault, TelegramWorld

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 40
MARA = 42


@asynccontextmanager
async def connected() -> AsyncIterator[tuple[TelegramWorld, Person, Bot, TelegramServer]]:
    world = TelegramWorld(ManualClock())
    mara = Person(world, MARA)
    async with (
        TelegramServer(world).running() as server,
        Bot(TOKEN, base_url=server.base_url, base_file_url=server.file_url) as bot,
    ):
        yield world, mara, bot, server


async def test_the_unmodified_client_talks_to_it() -> None:
    async with connected() as (world, mara, bot, _):
        assert bot.username == "previously_test_bot"
        sent = await bot.send_message(MARA, "hello", entities=[MessageEntity("bold", 0, 5)])
        assert await bot.edit_message_text("hello you", MARA, sent.message_id)
        assert world.shown(MARA) == ["hello you"]
        mara.say("hi")
        (update,) = await bot.get_updates(timeout=5)
        assert update.message
        assert update.message.text == "hi"


async def test_an_update_comes_again_until_a_later_offset_confirms_it() -> None:
    async with connected() as (world, mara, bot, _):
        mara.say("one")
        mara.say("two")
        first = await bot.get_updates()
        assert [one.update_id for one in first] == [one.update_id for one in await bot.get_updates()]
        (rest,) = await bot.get_updates(offset=first[0].update_id + 1)
        assert rest.update_id == first[1].update_id
        assert world.confirmed == [first[0].update_id]


async def test_a_poll_waits_and_wakes_when_something_comes() -> None:
    async with connected() as (_, mara, bot, server), asyncio.timeout(5), asyncio.TaskGroup() as group:
        poll = group.create_task(bot.get_updates(timeout=50))
        await until(lambda: "getUpdates" in server.calls)
        assert not poll.done()
        mara.say("wake")
        (update,) = await poll
        assert update.message


async def test_a_poll_ends_empty_when_its_time_is_over() -> None:
    world = TelegramWorld(clock := ManualClock())
    async with (
        TelegramServer(world).running() as server,
        Bot(TOKEN, base_url=server.base_url) as bot,
        asyncio.timeout(5),
        asyncio.TaskGroup() as group,
    ):
        poll = group.create_task(bot.get_updates(timeout=30))
        await until(lambda: "getUpdates" in server.calls)
        await clock.advance(31)
        assert await poll == ()


async def test_a_second_poller_ends_the_first_with_a_conflict() -> None:
    async with (
        connected() as (_, mara, bot, server),
        Bot(TOKEN, base_url=server.base_url) as other,
        asyncio.timeout(5),
        asyncio.TaskGroup() as group,
    ):
        first = group.create_task(refused(bot.get_updates(timeout=50)))
        await until(lambda: "getUpdates" in server.calls)
        second = group.create_task(other.get_updates(timeout=50))
        assert isinstance(await first, Conflict)
        mara.say("to the second")
        assert len(await second) == 1


async def test_only_wanted_kinds_of_updates_come() -> None:
    async with connected() as (_, mara, bot, _server):
        said = mara.say("x")
        mara.react(said, "👍")
        assert [kind(one) for one in await bot.get_updates(allowed_updates=["message", "message_reaction"])] == [
            "message"
        ]
        mara.react(said, "👎")
        assert [kind(one) for one in await bot.get_updates()] == ["message", "message_reaction"]


@pytest.mark.parametrize(
    ("text", "marks", "why"),
    [
        ("   ", [], "empty"),
        ("\u200b", [], "empty"),
        ("x" * 4097, [], "too long"),
        ("🎩" * 2049, [], "too long"),
        ("a🎩b", [MessageEntity("bold", 1, 1)], "middle"),
        ("abc", [MessageEntity("bold", 2, 2)], "BOUNDS"),
        ("abc", [MessageEntity("text_link", 0, 1, url="javascript:alert(1)")], "URL"),
        ("abcd", [MessageEntity("bold", 0, 2), MessageEntity("italic", 1, 2)], "cross"),
        ("abcd", [MessageEntity("blockquote", 0, 4), MessageEntity("expandable_blockquote", 1, 2)], "nested"),
        ("x" * 101, [MessageEntity("bold", at, 1) for at in range(101)], "100"),
    ],
)
async def test_a_text_that_breaks_a_rule_is_refused(text: str, marks: list[MessageEntity], why: str) -> None:
    async with connected() as (world, _, bot, _server):
        with pytest.raises(BadRequest, match=f"(?i){why}"):
            await bot.send_message(MARA, text, entities=marks)
        assert not world.effects("sendMessage")


async def test_4096_units_pass() -> None:
    async with connected() as (_, _mara, bot, _server):
        await bot.send_message(MARA, "🎩" * 2048)


async def test_the_same_text_again_is_not_an_edit() -> None:
    async with connected() as (_, _mara, bot, _server):
        sent = await bot.send_message(MARA, "same")
        with pytest.raises(BadRequest, match=r"(?i)not modified"):
            await bot.edit_message_text("same", MARA, sent.message_id)
        with pytest.raises(BadRequest, match=r"(?i)message to edit not found"):
            await bot.edit_message_text("same", MARA, 9)


async def test_unknown_chats_and_people_who_blocked_the_bot_are_refused() -> None:
    async with connected() as (_, mara, bot, _server):
        with pytest.raises(BadRequest, match=r"(?i)chat not found"):
            await bot.send_message(1, "x")
        mara.block()
        with pytest.raises(Forbidden, match=r"(?i)blocked"):
            await bot.send_message(MARA, "x")


@pytest.mark.parametrize("data", ["x" * 65, "线" * 22])
async def test_button_data_has_at_most_64_bytes(data: str) -> None:
    async with connected() as (_, _mara, bot, _server):
        with pytest.raises(BadRequest, match=r"(?i)BUTTON_DATA_INVALID"):
            await bot.send_message(
                MARA, "x", reply_markup=InlineKeyboardMarkup([[InlineKeyboardButton("a", callback_data=data)]])
            )


async def test_a_tap_is_answered_once_and_in_time() -> None:
    async with connected() as (world, mara, bot, _server):
        await bot.send_message(
            MARA, "x", reply_markup=InlineKeyboardMarkup([[InlineKeyboardButton("Go", callback_data="go")]])
        )
        first, second = mara.press("Go"), mara.press("Go")
        await bot.answer_callback_query(first, "done")
        assert world.toasts == [(first, "done")]
        with pytest.raises(BadRequest, match=r"(?i)query is too old"):
            await bot.answer_callback_query(first)
        assert isinstance(world.clock, ManualClock)
        world.clock.shift(30)
        with pytest.raises(BadRequest, match=r"(?i)query is too old"):
            await bot.answer_callback_query(second)


async def test_files_go_up_and_down_to_20_megabytes() -> None:
    async with connected() as (world, mara, bot, _server):
        sent = await bot.send_document(MARA, PNG, filename="a.png", caption="a file")
        assert sent.document
        assert bytes(await (await bot.get_file(sent.document.file_id)).download_as_bytearray()) == PNG
        large = mara.document(b"x", "big.zip", size=25 << 20)
        with pytest.raises(BadRequest, match=r"(?i)too big"):
            await bot.get_file(large["document"]["file_id"])
        photo = await bot.send_photo(MARA, PNG, caption="picture")
        await bot.edit_message_media(InputMediaPhoto(PNG + b"1", caption="other"), MARA, photo.message_id)
        assert world.shown(MARA)[-1] == "[photo]other"
        with pytest.raises(BadRequest, match=r"(?i)no text"):
            await bot.edit_message_text("text", MARA, photo.message_id)


async def test_unknown_methods_wrong_tokens_and_floods_are_refused() -> None:
    async with connected() as (world, _, bot, _server):
        with pytest.raises(EndPointNotFound):
            await bot.do_api_request("sendTelepathy")
        with pytest.raises(BadRequest, match=r"(?i)takes no"):
            await bot.do_api_request("SendMessage", api_kwargs={"chat_id": MARA, "text": "x", "colour": "red"})
        world.penalise(7, "sendMessage")
        with pytest.raises(RetryAfter):
            await bot.send_message(MARA, "x")
        world.revoked = True
        with pytest.raises(InvalidToken):
            await bot.get_me()


@pytest.mark.parametrize(("lose", "arrived"), [("before", 0), ("after", 1)])
async def test_a_connection_is_lost_before_or_after_the_effect(lose: str, arrived: int) -> None:
    async with connected() as (world, _, bot, _server):
        world.fault("sendMessage", Fault(lose=lose))
        with pytest.raises(NetworkError):
            await bot.send_message(MARA, "x")
        assert len(world.shown(MARA)) == arrived


async def test_ids_of_updates_begin_anew_after_a_quiet_week() -> None:
    async with connected() as (world, mara, bot, _server):
        mara.say("before")
        (before,) = await bot.get_updates()
        assert isinstance(world.clock, ManualClock)
        world.clock.shift(8 * 24 * 3600)
        mara.say("after")
        after = await bot.get_updates()
        assert after[-1].update_id < before.update_id


async def refused(call: object) -> Exception | None:
    try:
        await call  # type: ignore[misc]
    except Exception as error:  # noqa: BLE001 - the error is what is looked at
        return error
    return None


def kind(update: Update) -> str:
    return "message" if update.message else "message_reaction" if update.message_reaction else "?"
