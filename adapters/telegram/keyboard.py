"""Choices as buttons in rows that a thumb can hit: short labels share a row, long ones have their own."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Final

from adapters.telegram.blocks import line
from adapters.telegram.rendered import Button
from adapters.telegram.units import border_before
from core.document import Choices

if TYPE_CHECKING:
    from collections.abc import Iterator

    from core.document import Choice, Document

BUTTONS: Final = 96
"""Buttons of a message; Telegram takes a hundred (ux.md 1.2)."""
ACROSS: Final = {1: 60, 2: 18, 3: 10}
"""How wide each label may be, in cells, with so many in a row."""
_BACK: Final = "‹"
"""With which the way back begins: it opens a row, so that it stands beside the way on."""
LABEL: Final = 60
"""Code points of a label."""


def keyboard(document: Document, *more: Choice) -> tuple[tuple[Button, ...], ...]:
    """The rows for all choices of a page, in their order; `more` stand in a row of their own below."""
    groups = [block for block in document.blocks if isinstance(block, Choices)]
    groups += [Choices(more)] if more else []
    rows, left = [], BUTTONS
    for group in groups:
        for row in _rows(group):
            if left >= len(row):
                rows.append(row)
                left -= len(row)
    return tuple(rows)


def _rows(group: Choices) -> Iterator[tuple[Button, ...]]:
    row: list[Button] = []
    for button in (button for choice in group.choices if (button := _button(choice))):
        wanted = len(row) + 1
        widest = max(map(_width, (*(one.label for one in row), button.label)))
        if row and (wanted not in ACROSS or widest > ACROSS[wanted] or button.label.startswith(_BACK)):
            yield tuple(row)
            row = []
        row.append(button)
    if row:
        yield tuple(row)


def _button(choice: Choice) -> Button | None:
    label = line(choice.label)
    label = label if len(label) <= LABEL else f"{label[: border_before(label, LABEL - 1)]}…"
    if choice.address:
        return Button(label or "›", data=choice.address.encode())
    return Button(label or "›", say=choice.say) if choice.say.strip() else None


def _width(label: str) -> int:
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in label)
