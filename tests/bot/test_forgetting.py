"""Forgetting, end to end: shown, confirmed, gone everywhere, taken back; and it never comes back by itself (P065)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from core.card.codec import encode as encode_card
from core.card.model import Card, Entry
from core.slices.codec import encode
from core.slices.forgotten import PATH, decode
from core.slices.model import CARD_PATH, Slice, Turn, briefing_path, core_path, messages_path, snapshot_path
from tests.bot.living import Living, Worker, living
from tests.doubles.echo_model import EchoModel
from tests.doubles.sim_disk import SimDisk

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

SECRET = "Zanzibarine"
OLD = "2026-01-05-2330"
"""A closed slice about the secret; the clock of the double stands in March."""
NEXT = "2026-01-06-0800"


def archive() -> SimDisk:
    disk = SimDisk()
    at = "2026-01-05T23:30:00.000Z"
    said = (
        Turn("aaaaaa", at, "user", f"I keep the {SECRET} in the garden shed."),
        Turn("aaaaaa", at, "agent", f"So the {SECRET} is in the shed."),
    )
    piece = Slice(
        OLD, "closed", at, at, focus=f"Where the {SECRET} is", summary="s", turns=said, closed_by="time_silence",
        tags=(SECRET.lower(), "garden"), open_loops=(f"Move the {SECRET}",),
    )  # fmt: skip
    later = "2026-01-06T08:00:00.000Z"
    after = Slice(
        NEXT, "closed", later, later, focus="The tulips", summary="s", tags=("garden",), closed_by="time_silence",
        turns=(Turn("bbbbbb", later, "user", "The tulips are up."), Turn("bbbbbb", later, "agent", "Good.")),
    )  # fmt: skip
    card = encode_card(
        Card(
            OLD, at, identity=("Name: Ada",),
            anchors=(Entry(f"Keeps the {SECRET}", ("2026/01/05/2330-aaaaaa",)),),
            horizon=(Entry("Plant tulips", ("2026/01/05/2330", "2026/01/06/0800-bbbbbb")),),
        )
    )  # fmt: skip
    for one in (piece, after):
        disk.plant(core_path(one.id), encode(one).encode())
    disk.plant(CARD_PATH, card.encode())
    disk.plant(snapshot_path(NEXT), card.encode())
    disk.plant(messages_path(OLD), b'{"turn":"aaaaaa","role":"user","key":"db:1:900"}\n')
    disk.plant(briefing_path(NEXT), f"PREVIOUSLY ON\nWhere the {SECRET} is\n".encode())
    disk.plant("state/quarantine/journal-20260105T000000Z.jsonl", SECRET.encode())
    return disk


def holding(home: Living, word: str = SECRET) -> list[str]:
    """Every file in the whole home that holds the word, in any letter case, also inside JSON and base64."""
    found = []
    for path, data in home.disk.tree().items():
        if word.lower() in data.decode(errors="replace").lower() or word.lower() in path.lower():
            found.append(path)
    return found


async def asked(home: Living, text: str) -> str:
    await home.say(text)
    return home.world.finals()[-1]


@pytest.fixture
async def home() -> AsyncIterator[Living]:
    async with living(EchoModel(), disk=archive(), worker=Worker()) as house:
        await house.house.tidy()
        yield house


async def test_a_slice_is_shown_first_and_nothing_goes_before_a_yes(home: Living) -> None:
    before = {path: data for path, data in home.disk.tree().items() if path.startswith("memory/")}

    page = await asked(home, f"/forget {OLD}")

    assert "1 slice" in page
    assert f"Where the {SECRET} is" in page
    assert f"Keeps the {SECRET}" in page
    assert "Nothing has gone yet" in page
    assert {path: data for path, data in home.disk.tree().items() if path.startswith("memory/")} == before


async def test_a_slice_forgotten_for_good_is_nowhere_in_the_home(home: Living) -> None:
    assert len(holding(home)) > 5
    await asked(home, f"/forget {OLD}")

    receipt = await asked(home, "/forget now")

    assert holding(home) == []
    assert "FORGOTTEN" in receipt
    assert "1 slice" in receipt
    assert "1 line of your card" in receipt
    assert "Nothing of it is in the bin" in receipt
    assert decode(home.disk.tree()[PATH]).turns == {"aaaaaa"}
    assert decode(home.disk.tree()[PATH]).keys == {"db:1:900"}


async def test_what_rests_on_something_else_too_stays(home: Living) -> None:
    await asked(home, f"/forget {OLD}")
    await asked(home, "/forget now")

    card = home.disk.tree()[CARD_PATH].decode()
    assert "Plant tulips — refs: [2026/01/06/0800-bbbbbb]" in card
    assert "Name: Ada" in card
    assert "The tulips are up." in home.file("core.md")


async def test_what_is_forgotten_is_not_found_listed_or_briefed(home: Living) -> None:
    await asked(home, f"/forget {OLD}")
    await asked(home, "/forget yes")

    for command in (
        "/timeline 2026-01",
        "/card",
        "/loops",
        "/strands",
        f"/find {SECRET}",
        "/briefing",
        f"/slice {OLD}",
    ):
        page = await asked(home, command)
        assert f"Where the {SECRET}" not in page, command
        assert f"Keeps the {SECRET}" not in page, command
        assert f"Move the {SECRET}" not in page, command
    assert "There is no slice" in await asked(home, f"/slice {OLD}")


async def test_a_message_that_is_forgotten_does_not_come_back_when_it_is_delivered_again(home: Living) -> None:
    said = await home.say("My locker code is 4711.")
    await asked(home, "/forget 4711")
    await asked(home, "/forget now")
    home.house.parts.journal.state.seen.clear()

    home.world.deliver(said)
    home.world.edit(said, "My locker code is 4712.")
    await home.idle()

    assert holding(home, "4711") == []
    assert holding(home, "4712") == []


async def test_the_open_slice_does_not_come_back(home: Living) -> None:
    await home.say("The cellar key is under the blue pot.")
    await asked(home, "/forget last 20 minutes")
    await asked(home, "/forget now")
    assert holding(home, "cellar key") == []

    await home.say("And how are you?")

    assert holding(home, "cellar key") == []
    assert ("user", "And how are you?") in home.texts()


async def test_words_go_with_their_exchange_and_leave_the_rest_of_the_slice(home: Living) -> None:
    await home.say("The cellar key is under the blue pot.")
    await home.say("The tulips want water.")

    page = await asked(home, "/forget cellar KEY")
    await asked(home, "/forget now")

    assert "1 exchange" in page
    assert holding(home, "cellar") == []
    assert ("user", "The tulips want water.") in home.texts()


async def test_a_later_answer_that_quotes_it_goes_too(home: Living) -> None:
    await home.say(f"What about it? I keep the {SECRET} in the garden shed.")

    await asked(home, f"/forget {OLD}")
    await asked(home, "/forget now")

    assert holding(home, "in the garden shed") == []


async def test_a_topic_goes_with_its_slices(home: Living) -> None:
    await asked(home, f"/forget {SECRET}")
    await asked(home, "/forget now")

    assert holding(home) == []


async def test_the_bin_lies_outside_memory_and_gives_everything_back(home: Living) -> None:
    before = {path: data for path, data in home.disk.tree().items() if path.startswith("memory/")}
    await asked(home, f"/forget {OLD}")
    receipt = await asked(home, "/forget yes")
    assert "bin for 30 days" in receipt
    assert [path for path in holding(home) if path.startswith("memory/")] == []

    page = await asked(home, "/forget undo")

    assert "TAKEN BACK" in page
    after = {path: data for path, data in home.disk.tree().items() if path.startswith("memory/")}
    changed = {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}
    assert {path for path in changed if not path.endswith(("index.json", "timeline.md"))} == set()
    assert not [path for path in home.disk.tree() if path.startswith("state/bin/")]
    assert "There is nothing in the bin" in await asked(home, "/forget undo")


async def test_taking_back_joins_what_was_said_since(home: Living) -> None:
    await home.say("One about the harbour.")
    await home.say("Two about the tulips.")
    await asked(home, "/forget harbour")
    await asked(home, "/forget yes")
    await home.say("Three about the weather.")

    await asked(home, "/forget undo")

    said = [text for role, text in home.texts() if role == "user"][-3:]
    assert said == ["One about the harbour.", "Two about the tulips.", "Three about the weather."]


async def test_the_bin_is_emptied_after_thirty_days_or_at_once(home: Living) -> None:
    bin_ = home.house.forgetting.bin
    await asked(home, f"/forget {OLD}")
    await asked(home, "/forget yes")
    now = home.world.clock.now()

    assert bin_.sweep(now) == 0
    home.world.clock.shift(30 * 24 * 3600)
    assert bin_.sweep(home.world.clock.now()) == 1
    assert "nothing in the bin" in await asked(home, "/forget undo")

    await home.say("Something else entirely.")
    await asked(home, "/forget entirely")
    await asked(home, "/forget yes")
    assert "The bin is empty" in await asked(home, "/forget empty")
    assert bin_.newest() is None


async def test_a_no_leaves_everything(home: Living) -> None:
    await asked(home, f"/forget {OLD}")

    assert "stays as it is" in await asked(home, "/forget no")
    assert "Nothing is waiting" in await asked(home, "/forget yes")
    assert len(holding(home)) > 5


async def test_what_is_not_there_is_told_and_counts_nothing(home: Living) -> None:
    for unknown in ("zyzzyva", "2020-01-01-0000", "2020-01-01", "last 1 minutes"):
        assert "I find nothing of that" in await asked(home, f"/forget {unknown}")


async def test_what_was_asked_for_in_vain_does_not_stay_in_the_journal(home: Living) -> None:
    await asked(home, "/forget quokka")

    assert holding(home, "quokka") == []


async def test_a_slice_that_lost_an_exchange_is_marked_anew_from_what_is_left(home: Living) -> None:
    await home.say("The cellar key is under the blue pot.")
    await home.say("The tulips want water.")
    await home.say("/close")
    await asked(home, "/forget cellar")
    await asked(home, "/forget now")

    await home.house.maintain()

    newest = home.slices()[-1]
    assert "tulips" in newest.focus
    assert holding(home, "cellar") == []


async def test_a_button_says_yes_for_what_it_stands_under(home: Living) -> None:
    await asked(home, f"/forget {OLD}")
    token = json.loads(home.disk.tree()["state/forget.json"])["token"]

    assert "Nothing is waiting" in await asked(home, "/forget aaaaaa.yes")
    assert "FORGOTTEN" in await asked(home, f"/forget {token}.now")
    assert holding(home) == []


async def test_forgetting_speaks_chinese() -> None:
    async with living(EchoModel(), disk=archive(), worker=Worker()) as home:
        await home.house.tidy()
        await home.house.parts.config.change("bot.language", "zh")
        await home.say("钥匙在花盆下面")

        page = await asked(home, "/forget 花盆")
        receipt = await asked(home, "/forget 彻底")

        assert "现在什么都还没删" in page
        assert "已忘记" in receipt
        assert holding(home, "花盆") == []
        assert holding(home, "\\u82b1\\u76c6") == []


async def test_the_next_prompt_knows_nothing_of_what_was_forgotten() -> None:
    model = EchoModel()
    async with living(model, disk=archive(), worker=Worker()) as home:
        await home.house.tidy()
        await home.say("Hello again.")
        await asked(home, f"/forget {OLD}")
        await asked(home, "/forget now")
        await home.say("Go on.")

        assert SECRET not in str(home.house.parts.projections._tapestry.entries())
        assert holding(home) == []


@pytest.mark.parametrize("words", ["5 January 2026", "2026年1月5号", "2026-01-05", "2026/01/05", "all of 5 Jan"])
async def test_days_are_days_in_whatever_words_they_are_named(home: Living, words: str) -> None:
    page = await asked(home, f"/forget {words}")

    assert "1 slice" in page
    assert f"I keep the {SECRET}" in page


@pytest.mark.parametrize("words", ["today", "今天"])
async def test_a_slice_without_a_title_is_shown_by_its_first_words(home: Living, words: str) -> None:
    await home.say("My locker code is 4711.")

    page = await asked(home, f"/forget {words}")

    assert "“My locker code is 4711.”" in page
    assert "no title yet" not in page


@pytest.mark.parametrize("words", ["4711", "the January locker"])
async def test_words_that_name_more_than_days_are_words(home: Living, words: str) -> None:
    await home.say("4711 is the January locker.")

    assert "1 exchange" in await asked(home, f"/forget {words}")
