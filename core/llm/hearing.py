"""Writing down what is said in a recording, by a model that the settings name."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, Protocol

from core.llm.driver import troubles
from core.llm.driver.wire import Trouble

if TYPE_CHECKING:
    from core.llm.driver.wire import Target

SECONDS: Final = 30.0
"""How long one recording may take."""


class Ears(Protocol):
    """Whatever reaches providers that write recordings down."""

    async def warm(self) -> None:
        """Load what takes long. Raises `Trouble`."""

    async def hear(self, target: Target, name: str, data: bytes, seconds: float) -> str:
        """What is said; the name's ending tells the format. Raises `Trouble` alone."""


class Hearing:
    """A model that writes recordings down."""

    def __init__(self, ears: Ears, target: Target, seconds: float = SECONDS) -> None:
        self._ears = ears
        self._target = target
        self._seconds = seconds

    @property
    def name(self) -> str:
        """The model's id."""
        return self._target.model

    async def transcribe(self, name: str, data: bytes) -> str:
        """What is said in the recording, "" for nothing. Raises `Unavailable`, `OverBudget` or `Unusable`."""
        try:
            await self._ears.warm()
            async with asyncio.timeout(self._seconds):
                return await self._ears.hear(self._target, name, data, self._seconds)
        except TimeoutError:
            raise troubles.error(Trouble("slow"), self._target) from None
        except Trouble as trouble:
            raise troubles.error(trouble, self._target) from None
