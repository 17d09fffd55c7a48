"""What fails again and again is let go of, whatever else fails at that moment, and the queue goes on."""

from __future__ import annotations

import asyncio
import errno
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest

from bot.guard import CRASHES, Guard
from bot.rests import Rests
from core.errors import DiskLost, DiskTrouble, PlatformTrouble
from tests.bot.living import Living, living
from tests.doubles.echo_model import EchoModel

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from core.conversation import Incoming, TurnEvent

FULL = DiskTrouble("state/journal.jsonl", errno.ENOSPC, "no space left on device")


class Broken:
    """A presenter that fails at whatever it is to show."""

    def __init__(self, error: Exception) -> None:
        self._error = error
        self.asked = 0

    async def show(self, event: TurnEvent) -> None:
        del event
        self.asked += 1
        raise self._error


class Work:
    """Crashes every time."""

    def __init__(self) -> None:
        self.runs = 0

    async def __call__(self) -> None:
        self.runs += 1
        raise RuntimeError("a fault of ours")


@asynccontextmanager
async def guarded(shown: Broken, *refusals: Exception) -> AsyncIterator[tuple[Living, Guard, list[str]]]:
    """A guard whose work can be let go of only after so many refusals."""
    let_go: list[str] = []
    left = list(refusals)

    async def give_up(name: str, update: Incoming | None) -> None:
        del update
        if left:
            raise left.pop(0)
        let_go.append(name)

    async with living(EchoModel()) as home:
        rests = Rests(home.world.clock)
        yield (
            home,
            Guard(home.house.parts, home.house.door, rests, lambda surface, chat, turn: shown, give_up),
            let_go,
        )


@pytest.mark.parametrize("error", [RuntimeError("the showing is broken"), PlatformTrouble("down"), FULL], ids=str)
async def test_work_is_let_go_of_also_when_nobody_can_be_told(error: Exception) -> None:
    shown, work = Broken(error), Work()
    async with guarded(shown) as (home, guard, let_go), asyncio.TaskGroup() as group:
        said = home.world.say("hello")
        for _ in range(CRASHES + 1):
            await guard.run(group, "turn", said, work())
    assert let_go == ["turn"]
    assert shown.asked


async def test_work_that_cannot_be_let_go_of_on_a_full_disk_is_let_go_of_later() -> None:
    shown, work = Broken(PlatformTrouble("down")), Work()
    async with guarded(shown, FULL) as (home, guard, let_go), asyncio.TaskGroup() as group:
        said = home.world.say("hello")
        for _ in range(CRASHES + 1):
            await guard.run(group, "turn", said, work())
        assert let_go == []
        for _ in range(CRASHES + 1):
            await guard.run(group, "turn", said, work())
    assert let_go == ["turn"]


async def test_a_lost_disk_ends_the_queue_also_while_something_is_let_go_of() -> None:
    work = Work()
    async with guarded(Broken(PlatformTrouble("down")), DiskLost("lost")) as (home, guard, _):
        said, group = home.world.say("hello"), asyncio.TaskGroup()
        for _ in range(CRASHES):
            await guard.run(group, "turn", said, work())
        with pytest.raises(DiskLost):
            await guard.run(group, "turn", said, work())
