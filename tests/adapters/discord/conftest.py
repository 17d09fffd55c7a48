from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.doubles.clock import ManualClock
from tests.doubles.discord.gateway import Server
from tests.doubles.discord.world import World

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def world(clock: ManualClock) -> World:
    return World(clock)


@pytest.fixture
async def server(world: World) -> AsyncIterator[Server]:
    async with Server(world) as server:
        yield server
