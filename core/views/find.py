"""Finding text: plain substring and word search over what was said, in any script."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Final

from core.document import Address, Choice, Choices, Document, Items, Text, Title
from core.slices.notes import spoken
from core.views.reader import LINE, Reader, clip, title_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.slices.model import Slice

MOST: Final = 10
AROUND: Final = 60


def folded(text: str) -> str:
    """The text as it is compared: NFKC, case folded."""
    return unicodedata.normalize("NFKC", text).casefold()


def excerpt(text: str, query: str) -> str | None:
    """The surroundings of the query in the text, on one line, or None when it does not hold all of its words."""
    plain, wanted = folded(text), folded(query).split()
    if not wanted or not all(word in plain for word in wanted):
        return None
    whole = plain.find(" ".join(wanted))
    at = whole if whole >= 0 else plain.find(wanted[0])
    source = text if len(plain) == len(text) else plain
    start, end = max(0, at - AROUND), at + len(folded(query)) + AROUND
    cut = " ".join(source[start:end].split())
    return f"{'…' if start else ''}{cut}{'…' if end < len(source) else ''}"


def hits(piece: Slice, query: str) -> Sequence[str]:
    """Where the query stands in a slice: its focus and summary, then its turns."""
    texts = (piece.focus, piece.summary, *(spoken(turn.text) for turn in piece.turns))
    return [found for text in texts if text and (found := excerpt(text, query))]


def find_page(query: str, found: Sequence[tuple[Slice, Sequence[str]]], reader: Reader) -> Document:
    """The page of what was found, newest slice first; `found` pairs slices with their excerpts."""
    words = reader.words
    if not query.strip():
        return Document((Text(words("find.how")),))
    title = Title(words("find.title", query=clip(query, LINE)), note=words("find.count", n=len(found)))
    if not found:
        return Document((title, Text(words("find.nothing"))))
    newest = sorted(found, key=lambda pair: pair[0].id, reverse=True)[:MOST]
    blocks = [
        Items(tuple(excerpts[:2]), label=f"{piece.id} · {reader.clock(piece)} · {title_of(piece, words)}")
        for piece, excerpts in newest
    ]
    choices = Choices(tuple(Choice(clip(f"{p.id} {title_of(p, words)}"), Address("slice", p.id)) for p, _ in newest))
    return Document((title, *blocks, choices))
