"""The request of a turn in a living house: bytes that stay, what it reaches back to, its size (P079, P081, P099)."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from core.clock import iso
from core.llm.size import size
from core.slices.codec import encode
from core.slices.model import CARD_PATH, Slice, Turn, core_path
from core.turn.prompt import BRIEF
from tests.bot.living import living
from tests.core.carded import CARD, NO_WORTH, adding, carded, wish
from tests.doubles.chat import World
from tests.doubles.clock import ManualClock
from tests.doubles.echo_model import EchoModel
from tests.doubles.scripted_model import QUIET, ScriptedWorker
from tests.doubles.sim_disk import SimDisk

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.llm.base import Listen, Message, ToolSpec

DAY = 86_400


class Remembering(EchoModel):
    """Echoes, and keeps the requests."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[list[Message]] = []

    async def complete(self, messages: Sequence[Message], tools: Sequence[ToolSpec], on_event: Listen) -> Message:
        self.asked.append(list(messages))
        return await super().complete(messages, tools, on_event)


def stable(messages: Sequence[Message]) -> list[tuple[str, str]]:
    """What should keep its bytes: everything before the brief."""
    at = next(n for n, one in enumerate(messages) if one.text.startswith(BRIEF))
    return [(one.role, one.text) for one in messages[:at]]


def configured(disk: SimDisk, **sections: object) -> SimDisk:
    disk.plant("memory/user/config.json", json.dumps(sections).encode())
    return disk


def archive(
    disk: SimDisk, count: int, *, words: str = "The kiln and the 花园", last: str = "2026-03-08T20:00:00+00:00"
) -> SimDisk:
    end = datetime.fromisoformat(last)
    for number in range(count):
        at = end - timedelta(hours=30) * (count - 1 - number)
        slice_id = f"{at.astimezone(UTC):%Y-%m-%d-%H%M}"
        turn = Turn(f"old{number:03d}", iso(at), "user", "old words")
        piece = Slice(slice_id, "closed", iso(at), iso(at), focus=f"{words} {number}", summary=words * 2, turns=(turn,))
        disk.plant(core_path(slice_id), encode(replace(piece, tags=(f"topic {number % 300}", words[:12]))).encode())
    return disk


async def test_the_prompt_keeps_its_bytes_while_memory_is_at_work_around_it() -> None:
    tagged = [
        {"message_tags": {"create": [{"tag": f"new topic {n}"}]}, "semantic_hint": {"strands": ["kiln"]}}
        for n in range(12)
    ]
    model, disk = Remembering(), configured(archive(carded(), 15), slicing={"maxTurnsPerSlice": 100})
    dry = Slice("2026-03-09-0900", "closed", "2026-03-09T09:00:00.000Z", "2026-03-09T09:00:00.000Z")
    worker = ScriptedWorker([QUIET, *tagged])
    async with living(
        model, worker=worker, disk=disk, world=World(ManualClock("2026-03-09T23:00:00+00:00", instant=True))
    ) as home:
        await home.house.tidy()
        disk.plant(core_path(dry.id), encode(replace(dry, turns=(Turn("dryone", dry.start, "user", "dry"),))).encode())
        for number in range(12):
            await home.say(f"message {number}", pause=600)
            if number == 3:
                await home.house.maintain()
            if number == 5:
                await home.house.parts.projections.weave(force=True)
            if number == 7:
                disk.plant(CARD_PATH, CARD.replace("Mara", "Mara Lind").encode())
        marked = home.slices()[-2].focus

    assert marked
    assert [piece.closed for piece in home.slices()].count(False) == 1
    assert len(model.asked) == 12
    for before, behind in pairwise(model.asked):
        assert stable(behind)[: len(stable(before))] == stable(before)


async def test_only_an_explicit_update_changes_the_prompt() -> None:
    model = Remembering()
    worker = ScriptedWorker([QUIET, QUIET, wish("the mill"), QUIET], passes=[adding("Starts at the mill")])
    async with living(model, worker=worker, disk=carded()) as home:
        for number in range(4):
            await home.say(f"message {number}")

    one, two, three, four = (messages[0].text for messages in model.asked)
    assert one == two
    assert "Starts at the mill" in three
    assert three == four
    assert three.replace("- Starts at the mill", "").partition("## This slice")[2] == one.partition("## This slice")[2]


async def test_a_memory_that_is_looked_through_later_joins_the_prompt_once() -> None:
    model = Remembering()
    async with living(model, worker=ScriptedWorker(), disk=archive(SimDisk(), 4)) as home:
        await home.say("one")
        await home.house.tidy()
        for number in range(3):
            await home.say(f"message {number}")

    systems = [messages[0].text for messages in model.asked]
    assert "2026-03-08-2000" not in systems[0]
    assert "**2026-03-08-2000**" in systems[1]
    assert len(set(systems[1:])) == 1


async def test_a_long_slice_moves_its_window_seldom() -> None:
    model, disk = (
        Remembering(),
        configured(SimDisk(), slicing={"maxTurnsPerSlice": 100}, context={"recentTurnsLimit": 10}),
    )
    async with living(model, worker=ScriptedWorker(), disk=disk) as home:
        for number in range(40):
            await home.say(f"message {number}")

    moved = [stable(behind)[: len(stable(before))] != stable(before) for before, behind in pairwise(model.asked)]
    assert sum(moved) <= 16
    assert all(10 <= len(stable(messages)) - 1 <= 15 for messages in model.asked[10:])


@pytest.mark.parametrize(
    ("closing", "reaches"), [("capacity", True), ("/start", True), ("/close", False), ("silence", False)]
)
async def test_the_window_reaches_back_when_the_talk_goes_on(closing: str, reaches: bool) -> None:
    model = Remembering()
    disk = configured(SimDisk(), slicing={"maxTurnsPerSlice": 5 if closing == "capacity" else 100})
    async with living(model, worker=ScriptedWorker(), disk=disk) as home:
        for text in ("my cat is called Ink", "one", "two"):
            await home.say(text)
        if closing.startswith("/"):
            await home.say(closing)
        await home.say("what is she called?", pause=DAY if closing == "silence" else 20)

        assert [piece.closed for piece in home.slices()] == [True, False]

    said = [text for role, text in stable(model.asked[-1])[1:] if role == "user"]
    assert any("my cat is called Ink" in text for text in said) is reaches


async def test_a_slice_reached_back_to_keeps_the_bytes_stable_too() -> None:
    model, disk = Remembering(), configured(SimDisk(), slicing={"maxTurnsPerSlice": 5})
    async with living(model, worker=ScriptedWorker(), disk=disk) as home:
        await home.house.tidy()
        for number in range(5):
            await home.say(f"message {number}")

    assert stable(model.asked[4])[: len(stable(model.asked[3]))] == stable(model.asked[3])


@pytest.mark.parametrize(
    "start", ["2026-03-10T03:59:00+00:00", "2026-03-09T23:59:00+00:00", "2026-03-31T23:59:30+00:00"]
)
@pytest.mark.parametrize("zone", ["UTC", "Asia/Shanghai", "America/New_York"])
async def test_talk_over_midnight_or_over_four_in_the_morning_stays_in_one_slice(start: str, zone: str) -> None:
    world = World(ManualClock(start, instant=True))
    async with living(Remembering(), worker=ScriptedWorker(), world=world, zone=zone) as home:
        await home.say("one", pause=0)
        await home.say("two", pause=120)
        await home.say("three", pause=120)

    assert len(home.slices()) == 1


async def test_a_new_slice_within_the_talk_keeps_continuity() -> None:
    model, disk = Remembering(), configured(SimDisk(), slicing={"maxTurnsPerSlice": 5})
    async with living(model, worker=ScriptedWorker(), disk=disk) as home:
        for number in range(4):
            await home.say(f"message {number}")

    assert "back after a short absence" in model.asked[-1][-2].text
    assert "message 2" in str(stable(model.asked[-1]))


async def test_continuity_goes_by_the_newest_closed_slice_that_can_be_read() -> None:
    disk = archive(SimDisk(), 2)
    disk.plant("memory/episodic/slices/2026/03/09/0900/timeline/core.md", b"\xff\xfe no slice")
    model = Remembering()
    async with living(model, worker=ScriptedWorker(), disk=disk) as home:
        await home.say("hello")

    assert "the last talk ended 23 hours ago, about: The kiln and the 花园 1" in model.asked[0][-2].text


async def test_without_any_slice_before_it_is_the_first_contact() -> None:
    model = Remembering()
    async with living(model, worker=ScriptedWorker(), disk=SimDisk()) as home:
        await home.say("hello")
        await home.say("again")

    assert "first contact" in model.asked[0][-2].text
    assert "the same talk goes on" in model.asked[1][-2].text


async def test_overdue_items_and_links_stand_in_the_brief() -> None:
    model = Remembering()
    async with living(model, worker=ScriptedWorker(), disk=archive(carded(), 4)) as home:
        await home.house.tidy()
        await home.say("how is topic 2 doing?")

    text = model.asked[0][-2].text
    assert "“Pay the baker's guild” (by 2026-03-05, 4 days overdue)" in text
    assert "  - topic 2 (last seen" in text


async def test_a_change_of_the_card_is_told_to_the_model_in_that_turn_alone() -> None:
    model = Remembering()
    worker = ScriptedWorker([wish("the mill"), QUIET], passes=[adding("Starts at the mill", "You start at the mill.")])
    async with living(model, worker=worker, disk=carded()) as home:
        await home.say("remember the mill")
        await home.say("and?")

    assert "The card was just changed: You start at the mill." in model.asked[0][-2].text
    assert "just changed" not in model.asked[1][-2].text


LONG = "花园里的猫今天又跑出来了，真是没办法。" * 10


@pytest.mark.parametrize("words", ["the kiln is cold again and nobody knows why " * 6, LONG], ids=["en", "zh"])
async def test_a_slice_of_four_hundred_turns_and_ten_years_stay_within_every_budget(words: str) -> None:
    start = datetime(2026, 3, 9, 12, 0, tzinfo=UTC)
    turns = tuple(
        Turn(f"t{n // 2:05d}", iso(start + timedelta(seconds=n)), "user" if n % 2 == 0 else "agent", f"{n} {words}")
        for n in range(400)
    )
    disk = configured(
        archive(carded(CARD.replace("Bakes bread", words[:2_000])), 2_900), slicing={"maxTurnsPerSlice": 100}
    )
    disk.plant(core_path("2026-03-09-1200"), encode(Slice("2026-03-09-1200", start=iso(start), turns=turns)).encode())
    model = Remembering()
    worker = ScriptedWorker([{"evolve_card": {"worth": True}}, QUIET])
    world = World(ManualClock("2026-03-09T12:07:00+00:00", instant=True))
    async with living(model, worker=worker, disk=disk, world=world) as home:
        await home.say("and the newest words", pause=1)

    (messages,) = model.asked
    assert messages[-1].text == "and the newest words"
    assert messages[-3].text.startswith("399 ")
    assert size(messages[:1]) <= 12_000
    assert size(messages) <= 48_000
    for requests in worker.asked.values():
        assert all(size(request) <= 16_000 for request in requests)
    assert set(worker.asked) >= {"notice_turn", "mark_slice", "card"}


async def test_a_newest_message_beyond_all_budgets_is_answered_whole() -> None:
    model, newest = Remembering(), "x" * 400_000
    async with living(model, worker=ScriptedWorker([NO_WORTH]), disk=carded()) as home:
        await home.say("before")
        await home.say(newest)

    assert model.asked[-1][-1].text == newest
    assert "before" not in [one.text for one in model.asked[-1]]
