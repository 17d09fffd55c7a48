"""From a memory back to the message in the chat."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bot.helping import Asked
from bot.moments import Moments
from core.document import Text
from core.slices.messages import Message, encode_messages
from core.slices.model import messages_path
from core.storage.base import Write
from core.storage.memory import MemoryStorage
from tests.bot.living import WORDS, living
from tests.core.views.given import commands, reader
from tests.doubles.echo_model import EchoModel

if TYPE_CHECKING:
    from core.conversation import Paged

SLICE = "2026-03-09-1842"
AT = "2026-03-09T18:42:00.000Z"
ENTRIES = (
    Message("abcdef", "agent", "tg:7:12", AT, part=0),
    Message("abcdef", "user", "tg:7:10", AT),
    Message("ghijkl", "user", "dc:9:20", AT),
    Message("mnopqr", "user", "tg:7:30", AT, deleted=AT),
    Message("stuvwx", "user", "tm:1:1", AT),
)


async def moments(*entries: Message) -> Moments:
    storage = MemoryStorage()
    if entries:
        await storage.commit([Write(messages_path(SLICE), encode_messages(entries), None)], "given")
    return Moments(storage)


def asked(argument: str, surface: str = "telegram", locale: str = "en") -> Asked:
    return Asked(argument, "turn", reader(locale), AT, surface)


def said(page: Paged) -> str:
    return " ".join(block.markdown for block in page.document.blocks if isinstance(block, Text))


async def test_a_moment_is_a_quiet_reply_to_what_the_person_said() -> None:
    page = await (await moments(*ENTRIES)).moment(asked(f"{SLICE}:abcdef"))

    assert (page.reply_to, page.quiet) == ("tg:7:10", True)
    assert said(page).startswith("Here it was said, 2026-03-09 Mon 18:42")
    assert commands(page.document) == [f"/slice {SLICE}"]


async def test_what_was_said_on_another_surface_is_told_and_not_replied_to() -> None:
    found = await moments(*ENTRIES)

    pages = [await found.moment(asked(f"{SLICE}:{turn}")) for turn in ("ghijkl", "stuvwx")]

    assert [page.reply_to for page in pages] == ["", ""]
    assert "Discord" in said(pages[0])
    assert "the terminal" in said(pages[1])
    assert (await found.moment(asked(f"{SLICE}:ghijkl", "discord"))).reply_to == "dc:9:20"


@pytest.mark.parametrize("argument", [f"{SLICE}:mnopqr", f"{SLICE}:zzzzzz", SLICE, "", "../../x:y", f"{SLICE} "])
async def test_what_has_no_message_is_said_to_have_none(argument: str) -> None:
    page = await (await moments(*ENTRIES)).moment(asked(argument, locale="zh"))

    assert (said(page), page.reply_to) == (WORDS["zh"]("moment.none"), "")


async def test_a_slice_without_the_file_has_no_moments() -> None:
    assert await (await moments()).turns(SLICE, "telegram") == frozenset()


async def test_only_turns_that_can_be_answered_on_this_surface_are_offered() -> None:
    found = await moments(*ENTRIES)

    assert await found.turns(SLICE, "telegram") == {"abcdef"}
    assert await found.turns(SLICE, "discord") == {"ghijkl"}
    assert await found.turns(SLICE, "terminal") == frozenset()


async def test_the_page_of_a_slice_leads_to_the_chat_and_the_command_answers() -> None:
    async with living(EchoModel()) as home:
        await home.say("The kiln is hot.")
        piece = home.slices()[-1]
        await home.say(f"/slice {piece.id}")
        offered = home.world.finals()[-1]
        await home.say(f"/moment {piece.id}:{piece.turns[0].id}")
        answered = home.world.finals()[-1]

    assert "(↑ In the chat)" in offered
    assert answered.startswith("Here it was said")
