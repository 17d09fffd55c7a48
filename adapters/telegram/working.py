"""The sign that something is being done: a draft with a stop where Telegram shows one, else "typing" (ux.md 5.2).

It begins when a message has been taken, never dies before the answer shows, and never outlives it (P013).
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from adapters.telegram.api import Api
    from core.clock import Clock

TYPING: Final = 4.0
"""Seconds after which "typing" is shown again; Telegram shows it for five."""

FRAME: Final = 1.2
"""Seconds between frames of a draft, at least; and at most `STILL` when nothing changes."""

STILL: Final = 8.0
PATIENCE: Final = 90.0
"""Seconds without any sign of the turn after which nothing is being done any more."""


@dataclass(slots=True)
class _Chat:
    """What a chat shows: `line` is what is being done, `draft` the number of the draft.

    `answering` once the turn has given a sign; `more` when another message came after that.
    """

    draft: int
    until: float
    answering: bool = False
    more: bool = False
    line: str = ""
    frame: str | None = None
    still: bool = False
    drawn: float = 0.0


class Working:
    """Shows it, in every chat where something is being done. `drafts` False shows "typing" only."""

    def __init__(self, api: Api, clock: Clock, *, drafts: bool = True) -> None:
        self._api = api
        self._clock = clock
        self._drafts = drafts
        self._chats: dict[str, _Chat] = {}
        self._count = 0
        self._wake = asyncio.Event()
        self._showing = asyncio.Lock()

    def busy(self, chat: str) -> bool:
        """Whether an answer is on its way there, so that what comes now waits for the next one."""
        return chat in self._chats and self._chats[chat].answering

    def begin(self, chat: str) -> None:
        """A message has been taken: something is being done for it, until `end` or too long without a sign."""
        shown = self._chats.get(chat)
        if shown is None:
            self._count += 1
            self._chats[chat] = _Chat(self._count, self._clock.monotonic() + PATIENCE)
            self._wake.set()
        else:
            shown.until = self._clock.monotonic() + PATIENCE
            shown.more = shown.more or shown.answering

    def tell(self, chat: str, line: str) -> None:
        """The turn gives a sign: what is being done there."""
        if chat not in self._chats:
            self.begin(chat)
        shown = self._chats[chat]
        shown.until = self._clock.monotonic() + PATIENCE
        shown.answering = True
        shown.line = line

    def redraw(self, chat: str) -> None:
        """A message was sent there, which has taken the draft away."""
        if chat in self._chats:
            self._chats[chat].frame = None
            self._wake.set()

    async def end(self, chat: str) -> None:
        """The answer is about to show; when this returns, no sign of it is on its way. What waits begins anew."""
        ended = self._chats.pop(chat, None)
        if ended:
            async with self._showing:
                pass
        if ended and ended.more:
            self.begin(chat)

    async def rest(self, chat: str) -> None:
        """The answer itself can be seen growing now: no other sign of it is on its way when this returns."""
        shown = self._chats.get(chat)
        if shown and not shown.still:
            shown.still = True
            async with self._showing:
                pass

    async def run(self) -> None:
        """Show what there is to show, until cancelled."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._chats:
                pause = TYPING
                for chat in list(self._chats):
                    pause = min(pause, await self._show(chat))
                await self._pause(pause)

    async def _show(self, chat: str) -> float:
        """Show the sign in one chat; the seconds until it must be looked at again."""
        now = self._clock.monotonic()
        async with self._showing:
            shown = self._chats.get(chat)
            if shown and shown.until < now:
                del self._chats[chat]
            elif shown and shown.still:
                return TYPING
            elif shown and self._drafts and await self._draw(chat, shown, now):
                return FRAME
            elif shown:
                await self._api.typing(chat)
        return TYPING

    async def _draw(self, chat: str, shown: _Chat, now: float) -> bool:
        """Bring the draft up to date; False when Telegram shows none."""
        if shown.frame == shown.line and now - shown.drawn < STILL:
            return True
        line = shown.line
        if not await self._api.draft(chat, shown.draft, line):
            self._drafts = bool(self._api.lanes.rests(chat, "sendMessageDraft"))  # a pause is no refusal
            return False
        shown.frame, shown.drawn = line, now
        return True

    async def _pause(self, seconds: float) -> None:
        """Wait, but not longer than until another chat has something to show."""
        async with asyncio.TaskGroup() as group:
            waits = [group.create_task(self._clock.sleep(seconds)), group.create_task(self._woken())]
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
            for one in waits:
                one.cancel()
        self._wake.clear()

    async def _woken(self) -> None:
        await self._wake.wait()
