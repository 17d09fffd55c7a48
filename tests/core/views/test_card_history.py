"""The card as of a day, its history, and taking a change back, over a house with a demo person."""

from __future__ import annotations

from datetime import date

from bot.helping import writes
from core.card.record import Record, decode_record, encode_record
from core.clock import iso
from core.conversation import Incoming
from core.document import Address, Title
from core.journal.records import In, Try
from core.keeper.operations import NoteEvolution
from core.slices.model import CARD_PATH, evolution_path, snapshot_path
from core.storage.base import Write
from core.views.card import Change, history_page
from tests.bot.living import WORDS
from tests.core.views.across import Answering, Shown, answering
from tests.core.views.given import commands, items, reader, texts

NEWEST = "2026-11-11-1902"


async def live(home: Answering) -> str:
    return (await home.house.parts.storage.read(CARD_PATH)).text


async def test_the_card_of_a_day_is_the_snapshot_of_the_newest_slice_up_to_then() -> None:
    home = await answering("en")
    source = "2026-09-13-2117"
    snapshot = (await home.house.parts.storage.read(snapshot_path(source))).text

    pages = [await home.ask(f"/card {day}") for day in ("2026-09-13", "2026-10-10")]

    for page in pages:
        title = next(block for block in page.blocks if isinstance(block, Title))
        assert title.note.startswith(f"From the talk {source}")
        assert all(line in texts(page)[0] for line in snapshot.splitlines() if line.startswith("- "))
        assert f"/slice {source}" in commands(page)


async def test_a_day_in_words_is_understood_and_one_before_all_talk_has_no_card() -> None:
    home = await answering("en")

    assert (await home.ask("/card yesterday")).address == Address("card", "2026-12-01")
    assert texts(await home.ask("/card 2020-01-01")) == ["Up to that day no talk carries a card."]
    assert texts(await home.ask("/card blue moon"))[0].startswith("The card as of which day?")


async def test_a_change_is_told_with_its_time_its_reason_and_the_slices_that_it_rests_on() -> None:
    home = await answering("en")

    page = await home.ask("/card 2026-11-11")

    assert items(page, "after a talk") == (
        "Dona Odete's room has a price now.",
        "− A line of before.",
        "+ Dona Odete's room costs 390 € — refs: [2026/11/08/1726-YOaatg]",
    )
    assert "/slice 2026-11-08-1726" in commands(page)


async def test_the_history_opens_the_day_of_each_change_and_is_paged() -> None:
    home = await answering("en")
    for number, slice_id in enumerate((await home.house.parts.slices.ids())[-9:-1]):
        record = Record("2026-11-11T00:00:00.000Z", "request", f"change {number}", (f"- {number}",), (), "")
        await home.house.parts.keeper.keep(slice_id, "care", [NoteEvolution(slice_id, 1, encode_record(record))])

    first, second = await home.ask("/card history"), await home.ask("/card history 2")

    assert len(items(first, "because you asked for it")) == 10
    assert items(second, "because you asked for it") == ("change 2", "+ 2", "change 1", "+ 1", "change 0", "+ 0")
    assert {"/card 2026-11-11", "/card history 2", "/card ask"} <= set(commands(first))
    assert "/card history" in commands(second)


async def test_an_undo_brings_the_card_back_as_a_new_version_and_deletes_nothing() -> None:
    home = await answering("en")
    before = await live(home)

    page = await home.ask("/card undo")

    assert await live(home) == before + "\n- A line of before.\n"
    assert items(page, "Back again") == ("A line of before.",)
    records = [evolution_path(NEWEST, number) for number in (1, 2)]
    kept = [decode_record((await home.house.parts.storage.read(path)).text, path) for path in records]
    assert [record.why for record in kept] == ["slice_closed", "undo"]
    assert kept[1].before == before
    assert items(await home.ask("/card history"), "taken back")


async def test_a_button_asks_before_it_takes_back_and_pressing_yes_twice_takes_back_one_change() -> None:
    home = await answering("en")
    before = await live(home)

    ask = await home.ask("/card ask")
    yes, no = commands(ask)

    assert items(ask, "Would come back") == ("A line of before.",)
    assert await live(home) == before
    assert no == "/card history"
    assert writes("card", yes.removeprefix("/card "))
    await home.ask(yes)
    once = await live(home)
    await home.ask(yes)
    assert await live(home) == once == before + "\n- A line of before.\n"


async def test_an_undo_that_is_tried_again_is_not_done_twice() -> None:
    home = await answering("en")
    update = Incoming("db:1:9", "double", "1", home.house.parts.clock.now(), "/card undo", locale="en", zone="UTC")
    received = In(update, iso(home.house.parts.clock.now()), command=True)
    journal, shown = home.house.parts.journal, Shown()
    journal.append(received)
    turn = next(iter(journal.state.turns))
    await home.house.commands.run("card", "undo", journal.state.opened(turn), shown)
    once = await live(home)
    journal.append(In(Incoming("db:1:10", "double", "1", update.sent, "/card undo"), received.at, command=True))
    again = next(one for one in journal.state.turns.values())
    journal.append(Try(again.turn, 1))

    await home.house.commands.run("card", "undo", again, shown)

    assert await live(home) == once
    assert shown.pages[0] == shown.pages[1]


async def test_without_a_change_nothing_is_taken_back() -> None:
    home = await answering("zh", changed=False)
    before = await live(home)

    assert texts(await home.ask("/card undo")) == [WORDS["zh"]("evolution.nothing")]
    assert await live(home) == before
    assert texts(await home.ask("/card history"))[0].startswith("卡片还没有改动过")


def test_a_history_that_was_not_looked_through_to_its_end_says_how_far() -> None:
    change = Change(NEWEST, Record("2026-11-11T21:00:00.000Z", "request", "s", ("- a",), (), ""))

    for changes in ([], [change]):
        page = history_page(changes, 0, reader(), until=date(2020, 5, 1))
        assert texts(page) == [
            "Looked back to 2020-05-01. For earlier changes open a day, for instance /card 2020-05-01."
        ]


async def test_any_change_can_be_taken_back_by_its_slice_and_number() -> None:
    home = await answering("en")
    first, before = await live(home), (await home.house.parts.evolving.records(NEWEST))[0].before
    await home.ask("/card undo")
    await home.ask("/card undo")
    await home.ask("/card undo")
    await home.ask("/card undo")
    assert await live(home) == first

    await home.ask(f"/card undo {NEWEST} 3")
    assert await live(home) == before
    await home.ask("/card undo")
    await home.ask(f"/card undo {NEWEST} 1")
    assert await live(home) == before
    await home.ask(f"/card undo {NEWEST}")
    assert await live(home) == first

    for nothing in ("2022-12-11-2105", f"{NEWEST} 99"):
        assert texts(await home.ask(f"/card undo {nothing}")) == [WORDS["en"]("evolution.nothing")]
    for wrong in ("it", f"{NEWEST} x", "../../x"):
        assert texts(await home.ask(f"/card undo {wrong}"))[0].startswith("The card as of which day?")
    assert await live(home) == first


async def test_nothing_is_taken_back_from_a_card_that_cannot_be_read() -> None:
    home = await answering("en")
    storage = home.house.parts.storage
    version = (await storage.read(CARD_PATH)).version
    await storage.commit([Write(CARD_PATH, b"\xff\xfe", version)], "by hand")

    page = await home.ask("/card undo")

    assert CARD_PATH in texts(page)[0]
    assert (await storage.read(CARD_PATH)).data == b"\xff\xfe"
