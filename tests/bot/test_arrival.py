"""Arrival: at the start and after silence, once per gap, kept as the opening of the slice that follows."""

from __future__ import annotations

import pytest

from bot.inbox import Journalled
from core.slices.model import CARD_PATH, core_path
from tests.bot.living import Living, Worker, living
from tests.doubles.chat import Chat, World
from tests.doubles.clock import ManualClock
from tests.doubles.echo_model import EchoModel
from tests.doubles.model import calls
from tests.doubles.sim_disk import SimDisk

HOUR = 3600
BOT = "memory/user/bot.json"
MARKS = {"focus": "The kiln is cold", "summary": "It is.", "open_loops": ["Call the shop"]}


async def greeted(home: Living) -> str:
    """What a process shows when it starts."""
    house = home.house
    await house.arrivals.greet(Chat(home.world).presenter("1", "briefing", Journalled(house.parts.journal)), "en")
    return home.world.finals()[-1]


def briefings(home: Living) -> list[str]:
    return [text for text in home.world.finals() if text.startswith("PREVIOUSLY ON")]


async def talked(disk: SimDisk, world: World) -> None:
    """A slice that was talked in and closed with marks."""
    async with living(EchoModel(), disk=disk, world=world, worker=Worker([calls(("mark_slice", MARKS))])) as home:
        await home.say("the kiln is cold")
        await home.say("/close")
    world.messages.clear()


async def test_an_empty_memory_is_welcomed() -> None:
    async with living(EchoModel()) as home:
        assert "Your timeline is empty" in await greeted(home)


async def test_the_first_message_ever_gets_no_briefing() -> None:
    async with living(EchoModel()) as home:
        await home.say("hello")

    assert briefings(home) == []


@pytest.mark.parametrize(("hours", "lines"), [(0.3, 1), (5.9, 1), (6, 9), (240, 9)])
async def test_the_length_of_the_briefing_follows_the_absence(hours: float, lines: int) -> None:
    disk, world = SimDisk(), World(ManualClock(instant=True))
    await talked(disk, world)
    async with living(EchoModel(), disk=disk, world=world) as home:
        await home.say("back again", pause=hours * HOUR)

    (shown,) = briefings(home)
    assert len(shown.splitlines()) >= lines
    assert (len(shown.splitlines()) == 1) == (lines == 1)
    assert "The kiln is cold" in shown


async def test_the_briefing_comes_before_the_answer() -> None:
    disk, world = SimDisk(), World(ManualClock(instant=True))
    await talked(disk, world)
    async with living(EchoModel(), disk=disk, world=world) as home:
        await home.say("back again", pause=24 * HOUR)

    first, second = home.world.finals()[:2]
    assert first.startswith("PREVIOUSLY ON")
    assert second == "answer to «back again»"


async def test_within_the_silence_talk_goes_on_without_a_briefing() -> None:
    async with living(EchoModel()) as home:
        await home.say("one")
        await home.say("two", pause=14 * 60)

    assert briefings(home) == []


async def test_a_briefing_comes_once_per_gap_over_restarts() -> None:
    disk, world = SimDisk(), World(ManualClock(instant=True))
    await talked(disk, world)
    world.clock.shift(24 * HOUR)
    async with living(EchoModel(), disk=disk, world=world) as home:
        assert len((await greeted(home)).splitlines()) > 1
    async with living(EchoModel(), disk=disk, world=world) as home:
        assert len((await greeted(home)).splitlines()) == 1
        await home.say("back again")

    assert len([text for text in briefings(home) if len(text.splitlines()) > 1]) == 1


async def test_the_next_gap_has_its_own_briefing() -> None:
    async with living(EchoModel()) as home:
        for number in range(3):
            await home.say(f"day {number}", pause=24 * HOUR)

    assert len(briefings(home)) == 2


async def test_a_start_within_the_silence_goes_on_with_one_line() -> None:
    disk, world = SimDisk(), World(ManualClock(instant=True))
    async with living(EchoModel(), disk=disk, world=world) as home:
        await home.say("the kiln is cold")
    world.clock.shift(5 * 60)
    async with living(EchoModel(), disk=disk, world=world) as home:
        line = await greeted(home)
        await home.say("and still cold")

    assert line == "PREVIOUSLY ON — “the kiln is cold” (5 mins ago)"
    assert len(home.slices()) == 1


async def test_the_briefing_is_kept_as_the_opening_of_the_slice_that_follows() -> None:
    disk, world = SimDisk(), World(ManualClock(instant=True))
    await talked(disk, world)
    async with living(EchoModel(), disk=disk, world=world) as home:
        await home.say("back again", pause=24 * HOUR)

    tree = disk.tree()
    second = home.slices()[1]
    kept = tree[core_path(second.id).replace("core.md", "briefing.md")].decode()
    assert kept.splitlines()[0] == "PREVIOUSLY ON your timeline — You were last here 1 day ago."
    assert "- ↗ Call the shop" in kept
    assert [turn.text for turn in second.turns] == ["back again", "answer to «back again»"]


async def test_a_briefing_shown_at_the_start_opens_the_slice_too() -> None:
    disk, world = SimDisk(), World(ManualClock(instant=True))
    await talked(disk, world)
    world.clock.shift(24 * HOUR)
    async with living(EchoModel(), disk=disk, world=world) as home:
        await greeted(home)
        await home.say("the second one, please")

    assert "Call the shop" in home.file("timeline/briefing.md")


async def test_the_briefing_names_the_person_of_the_card() -> None:
    disk, world = SimDisk(), World(ManualClock(instant=True))
    disk.plant(CARD_PATH, b"# Previously On\n\n## Identity\n\n- Name: Ann Lee\n")
    await talked(disk, world)
    async with living(EchoModel(), disk=disk, world=world) as home:
        await home.say("back", pause=24 * HOUR)

    assert briefings(home)[0].splitlines()[0].startswith("PREVIOUSLY ON | Ann Lee")


async def test_a_briefing_can_be_switched_off() -> None:
    disk, world = SimDisk(), World(ManualClock(instant=True))
    disk.plant(BOT, b'{"briefing": {"mode": "off"}}')
    await talked(disk, world)
    async with living(EchoModel(), disk=disk, world=world) as home:
        await home.say("back", pause=24 * HOUR)

    assert briefings(home) == []


async def test_a_card_that_cannot_be_read_costs_no_briefing() -> None:
    disk, world = SimDisk(), World(ManualClock(instant=True))
    disk.plant(CARD_PATH, b"\xff\xfe")
    await talked(disk, world)
    async with living(EchoModel(), disk=disk, world=world) as home:
        await home.say("back", pause=24 * HOUR)

    assert briefings(home)[0].splitlines()[0].startswith("PREVIOUSLY ON | your timeline")
    assert home.world.finals()[-1] == "answer to «back»"


async def test_briefings_are_in_the_language_of_the_settings() -> None:
    disk, world = SimDisk(), World(ManualClock(instant=True))
    disk.plant(BOT, b'{"language": "zh"}')
    await talked(disk, world)
    async with living(EchoModel(), disk=disk, world=world) as home:
        await home.say("back", pause=24 * HOUR)

    assert home.world.finals()[0].startswith("前情提要")
