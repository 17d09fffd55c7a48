"""One wire over the real libraries for all cells of a process."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from core.llm.litellm import LiteLLM
from tests.core.llm.driver.conftest import prime

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="session")
def wire() -> Iterator[LiteLLM]:
    made = LiteLLM()
    asyncio.run(prime(made))
    yield made
    made.close()
