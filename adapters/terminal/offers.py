"""What the page shown last offers: numbered choices (`2`) and folds to open (`/2`)."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from core.document import Choices, Fold

if TYPE_CHECKING:
    from collections.abc import Iterator

    from core.document import Block, Choice, Document

_FOLD: Final = re.compile(r"/([0-9]{1,4})\Z", re.ASCII)
_CHOICE: Final = re.compile(r"\d{1,4}\Z")


@dataclass(frozen=True, slots=True)
class Offers:
    """Choices and folds in the order of the page, numbered from 1 each.

    A fold is opened with a stroke before the number, so that a bare number after an answer stays talk.
    """

    choices: tuple[Choice, ...] = field(default=())
    folds: tuple[Fold, ...] = field(default=())

    @classmethod
    def of(cls, document: Document) -> Offers:
        """What that page offers."""
        return cls(
            tuple(choice for block in document.blocks if isinstance(block, Choices) for choice in block.choices),
            tuple(block for block in document.blocks if isinstance(block, Fold)),
        )

    def choice(self, text: str) -> Choice | None:
        """The choice that a typed number or word picks, also in full-width signs; None when it is not on offer."""
        number = numbered_choice(text)
        if number is None:
            said = unicodedata.normalize("NFKC", text.strip()).casefold()
            return next((choice for choice in self.choices if said in choice.typed), None)
        return self.choices[number - 1] if 0 < number <= len(self.choices) else None

    def fold(self, text: str) -> Fold | None:
        """The fold that a typed `/number` opens; None when it is not on offer."""
        found = _FOLD.match(text.strip())
        number = int(found[1]) if found else 0
        return self.folds[number - 1] if 0 < number <= len(self.folds) else None


def numbered_choice(text: str) -> int | None:
    """The number that somebody typed who picks a choice; None for anything else."""
    found = _CHOICE.match(text.strip())
    return int(found[0]) if found else None


def numbered(document: Document) -> Iterator[tuple[Block, int]]:
    """Each block with the number of its first choice, or of itself as a fold (for other blocks it means nothing)."""
    choices = folds = 1
    for block in document.blocks:
        yield block, folds if isinstance(block, Fold) else choices
        if isinstance(block, Choices):
            choices += len(block.choices)
        elif isinstance(block, Fold):
            folds += 1
