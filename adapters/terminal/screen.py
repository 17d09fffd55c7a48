"""The terminal as something to write on: pages that stay, and below them a picture of the answer being written."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

from adapters.pacing import Pacer
from adapters.terminal.coloured import tail
from adapters.terminal.downloads import beside
from adapters.terminal.offers import Offers, numbered_choice
from adapters.terminal.render import Look, render, render_aside, render_fold

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from typing import TextIO

    from core.clock import Clock
    from core.document import Document, Fold

_FRAME_SECONDS: Final = 0.12
_TICK_SECONDS: Final = 1.0
_USUAL_SIZE: Final = os.terminal_size((80, 24))


class Screen:
    """Writes pages to `output`; with `colour` it also draws frames, each over the one before.

    `above` runs a write while the prompt, if one is shown, is out of the way. `lost` is called when the output is gone
    (a closed pipe or window); the write that noticed raises OSError. Files of a page are written into `folder`.
    """

    def __init__(
        self,
        output: TextIO,
        clock: Clock,
        *,
        colour: bool,
        above: Callable[[Callable[[], None]], Awaitable[None]],
        lost: Callable[[], None],
        folder: Path = Path(),
    ) -> None:
        self.offers = Offers()
        self._offered = 0
        self.colour = colour
        self._output = output
        self._clock = clock
        self._above = above
        self._lost = lost
        self._folder = folder
        self._frame: Callable[[Look], str] | None = None
        self._drawn = 0
        self._pacer: Pacer[Callable[[Look], str]] = Pacer(clock, _FRAME_SECONDS, self._draw)

    async def show(self, document: Document, *, failed: bool = False) -> None:
        """Write a page for good; its choices and folds are now the ones on offer."""
        document = beside(document, self._folder)
        await self._print(lambda: render(document, self._look(), failed=failed))
        self.offers = Offers.of(document)
        self._offered = max(self._offered, len(self.offers.choices))

    def stale(self, text: str) -> bool:
        """Whether it is the number of a choice that was on offer before and is no more: hardly meant as talk."""
        number = numbered_choice(text)
        return number is not None and len(self.offers.choices) < number <= self._offered

    async def open(self, fold: Fold) -> None:
        """Write what stands behind a fold."""
        await self._print(lambda: render_fold(fold, self._look()))

    async def aside(self, text: str) -> None:
        """Write a short text about the conversation itself."""
        await self._print(lambda: render_aside(text, self._look()))

    def stage(self, frame: Callable[[Look], str], *, at_once: bool = True) -> None:
        """From now on draw this below the pages: at once and whenever it is staged again, and each second."""
        self._frame = frame if self.colour else None
        if at_once and self._frame:
            self._pacer.offer(self._frame)

    def unstage(self) -> None:
        """Draw no more; what is drawn goes when the next page is written."""
        self._frame = None

    async def clear(self) -> None:
        """Draw no more and wipe what is drawn."""
        self.unstage()
        await self._pacer.settle()
        self._write(self._wiped())

    async def run(self) -> None:
        """Draw what is staged until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._pacer.run())
            group.create_task(self._tick())

    async def _tick(self) -> None:
        while True:
            await self._clock.sleep(_TICK_SECONDS)
            if self._frame:
                self._pacer.offer(self._frame)

    async def _draw(self, frame: Callable[[Look], str]) -> None:
        if frame is not self._frame:
            return
        size = self._size()
        lines = tail(frame(Look(size.columns - 1, colour=True)), size.columns - 1, max(size.lines - 2, 1))
        try:
            self._write(self._wiped() + "\n".join(lines) + "\n")
        except OSError:
            return
        self._drawn = len(lines)

    async def _print(self, page: Callable[[], str]) -> None:
        await self._pacer.settle()
        await self._above(lambda: self._write(f"{self._wiped()}{page()}\n\n"))
        if self._frame:
            self._pacer.offer(self._frame)

    def _wiped(self) -> str:
        """What wipes the picture that is drawn, if one is."""
        drawn, self._drawn = self._drawn, 0
        return f"\x1b[{drawn}A\r\x1b[J" if drawn else ""

    def _write(self, text: str) -> None:
        encoding = self._output.encoding or "utf-8"
        try:
            self._output.write(text.encode(encoding, "replace").decode(encoding))
            self._output.flush()
        except (OSError, ValueError) as error:
            self._lost()
            raise BrokenPipeError("the terminal is gone") from error

    def _look(self) -> Look:
        return Look(self._size().columns, colour=True) if self.colour else Look()

    def _size(self) -> os.terminal_size:
        try:
            size = os.get_terminal_size(self._output.fileno())
        except (OSError, ValueError):
            return _USUAL_SIZE
        return size if size.columns and size.lines else _USUAL_SIZE
