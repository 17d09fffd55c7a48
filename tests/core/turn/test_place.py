"""Where talk belongs: when a slice closes, with which signal and end, and what the next one takes with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core.slices.codec import encode
from core.slices.model import Slice, Turn, core_path
from tests.bot.living import living
from tests.doubles.chat import World
from tests.doubles.clock import ManualClock
from tests.doubles.echo_model import EchoModel
from tests.doubles.sim_disk import SimDisk

if TYPE_CHECKING:
    from tests.bot.living import Living

CONFIG = "memory/user/config.json"


def closed(home: Living) -> list[tuple[str, str]]:
    return [(piece.closed_by, piece.end) for piece in home.slices() if piece.closed]


@pytest.mark.parametrize(("pause", "slices"), [(14 * 60 + 59, 1), (15 * 60, 2), (3 * 86_400, 2)])
async def test_silence_closes_at_the_threshold_and_not_before(pause: float, slices: int) -> None:
    async with living(EchoModel()) as home:
        await home.say("before")
        await home.say("after", pause=pause)

    assert len(home.slices()) == slices


async def test_the_end_is_the_last_turns_time_and_not_when_it_was_noticed() -> None:
    async with living(EchoModel()) as home:
        await home.say("before")
        last = home.turns()[-1].at
        await home.say("after", pause=7 * 86_400)

    assert closed(home) == [("time_silence", last)]


async def test_a_clock_set_back_closes_nothing() -> None:
    async with living(EchoModel()) as home:
        await home.say("before")
        home.world.clock.jump(-3 * 3600)
        await home.say("after")

    assert len(home.slices()) == 1


async def test_talk_over_midnight_stays_in_one_slice() -> None:
    world = World(ManualClock("2026-03-09T23:58:30+00:00", instant=True))
    async with living(EchoModel(), world=world) as home:
        await home.say("before midnight")
        await home.say("after midnight", pause=120)

    assert [piece.id for piece in home.slices()] == ["2026-03-09-2359"]


async def test_a_full_slice_closes_for_capacity() -> None:
    disk = SimDisk()
    disk.plant(CONFIG, b'{"slicing": {"maxTurnsPerSlice": 6}}')
    async with living(EchoModel(), disk=disk) as home:
        for number in range(4):
            await home.say(f"line {number}")

    first, second = home.slices()
    assert (len(first.turns), first.closed_by) == (6, "capacity")
    assert len(second.turns) == 2


async def test_the_thresholds_come_from_the_persons_settings() -> None:
    disk = SimDisk()
    disk.plant(CONFIG, b'{"slicing": {"timeSilenceMinutes": 60}}')
    async with living(EchoModel(), disk=disk) as home:
        await home.say("before")
        await home.say("after", pause=59 * 60)
        assert len(home.slices()) == 1

        await home.say("much after", pause=60 * 60)

    assert len(home.slices()) == 2


async def test_another_surface_finds_the_context_lost_after_a_minute() -> None:
    async with living(EchoModel()) as home:
        await home.say("on the phone")
        lines = home.file("messages.jsonl").replace('"key":"db:', '"key":"tg:')
        home.disk.plant(core_path(home.slices()[0].id).replace("core.md", "messages.jsonl"), lines.encode())
        await home.say("on the desk", pause=61)

    assert [piece.closed_by for piece in home.slices()] == ["context_lost", ""]


async def test_two_slices_in_one_minute_both_live() -> None:
    async with living(EchoModel()) as home:
        await home.say("one")
        await home.say("/close", pause=1)
        await home.say("two", pause=1)

    first, second = home.slices()
    assert first.id < second.id
    assert [first.turns[0].text, second.turns[0].text] == ["one", "two"]


async def test_a_slice_left_open_five_days_ago_is_closed_with_its_last_turns_time() -> None:
    old = Slice(
        "2026-03-04-0900",
        start="2026-03-04T09:00:00.000Z",
        turns=(Turn("abcdef", "2026-03-04T09:03:00.000Z", "user", "long ago"),),
    )
    disk = SimDisk()
    disk.plant(core_path(old.id), encode(old).encode())
    async with living(EchoModel(), disk=disk) as home:
        await home.say("today")

    assert closed(home) == [("time_silence", "2026-03-04T09:03:00.000Z")]


async def test_an_older_slice_left_open_behind_newer_ones_is_swept() -> None:
    disk = SimDisk()
    for name, status in (("2026-03-01-0900", "active"), ("2026-03-04-0900", "closed")):
        at = f"{name[:10]}T09:00:00.000Z"
        piece = Slice(name, status, start=at, end=at, turns=(Turn("abcdef", at, "user", "old"),))
        disk.plant(core_path(name), encode(piece).encode())
    async with living(EchoModel(), disk=disk) as home:
        await home.house.tidy()

    assert [piece.status for piece in home.slices()] == ["closed", "closed"]


async def test_an_unreadable_newest_slice_is_left_and_told_and_a_new_one_opens() -> None:
    disk = SimDisk()
    disk.plant(core_path("2026-03-09-1830"), b"")
    async with living(EchoModel(), disk=disk) as home:
        await home.say("hello")
        await home.say("again")

    tree = disk.tree()
    assert tree[core_path("2026-03-09-1830")] == b""
    told = [text for text in home.world.finals() if "2026-03-09-1830" in text]
    assert len(told) == 1


async def test_an_editors_old_copy_is_noticed_told_once_and_nothing_is_lost() -> None:
    async with living(EchoModel()) as home:
        await home.say("first")
        path = core_path(home.slices()[0].id)
        stale = home.disk.tree()[path]
        await home.say("second")
        home.disk.plant(path, stale)
        await home.say("third")
        await home.say("fourth")

    kept = "\n".join(data.decode() for name, data in home.disk.tree().items() if "conflict" in name)
    assert "second" in kept
    assert [text for role, text in home.texts() if role == "user"] == ["first", "third", "fourth"]
    assert len([text for text in home.world.finals() if "older copy" in text]) == 1


async def test_a_slice_that_a_hand_made_unreadable_mid_talk_is_left_and_its_words_go_beside_it() -> None:
    async with living(EchoModel()) as home:
        await home.say("first")
        path = core_path(home.slices()[0].id)
        home.disk.plant(path, b"<<<<<<< HEAD\n---\nbroken")
        await home.say("second")

        tree = home.disk.tree()

    assert tree[path] == b"<<<<<<< HEAD\n---\nbroken"
    assert any(b"\nsecond" in data for name, data in tree.items() if name.endswith(".md") and name != path)
    assert home.world.finals()[-1] == "answer to «second»"
