"""The ticks: the real APScheduler, the hooks, and a calendar that jumps."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from bot.schedule import Hook, Schedule, hook_due
from core.clock import SystemClock
from core.errors import DiskLost, PlatformTrouble
from tests.doubles.clock import ManualClock, settle

NOON = datetime(2026, 3, 9, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


class Counting:
    """Counts how often it is called; `fails` says with what."""

    def __init__(self, fails: Exception | None = None) -> None:
        self.calls = 0
        self.fails = fails

    async def __call__(self) -> None:
        self.calls += 1
        if self.fails:
            raise self.fails


def nothing() -> None:
    """Nobody is woken."""


async def test_the_real_scheduler_ticks_at_once_and_again_and_ends_when_cancelled() -> None:
    ticks: list[int] = []
    third = asyncio.Event()

    def wake() -> None:
        ticks.append(len(ticks))
        if len(ticks) == 3:
            third.set()

    schedule = Schedule(SystemClock(), wake, every=0.02)
    async with asyncio.timeout(20), asyncio.TaskGroup() as group:
        running = group.create_task(schedule.run())
        await third.wait()
        running.cancel()
    before = len(ticks)
    await settle()

    assert len(ticks) == before


async def test_a_tick_wakes_the_house_once_however_long_ago_the_last_one_was() -> None:
    woken: list[str] = []
    lease = Counting()
    schedule = Schedule(ManualClock(), lambda: woken.append("woken"), [Hook("lease", 5 * MINUTE, lease)])

    for minutes in (0, 1, 4, 5, 3 * 24 * 60, 3 * 24 * 60 + 1):
        await schedule.tick(NOON + minutes * MINUTE)

    assert len(woken) == 6
    assert lease.calls == 3


@pytest.mark.parametrize(
    ("since", "is_due"), [(0, False), (4, False), (5, True), (9999, True), (-1, True), (-9999, True)]
)
def test_a_hook_is_due_after_its_time_and_when_the_clock_was_set_back(since: int, is_due: bool) -> None:
    assert hook_due(NOON, 5 * MINUTE, NOON + since * MINUTE) == is_due


async def test_a_hook_that_fails_harms_no_other_and_is_run_again() -> None:
    push, broken, lease = Counting(PlatformTrouble("the network is down")), Counting(ValueError("a fault")), Counting()
    hooks = [Hook("push", MINUTE, push), Hook("broken", MINUTE, broken), Hook("lease", MINUTE, lease)]
    schedule = Schedule(ManualClock(), nothing, hooks)

    await schedule.tick(NOON)
    await schedule.tick(NOON + MINUTE)

    assert (push.calls, broken.calls, lease.calls) == (2, 2, 2)


async def test_a_hook_that_finds_the_disk_lost_ends_the_process() -> None:
    schedule = Schedule(ManualClock(), nothing, [Hook("push", MINUTE, Counting(DiskLost("fsync failed")))])

    with pytest.raises(ExceptionGroup) as found:
        await schedule.tick(NOON)

    assert isinstance(found.value.exceptions[0], DiskLost)


async def test_ticks_go_on_when_the_calendar_was_set_back() -> None:
    """APScheduler plans by the calendar: the next run lies hours ahead once that is set back."""
    ticks: list[int] = []
    several = asyncio.Event()

    def wake() -> None:
        ticks.append(len(ticks))
        if len(ticks) == 2:
            ahead = SystemClock().now() + timedelta(hours=3)
            schedule._scheduler.modify_job("tick", next_run_time=ahead)
        if len(ticks) == 4:
            several.set()

    schedule = Schedule(SystemClock(), wake, every=0.02)
    async with asyncio.timeout(20), asyncio.TaskGroup() as group:
        running = group.create_task(schedule.run())
        await several.wait()
        running.cancel()

    assert len(ticks) >= 4
