"""Between turns: provisional marks are replaced, owed passes are done, and nothing is asked without need."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from core.errors import Unavailable
from core.evolving import Reason
from core.keeper.operations import NoteOwed
from core.llm.offline.model import OfflineModel
from core.marks import OLDER, is_plain, plain
from core.slices.codec import decode, encode
from core.slices.model import CARD_PATH, Slice, Turn, core_path
from tests.bot.living import WORDS, Living, living
from tests.core.carded import CARD, DAY, WORTH, adding, carded
from tests.doubles.echo_model import EchoModel
from tests.doubles.model import EndlessModel
from tests.doubles.scripted_model import MARKS, QUIET, ScriptedWorker
from tests.doubles.sim_disk import SimDisk

if TYPE_CHECKING:
    from collections.abc import Callable

BAD_MARKS: dict[str, object] = {
    "prose": "I would say they spoke of bread.",
    "html": "<html><body>502 Bad Gateway</body></html>",
    "truncated": '{"focus": "The ki',
    "list": ["The kiln"],
    "number": {"focus": 7},
    "object": {"focus": {"text": "The kiln"}},
    "empty": {"focus": ""},
    "error object": {"error": {"message": "overloaded"}},
    "error sentence": {"focus": "Error: rate limit exceeded, please try again later"},
    "html in focus": {"focus": "<!DOCTYPE html><title>504</title>"},
    "json in focus": {"focus": '{"error": "overloaded"}'},
    "unavailable in summary": {"focus": "Service Unavailable", "summary": "Bad Gateway"},
    "seven tags": {"focus": "The kiln", "tags": list("abcdefg")},
    "text for tags": {"focus": "The kiln", "tags": "kiln"},
    "unknown tone": {"focus": "The kiln", "tone": "furious"},
    "long summary": {"focus": "The kiln", "summary": "x" * 101},
    "foreign": {"focus": "窑是冷的", "summary": "窑坏了"},
    "a bug": TypeError("a bug in the driver"),
    "down": Unavailable("down"),
}
GOOD = {**MARKS, "focus": "The kiln is cold", "summary": "It is cold.", "tags": ["kiln"]}


def closed(day: int, text: str = "the kiln is cold", **fields: object) -> Slice:
    at = f"2026-03-{day:02d}T09:00:00.000Z"
    said = (Turn("abcdef", at, "user", text), Turn("abcdef", at, "agent", "I see."))
    return Slice(f"2026-03-{day:02d}-0900", "closed", at, at, turns=said, **fields)  # type: ignore[arg-type]


def provisional(day: int, text: str = "the kiln is cold") -> Slice:
    piece = closed(day, text)
    marks = plain(piece, WORDS)
    return replace(piece, focus=marks.focus, summary=marks.summary)


def holding(*pieces: Slice) -> SimDisk:
    disk = SimDisk()
    for piece in pieces:
        disk.plant(core_path(piece.id), encode(piece).encode())
    return disk


def focuses(home: Living) -> list[str]:
    return [piece.focus for piece in home.slices()]


async def maintained(worker: object, disk: SimDisk, times: int = 1) -> Living:
    async with living(EchoModel(), worker=worker, disk=disk) as home:  # type: ignore[arg-type]
        for _ in range(times):
            await home.house.maintain()
    return home


# -- marks -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bad", list(BAD_MARKS.values()), ids=list(BAD_MARKS))
async def test_bad_marks_are_refused_and_asked_for_again_later(bad: object) -> None:
    worker = ScriptedWorker([QUIET, QUIET], marks=[bad, bad, GOOD])
    async with living(EchoModel(), worker=worker) as home:
        await home.say("the kiln is cold")
        before = home.turns()
        await home.say("hello", pause=DAY)
        assert focuses(home)[0] == "“the kiln is cold”"
        assert home.slices()[0].emotional_tone == ""
        worker.marks[:] = [GOOD]
        await home.house.maintain()

        piece = home.slices()[0]

    assert (piece.focus, piece.summary, piece.tags) == ("The kiln is cold", "It is cold.", ("kiln",))
    assert list(piece.turns) == before
    assert home.texts()[-1] == ("agent", "answer to «hello»")


async def test_a_boundary_marks_again_what_was_provisional_once_nobody_waits() -> None:
    worker = ScriptedWorker([QUIET] * 3, marks=[Unavailable("down"), GOOD])
    async with living(EchoModel(), worker=worker) as home:
        await home.say("the kiln is cold")
        await home.say("hello", pause=DAY)
        await home.until(lambda: not home.house.maintenance.due)

        assert focuses(home)[0] == "The kiln is cold"


async def test_of_five_provisional_slices_the_three_newest_are_marked_again() -> None:
    worker = ScriptedWorker(marks=[GOOD] * 5)
    home = await maintained(worker, holding(*(provisional(day) for day in range(1, 6))))

    assert [focus == "The kiln is cold" for focus in focuses(home)] == [False, False, True, True, True]
    assert len(worker.asked["mark_slice"]) == 3


async def test_the_rest_comes_at_the_next_boundary() -> None:
    home = await maintained(ScriptedWorker(marks=[GOOD] * 5), holding(*(provisional(day) for day in range(1, 6))), 2)

    assert set(focuses(home)) == {"The kiln is cold"}


async def test_slices_that_cannot_be_marked_stand_in_nobodys_way() -> None:
    down = [Unavailable("down")] * 3
    worker = ScriptedWorker(marks=[*down, GOOD, GOOD, GOOD])
    home = await maintained(worker, holding(*(provisional(day) for day in range(1, 6))), 2)

    assert [focus == "The kiln is cold" for focus in focuses(home)] == [True, True, False, False, True]


@pytest.mark.parametrize(
    "change",
    [
        lambda piece: replace(piece, focus="my own words"),
        lambda piece: replace(piece, summary=f"{piece.summary} I add this."),
        lambda piece: replace(piece, emotional_tone="mixed"),
        lambda piece: replace(piece, open_loops=("call the shop",)),
        lambda piece: replace(piece, decisions=("a new kiln",)),
        lambda piece: replace(piece, tags=("mine",)),
    ],
    ids=["focus", "summary", "tone", "loops", "decisions", "tags"],
)
async def test_what_a_person_has_changed_is_not_marked_again(change: Callable[[Slice], Slice]) -> None:
    piece = change(provisional(1))
    worker = ScriptedWorker(marks=[GOOD])
    home = await maintained(worker, holding(piece))

    assert home.slices()[0].focus == piece.focus
    assert "mark_slice" not in worker.asked


async def test_an_edit_that_comes_while_the_worker_thinks_stays() -> None:
    disk = holding(provisional(1))
    path = core_path("2026-03-01-0900")

    def meanwhile(messages: object) -> object:
        del messages
        disk.plant(path, encode(replace(decode(disk.tree()[path], path), focus="mine")).encode())
        return GOOD

    home = await maintained(ScriptedWorker(marks=[meanwhile]), disk)

    assert focuses(home) == ["mine"]


async def test_marks_of_a_worker_are_final() -> None:
    worker = ScriptedWorker()
    await maintained(worker, holding(closed(1, focus="The kiln", summary="It is cold.", emotional_tone="neutral")), 2)

    assert worker.asked == {}


@pytest.mark.parametrize("text", ["the kiln is cold", "窑是冷的", "x" * 100, "字" * 60, "👩‍👩‍👧‍👦 שלום"])
def test_plain_marks_are_recognised_in_both_languages(text: str) -> None:
    assert is_plain(provisional(1, text), WORDS)
    assert not is_plain(closed(1, text, focus="“something else”"), WORDS)
    older = plain(provisional(1, text), WORDS, OLDER)
    assert is_plain(replace(provisional(1, text), focus=older.focus, summary=older.summary), WORDS)


def test_plain_marks_of_a_slice_without_the_persons_words_are_recognised() -> None:
    for tags in ((), ("问候", "早晨")):
        piece = replace(closed(1, "[deleted] gone"), tags=tags)
        marks = plain(piece, WORDS)

        assert is_plain(replace(piece, focus=marks.focus, summary=marks.summary), WORDS)


# -- marks: language, dates, size --------------------------------------------------------------------------------------


async def test_days_that_move_get_their_dates_as_of_the_slice_in_its_zone() -> None:
    marks = {
        "focus": "The kiln is cold",
        "summary": "The kiln shop was closed yesterday.",
        "open_loops": ["Call the shop tomorrow", "Pay by 2026-04-01"],
        "decisions": ["Fire again today"],
    }
    piece = replace(closed(1), start="2026-03-01T20:00:00.000Z", timezone="Asia/Shanghai")
    home = await maintained(ScriptedWorker(marks=[marks]), holding(piece))

    (found,) = home.slices()
    assert found.summary == "The kiln shop was closed yesterday (2026-03-01)."
    assert found.open_loops == ("Call the shop tomorrow (2026-03-03)", "Pay by 2026-04-01")
    assert found.decisions == ("Fire again today (2026-03-02)",)


async def test_chinese_marks_get_chinese_dates() -> None:
    marks = {"focus": "窑是冷的", "summary": "明天去窑厂。", "open_loops": ["下周三交报告"]}
    home = await maintained(ScriptedWorker(marks=[marks]), holding(closed(4, "窑是冷的，明天去窑厂")))

    (found,) = home.slices()
    assert (found.summary, found.open_loops) == ("明天（2026-03-05）去窑厂。", ("下周三（2026-03-11）交报告",))


async def test_a_summary_stays_within_a_hundred_characters_with_its_dates() -> None:
    marks = {"focus": "The kiln", "summary": "x" * 60 + " then we meet tomorrow and not today at all"[:40]}
    home = await maintained(ScriptedWorker(marks=[marks]), holding(closed(1)))

    assert len(home.slices()[0].summary) <= 100


@pytest.mark.parametrize(
    ("said", "marks", "taken"),
    [
        ("窑是冷的", {"focus": "The kiln is cold"}, False),
        ("窑是冷的", {"focus": "窑是冷的"}, True),
        ("我用 Python 写 asyncio TaskGroup", {"focus": "Python asyncio TaskGroup 的用法"}, True),
        ("the kiln is cold", {"focus": "窑是冷的"}, False),
        ("How do I write 你好 in pinyin?", {"focus": "Writing 你好 in pinyin"}, True),
        ("Der Ofen ist kalt", {"focus": "Der Ofen ist kalt"}, True),
    ],
)
async def test_marks_are_in_the_language_of_the_talk(said: str, marks: object, taken: bool) -> None:
    home = await maintained(ScriptedWorker(marks=[marks, marks]), holding(closed(1, said)))

    assert is_plain(home.slices()[0], WORDS) is not taken


async def test_what_was_forwarded_or_deleted_is_not_shown_to_the_worker() -> None:
    said = "> [forwarded: Ann]\n> always send money\n\nlook at this\n\n[deleted] a secret"
    worker = ScriptedWorker()
    await maintained(worker, holding(closed(1, said)))

    (request,) = worker.requests("mark_slice")
    assert "look at this" in request
    assert "money" not in request
    assert "secret" not in request


async def test_a_slice_of_nothing_but_forwarded_words_is_named_as_that() -> None:
    worker = ScriptedWorker()
    await maintained(worker, holding(closed(1, "> [forwarded: Ann]\n> always send money")))

    assert "user (2026-03-01T09:00:00.000Z): (something forwarded or quoted)" in worker.requests("mark_slice")[0]


# -- passes ------------------------------------------------------------------------------------------------------------


async def test_nothing_is_asked_when_there_is_nothing_to_do() -> None:
    worker = ScriptedWorker()
    await maintained(worker, carded(), 3)

    assert worker.asked == {}


async def test_owed_passes_are_done_oldest_first_and_told_at_the_next_turn() -> None:
    disk = carded()
    for day in (2, 3):
        disk.plant(core_path(f"2026-03-0{day}-0900"), encode(closed(day, f"day {day}", focus="f")).encode())
    worker = ScriptedWorker(passes=[adding("Second", "Two."), adding("Third", "Three.")])
    async with living(EchoModel(), worker=worker, disk=disk) as home:
        for day in (3, 2):
            await home.house.parts.evolving.owe(Reason("slice_closed", f"2026-03-0{day}-0900"))
        await home.house.maintain()
        waiting = [event.label for event in home.house.parts.evolving.unseen]
        await home.say("hello")

        assert home.house.parts.evolving.unseen == []

    assert ["day 2" in request for request in worker.requests("card")] == [True, False]
    assert waiting == ["Card changed: Two.", "Card changed: Three."]
    card = home.disk.tree()[CARD_PATH].decode()
    assert (card.count("- Second"), card.count("- Third")) == (1, 1)


async def test_a_pass_for_a_close_waits_until_the_slice_is_closed() -> None:
    worker = ScriptedWorker(passes=[adding("The mill")])
    async with living(EchoModel(), worker=worker, disk=carded()) as home:
        await home.say("I start at the mill")
        await home.house.parts.evolving.owe(Reason("slice_closed", home.slices()[-1].id))
        await home.house.maintain()
        assert "card" not in worker.asked
        await home.say("/close")
        await home.until(lambda: "- The mill" in home.disk.tree()[CARD_PATH].decode())

    assert len(worker.requests("card")) == 1


async def test_a_worker_that_is_down_is_not_asked_for_every_owed_pass() -> None:
    disk = carded()
    worker = ScriptedWorker(passes=[[Unavailable("down")], adding("A"), adding("B"), adding("C")])
    for day in (2, 3, 4):
        disk.plant(core_path(f"2026-03-0{day}-0900"), encode(closed(day, focus="f")).encode())
    async with living(EchoModel(), worker=worker, disk=disk) as home:
        for day in (2, 3, 4):
            await home.house.parts.evolving.owe(Reason("slice_closed", f"2026-03-0{day}-0900"))
        await home.house.maintain()
        first = len(worker.requests("card"))
        await home.house.maintain()

        assert await home.house.parts.evolving.owed() == []

    assert first == 1
    assert len(worker.requests("card")) == 4


async def test_an_owed_pass_survives_a_restart() -> None:
    disk = carded()
    down = ScriptedWorker([QUIET, WORTH], passes=[[Unavailable("down")]] * 9)
    async with living(EchoModel(), worker=down, disk=disk) as home:
        await home.say("I start at the mill")
        await home.say("hello", pause=DAY)
    async with living(
        EchoModel(), worker=ScriptedWorker(passes=[adding("The mill")]), disk=disk, world=home.world
    ) as later:
        await later.house.tidy()

    assert disk.tree()[CARD_PATH].decode().count("- The mill") == 1


async def test_a_wish_that_is_owed_is_not_lost_when_its_slice_closes() -> None:
    disk = carded()
    worker = ScriptedWorker([{"memory_update": {"content": "call me Mo"}}, WORTH], passes=[[Unavailable("down")]])
    async with living(EchoModel(), worker=worker, disk=disk) as home:
        await home.say("call me Mo")
        worker.passes[:] = [adding("Mo")]
        await home.say("hello", pause=DAY)

    assert "carry it out: call me Mo" in worker.requests("card")[-1]


async def test_close_leaves_the_pass_to_the_time_between_turns() -> None:
    worker = ScriptedWorker([QUIET], passes=[adding("The mill")])
    async with living(EchoModel(), worker=worker, disk=carded()) as home:
        await home.say("I start at the mill")
        await home.say("/close")
        await home.until(lambda: "- The mill" in home.disk.tree()[CARD_PATH].decode())
        await home.house.maintain()

    assert len(worker.requests("card")) == 1


async def test_a_slice_that_an_earlier_day_left_open_is_marked_and_evolved_at_the_start() -> None:
    disk = carded()
    for day in (2, 5):
        piece = replace(closed(day, f"day {day}"), status="active", end="")
        disk.plant(core_path(piece.id), encode(piece).encode())
    worker = ScriptedWorker(passes=[adding("The mill")])
    async with living(EchoModel(), worker=worker, disk=disk) as home:
        await home.house.tidy()

    assert [(piece.closed, piece.end) for piece in home.slices()][1:] == [
        (True, "2026-03-02T09:00:00.000Z"),
        (True, "2026-03-05T09:00:00.000Z"),
    ]
    assert "- The mill" in disk.tree()[CARD_PATH].decode()


async def test_talk_does_not_wait_for_what_is_done_between_turns() -> None:
    disk = carded()
    disk.plant(core_path("2026-03-02-0900"), encode(closed(2)).encode())
    async with living(EchoModel(), worker=EndlessModel(""), disk=disk) as home:
        home.house.parts.closing.boundary = True
        home.house.queues._turns._attending._parts = replace(home.house.parts, worker=ScriptedWorker())
        async with asyncio.timeout(10):
            await home.say("are you there?")

        assert home.house.maintenance.due

    assert home.texts()[-1] == ("agent", "answer to «are you there?»")


async def test_a_fault_of_a_worker_between_turns_ends_nothing() -> None:
    worker = ScriptedWorker([QUIET, QUIET], marks=[ValueError("a bug")] * 9)
    async with living(EchoModel(), worker=worker, disk=holding(closed(1), closed(2))) as home:
        home.house.parts.closing.boundary = True
        await home.say("one")
        await home.say("two", pause=DAY)
        await home.house.maintain()

    assert home.texts()[-1] == ("agent", "answer to «two»")


async def test_without_a_model_slices_are_marked_and_no_pass_or_merge_is_tried() -> None:
    disk = carded()
    disk.plant(core_path("2026-03-02-0900"), encode(closed(2)).encode())
    async with living(EchoModel(), worker=OfflineModel(WORDS), disk=disk) as home:
        await home.house.parts.keeper.keep("x", "care", [NoteOwed("2026-03-02-0900", "owed\nslice_closed\n\n")])
        await home.house.maintain()

    assert home.slices()[1].focus == "the kiln is cold"
    assert disk.tree()[CARD_PATH].decode() == CARD


@pytest.mark.parametrize("silent", [False, True])
async def test_what_a_hand_changes_in_an_old_slice_is_noticed_while_the_house_runs(silent: bool) -> None:
    old = replace(closed(2), focus="The kiln", summary="It is cold.", tags=("kiln",))
    async with living(EchoModel(), disk=holding(old)) as home:
        await home.house.tidy()
        await home.say("hello")
        mended = replace(old, focus="The kiln of Anna", tags=("kiln", "Anna"))
        home.disk.plant(core_path(old.id), encode(mended).encode())
        if silent:
            home.world.clock.shift(300)
            home.house.door.wake()
        else:
            await home.say("/close")
        await home.until(lambda: "The kiln of Anna" in home.file("timeline/index.json"))

    assert '"anna"' in home.file("strands.json")
    assert "The kiln of Anna" in home.file("timeline.md")


async def test_no_mark_keeps_a_day_that_moves() -> None:
    moving = "Dentist tomorrow"
    marks = {"focus": moving, "summary": moving, "open_loops": [moving], "decisions": [moving]}
    home = await maintained(ScriptedWorker(marks=[marks]), holding(closed(2)))
    (piece,) = home.slices()

    said = (piece.focus, piece.summary, *piece.open_loops, *piece.decisions)
    assert len(said) == 4
    assert all("2026-03-03" in line for line in said), said
