from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from adapters.pacing import Pacer
from tests.doubles.clock import ManualClock, settle

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


class Wall:
    """Remembers what was shown and when; may be slow."""

    def __init__(self, clock: ManualClock, seconds: float = 0) -> None:
        self.shown: list[tuple[float, str]] = []
        self._clock = clock
        self._seconds = seconds

    async def show(self, state: str) -> None:
        self.shown.append((self._clock.monotonic(), state))
        if self._seconds:
            await self._clock.sleep(self._seconds)


@asynccontextmanager
async def running(pacer: Pacer[str]) -> AsyncIterator[None]:
    async with asyncio.TaskGroup() as group:
        task = group.create_task(pacer.run())
        yield
        task.cancel()


async def test_the_first_state_is_shown_at_once() -> None:
    clock = ManualClock()
    wall = Wall(clock)
    pacer = Pacer(clock, 1.5, wall.show)

    async with running(pacer):
        pacer.offer("a")
        await settle()

    assert wall.shown == [(0.0, "a")]


async def test_of_many_states_within_the_interval_only_the_last_is_shown_when_it_ends() -> None:
    clock = ManualClock()
    wall = Wall(clock)
    pacer = Pacer(clock, 1.5, wall.show)

    async with running(pacer):
        pacer.offer("a")
        await settle()
        for state in "bcd":
            pacer.offer(state)
            await clock.advance(0.1)
        await clock.advance(10)

    assert wall.shown == [(0.0, "a"), (1.5, "d")]


async def test_a_state_offered_while_a_slow_one_is_being_shown_is_not_forgotten() -> None:
    clock = ManualClock()
    wall = Wall(clock, seconds=4)
    pacer = Pacer(clock, 1, wall.show)

    async with running(pacer):
        pacer.offer("a")
        await clock.advance(2)
        pacer.offer("b")
        await clock.advance(10)

    assert [state for _, state in wall.shown] == ["a", "b"]


async def test_settling_drops_what_waits_and_returns_after_what_is_being_shown() -> None:
    clock = ManualClock()
    wall = Wall(clock, seconds=4)
    pacer = Pacer(clock, 1, wall.show)

    async with running(pacer), asyncio.TaskGroup() as group:
        pacer.offer("a")
        await clock.advance(1)
        pacer.offer("b")
        settled = group.create_task(pacer.settle())
        await clock.advance(2)
        early = settled.done()
        await clock.advance(10)

    assert (early, settled.done()) == (False, True)
    assert [state for _, state in wall.shown] == ["a"]


async def test_a_longer_interval_holds_from_the_next_state_on() -> None:
    clock = ManualClock()
    wall = Wall(clock)
    pacer = Pacer(clock, 1, wall.show)

    async with running(pacer):
        pacer.offer("a")
        pacer.interval = 5
        await settle()
        pacer.offer("b")
        await clock.advance(10)

    assert wall.shown == [(0.0, "a"), (5.0, "b")]
