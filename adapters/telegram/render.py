"""What a page looks like on Telegram: pure. Text goes out as text and entities, never with a parse mode (ux.md 0.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, assert_never

from adapters.telegram.blocks import body, fold, items, line, title, utterance
from adapters.telegram.codefiles import without_long_code
from adapters.telegram.keyboard import keyboard
from adapters.telegram.parting import part_of, parted
from adapters.telegram.rendered import ENTITIES, LIMIT, NamedFile, Part, Rendered
from adapters.telegram.styled import Styled, joined, marked, plain
from adapters.telegram.units import units
from core.document import Address, Choice, Choices, Download, Fold, Items, Picture, Text, Title, Utterance

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.document import Block, Document
    from core.i18n import Words

FOLD: Final = 900
"""UTF-16 units of a fold (ux.md 9.2); what is longer is cut, and the page of `/why` is offered."""
_BETWEEN: Final = "\n\n"
_EMPTY: Final = Part("…")


def render(document: Document, words: Words) -> Rendered:
    """The page: at least one part; choices as buttons; files; a picture to draw with `adapters.pictures`.

    Folds at the end of an answer take what room its last part has: they are cut, the answer never is, and no message
    is sent for them alone.
    """
    blocks = [block for block in document.blocks if not isinstance(block, Choices | Download)]
    count = len(blocks)
    while count and isinstance(blocks[count - 1], Fold):
        count -= 1
    tail = [block for block in blocks[count:] if isinstance(block, Fold)] if count else []
    shown, files = without_long_code(_joined(blocks[:count] if count else blocks, document), words)
    parts = parted(shown)
    folded, cut = _below(parts[-1] if parts else plain(""), tail, document)
    parts = [*parts[:-1], folded] if folded.text else parts
    files += tuple(NamedFile(one.name, one.data) for one in document.blocks if isinstance(one, Download))
    more = (Choice(words("telegram.why"), Address("why")),) if cut else ()
    picture = next((block for block in document.blocks if isinstance(block, Picture)), None)
    return Rendered(tuple(map(part_of, parts)) or (_EMPTY,), keyboard(document, *more), files, picture)


def plainly(part: Part) -> Part:
    """The same text set in no way: what is sent when Telegram refuses the entities."""
    return Part(part.text)


def _joined(blocks: Sequence[Block], document: Document) -> Styled:
    return joined((_block(block, document) for block in blocks), _BETWEEN)


def _block(block: Block, document: Document) -> Styled:  # noqa: PLR0911 - one line per kind of block
    match block:
        case Title():
            return title(block)
        case Text():
            return body(block.markdown, document.unknown)
        case Items():
            return items(block, document.unknown)
        case Utterance():
            return utterance(block, document.unknown)
        case Fold():
            return fold(block, FOLD, document.unknown)
        case Picture():
            return marked(line(block.caption), "italic")
        case Choices() | Download():
            return plain("")
        case _:
            assert_never(block)


def _below(last: Styled, folds: Sequence[Fold], document: Document) -> tuple[Styled, bool]:
    """The last part with the folds below it, and whether any of them had to be cut."""
    cut = False
    for number, block in enumerate(folds):
        room = LIMIT - units(last.text) - (len(folds) - number) * len(_BETWEEN)
        share = min(FOLD, room // (len(folds) - number))
        shown = fold(block, share, document.unknown)
        whole = fold(block, LIMIT, document.unknown)
        spare = ENTITIES - len(last.spans)
        shown = Styled(shown.text, shown.spans[:spare])
        cut = cut or shown.text != whole.text
        last = joined((last, shown), _BETWEEN)
    return last, cut
