"""A burst: the messages that make one user turn, joined in order (DESIGN 5.3, pains P033 and P035)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from core.slices.filed import heard, named
from core.slices.foreign import quote
from core.slices.notes import marked
from core.slices.text import normalise

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from core.conversation import Incoming
    from core.journal.open_turn import Waiting

PIECE: Final = 4_096
"""Characters of a message that its platform has cut off at the limit: the next one goes on in the middle of it."""


@dataclass(frozen=True, slots=True)
class Burst:
    """One user turn: its id, its messages as they now read, and the ISO instant at which the first was received.

    `filed` has the lines of the files of a message, by its key, once somebody has looked for them; `said` is the whole
    turn as it is stored, once it is.
    """

    turn: str
    messages: tuple[Waiting, ...]
    filed: Mapping[str, Sequence[str]] = field(default_factory=dict)
    said: str = ""

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
        return self.said or joined(stored(one, self.filed.get(one.update.key, ())) for one in self.messages)

    @property
    def own(self) -> str:
        """The person's own words alone, typed or spoken, without what they deleted."""
        typed = [m.update.text for m in self.messages if m.update.text.strip() and not m.deleted]
        return "\n\n".join((*heard(self.said), *typed))

    @property
    def silent(self) -> bool:
        """Whether there is nothing to answer: everything was deleted, or nothing was said."""
        return not any(stored(message) and not message.deleted for message in self.messages)


def stored(message: Waiting, filed: Sequence[str] = ()) -> str:
    """One message as it is stored: marked when it was deleted before."""
    said = wording(message.update, filed)
    return marked(said) if message.deleted else said


def wording(update: Incoming, filed: Sequence[str] = ()) -> str:
    """What a message says: foreign text as a headed quote, a line for each file, then the person's own words.

    `filed` are the lines of its files, where somebody has looked for them.
    """
    parts = []
    if update.forwarded:
        parts.append(quote("forwarded", update.forwarded, normalise(update.foreign)))
    elif update.quoted:
        parts.append(quote("quoted", update.quoted, normalise(update.foreign)))
    parts += filed or [named(file.media, file.name) for file in update.attachments]
    parts.append(normalise(update.text))
    return "\n\n".join(part for part in parts if part.strip())


def joined(parts: Iterable[str]) -> str:
    """Messages as one text, apart by a blank line; a piece that fills its message to the limit has no gap after it."""
    text, gap = "", ""
    for part in filter(None, parts):
        text += f"{gap if text else ''}{part}"
        gap = "" if len(part) == PIECE else "\n\n"
    return text
