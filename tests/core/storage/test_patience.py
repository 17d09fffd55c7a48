from __future__ import annotations

import pytest

from core.errors import NotAFile, NotFound
from core.storage.base import ABSENT, Write
from core.storage.memory import MemoryStorage
from core.storage.patience import read_patiently
from tests.doubles.clock import ManualClock

PATH = "memory/a.md"


class PullClock(ManualClock):
    """While somebody waits, the pull goes on, and after some waits the file is back."""

    def __init__(self, storage: MemoryStorage, waits: int) -> None:
        super().__init__(instant=True)
        self._storage = storage
        self._waits = waits

    async def sleep(self, seconds: float) -> None:
        await super().sleep(seconds)
        self._waits -= 1
        if self._waits == 0:
            await self._storage.commit([Write(PATH, b"back", ABSENT)], "pull")


@pytest.mark.parametrize("waits", [1, 2, 3])
async def test_a_file_that_comes_back_within_300_ms_is_read(waits: int) -> None:
    storage = MemoryStorage()
    clock = PullClock(storage, waits)

    file = await read_patiently(storage, PATH, clock)

    assert file.data == b"back"
    assert clock.monotonic() == pytest.approx(waits * 0.1)


async def test_a_file_that_stays_away_is_missing_after_300_ms() -> None:
    storage = MemoryStorage()
    clock = PullClock(storage, 4)

    with pytest.raises(NotFound):
        await read_patiently(storage, PATH, clock)

    assert clock.monotonic() == pytest.approx(0.3)


async def test_other_refusals_are_not_waited_for() -> None:
    storage = MemoryStorage({f"{PATH}/b.md": b""})
    clock = ManualClock()

    with pytest.raises(NotAFile):
        await read_patiently(storage, PATH, clock)
