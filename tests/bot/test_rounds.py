"""Rounds: what a model could not do is tried again ever more seldom, what was left open is closed, hooks are run."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from bot.house import Given, build
from bot.schedule import Hook
from core.errors import Unavailable
from core.slices.codec import encode
from core.slices.model import Slice, Turn, core_path
from core.storage.local import LocalStorage
from tests.bot.living import WORDS, Living, living
from tests.doubles.clock import ManualClock
from tests.doubles.echo_model import EchoModel
from tests.doubles.model import calls
from tests.doubles.sim_disk import SimDisk

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.llm.base import Listen, Message, ToolSpec

MINUTE, HOUR = 60, 3600
MARKS = {"focus": "Bread", "summary": "It was baked."}


@dataclass
class Fickle:
    """A worker that is away until it is back; `asked` counts requests for marks."""

    away: bool = True
    asked: int = 0
    name: str = "worker"

    async def complete(self, messages: Sequence[Message], tools: Sequence[ToolSpec], on_event: Listen) -> Message:
        if not any(tool.name == "mark_slice" for tool in tools):
            raise Unavailable("not now")
        self.asked += 1
        if self.away:
            raise Unavailable("not now")
        return calls(("mark_slice", MARKS))


async def tick(home: Living, seconds: float) -> None:
    home.world.clock.shift(seconds)
    before = home.house.rounds.done["look"]
    await home.house.schedule.tick(home.world.clock.now())
    await home.until(lambda: home.house.rounds.done["look"] > before and home.house.rounds.resting)


async def test_marks_that_a_worker_could_not_make_are_made_when_it_is_back_and_it_is_asked_ever_more_seldom() -> None:
    worker = Fickle()
    async with living(EchoModel(), worker=worker) as home:
        await home.say("bread")
        await tick(home, 15 * MINUTE)
        worker.asked = 0
        for _ in range(24 * 6):
            await tick(home, 10 * MINUTE)
        assert worker.asked == 5  # after half an hour, one, two, four, eight hours
        worker.away = False
        for _ in range(24 * 6):
            await tick(home, 10 * MINUTE)

        assert worker.asked == 6
        assert home.slices()[0].focus == "Bread"


async def test_a_slice_that_comes_to_light_open_is_closed_at_the_end_of_its_talk() -> None:
    at = "2026-03-01T09:00:00.000Z"
    old = Slice("2026-03-01-0900", start=at, turns=(Turn("abcdef", at, "user", "bread"),))
    worker = Fickle(away=False)
    async with living(EchoModel(), worker=worker) as home:
        await home.house.tidy()
        await home.say("boats")
        home.disk.plant(core_path(old.id), encode(old).encode())  # `git pull` brings it
        await tick(home, 6 * MINUTE)
        await tick(home, 6 * MINUTE)
        await tick(home, 1 * MINUTE)

        first, second = home.slices()
        assert (first.status, first.end, first.closed_by, first.focus) == ("closed", at, "time_silence", "Bread")
        assert not second.closed
        assert home.house.rounds.done["sweep"] == 1


async def test_every_night_is_checked_once_also_over_restarts() -> None:
    disk, world = SimDisk(), None
    nights = 0
    for _ in range(4):
        async with living(EchoModel(), disk=disk, world=world) as home:
            world = home.world
            for _ in range(3):
                await tick(home, 4 * HOUR)
            nights += home.house.rounds.done["nightly"]

    assert nights == 2  # two days


async def test_a_slice_that_cannot_be_read_is_found_at_night_and_harms_nothing() -> None:
    async with living(EchoModel()) as home:
        await home.say("bread")
        home.disk.plant(core_path("2026-03-01-0900"), b"---\n: no slice")
        await tick(home, 12 * HOUR)

        assert home.house.rounds.done["nightly"] == 1
        assert list(home.house.parts.slices.unreadable) == ["2026-03-01-0900"]


async def test_the_house_runs_the_hooks_that_it_is_given() -> None:
    renewed: list[str] = []

    async def renew() -> None:
        renewed.append("lease")

    disk, clock = SimDisk(), ManualClock()
    given = Given(disk, LocalStorage(disk), clock, EchoModel(), WORDS)
    house = build(replace(given, hooks=[Hook("lease", timedelta(minutes=5), renew)]))
    for minutes in (0, 1, 5):
        clock.shift(minutes * MINUTE)
        await house.schedule.tick(clock.now())
    house.shut()

    assert renewed == ["lease", "lease"]
