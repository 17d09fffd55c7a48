"""Shows the events of one turn on Discord: one message that is written while it streams, pages, and notes."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final, assert_never

from adapters.discord.incoming import numbered
from adapters.discord.outlet import Attached, Said
from adapters.discord.plain import answer, streamed
from adapters.discord.render import pages, row, stopping
from adapters.discord.trouble import Gone, Invalid
from adapters.pacing import Pacer
from core.conversation import Failed, Finished, Noted, Paged, TextAdded, ThinkingAdded, ToolChanged
from core.document import Download
from core.errors import DiskLost, PlatformTrouble, StorageError

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from adapters.discord.buttons import Shelf
    from adapters.discord.outlet import Outlet
    from adapters.discord.render import Draw, Page
    from adapters.discord.typing import Typing
    from core.clock import Clock
    from core.conversation import Outbox, TurnEvent
    from core.document import Document
    from core.i18n import Words

INTERVAL: Final = 1.5
"""Seconds between two edits; more often makes Discord hold back the last one, too."""

SLOWEST: Final = 10.0
BACKING: Final = 1.5
QUICK: Final = 1.5
"""Seconds within which an answer that is complete is not streamed at all."""

QUIET: Final = 5.0
"""Seconds without a word after which a message says what is going on."""

ENOUGH: Final = 40
"""Characters, or a whole line, before the first words are shown."""

PATIENCE: Final = 2.0
"""Seconds that the end waits for an edit on its way before it is broken off."""

_log = logging.getLogger("previously.discord")

NONCE: Final = 25
PAGES: Final = 1000
"""Where the parts of pages begin in the outbox; parts of the answer are counted from 0."""


@dataclass(frozen=True, slots=True)
class Stage:
    """What every presenter of the platform works with; `start` runs a task that ends with the platform."""

    outlet: Outlet
    words: Callable[[], Words]
    clock: Clock
    shelf: Shelf
    typing: Typing
    start: Callable[[Coroutine[Any, Any, None]], asyncio.Task[None] | None]
    draw: Draw | None = None


class DiscordPresenter:
    """Presents one turn, also one that an earlier process left unfinished: its messages are edited, not sent again."""

    def __init__(self, stage: Stage, outbox: Outbox, chat: str, turn: str, replaces: str) -> None:
        self._stage = stage
        self._outbox = outbox
        self._chat = chat
        self._turn = turn
        self._replaces = numbered(replaces) or 0
        self._ids: dict[int, int] = {}
        self._shown: dict[int, str] = {}
        self._text = ""
        self._doing: dict[str, str] = {}
        self._began = stage.clock.monotonic()
        self._pacer: Pacer[str] | None = None
        self._running: asyncio.Task[None] | None = None
        self._notes = 0
        self._pages = 0

    async def show(self, event: TurnEvent) -> None:
        """Show it; raises `PlatformTrouble` when a `Finished`, `Failed` or `Paged` did not reach Discord."""
        match event:
            case TextAdded(text=text):
                self._text += text
                self._stream()
            case ThinkingAdded():
                self._stream()
            case ToolChanged(call=call, state=state, label=label):
                self._doing.pop(call, None)
                if state == "running":
                    self._doing[call] = label
                self._stream()
            case Noted(text=text):
                await self._note(text)
            case Paged():
                await self._page(event)
            case Finished(document=document):
                await self._end(document, failed=False)
            case Failed(document=document):
                await self._end(document, failed=True)
            case _:
                assert_never(event)

    # While it is written.

    def _stream(self) -> None:
        elapsed = self._stage.clock.monotonic() - self._began
        ripe = len(self._text) >= ENOUGH or "\n" in self._text.strip()
        if elapsed < QUICK or not (ripe or elapsed >= QUIET):
            return
        if self._pacer is None:
            pacer = Pacer[str](self._stage.clock, INTERVAL, self._frame)
            self._running = self._stage.start(pacer.run())
            self._pacer = pacer if self._running else None
        if self._pacer:
            self._pacer.offer(self._text)

    async def _frame(self, text: str) -> None:
        """Show what there is; trouble makes the next frame come later and harms nothing else."""
        try:
            parts = streamed(text)
            running = "".join(f"\n-# {line}" for line in self._doing.values())
            if not parts:
                seconds = round(self._stage.clock.monotonic() - self._began)
                parts = [f"-# {self._stage.words()('discord.working', n=seconds)}{running}"]
            for number, part in enumerate(parts):
                last = number == len(parts) - 1
                await self._put(number, Said(part, stopping(self._stage.words()) if last else None, quiet=bool(number)))
        except (PlatformTrouble, StorageError):
            if self._pacer:
                self._pacer.interval = min(self._pacer.interval * BACKING, SLOWEST)
        except DiskLost:
            raise
        except Exception:  # noqa: BLE001 - half an answer may be any text; the whole one is shown in any case
            _log.exception("an answer is not shown while it grows")

    async def _still(self) -> None:
        """Let nothing be on its way any more. An edit that Discord holds back is broken off: the end comes first."""
        if self._running is None or self._pacer is None:
            return
        pacer, running = self._pacer, self._running
        self._pacer = self._running = None
        async with asyncio.TaskGroup() as group:
            settled = group.create_task(pacer.settle())
            over = group.create_task(self._stage.clock.sleep(PATIENCE))
            await asyncio.wait({settled, over}, return_when=asyncio.FIRST_COMPLETED)
            running.cancel()
            over.cancel()
        await asyncio.wait({running})

    # What stays.

    async def _end(self, document: Document, *, failed: bool) -> None:
        await self._still()
        self._stage.typing.end(self._chat)
        texts = answer(document) or ["\u200b"]
        below = row(document, self._stage.words(), self._stage.shelf, self._turn, failed=failed)
        files = tuple(Attached(block.name, block.data) for block in document.blocks if isinstance(block, Download))
        for number, text in enumerate(texts):
            last = number == len(texts) - 1
            said = Said(text, below if last else None, files=files if last else (), quiet=bool(number))
            await self._put(number, said)
        await self._take_away(len(texts))

    async def _put(self, part: int, said: Said) -> None:
        """Let that part of the answer say this, in its message if it has one that can be edited."""
        known = self._known(part)
        look = f"{said.content}\0{bool(said.buttons)}{len(said.files)}"
        custom = [getattr(one, "custom_id", "") for one in said.buttons.children] if said.buttons else []
        look += "\0".join(custom)
        if known and self._shown.get(part) == look:
            return
        outlet = self._stage.outlet
        if known:
            try:
                await outlet.edit(self._chat, known, said)
            except Gone:
                known = 0
        if not known:
            again = "" if part not in self._ids and self._outbox.sent(self._turn, part) is None else "r"
            sent = await outlet.send(self._chat, said, self._nonce(f"{part}{again}"))
            self._ids[part] = sent.id
            with suppress(StorageError):  # that it could not be noted must not hide the answer
                await self._outbox.note(self._turn, part, str(sent.id))
            if sent.content.strip() != said.content.strip():
                await outlet.edit(self._chat, sent.id, said)
        self._shown[part] = look
        self._stage.typing.end(self._chat)

    def _nonce(self, part: str) -> str:
        """What keeps a message from being sent twice: the turn and the part, at most 25 characters (Discord's rule)."""
        plain = f"{self._turn}:{part}"
        if len(plain) <= NONCE:
            return plain
        return f"{sha256(self._turn.encode()).hexdigest()[:16]}:{part}"[:NONCE]

    def _known(self, part: int) -> int:
        """The message of that part that can still be edited, 0 when there is none."""
        outlet = self._stage.outlet
        if part in self._ids:
            return self._ids[part]
        known = numbered(self._outbox.sent(self._turn, part) or "") or 0
        if not known and part == 0 and self._replaces and outlet.deferred(self._replaces):
            known = self._replaces
        return 0 if known and outlet.settled(known) else known

    async def _take_away(self, count: int) -> None:
        """Take away messages into which the answer had grown before it became shorter."""
        part = count
        while known := self._known(part):
            await self._stage.outlet.delete(self._chat, known)
            self._ids.pop(part, None)
            part += 1
            if part not in self._ids and self._outbox.sent(self._turn, part) is None:
                return

    async def _note(self, text: str) -> None:
        self._notes += 1
        said = Said(f"-# {' '.join(text.split())}"[:1900], quiet=True)
        await self._stage.outlet.send(self._chat, said, self._nonce(f"n{self._notes}"))

    # Pages.

    async def _page(self, event: Paged) -> None:
        stage = self._stage
        made = pages(event.document, stage.words(), stage.shelf, self._turn, stage.draw)
        if not made:
            await self._put(0, Said("…"))
        try:
            for number, page in enumerate(made):
                await self._lay(page, number, event)
        except Invalid:
            for number, text in enumerate(answer(event.document)):
                said = Said(text, quiet=event.quiet)
                await stage.outlet.send(self._chat, said, self._nonce(f"q{self._pages}.{number}"))
        self._pages += 1

    async def _lay(self, page: Page, number: int, event: Paged) -> None:
        """Show one message of a page: in place of the one that it was asked from, as far as that can be edited."""
        outlet, part = self._stage.outlet, PAGES * (1 + self._pages) + number
        reply = numbered(event.reply_to) if event.reply_to.startswith(f"dc:{self._chat}:") else None
        said = Said(layout=page.layout, files=page.files, quiet=event.quiet or bool(number), reply_to=reply or 0)
        known = numbered(self._outbox.sent(self._turn, part) or "") or 0
        if not known and number == 0 and self._pages == 0:
            known = self._replaces
        if known and (outlet.deferred(known) or not outlet.settled(known)):
            try:
                await outlet.edit(self._chat, known, said)
            except Gone:
                pass
            else:
                return
        sent = await outlet.send(self._chat, said, self._nonce(f"p{self._pages}.{number}"))
        with suppress(StorageError):
            await self._outbox.note(self._turn, part, str(sent.id))
