"""A page in any case: how it looks must never cost what it says (ux.md 3, "never lose an answer to formatting")."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from adapters.telegram.keyboard import keyboard
from adapters.telegram.parting import part_of, parted
from adapters.telegram.prepass import clean
from adapters.telegram.render import render
from adapters.telegram.rendered import NamedFile, Part, Rendered
from adapters.telegram.styled import plain
from core.document import Download, Fold, Items, Picture, Text, Title, Utterance

if TYPE_CHECKING:
    from core.document import Block, Document
    from core.i18n import Words

_log = logging.getLogger("previously.telegram")


def safely(document: Document, words: Words) -> Rendered:
    """The page as it should look; as plain text when that fails, with its buttons and files."""
    try:
        return render(document, words)
    except Exception:  # noqa: BLE001 - a model may write anything; logged with its traceback
        _log.exception("a page is shown as plain text")
    text = clean("\n\n".join(said for block in document.blocks if (said := _said(block).strip())))
    parts = tuple(map(part_of, parted(plain(text)))) if text.strip() else ()
    files = tuple(NamedFile(one.name, one.data) for one in document.blocks if isinstance(one, Download))
    return Rendered(parts or (Part("…"),), keyboard(document), files)


def _said(block: Block) -> str:  # noqa: PLR0911 - one line per kind of block
    match block:
        case Title():
            return "\n".join(part for part in (block.eyebrow, block.text, block.note) if part)
        case Text():
            return block.markdown
        case Items():
            return "\n".join((block.label, *(f"• {item}" for item in block.items))).strip()
        case Utterance():
            return f"{block.who} {block.when}\n{block.markdown}"
        case Fold():
            return f"{block.label}\n{block.markdown}"
        case Picture():
            return block.caption
        case _:
            return ""
