"""A burst: the messages that make one user turn, joined in order (DESIGN 5.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.slices.foreign import quote
from core.slices.text import normalise

if TYPE_CHECKING:
    from core.conversation import Incoming
    from core.journal.open_turn import Waiting


@dataclass(frozen=True, slots=True)
class Burst:
    """One user turn: its id, its messages as they now read, and the ISO instant at which the first was received."""

    turn: str
    messages: tuple[Waiting, ...]

    @property
    def first(self) -> Incoming:
        """The message that the turn is named after."""
        return self.messages[0].update

    @property
    def at(self) -> str:
        """When the first message was received."""
        return self.messages[0].first.at

    @property
    def tags(self) -> tuple[str, ...]:
        """What the plan names, so that the journal knows which versions were stored."""
        return tuple(message.tag for message in self.messages)

    @property
    def text(self) -> str:
        """The turn as it is stored: messages apart by a blank line, deleted ones marked."""
        return "\n\n".join(part for part in map(stored, self.messages) if part)

    @property
    def own(self) -> str:
        """The person's own words alone, without what they deleted."""
        return "\n\n".join(m.update.text for m in self.messages if m.update.text.strip() and not m.deleted)

    @property
    def silent(self) -> bool:
        """Whether there is nothing to answer: everything was deleted, or nothing was said."""
        return not any(stored(message) and not message.deleted for message in self.messages)


def stored(message: Waiting) -> str:
    """One message as it is stored: foreign text as headed quotes, then the person's own words."""
    update = message.update
    parts = []
    if update.quoted:
        parts.append(quote("quoted", update.quoted, normalise(update.foreign)))
    if update.forwarded:
        parts.append(quote("forwarded", update.forwarded, normalise(update.foreign)))
    parts += [f"[{one.media}: {one.name}]" for one in update.attachments]
    parts.append(normalise(update.text))
    text = "\n\n".join(part for part in parts if part.strip())
    if not message.deleted or not text:
        return text
    return "\n\n".join(f"[deleted] {block}" for block in text.split("\n\n"))
