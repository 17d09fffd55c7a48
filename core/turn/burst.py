"""A burst: the messages that make one user turn, joined in order (DESIGN 5.3, pains P033 and P035)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from core.slices.foreign import quote
from core.slices.notes import marked
from core.slices.text import normalise

if TYPE_CHECKING:
    from collections.abc import Iterable

    from core.conversation import Attachment, Incoming
    from core.journal.open_turn import Waiting

_LINKING: Final = re.compile(r"[/\\<>\[\]`]+")

PIECE: Final = 4_096
"""Characters of a message that its platform has cut off at the limit: the next one goes on in the middle of it."""


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
        """The turn as it is stored: messages a blank line apart, deleted ones marked; a split paste is whole."""
        return joined(map(stored, self.messages))

    @property
    def own(self) -> str:
        """The person's own words alone, without what they deleted."""
        return "\n\n".join(m.update.text for m in self.messages if m.update.text.strip() and not m.deleted)

    @property
    def silent(self) -> bool:
        """Whether there is nothing to answer: everything was deleted, or nothing was said."""
        return not any(stored(message) and not message.deleted for message in self.messages)


def stored(message: Waiting) -> str:
    """One message as it is stored: marked when it was deleted before."""
    return marked(wording(message.update)) if message.deleted else wording(message.update)


def wording(update: Incoming) -> str:
    """What a message says: foreign text as a headed quote, a line for each attachment, then the person's own words."""
    parts = []
    if update.forwarded:
        parts.append(quote("forwarded", update.forwarded, normalise(update.foreign)))
    elif update.quoted:
        parts.append(quote("quoted", update.quoted, normalise(update.foreign)))
    parts += map(_named, update.attachments)
    parts.append(normalise(update.text))
    return "\n\n".join(part for part in parts if part.strip())


def joined(parts: Iterable[str]) -> str:
    """Messages as one text, apart by a blank line; a piece that fills its message to the limit has no gap after it."""
    text, gap = "", ""
    for part in filter(None, parts):
        text += f"{gap if text else ''}{part}"
        gap = "" if len(part) == PIECE else "\n\n"
    return text


def _named(file: Attachment) -> str:
    """A line for a file; its name, which a stranger may have chosen, can neither be a link nor end the line."""
    line = f"{file.media}: {_LINKING.sub('_', file.name)}"
    return f"[{' '.join(line.split())}]"
