"""A chat platform in memory, strict where the real ones are: ids, redelivery until acknowledged, edits, deletions.

`World` is what survives the bot: messages that the person sent, which of them the platform may forget, and what it
shows. `Chat` is the adapter of one process. Every effect on the world is announced to `effect` first, so that a test
can end the process there.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, assert_never

from core.conversation import Failed, Finished, Incoming, Noted, Paged, TextAdded, ThinkingAdded, ToolChanged
from core.document import Choices, Document, Download, Fold, Items, Picture, Text, Title, Utterance
from core.errors import PlatformTrouble

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.conversation import Attachment, Inbox, Outbox, Presenter, Surface, TurnEvent
    from tests.doubles.clock import ManualClock

STATUS = "…"
LIVE = 1_000
"""The part under which a page is noted."""


@dataclass
class World:
    """The platform and the person in front of it. `messages` are what the bot sent, by id, as they read now."""

    clock: ManualClock
    chat: str = "1"
    queue: list[Incoming] = field(default_factory=list)
    messages: dict[int, str] = field(default_factory=dict)
    history: list[tuple[str, int, str]] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)
    downloads: list[Download] = field(default_factory=list)
    down: int = 0
    _next: int = 0
    _arrived: asyncio.Event = field(default_factory=asyncio.Event)

    def reopen(self) -> None:
        """A new process connects, with an event loop of its own."""
        self._arrived = asyncio.Event()

    def say(
        self,
        text: str,
        *,
        forwarded: str = "",
        foreign: str = "",
        quoted: str = "",
        group: str = "",
        attachments: tuple[Attachment, ...] = (),
    ) -> Incoming:
        """The person sends a message."""
        self._next += 1
        message = Incoming(
            key=f"db:{self.chat}:{self._next}",
            surface="double",
            chat=self.chat,
            sent=self.clock.now(),
            text=text,
            locale="en",
            zone="UTC",
            forwarded=forwarded,
            foreign=foreign,
            quoted=quoted,
            group=group,
            attachments=attachments,
        )
        self.deliver(message)
        return message

    def edit(self, message: Incoming, text: str) -> Incoming:
        """The person edits a message."""
        self._next += 1
        edited = replace(message, kind="edit", text=text, edited=str(self._next), sent=self.clock.now())
        self.deliver(edited)
        return edited

    def delete(self, message: Incoming) -> Incoming:
        """The person deletes a message."""
        gone = replace(message, kind="deletion", text="", sent=self.clock.now())
        self.deliver(gone)
        return gone

    def deliver(self, update: Incoming) -> None:
        """Put an update in the queue; the same one may come twice."""
        self.queue.append(update)
        self._arrived.set()

    async def pending(self) -> list[Incoming]:
        """What is not acknowledged, oldest first; waits until there is something."""
        while not self.queue:
            self._arrived.clear()
            await self._arrived.wait()
        return list(self.queue)

    def acknowledge(self, updates: list[Incoming]) -> None:
        """The platform may forget these."""
        self.queue = [update for update in self.queue if update not in updates]

    def show(self, text: str) -> int:
        """The bot sends a message."""
        self._refuse()
        self._next += 1
        self.messages[self._next] = text
        self.history.append(("send", self._next, text))
        return self._next

    def change(self, message: int, text: str) -> None:
        """The bot edits a message of its own; the same text again is a success."""
        self._refuse()
        if message not in self.messages:
            raise PlatformTrouble(f"there is no message {message}")
        self.messages[message] = text
        self.history.append(("edit", message, text))

    def finals(self) -> list[str]:
        """What stands in the chat, without status messages that nothing became of."""
        return [text for text in self.messages.values() if text != STATUS]

    def _refuse(self) -> None:
        if self.down:
            self.down -= 1
            raise PlatformTrouble("the platform is down")


class Chat:
    """The adapter of one process."""

    surface: Surface = "double"

    def __init__(self, world: World, effect: Callable[[str], None] | None = None) -> None:
        self.world = world
        self._effect = effect or (lambda name: None)

    def presenter(self, chat: str, turn: str, outbox: Outbox, replaces: str = "") -> Presenter:
        return Bubble(self.world, self._effect, turn, outbox, replaces)

    async def fetch(self, chat: str, attachment: Attachment) -> bytes:
        if attachment.ref not in self.world.files:
            raise PlatformTrouble(f"no file {attachment.ref}")
        return self.world.files[attachment.ref]

    async def serve(self, inbox: Inbox) -> None:
        """Receive for ever; nothing is acknowledged that the inbox has not kept."""
        while True:
            updates = await self.world.pending()
            await inbox.accept(updates)
            self._effect("acknowledge")
            self.world.acknowledge(updates)


class Bubble:
    """Shows one turn in one message: a status first, edited into the answer at the end (R8)."""

    def __init__(
        self, world: World, effect: Callable[[str], None], turn: str, outbox: Outbox, replaces: str = ""
    ) -> None:
        self._world = world
        self._effect = effect
        self._turn = turn
        self._outbox = outbox
        self._replaces = replaces

    async def show(self, event: TurnEvent) -> None:
        match event:
            case TextAdded() | ThinkingAdded() | ToolChanged():
                await self._status()
            case Noted(text=text):
                self._send(text)
            case Paged(document=document, live=live):
                message = self._page(plain(document))
                if live:
                    await self._outbox.note(self._turn, LIVE, str(message))
                self._world.downloads += [block for block in document.blocks if isinstance(block, Download)]
            case Finished(document=document) | Failed(document=document):
                message = await self._status()
                self._effect("edit")
                self._world.change(message, plain(document))
            case _:
                assert_never(event)

    async def _status(self) -> int:
        known = self._outbox.sent(self._turn, 0)
        if known is not None:
            return int(known)
        message = self._send(STATUS)
        await self._outbox.note(self._turn, 0, str(message))
        return message

    def _page(self, text: str) -> int:
        if self._replaces and int(self._replaces) in self._world.messages:
            self._effect("edit")
            self._world.change(int(self._replaces), text)
            return int(self._replaces)
        return self._send(text)

    def _send(self, text: str) -> int:
        self._effect("send")
        return self._world.show(text)


def plain(document: Document) -> str:
    """A page as text, for looking at."""
    lines: list[str] = []
    for block in document.blocks:
        match block:
            case Title(text=text, eyebrow=eyebrow, note=note):
                lines.append(" | ".join(part for part in (eyebrow, text, note) if part))
            case Text(markdown=markdown):
                lines.append(markdown)
            case Items(items=items, label=label):
                lines += [label, *(f"- {item}" for item in items)]
            case Utterance(who=who, when=when, markdown=markdown):
                lines.append(f"{who} {when}: {markdown}")
            case Fold(label=label):
                lines.append(f"[{label}]")
            case Choices(choices=choices):
                lines += [f"({choice.label})" for choice in choices]
            case Download(name=name):
                lines.append(f"[file {name}]")
            case Picture(caption=caption):
                lines.append(caption)
            case _:
                assert_never(block)
    return "\n".join(lines)
