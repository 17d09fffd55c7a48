"""Closing in a living house: by silence, by command, by a fresh start; marked by the worker or without it."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

import pytest

from core.agent.stop import Stop
from core.closing import Closing
from core.errors import Unavailable
from core.slices.codec import decode, encode
from core.slices.model import Slice, Turn, core_path
from tests.bot.living import WORDS, Worker, living
from tests.doubles.echo_model import EchoModel
from tests.doubles.model import EndlessModel, calls
from tests.doubles.sim_disk import SimDisk

if TYPE_CHECKING:
    from core.llm.base import Message

MARKS = {"focus": "The kiln", "summary": "It is cold.", "tags": ["kiln"], "tone": "negative"}


def marking() -> Message:
    return calls(("mark_slice", MARKS))


def closed_and_dry(focus: str = "", summary: str = "", tags: tuple[str, ...] = ()) -> SimDisk:
    at = "2026-03-01T09:00:00.000Z"
    said = (Turn("abcdef", at, "user", "old words"),)
    piece = Slice("2026-03-01-0900", "closed", at, at, focus=focus, summary=summary, tags=tags, turns=said)
    disk = SimDisk()
    disk.plant(core_path(piece.id), encode(piece).encode())
    return disk


async def test_a_slice_closed_by_silence_is_marked_by_the_worker_before_the_answer() -> None:
    async with living(EchoModel(), worker=Worker([marking()])) as home:
        await home.say("the kiln is cold")
        await home.say("good morning", pause=86_400)

    first, second = home.slices()
    assert (first.focus, first.summary, first.tags, first.emotional_tone) == (
        "The kiln",
        "It is cold.",
        ("kiln",),
        "negative",
    )
    assert second.focus == ""


@pytest.mark.parametrize(
    ("text", "focus"),
    [("窑是冷的", "“窑是冷的”"), ("the kiln is cold", "“the kiln is cold”")],
)
async def test_a_worker_that_fails_leaves_plain_marks_in_the_language_of_the_talk(text: str, focus: str) -> None:
    async with living(EchoModel(), worker=Worker([Unavailable("down")])) as home:
        await home.say(text)
        await home.say("good morning", pause=86_400)

    assert home.slices()[0].focus == focus
    assert home.texts()[-1] == ("agent", "answer to «good morning»")


async def test_a_worker_that_hangs_is_not_waited_for() -> None:
    disk = closed_and_dry()
    async with living(EchoModel(), disk=disk) as home:
        parts = home.house.parts
        closing = Closing(parts.slices, parts.keeper, EndlessModel(""), WORDS, limit=0.02)

        await closing.mark(["2026-03-01-0900"])

    assert home.slices()[0].focus == "“old words”"


async def test_a_stop_ends_what_the_worker_does_before_the_answer() -> None:
    endless = EndlessModel("")
    async with living(EchoModel(), worker=endless) as home:
        home.world.say("hello")
        await endless.silent.wait()

        assert await home.house.queues.stop()
        async with asyncio.timeout(10):
            await home.idle()

    assert home.texts() == [("user", "hello")]
    assert home.world.finals() == ["(stopped)"]


async def test_a_stop_ends_the_marking_too() -> None:
    worker = Worker()
    endless = EndlessModel("")
    async with living(EchoModel(), worker=worker) as home:
        await home.say("before")
        slice_id = home.slices()[0].id
        await home.say("/close")
        stop = Stop()
        disk = home.disk.tree()[core_path(slice_id)].decode()
        home.disk.plant(core_path(slice_id), re.sub("^(focus|summary):.*\n", "", disk, flags=re.MULTILINE).encode())
        closing = Closing(home.house.parts.slices, home.house.parts.keeper, endless, WORDS)
        async with asyncio.TaskGroup() as group:
            group.create_task(closing.mark([slice_id], stop))
            await endless.silent.wait()
            stop.set()

    assert home.slices()[0].focus == "“before”"


async def test_close_closes_marks_and_says_what_it_was_about() -> None:
    async with living(EchoModel(), worker=Worker([marking()])) as home:
        await home.say("the kiln is cold")
        await home.say("/close")

    (piece,) = home.slices()
    assert (piece.closed_by, piece.end, piece.focus) == ("user_explicit", piece.turns[-1].at, "The kiln")
    assert home.world.finals()[-1] == "SLICE CLOSED | The kiln | It is cold."


async def test_close_with_nothing_open_says_so() -> None:
    async with living(EchoModel()) as home:
        await home.say("/close")
        await home.say("one")
        await home.say("/close")
        await home.say("/close")

    assert home.world.finals()[0] == "There is no open slice to close."
    assert home.world.finals()[-1] == "There is no open slice to close."


async def test_start_closes_as_context_lost_and_shows_the_short_briefing() -> None:
    async with living(EchoModel(), worker=EchoModel()) as home:
        await home.say("the kiln is cold")
        await home.say("/start")

    assert [piece.closed_by for piece in home.slices()] == ["context_lost"]
    assert home.world.finals()[-1].startswith("PREVIOUSLY ON — A marked talk")
    assert "\n" not in home.world.finals()[-1]


async def test_start_with_a_code_closes_nothing() -> None:
    async with living(EchoModel()) as home:
        await home.say("the kiln is cold")
        await home.say("/start abc123")

    assert [piece.closed for piece in home.slices()] == [False]


async def test_a_closed_slice_without_marks_is_marked_at_the_start() -> None:
    disk = closed_and_dry()
    async with living(EchoModel(), disk=disk, worker=Worker([marking()])) as home:
        await home.house.tidy()

    assert home.slices()[0].focus == "The kiln"


async def test_of_five_dry_slices_three_are_marked_at_once_newest_first() -> None:
    disk = SimDisk()
    for day in range(1, 6):
        at = f"2026-03-0{day}T09:00:00.000Z"
        piece = Slice(f"2026-03-0{day}-0900", "closed", at, at, turns=(Turn("abcdef", at, "user", "old"),))
        disk.plant(core_path(piece.id), encode(piece).encode())
    async with living(EchoModel(), disk=disk, worker=Worker([marking(), Unavailable("down"), marking()])) as home:
        await home.house.tidy()

    assert [bool(piece.focus) for piece in home.slices()] == [False, False, True, True, True]


@pytest.mark.parametrize("disk", [closed_and_dry("mine"), closed_and_dry("", "mine")], ids=["focus", "summary"])
async def test_marks_never_replace_what_a_person_wrote(disk: SimDisk) -> None:
    before = disk.tree()[core_path("2026-03-01-0900")]
    async with living(EchoModel(), disk=disk) as home:
        await home.house.tidy()

    assert disk.tree()[core_path("2026-03-01-0900")] == before


async def test_a_persons_words_that_come_while_the_worker_thinks_stay() -> None:
    disk = closed_and_dry(tags=("mine",))
    path = core_path("2026-03-01-0900")

    def meanwhile() -> Message:
        piece = decode(disk.tree()[path], path)
        disk.plant(path, encode(piece).replace("status: closed", "status: closed\nfocus: mine").encode())
        return marking()

    async with living(EchoModel(), disk=disk, worker=Worker([meanwhile])) as home:
        await home.house.tidy()

    assert (home.slices()[0].focus, home.slices()[0].tags) == ("mine", ("mine",))


async def test_tags_of_a_person_are_joined_and_not_replaced() -> None:
    disk = closed_and_dry(tags=("mine", "kiln"))
    async with living(EchoModel(), disk=disk, worker=Worker([marking()])) as home:
        await home.house.tidy()

    assert home.slices()[0].tags == ("mine", "kiln")


async def test_the_body_of_a_slice_is_the_same_after_marking() -> None:
    disk = closed_and_dry()
    path = core_path("2026-03-01-0900")
    body = disk.tree()[path].partition(b"## Turn")[2]
    async with living(EchoModel(), disk=disk, worker=Worker([marking()])) as home:
        await home.house.tidy()

    assert disk.tree()[path].partition(b"## Turn")[2] == body


async def test_closing_twice_by_a_redone_command_says_the_same() -> None:
    async with living(EchoModel(), worker=EchoModel()) as home:
        await home.say("the kiln is cold")
        home.world.down = 1
        await home.say("/close")

    assert home.world.finals()[-1].startswith("SLICE CLOSED | A marked talk")
    assert len(home.slices()) == 1
