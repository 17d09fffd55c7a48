"""One slice as a page: when, what about, what was said, what stayed open; with the way to its neighbours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from core.clock import instant
from core.document import Address, Block, Choice, Choices, Document, Items, Text, Title, Utterance
from core.relative import local_clock
from core.slices.model import USER
from core.views.reader import LINE, Reader, clip, one_line, title_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.slices.model import Slice, Turn

TURNS_PER_PAGE: Final = 20


def slice_page(piece: Slice, page: int, ids: Sequence[str], reader: Reader) -> Document:
    """The page of a slice; `ids` are all slices in order, for previous and next."""
    words = reader.words
    last = max(0, (len(piece.turns) - 1) // TURNS_PER_PAGE)
    page = max(0, min(page, last))
    title = Title(title_of(piece, words), eyebrow=words("slice.eyebrow"), note=reader.moment(piece))
    blocks: list[Block] = [title]
    if piece.summary and piece.focus and not page:
        blocks.append(Text(f"*{one_line(piece.summary)}*"))
    turns = piece.turns[page * TURNS_PER_PAGE : (page + 1) * TURNS_PER_PAGE]
    blocks.extend(_said(turn, reader) for turn in turns)
    if not piece.turns:
        blocks.append(Text(words("slice.empty")))
    if page == last:
        blocks.extend(_ending(piece, reader))
    blocks.append(Choices(tuple(_ways(piece, page, last, ids, reader))))
    return Document(tuple(blocks), Address("slice", piece.id, page))


def _said(turn: Turn, reader: Reader) -> Utterance:
    moment = instant(turn.at)
    who = reader.words("slice.you" if turn.role == USER else "slice.me")
    return Utterance(who, local_clock(moment, reader.zone) if moment else turn.at, turn.text)


def _ending(piece: Slice, reader: Reader) -> Sequence[Items]:
    sections = (
        ("slice.loops", tuple(f"↗ {clip(loop, LINE)}" for loop in piece.open_loops if loop.strip())),
        ("slice.decisions", tuple(f"✓ {clip(made, LINE)}" for made in piece.decisions if made.strip())),
        ("slice.tags", (clip(" · ".join(piece.tags), LINE),) if piece.tags else ()),
    )
    return [Items(items, label=reader.words(key)) for key, items in sections if items]


def _ways(piece: Slice, page: int, last: int, ids: Sequence[str], reader: Reader) -> Sequence[Choice]:
    words, ways = reader.words, []
    if page:
        ways.append(Choice(words("page.back"), Address("slice", piece.id, page - 1)))
    if page < last:
        ways.append(Choice(words("page.on"), Address("slice", piece.id, page + 1)))
    before = [other for other in ids if other < piece.id]
    after = [other for other in ids if other > piece.id]
    if before:
        ways.append(Choice(words("slice.previous", slice=before[-1]), Address("slice", before[-1])))
    if after:
        ways.append(Choice(words("slice.next", slice=after[0]), Address("slice", after[0])))
    day = reader.day(piece).isoformat()
    ways.append(Choice(words("slice.day", day=day), Address("timeline", day)))
    return ways
