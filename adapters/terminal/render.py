"""What a document looks like in a terminal of a given width: pure, in colour or plain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from adapters.terminal.coloured import coloured, coloured_fold, dim
from adapters.terminal.neutral import neutral
from adapters.terminal.plain import plain, plain_fold

if TYPE_CHECKING:
    from core.document import Document, Fold


@dataclass(frozen=True, slots=True)
class Look:
    """How a terminal shows text: `width` in cells (0, plain only: lines are not wrapped), and whether in colour."""

    width: int = 0
    colour: bool = False


def render(document: Document, look: Look, *, failed: bool = False) -> str:
    """The page as text without a newline at its end; choices read `[1] label`, folds `▸ label  /1`.

    A plain page holds no control character but the newline; one in colour only adds escapes that set colours. A
    `failed` page is set apart in colour.
    """
    if look.colour:
        return coloured(document, look.width, "yellow" if failed else "none")
    return plain(document, look.width)


def render_fold(fold: Fold, look: Look) -> str:
    """The fold, opened, in the same form."""
    return coloured_fold(fold, look.width) if look.colour else plain_fold(fold, look.width)


def render_aside(text: str, look: Look) -> str:
    """A short text about the conversation itself, in the same form."""
    return dim(text, look.width) if look.colour else neutral(text)
