"""A year of a house that ticks: every job is counted, over six zones, both changes of the clock, three days down.

The person talks every fifth day, in turn in the morning and late in the evening, so that every other slice falls
silent in quiet hours. Time is our clock's alone; the house ticks every hour, and an hour's tick stands for sixty of
them, since several wishes to look around are one round.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from core.errors import Unavailable
from core.llm.base import Message
from tests.bot.living import Living, living
from tests.doubles.chat import World
from tests.doubles.clock import ManualClock
from tests.doubles.echo_model import EchoModel
from tests.doubles.model import calls
from tests.doubles.sim_disk import SimDisk

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bot.due import Job
    from core.llm.base import Listen, ToolSpec

START, END = datetime(2026, 1, 1, tzinfo=UTC), datetime(2027, 1, 1, tzinfo=UTC)
DOWN, UP = datetime(2026, 6, 10, tzinfo=UTC), datetime(2026, 6, 13, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
ZONES = {
    1: "UTC", 3: "Europe/Berlin", 5: "Asia/Kolkata", 7: "Asia/Shanghai", 9: "Australia/Lord_Howe",
    11: "America/New_York",
}  # fmt: skip
"""Where the person is from the first of that month on; clocks change on 29 March, 4 October and 1 November."""
TIMES = (time(9, 40), time(21, 40))
QUIET = (time(22), time(7))
SETTINGS = {"briefing": {"mode": "waiting", "nudge": True}, "quiet": {"from": "22:00", "to": "07:00"}}
MARKS = {"focus": "The kiln", "summary": "It was fired.", "open_loops": ["Buy clay"], "tone": "neutral"}


@dataclass
class Timed(World):
    """A chat that notes when something was posted in it."""

    posted: list[tuple[datetime, str]] = field(default_factory=list)

    def show(self, text: str) -> int:
        self.posted.append((self.clock.now(), text))
        return super().show(text)


@dataclass
class Counted:
    """A worker that marks what closes, notices nothing and changes no card; `asked` counts by the tool it was given."""

    asked: Counter[str] = field(default_factory=Counter)
    name: str = "worker"

    async def complete(self, messages: Sequence[Message], tools: Sequence[ToolSpec], on_event: Listen) -> Message:
        forced = next((tool.name for tool in tools if tool.forced), tools[0].name)
        self.asked[forced] += 1
        if forced == "mark_slice":
            return calls((forced, MARKS))
        if any(tool.forced for tool in tools):
            raise Unavailable("the worker notices nothing")
        return Message("assistant", "nothing to change")


def zone_at(moment: datetime) -> str:
    return ZONES[max(month for month in ZONES if datetime(2026, month, 1, tzinfo=UTC) <= moment)]


def local(moment: datetime) -> datetime:
    return moment.astimezone(ZoneInfo(zone_at(moment))).replace(tzinfo=None)


def sessions() -> Iterator[datetime]:
    """When the person begins to talk."""
    for number, day in enumerate(range(2, 363, 5)):
        noon = START + day * DAY + 12 * HOUR
        begins = datetime.combine(local(noon).date(), TIMES[number % 2], ZoneInfo(zone_at(noon))).astimezone(UTC)
        if not DOWN - 6 * HOUR <= begins < UP:
            yield begins


@dataclass
class Year:
    """What came of it."""

    world: Timed
    disk: SimDisk = field(default_factory=SimDisk)
    model: EchoModel = field(default_factory=EchoModel)
    worker: Counted = field(default_factory=Counted)
    done: Counter[Job] = field(default_factory=Counter)
    ahead: list[datetime] = field(default_factory=lambda: list(sessions()))

    async def live(self, until: datetime) -> None:
        """One process, from now to then."""
        async with living(self.model, disk=self.disk, world=self.world, worker=self.worker) as home:
            clock = self.world.clock
            while clock.now() < until:
                following = clock.now() + HOUR - timedelta(minutes=clock.now().minute)
                if self.ahead and self.ahead[0] < following:
                    await self._talk(home)
                clock.shift((following - clock.now()).total_seconds())
                self._travel(home)
                await tick(home)
            self.done += home.house.rounds.done

    async def _talk(self, home: Living) -> None:
        self.world.clock.shift((self.ahead.pop(0) - self.world.clock.now()).total_seconds())
        await home.say("the kiln is cold", pause=0)
        await home.say("and now it is hot", pause=300)

    def _travel(self, home: Living) -> None:
        now = self.world.clock.now()
        bot = json.dumps({**SETTINGS, "timezone": zone_at(now)}).encode()
        if home.disk.tree().get("memory/user/bot.json") != bot:
            home.disk.plant("memory/user/bot.json", bot)


async def tick(home: Living) -> None:
    before = home.house.rounds.done["look"]
    await home.house.schedule.tick(home.world.clock.now())
    await home.until(lambda: home.house.rounds.done["look"] > before and home.house.rounds.resting)


def quiet(moment: datetime) -> bool:
    clock = local(moment).time()
    return clock >= QUIET[0] or clock < QUIET[1]


async def test_in_a_year_every_job_is_done_exactly_as_often_as_there_was_reason_to() -> None:
    year = Year(Timed(ManualClock(START.isoformat(), instant=True)))
    await year.live(DOWN)
    year.world.clock.shift((UP - DOWN).total_seconds())
    await year.live(END)

    talks = len(list(sessions()))
    assert talks == 72
    assert not year.ahead
    year.done.pop("look")
    assert year.done == {
        "close": talks,
        "care": talks,
        "briefing": talks,
        "fold": talks - 1,
        "nudge": talks,
        # Each of 365 nights; two of the three slept through are missing, and the first of November had one in Lord Howe
        # and another in New York.
        "nightly": 364,
    }
    assert year.worker.asked == {"mark_slice": talks, "notice_turn": 2 * talks, "setIdentity": talks}
    assert year.model.calls == 2 * talks

    texts = [text for _, text in year.world.posted]
    assert sum(text.startswith("Good morning") for text in texts) == talks
    assert sum(text.startswith("PREVIOUSLY ON") for text in texts) == talks
    assert sum(text.startswith("PREVIOUSLY ON") for text in year.world.finals()) == 1
    assert sum(text.startswith("— Previously on: The kiln") for text in year.world.finals()) == talks - 1
    assert len(texts) == 4 * talks  # two answers, a briefing and a nudge each time
    unasked = [at for at, text in year.world.posted if text.startswith(("Good morning", "PREVIOUSLY ON"))]
    assert not any(map(quiet, unasked))
    mornings = [local(at) for at, text in year.world.posted if text.startswith("Good morning")]
    assert {at.hour for at in mornings} == {8, 10}  # ten on the morning of the flight to Lord Howe
    assert all(later.date() > earlier.date() for earlier, later in pairwise(mornings))


async def test_a_month_in_which_nobody_talks_costs_no_model_call_and_writes_nothing_but_its_nights() -> None:
    model, worker = EchoModel(), Counted()
    async with living(model, worker=worker) as home:
        for number in range(3):
            await home.say(f"day {number}", pause=DAY.total_seconds())
        home.world.clock.shift(HOUR.total_seconds())
        await tick(home)
        asked, answered, tree = worker.asked.total(), model.calls, home.disk.tree()
        nights = home.house.rounds.done["nightly"]
        for _ in range(30 * 24):
            home.world.clock.shift(HOUR.total_seconds())
            await tick(home)

        assert (worker.asked.total(), model.calls) == (asked, answered)
        now = home.disk.tree()
        assert [path for path in {*tree, *now} if tree.get(path) != now.get(path)] == ["state/journal.jsonl"]
        assert home.house.rounds.done["nightly"] == nights + 30
        assert home.house.rounds.done["close"] == 1
