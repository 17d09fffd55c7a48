"""The person in front of the house, who remembers what was said: what memory and chat are compared with."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from core.conversation import Attachment
from tests.doubles.chat import World
from tests.doubles.clock import ManualClock

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.conversation import Incoming


PICTURE = b"\xff\xd8\xff\xe0 a picture \x00\xff\xd9"


def unheeded(updates: list[Incoming]) -> None:
    """Nobody looks when the platform forgets."""


@dataclass
class Person(World):
    """A world with a diary. Every message holds one token like `<m1>`, by which it is told from every other.

    `order` are the tokens in the order in which they were said, `edited` the last edit's token by the message's,
    `hushed` the messages that were taken back before an answer could be expected. `lives` counts the processes that
    served, `refused` the updates that one of them could not keep. `heed` is called when the platform may forget.
    `remote` is what stands in a world beside the platform: the commit of each branch of their repository.
    """

    said: dict[str, Incoming] = field(default_factory=dict)
    order: list[str] = field(default_factory=list)
    edited: dict[str, str] = field(default_factory=dict)
    hushed: set[str] = field(default_factory=set)
    commands: list[str] = field(default_factory=list)
    lives: int = 0
    refused: int = 0
    heed: Callable[[list[Incoming]], None] = unheeded
    remote: dict[str, str] = field(default_factory=dict)

    def tell(self, name: str, text: str = "{}", pause: float = 0) -> Incoming:
        """Say something, after a pause in seconds."""
        self.clock.shift(pause)
        self.said[name] = self.say(text.format(f"<{name}>"))
        self.order.append(name)
        return self.said[name]

    def send(self, name: str, text: str = "{}", pause: float = 0, group: str = "") -> Incoming:
        """Send a picture with a caption, after a pause in seconds."""
        self.clock.shift(pause)
        self.files[name] = PICTURE
        picture = (Attachment(f"{name}.jpg", "image/jpeg", len(PICTURE), name),)
        self.said[name] = self.say(text.format(f"<{name}>"), group=group, attachments=picture)
        self.order.append(name)
        return self.said[name]

    def command(self, text: str, pause: float = 0) -> None:
        """Type a command."""
        self.clock.shift(pause)
        self.commands.append(text)
        self.say(text)

    def mend(self, name: str, token: str) -> None:
        """Edit what was said."""
        self.edited[name] = token
        self.edit(self.said[name], f"mended <{token}>")

    def take_back(self, name: str) -> None:
        """Delete what was said."""
        self.delete(self.said[name])

    def repeat(self, name: str) -> None:
        """The platform delivers a message for a second time."""
        self.deliver(self.said[name])

    def acknowledge(self, updates: list[Incoming]) -> None:
        """The platform may forget these; whoever looks after the promise looks now (P1)."""
        self.heed(updates)
        super().acknowledge(updates)

    def twin(self) -> Person:
        """The same person at this moment, whose life goes on apart, with a clock of its own."""
        clock = ManualClock(self.clock.now().isoformat(), instant=True)
        clock._elapsed = self.clock.monotonic()
        return replace(
            self,
            clock=clock,
            queue=list(self.queue),
            messages=dict(self.messages),
            history=list(self.history),
            said=dict(self.said),
            order=list(self.order),
            edited=dict(self.edited),
            hushed=set(self.hushed),
            commands=list(self.commands),
            remote=dict(self.remote),
            heed=unheeded,
            _arrived=asyncio.Event(),
        )

    def mark(self) -> tuple[object, ...]:
        """Equal for persons for whom everything would go on in the same way."""
        waiting = tuple((one.key, one.kind, one.edited, one.sent) for one in self.queue)
        seen = (tuple(self.messages.items()), tuple(self.remote.items()))
        return (waiting, *seen, self._next, self.clock.now(), tuple(self.order), self.lives)
