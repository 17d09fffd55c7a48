"""What is open: the promises of the card's Horizon, and the open loops of all slices with where they were left.

What a mark calls open is never closed by anybody in so many words, so a mechanical rule says what still stands, and
the rest can always be seen. A loop belongs to the newest slice that names it (the same words: `reader.same`). It is
settled when that slice or a later one has the same words among its decisions. It is faded when each strand of its
slice has gone on in a later closed, marked slice that does not name it any more: whoever takes up all of its topics
again and leaves it out has probably dealt with it. Everything else is open. Faded loops are counted and shown on
request; settled ones are gone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from core.document import Address, Choice, Choices, Document, Items, Text, Title
from core.relative import due, parse_day, slice_instant
from core.slices.model import CLOSED
from core.strands.index import normalise
from core.views.paging import part, turning
from core.views.reader import LINE, clip, same

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from core.card.model import Entry as Promise
    from core.views.reader import Piece, Reader

FADED: Final = "all"
_REF: Final = len("2026/03/09/1842")


@dataclass(frozen=True, slots=True)
class Loop:
    """An open loop: its words, and the newest slice that names it."""

    text: str
    source: Piece


@dataclass(frozen=True, slots=True)
class Loops:
    """What is open and what has faded, each the newest first."""

    open: tuple[Loop, ...] = ()
    faded: tuple[Loop, ...] = ()


def loops_of(pieces: Iterable[Piece]) -> Loops:
    """The loops of all slices by the rule of this module; `pieces` are in the order of talk, oldest first."""
    standing: dict[str, Loop] = {}
    newest: dict[str, str] = {}
    for piece in pieces:
        standing |= {same(loop): Loop(loop, piece) for loop in piece.open_loops if loop.strip()}
        for made in piece.decisions:
            standing.pop(same(made), None)
        if piece.status == CLOSED and (piece.focus or piece.summary):
            newest |= dict.fromkeys(map(normalise, piece.tags), piece.id)
    ordered = sorted(standing.values(), key=lambda loop: loop.source.id, reverse=True)
    parted = [(_stands(loop.source, newest), loop) for loop in ordered]
    return Loops(tuple(loop for stands, loop in parted if stands), tuple(loop for stands, loop in parted if not stands))


def unsettled(piece: Piece) -> tuple[str, ...]:
    """What a slice left open, without what it decided in the same words."""
    settled = set(map(same, piece.decisions))
    return tuple(loop for loop in piece.open_loops if loop.strip() and same(loop) not in settled)


def loops_page(found: Loops, promises: Sequence[Promise], asked: str, page: int, reader: Reader) -> Document:
    """The page of what is open, the promises first; asked for `all`, also what has faded."""
    words = reader.words
    faded = asked == FADED
    listed = found.faded if faded else found.open
    shown, page = part(listed, page)
    address = Address("loops", FADED if faded else "", page)
    title = Title(words("loops.faded" if faded else "loops.title"), note=words("loops.count", n=len(listed)))
    blocks: list[Title | Items | Text | Choices] = [title]
    first = promises if not faded and not page else ()
    if first:
        blocks.append(Items(tuple(_promise(one, reader) for one in first), label=words("loops.promises")))
    if shown:
        lines = tuple(_line(loop, reader) for loop in shown)
        blocks.append(Items(lines, label=words("loops.rule" if faded else "loops.loops")))
    if not shown and not first:
        blocks.append(Text(words("loops.none")))
    sources = dict.fromkeys((*(ref for one in first for ref in _refs(one)), *(loop.source.id for loop in shown)))
    choices = [Choice(one, Address("slice", one)) for one in sources]
    choices += turning(address, len(listed), reader)
    if faded:
        choices.append(Choice(words("loops.back"), Address("loops")))
    elif found.faded:
        choices.append(Choice(words("loops.more", n=len(found.faded)), Address("loops", FADED)))
    return Document((*blocks, Choices(tuple(choices))) if choices else tuple(blocks), address)


def _stands(source: Piece, newest: dict[str, str]) -> bool:
    tags = [tag for one in source.tags if (tag := normalise(one))]
    return not tags or any(newest.get(tag, source.id) <= source.id for tag in tags)


def _line(loop: Loop, reader: Reader) -> str:
    day = reader.day(loop.source)
    return f"↗ {clip(loop.text, LINE)} — {day.isoformat()} · {reader.ago(day)}"


def _promise(promise: Promise, reader: Reader) -> str:
    day = parse_day(promise.by)
    when = f" — {promise.by} · {due(day, reader.today, reader.words)}" if day else ""
    return f"↗ {clip(promise.text, LINE)}{when}"


def _refs(promise: Promise) -> list[str]:
    """The slices that a promise rests on, the first of them."""
    found = [ref[:_REF] for ref in promise.refs if slice_instant(ref[:_REF])]
    return [ref.replace("/", "-") for ref in found[:1]]
