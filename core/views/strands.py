"""Strands as pages: all topics by when they were last seen, and one topic with its slices.

A button cannot carry every name (an address is short ASCII), so a name that does not fit is named by a digest of its
normal form. The digest of a strand never changes, so old buttons work as long as the strand lives.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from core.document import Address, Choice, Choices, Document, Items, Text, Title
from core.relative import day_of, slice_instant
from core.strands.index import match, normalise
from core.views.paging import part, turning
from core.views.reader import LINE, clip, title_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from core.strands.codec import Index
    from core.views.reader import Piece, Reader

SUGGESTED: Final = 6
ALIKE: Final = 0.6
_PLAIN: Final = re.compile(r"[a-z0-9_.-]{1,40}\Z", re.ASCII)
_PAGE: Final = re.compile(r"[0-9]{1,3}\Z", re.ASCII)
_DIGEST: Final = re.compile(r":[0-9a-f]{12}\Z", re.ASCII)


def code_of(name: str) -> str:
    """What an address says for a strand: its name where that fits and cannot be taken for a page, else a digest."""
    plain = normalise(name)
    if _PLAIN.match(plain) and not _PAGE.match(plain):
        return plain
    return f":{sha256(plain.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"


def named(index: Index, aliases: Mapping[str, str], asked: str) -> tuple[str | None, int]:
    """The strand that was asked for, by name or by what an address says for it, and the page; None when unknown.

    A name that became part of another strand leads there.
    """
    text, page = asked.strip(), 0
    found = _found(index, aliases, text)
    head, _, last = text.rpartition(" ")
    if found is None and head and _PAGE.match(last):
        found, page = _found(index, aliases, head.strip()), max(int(last) - 1, 0)
    return found, page


def is_code(asked: str) -> bool:
    """Whether that is what an address says, so that not finding it means that the button is too old."""
    return _DIGEST.match(asked.partition(" ")[0]) is not None


def strands_page(index: Index, page: int, reader: Reader) -> Document:
    """All strands, the one seen last first, with how many slices each has."""
    words = reader.words
    keys = by_last_seen(index)
    shown, page = part(keys, page)
    address = Address("strands", "", page)
    title = Title(words("strands.title"), note=words("strands.count", n=len(keys)))
    if not keys:
        return Document((title, Text(words("strands.empty"))), address)
    lines = tuple(f"**{clip(key, LINE)}** · {_seen(index[key], reader)}" for key in shown)
    choices = [_choice(key) for key in shown] + turning(address, len(keys), reader)
    return Document((title, Items(lines), Choices(tuple(choices))), address)


def strand_page(name: str, pieces: Sequence[Piece], page: int, reader: Reader) -> Document:
    """A strand with its slices, the newest first; `pieces` may come in any order."""
    words = reader.words
    newest = sorted(pieces, key=lambda piece: piece.id, reverse=True)
    shown, page = part(newest, page)
    address = Address("strand", code_of(name), page)
    title = Title(clip(name, LINE), eyebrow=words("strands.one"), note=words("timeline.slices", n=len(newest)))
    if not newest:
        return Document((title, Text(words("timeline.nothing"))), address)
    lines = tuple(f"{reader.named(reader.day(piece))} · {title_of(piece, words)}" for piece in shown)
    choices = [Choice(clip(f"{piece.id} {title_of(piece, words)}"), Address("slice", piece.id)) for piece in shown]
    choices += turning(address, len(newest), reader)
    choices.append(Choice(words("strands.all"), Address("strands")))
    return Document((title, Items(lines), Choices(tuple(choices))), address)


def unknown_page(index: Index, asked: str, reader: Reader) -> Document:
    """That there is no such strand (any more), and those that it may have meant."""
    words = reader.words
    if is_code(asked):
        text = words("strands.gone")
    else:
        text = words("strands.unknown", name=clip(asked, LINE)) if asked.strip() else words("strands.how")
    meant = [] if is_code(asked) else suggestions(index, asked)
    choices = [_choice(key) for key in meant or by_last_seen(index)[:SUGGESTED]]
    choices.append(Choice(words("strands.all"), Address("strands")))
    return Document((Text(text), Choices(tuple(choices))))


def by_last_seen(index: Index) -> list[str]:
    """The strands, the one whose newest slice is the newest first; those alike keep the order of the index."""
    return sorted(index, key=lambda key: max(index[key], default=""), reverse=True)


def suggestions(index: Index, asked: str) -> list[str]:
    """Strands that hold what was asked for, or that it holds, or that are spelled much like it."""
    wanted = normalise(asked)
    if not wanted:
        return []
    spelled = {normalise(key): key for key in by_last_seen(index)}
    holding = [key for plain, key in spelled.items() if wanted in plain or (len(plain) > 1 and plain in wanted)]
    close = [spelled[plain] for plain in get_close_matches(wanted, spelled, SUGGESTED, ALIKE)]
    return list(dict.fromkeys((*holding, *close)))[:SUGGESTED]


def _found(index: Index, aliases: Mapping[str, str], text: str) -> str | None:
    if _DIGEST.match(text):
        return next((key for key in index if code_of(key) == text), None)
    found = match(index, text)
    seen: set[str] = set()
    plain = normalise(text)
    while found is None and plain in aliases and plain not in seen:
        seen.add(plain)
        plain = normalise(aliases[plain])
        found = match(index, plain)
    return found


def _choice(key: str) -> Choice:
    return Choice(clip(key), Address("strand", code_of(key)))


def _seen(paths: Sequence[str], reader: Reader) -> str:
    words = reader.words
    count, moment = words("timeline.slices", n=len(paths)), slice_instant(max(paths, default=""))
    if moment is None:
        return count
    day = day_of(moment, reader.zone)
    when = words("relative.dayed", weekday=reader.named(day), text=reader.ago(day))
    return words("strands.line", slices=count, last=words("strands.last", when=when))
