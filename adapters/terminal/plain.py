"""A document as plain text: no escapes, Markdown as it was written, the same bytes every time."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from rich.cells import cell_len

from adapters.terminal.heat import heat
from adapters.terminal.neutral import neutral, neutral_line
from adapters.terminal.offers import numbered
from adapters.terminal.wrap import wrap_line, wrap_markdown
from core.document import Choices, Download, Fold, Items, Picture, Text, Title, Utterance

if TYPE_CHECKING:
    from core.document import Block, Document


def plain(document: Document, width: int) -> str:
    """The document's blocks with a blank line between them; prose is wrapped at `width` cells (0: not at all)."""
    blocks = ("\n".join(_block(block, number, width)).strip("\n") for block, number in numbered(document))
    return "\n\n".join(block for block in blocks if block)


def plain_fold(fold: Fold, width: int) -> str:
    """A fold, opened."""
    return "\n".join((*wrap_line(f"▾ {neutral_line(fold.label)}", width), wrap_markdown(neutral(fold.markdown), width)))


def _block(block: Block, number: int, width: int) -> list[str]:  # noqa: PLR0911 - a table of blocks
    match block:
        case Title():
            return _title(block, width)
        case Text():
            return [wrap_markdown(neutral(block.markdown), width)]
        case Items():
            label = wrap_line(neutral_line(block.label), width) if block.label else []
            return [*label, *(row for item in block.items for row in wrap_line(f"- {neutral_line(item)}", width))]
        case Utterance():
            head = " · ".join(part for part in (neutral_line(block.who), neutral_line(block.when)) if part)
            return [*wrap_line(head, width), wrap_markdown(neutral(block.markdown), width)]
        case Fold():
            return wrap_line(f"▸ {neutral_line(block.label)}  /{number}", width)
        case Choices():
            labels = enumerate((neutral_line(choice.label) for choice in block.choices), number)
            return [row for position, label in labels for row in wrap_line(f"[{position}] {label}", width)]
        case Picture():
            return [*wrap_line(neutral_line(block.caption), width), "", *heat(block)]
        case Download():
            return wrap_line(f"⤓ {neutral_line(block.name)}", width)
        case _:
            assert_never(block)


def _title(title: Title, width: int) -> list[str]:
    lines = wrap_line(neutral_line(title.text), width)
    rule = "─" * max(map(cell_len, lines))
    above = wrap_line(neutral_line(title.eyebrow), width) if title.eyebrow else []
    below = wrap_line(neutral_line(title.note), width) if title.note else []
    return [*above, *lines, rule, *below]
