"""The platform port: what comes in, what is shown, and who is told what was sent.

`Incoming` is what a platform hands over; it is journalled as it stands. `TurnEvent` is what a presenter shows. The core
pushes events and never asks a platform anything (DESIGN 3).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from core.document import Document

Surface = Literal["terminal", "telegram", "discord", "double"]
ToolState = Literal["running", "completed", "error", "interrupted", "denied"]


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that came with a message: `ref` is the platform's handle to fetch it, `size` in bytes (0: unknown)."""

    name: str
    media: str
    size: int = 0
    ref: str = ""


@dataclass(frozen=True, slots=True)
class Incoming:
    """One message, edit or deletion from the owner, in the platform's order.

    `key` names the message for ever (`tg:<chat>:<id>`, `dc:<channel>:<id>`); an edit or deletion carries the key of the
    message that it is about, and `edited` tells several edits apart. `quoted` and `forwarded` hold the origin line of
    text that is not the person's own; `foreign` is that text, `reply_to` the key of the message that is answered.
    `group` joins an album. A pressed button is a message of its own (`tgq:<chat>:<id>`, `dcq:<channel>:<id>`);
    `replaces` is then the platform's id of the message in whose place its page is shown. `away` marks what was said
    while no process listened. `place` is a shared place and nothing else, as `latitude,longitude` in degrees, which the
    journal does not keep.
    """

    key: str
    surface: Surface
    chat: str
    sent: datetime
    text: str
    kind: Literal["message", "edit", "deletion"] = "message"
    edited: str = ""
    locale: str = ""
    zone: str = ""
    group: str = ""
    forwarded: str = ""
    quoted: str = ""
    foreign: str = ""
    reply_to: str = ""
    replaces: str = ""
    away: bool = False
    place: str = ""
    attachments: tuple[Attachment, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class TextAdded:
    """More text of the answer being written."""

    text: str


@dataclass(frozen=True, slots=True)
class ThinkingAdded:
    """More of the model's reasoning, shown folded if at all."""

    text: str


@dataclass(frozen=True, slots=True)
class ToolChanged:
    """A tool call changed its state; `label` is a line in the person's language, `detail` Markdown for a fold."""

    call: str
    state: ToolState
    label: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Noted:
    """A short line about the conversation itself (a slice closed, the card changed), in the person's language."""

    text: str


@dataclass(frozen=True, slots=True)
class Paged:
    """A page to show: the answer to a command, a briefing. `quiet` asks for no notification.

    A `live` page will be shown in another form later: a presenter whose platform can edit messages tells the outbox
    which one it has become, as a part that is no answer's.

    `reply_to` is the key of an older message: the page is then a short reply to it, so that a tap on what it answers
    leads to that moment in the chat. A page that cannot be shown as a reply is shown all the same.
    """

    document: Document
    quiet: bool = False
    reply_to: str = ""
    live: bool = False


@dataclass(frozen=True, slots=True)
class Finished:
    """The answer is complete and stored; `document` is all of it, to be shown in place of what was streamed."""

    document: Document


@dataclass(frozen=True, slots=True)
class Failed:
    """No answer could be had; `document` says so in a human sentence. The person's words are kept."""

    document: Document


TurnEvent = TextAdded | ThinkingAdded | ToolChanged | Noted | Paged | Finished | Failed


class Presenter(Protocol):
    """Shows the events of one turn on one platform."""

    async def show(self, event: TurnEvent) -> None:
        """Show it. Returns when a `Finished`, `Failed` or `Paged` has reached the platform; raises when it has not."""


class Outbox(Protocol):
    """The journal of what was sent, so that a restarted turn edits its message instead of sending another (R8)."""

    def sent(self, turn: str, part: int) -> str | None:
        """The platform's id of that part of a turn's answer, if one was recorded."""

    async def note(self, turn: str, part: int, message: str) -> None:
        """Record durably that the part is now the platform's message with that id."""


class Sayings(Protocol):
    """What buttons say, where that is too long for a button of the platform; it outlasts the process."""

    def keep(self, text: str) -> str:
        """A short name for that text, in hex digits; "" when it could not be kept."""

    def find(self, name: str) -> str:
        """The text of that name, "" when it is not kept any more."""


class Inbox(Protocol):
    """The single door from all platforms."""

    async def accept(self, updates: Sequence[Incoming]) -> None:
        """Take updates of the owner. When this returns they are durable, and only then may the platform forget them.

        Raises `StorageError` when they could not be kept: the platform must deliver them again.
        """


class Owners(Protocol):
    """Who may speak: one person per surface, known by the platform's numeric id (DESIGN 7)."""

    def owner(self, surface: Surface) -> str | None:
        """The numeric id of the owner, None while nobody has claimed the bot there."""

    def claim(self, surface: Surface, person: str, code: str) -> bool:
        """Make that person the owner if the one-time code is right and still young; whether it was.

        Raises `StorageError` when the claim could not be kept.
        """


class Platform(Protocol):
    """What the process needs of a platform adapter."""

    @property
    def surface(self) -> Surface:
        """Which surface this is."""

    def presenter(self, chat: str, turn: str, outbox: Outbox, replaces: str = "") -> Presenter:
        """A presenter for one turn, also for one that an earlier process left unfinished.

        With `replaces` a page is shown in place of that message of the platform, while it can be edited.
        """

    async def fetch(self, chat: str, attachment: Attachment) -> bytes:
        """The bytes of a file that came with a message. Raises `PlatformTrouble`, and `TooLarge` for good."""

    async def serve(self, inbox: Inbox) -> None:
        """Receive until cancelled, or until the person leaves."""
