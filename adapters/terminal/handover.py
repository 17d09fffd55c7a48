"""A message that was handed over and waits for its answer, and which event answers it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, Literal

from core.conversation import Failed, Finished, Paged

if TYPE_CHECKING:
    from core.conversation import TurnEvent

Signal = Literal["answered", "interrupt", "gone"]

_ANSWERED_BY_A_BRIEFING: Final = ("/briefing", "/start")


class Waiting:
    """Waits for what happens to one message; `open` until it is answered or given up.

    Talk ends with `Finished` or `Failed`, a command with its page. A briefing comes before the answer, so it counts as
    one only for the commands that ask for it.
    """

    def __init__(self, text: str) -> None:
        self.open = True
        self._asks_for_briefing = text.strip().partition(" ")[0] in _ANSWERED_BY_A_BRIEFING
        self._signals: asyncio.Queue[Signal] = asyncio.Queue()

    def is_answered_by(self, event: TurnEvent) -> bool:
        """Whether the event is the end that this message waits for."""
        if not self.open:
            return False
        if isinstance(event, Paged):
            address = event.document.address
            return self._asks_for_briefing or address is None or address.view != "briefing"
        return isinstance(event, Finished | Failed)

    def close(self) -> None:
        """The answer has been shown, or nobody waits for it any more."""
        self.open = False
        self.tell("answered")

    def tell(self, signal: Signal) -> None:
        """Let the one who waits know."""
        self._signals.put_nowait(signal)

    async def next(self) -> Signal:
        """What happened next."""
        return await self._signals.get()
