"""Only the owner is heard, in private, by numeric id, whatever kind of update it is (DESIGN 7, pains P041 and P043)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.adapters.telegram.stand import MARA, Named, standing
from tests.adapters.telegram.waiting import until
from tests.doubles.telegram.people import group

if TYPE_CHECKING:
    from tests.adapters.telegram.stand import Stand


def written(stand: Stand) -> list[str]:
    """Methods that show something to anybody."""
    return [one.method for one in stand.world.log if one.method.startswith(("send", "edit", "answer", "set", "leave"))]


async def test_a_stranger_is_met_with_silence() -> None:
    async with standing() as stand:
        eve = stand.stranger()
        await until(lambda: stand.world.commands)
        before = len(written(stand))
        said = eve.say("/start")
        eve.say("let me in")
        eve.edit(said, "/start the-code")
        eve.forward("the owner said", {"type": "user", "sender_user": stand.mara.face(), "date": 1})
        eve.tap(said, "1/card//0")
        eve.photo(b"\xff\xd8")
        stand.mara.say("me")
        assert [one.text for one in await stand.kept(1)] == ["me"]
        await stand.quiet()
        await until(lambda: "sendMessageDraft" in stand.server.calls)
        assert set(written(stand)[before:]) <= {
            "sendMessageDraft",
            "setMyDescription",
            "setMyShortDescription",
            "setMyCommands",
        }
        assert not [one for one in stand.world.log if one.chat == eve.id]
        assert stand.telegram.ignored >= 6


async def test_groups_channels_bots_and_missing_senders_are_ignored_and_groups_left() -> None:
    async with standing() as stand:
        neighbours = group(stand.world)
        stand.mara.say("@previously_test_bot what do you know?", chat=neighbours)
        stand.stranger().say("hi", chat=neighbours)
        robot = stand.stranger(99, bot=True)
        robot.say("beep")
        stand.mara.say("anonymous", sender_chat=neighbours.face())
        stand.mara.say("me")
        assert [one.text for one in await stand.kept(1)] == ["me"]
        await until(lambda: "leaveChat" in stand.server.calls)
        assert not stand.world.effects("sendMessage", chat=neighbours.id)


async def test_a_button_of_the_owner_works_and_that_of_another_does_not() -> None:
    async with standing() as stand:
        said = stand.mara.say("x")
        await stand.kept(1)
        stand.stranger().tap(said, "1/timeline//0")
        stand.mara.tap(said, "1/timeline/2026-03/1")
        kept = await stand.kept(2)
        assert kept[1].text == "/timeline 2026-03 2"
        assert kept[1].key.startswith(f"tgq:{MARA}:")
        assert kept[1].replaces == str(said["message_id"])
        await until(lambda: len(stand.world.toasts) == 1)


async def test_nobodys_bot_says_one_line_a_day_to_each_of_twenty_and_stores_nothing() -> None:
    async with standing(owners=Named(None)) as stand:
        eves = [stand.stranger(1000 + number) for number in range(25)]
        for eve in eves:
            eve.say("/start")
            eve.say("hello?")
        await stand.quiet()
        await until(lambda: len(stand.world.effects("sendMessage")) == 20)
        assert {len(stand.world.shown(eve.id)) for eve in eves[:20]} == {1}
        assert not stand.inbox.messages
        assert "private" in stand.world.shown(1000)[0]
        stand.clock.shift(25 * 3600)
        eves[0].say("next day")
        await until(lambda: len(stand.world.shown(1000)) == 2)


async def test_the_code_makes_its_sender_the_owner_and_a_wrong_one_nobody() -> None:
    async with standing(owners=Named(None)) as stand:
        await until(lambda: stand.introduced)
        assert stand.introduced == [("previously_test_bot", "https://t.me/previously_test_bot?start=")]
        stand.stranger().say("/start guess")
        await stand.quiet()
        assert stand.owners.person is None
        stand.mara.say("/start the-code")
        await until(lambda: any(text == "welcome 42" for text in stand.world.shown(MARA)))
        assert stand.owners.person == str(MARA)
        stand.mara.say("first words")
        assert [one.text for one in await stand.kept(1)] == ["first words"]
        await until(lambda: any(str(MARA) in scope and language == "zh" for scope, language in stand.world.commands))
        stand.stranger().say("/start the-code")
        await stand.quiet()
        assert stand.owners.person == str(MARA)


async def test_a_thousand_strangers_do_not_hold_up_the_owner() -> None:
    async with standing() as stand:
        for number in range(1000):
            stand.stranger(5000 + number).say("spam")
        stand.mara.say("through")
        assert [one.text for one in await stand.kept(1)] == ["through"]
        assert stand.inbox.batches == 1
