from __future__ import annotations

import asyncio

import pytest

from core.agent.stop import Stop, Stopped


async def test_work_that_ends_gives_its_result() -> None:
    async def work() -> int:
        return 7

    assert await Stop().unless(work()) == 7


async def test_trouble_of_the_work_comes_out_as_it_is() -> None:
    async def work() -> None:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        await Stop().unless(work())


async def test_a_wish_to_stop_cancels_the_work() -> None:
    stop, ended = Stop(), asyncio.Event()

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    async def ask() -> None:
        stop.set()

    async with asyncio.TaskGroup() as group:
        group.create_task(ask())
        with pytest.raises(Stopped):
            await stop.unless(work())

    assert ended.is_set()
    assert stop.asked
