"""What a page is on Telegram: parts of text with entities, buttons, files, a picture.

Offsets and lengths are UTF-16 units, as the Bot API counts; they exist nowhere but here (DESIGN 4).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from core.document import Picture

LIMIT: Final = 4096
"""UTF-16 units of a message, and entities of one (ux.md 1.2)."""
ENTITIES: Final = 100
CAPTION: Final = 1024
"""UTF-16 units of the text below a picture."""

Kind = Literal[
    "bold",
    "italic",
    "underline",
    "strikethrough",
    "spoiler",
    "code",
    "pre",
    "text_link",
    "blockquote",
    "expandable_blockquote",
    "date_time",
]


@dataclass(frozen=True, slots=True)
class Entity:
    """A stretch of a part's text that is set in a way; the names are the Bot API's.

    `url` belongs to `text_link`, `language` to `pre`, `unix` (POSIX seconds) and `format` to `date_time`.
    """

    kind: Kind
    offset: int
    length: int
    url: str = ""
    language: str = ""
    unix: int = 0
    format: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """The text of one message: 1 to 4096 UTF-16 units, never blank, with at most 100 entities."""

    text: str
    entities: tuple[Entity, ...] = ()


@dataclass(frozen=True, slots=True)
class Button:
    """A button: `data` is the address of the page that it opens, at most 60 bytes; or `say` is what it says.

    What is said is of any length and has no address: whoever presses it sends `say` as the person's own message.
    """

    label: str
    data: str = ""
    say: str = ""


@dataclass(frozen=True, slots=True)
class NamedFile:
    """A file to send as a document."""

    name: str
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Rendered:
    """A page: at least one part, buttons in rows (they belong below the last part), files and a picture if any."""

    parts: tuple[Part, ...]
    keyboard: tuple[tuple[Button, ...], ...] = ()
    files: tuple[NamedFile, ...] = ()
    picture: Picture | None = None
