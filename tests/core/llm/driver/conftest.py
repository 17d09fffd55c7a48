"""One wire for all tests of a process (its import takes seconds), a server for each."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from core.llm.base import ignore
from core.llm.litellm import LiteLLM
from tests.core.llm.driver.bench import ASKED, MODELS, driven, target
from tests.doubles.model_server import ModelServer, Say

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator


@pytest.fixture(scope="session")
def wire() -> Iterator[LiteLLM]:
    made = LiteLLM()
    asyncio.run(prime(made))
    yield made
    made.close()


async def prime(wire: LiteLLM) -> None:
    """Each provider's first call loads modules for seconds: that is not what the limits of a test are about."""
    server = ModelServer([Say("Ready.")])
    await server.start()
    for shape in MODELS:
        await driven(wire, target(server, shape), limits={"first": 60.0}).complete(ASKED, (), ignore)
    await server.stop()


@pytest.fixture
async def server() -> AsyncIterator[ModelServer]:
    made = ModelServer()
    await made.start()
    yield made
    await made.stop()
