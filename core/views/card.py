"""The card as it stands, and a note when there is none yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.document import Address, Document, Text, Title
from core.relative import annotate_card

if TYPE_CHECKING:
    from core.views.reader import Reader


def card_page(text: str, reader: Reader) -> Document:
    """The live card with distances behind its dates, or a sentence that it is still empty."""
    if not text.strip():
        return Document((Title(reader.words("view.card")), Text(reader.words("view.card.none"))), Address("card"))
    return Document((Text(annotate_card(text.strip(), reader.today, reader.words)),), Address("card"))
