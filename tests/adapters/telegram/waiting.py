"""Waiting for the other end of a connection."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

LIMIT = 10.0
"""Real seconds after which a test has waited too long."""


async def until(true: Callable[[], object], step: float = 0.001) -> None:
    """Give way until it is so; raises TimeoutError."""
    async with asyncio.timeout(LIMIT):
        while not true():  # noqa: ASYNC110 - what is waited for happens at the other end of a socket
            await asyncio.sleep(step)  # noqa: TID251 - a few milliseconds at most
