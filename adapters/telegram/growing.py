"""An answer that grows before the person's eyes: one message edited at a humane pace, then the next (ux.md 5.2)."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from adapters.pacing import Pacer
from adapters.telegram.buttons import STOP
from adapters.telegram.rendered import Button
from adapters.telegram.streaming import rolled, streamed
from core.errors import PlatformTrouble, StorageError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from adapters.telegram.api import Keyboard
    from adapters.telegram.delivery import Delivery
    from adapters.telegram.rendered import Part
    from core.clock import Clock

EVERY: Final = 1.5
SLOWEST: Final = 10.0
SLOWER: Final = 1.5
"""What the interval is multiplied with whenever Telegram asks for patience."""

AT_FIRST: Final = 1.0
"""Seconds after which an answer that is not there yet begins to show; a faster one is shown at once, whole."""

LEAST: Final = 40
"""Code points, or one whole line, with which a message begins to show."""


_log = logging.getLogger("previously.telegram")


@dataclass(frozen=True, slots=True)
class Frame:
    """The text so far, and a line about what is going on."""

    text: str
    doing: str = ""


class Growing:
    """Shows frames of one answer. `run` belongs into a TaskGroup.

    `stop` is the label of the button below it; `seen` is called before its first message is sent.
    """

    def __init__(self, delivery: Delivery, clock: Clock, stop: str, seen: Callable[[], Awaitable[None]]) -> None:
        self._delivery = delivery
        self._clock = clock
        self._begins = seen
        self._keyboard: Keyboard = ((Button(stop, data=STOP),),)
        self._pacer: Pacer[Frame] = Pacer(clock, EVERY, self._show)
        self._tail = ""
        self._seen = 0
        self._part = 0
        self._shown: Part | None = None
        self._broken = False

    def offer(self, frame: Frame) -> None:
        """Make this the frame to show next."""
        if len(frame.text) >= LEAST or "\n" in frame.text:
            self._pacer.offer(frame)

    async def run(self) -> None:
        """Show frames until cancelled."""
        await self._clock.sleep(AT_FIRST)
        await self._pacer.run()

    async def settle(self) -> None:
        """No frame is on its way when this returns."""
        await self._pacer.settle()

    async def _show(self, frame: Frame) -> None:
        """Bring the messages up to the frame. What does not work is left to the end, which must."""
        if self._broken:
            return
        try:
            await self._grow(frame)
        except (PlatformTrouble, StorageError):
            self._broken = True
        except Exception:  # noqa: BLE001 - half an answer may be any text; the whole one is shown in any case
            _log.exception("an answer is not shown while it grows")
            self._broken = True

    async def _grow(self, frame: Frame) -> None:
        self._tail += frame.text[self._seen :]
        self._seen = len(frame.text)
        now, later = rolled(self._tail)
        while later:
            await self._put(streamed(now), ())
            self._tail, self._part, self._shown = later, self._part + 1, None
            now, later = rolled(later)
        await self._put(streamed(f"{now}\n\n{frame.doing}" if frame.doing else now), self._keyboard)

    async def _put(self, part: Part, keyboard: Keyboard) -> None:
        if part == self._shown and keyboard:
            return
        if self._delivery.known(self._part) is None:
            await self._begins()
        await self._delivery.place(self._part, self._keyboard)
        if await self._delivery.grow(self._part, part, keyboard):
            self._shown = part
        else:
            self._pacer.interval = min(self._pacer.interval * SLOWER, SLOWEST)
