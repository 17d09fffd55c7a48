"""Finding text: plain substring and word search over what was said, in any script."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final

from core.document import Address, Choice, Choices, Document, Items, Text, Title
from core.slices.notes import spoken
from core.views.reader import LINE, Reader, clip, title_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from core.slices.model import Slice

MOST: Final = 10
"""How many slices a page shows, the newest ones."""
MANY: Final = 100
"""From so many on, further ones are not looked for."""
AROUND: Final = 60
_ESCAPES: Final = re.compile(r"[\\'\"\n#<]")
"""Signs that a slice file may write in another way than they were said."""


def folded(text: str) -> str:
    """The text as it is compared: NFKC, case folded."""
    return text.lower() if text.isascii() else unicodedata.normalize("NFKC", text).casefold()


def may_hold(raw: str, query: str) -> bool:
    """Whether a slice file may say the query: a fast look at its text, which is never wrong when it says no."""
    if "\\u" in raw or "\\U" in raw or "\\x" in raw:
        return True
    plain = folded(raw)
    return all(part in plain for word in folded(query).split() for part in _ESCAPES.split(word))


def excerpt(text: str, query: str) -> str | None:
    """The surroundings of the query in the text, on one line, or None when it does not hold all of its words."""
    plain, wanted = folded(text), folded(query).split()
    if not wanted or not all(word in plain for word in wanted):
        return None
    source, places = (text, None) if len(plain) == len(text) else (text, _places(text))
    if places:
        plain = "".join(sign for sign, _ in places)
    whole = plain.find(" ".join(wanted))
    at = max(0, whole if whole >= 0 else plain.find(wanted[0]))
    end = at + len(" ".join(wanted))
    if places:
        origins = [origin for sign, origin in places for _ in sign]
        at, end = origins[min(at, len(origins) - 1)], (*origins, len(text))[min(end, len(origins))]
    start, stop = max(0, at - AROUND), end + AROUND
    cut = " ".join(source[start:stop].split())
    return f"{'…' if start else ''}{cut}{'…' if stop < len(source) else ''}"


def hits(piece: Slice, query: str) -> Sequence[str]:
    """Where the query stands in a slice: its focus and summary, then its turns without what was deleted."""
    texts = (piece.focus, piece.summary, *(spoken(turn.text) for turn in piece.turns))
    return [found for text in texts if text and (found := excerpt(text, query))]


def find_page(query: str, found: Iterable[tuple[Slice, Sequence[str]]], reader: Reader) -> Document:
    """The page of what was found, newest slice first; `found` pairs slices with their excerpts."""
    words = reader.words
    if not query.strip():
        return Document((Text(words("find.how")),))
    newest = sorted(found, key=lambda pair: pair[0].id, reverse=True)
    count = words("find.many" if len(newest) >= MANY else "find.count", n=len(newest))
    title = Title(words("find.title", query=clip(query, LINE)), note=count)
    if not newest:
        return Document((title, Text(words("find.nothing"))))
    blocks: list[Items | Text] = [
        Items(
            tuple(excerpts[:2]),
            label=f"{reader.named(reader.day(piece))} {reader.clock(piece)} · {title_of(piece, words)}",
        )
        for piece, excerpts in newest[:MOST]
    ]
    if len(newest) > MOST:
        blocks.append(Text(words("find.more", n=len(newest) - MOST)))
    choices = tuple(
        Choice(clip(f"{piece.id} {title_of(piece, words)}"), Address("slice", piece.id)) for piece, _ in newest[:MOST]
    )
    return Document((title, *blocks, Choices(choices)))


def _places(text: str) -> list[tuple[str, int]]:
    """The signs of a text, each with its marks as it is compared, and where it stands."""
    starts = [at for at, sign in enumerate(text) if not at or not unicodedata.category(sign).startswith("M")]
    ends = [*starts[1:], len(text)]
    return [(folded(text[start:end]), start) for start, end in zip(starts, ends, strict=True)]
