"""Reading through the moment in which `git pull` has taken a file away and not yet put it back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.errors import NotFound

if TYPE_CHECKING:
    from core.clock import Clock
    from core.storage.base import File, Storage

TRIES = 3
PAUSE = 0.1
"""Seconds before each new try."""


async def read_patiently(storage: Storage, path: str, clock: Clock) -> File:
    """The file, looked for again three times 100 ms apart before it counts as missing (reliability 2.10).

    For the truth (slices, the card) that was there before. Raises as `Storage.read` does.
    """
    for _ in range(TRIES):
        try:
            return await storage.read(path)
        except NotFound:
            await clock.sleep(PAUSE)
    return await storage.read(path)
