"""One slice as a page: when, what about, what was said and thought, what stayed open; with the way to others."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, Final

from core.clock import instant
from core.document import Address, Block, Choice, Choices, Document, Fold, Items, Text, Title, Utterance
from core.relative import local_clock
from core.slices.model import AGENT, USER
from core.slices.notes import DELETED, spoken
from core.views.reader import LINE, Reader, clip, one_line, title_of
from core.views.thoughts import thoughts_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from core.slices.model import Slice, Turn

TURNS_PER_PAGE: Final = 20


def slice_page(
    piece: Slice, page: int, ids: Sequence[str], reader: Reader, log: str = "", moments: Collection[str] = ()
) -> Document:
    """The page of a slice; `ids` are all slices in order, for previous and next, `log` its cognition log.

    `moments` are the turns whose message can be shown in the chat: the first of them on the page is offered.
    """
    words = reader.words
    last = max(0, (len(piece.turns) - 1) // TURNS_PER_PAGE)
    page = max(0, min(page, last))
    mark = "" if piece.closed else words("timeline.open")
    title = Title(title_of(piece, words), eyebrow=words("slice.eyebrow"), note=f"{reader.moment(piece)}{mark}")
    blocks: list[Block] = [title]
    if piece.summary.strip() and piece.focus.strip() and not page:
        blocks.append(Text(f"*{one_line(piece.summary)}*"))
    shown = piece.turns[page * TURNS_PER_PAGE : (page + 1) * TURNS_PER_PAGE]
    for turn in shown:
        blocks.extend(_exchange(turn, log, reader))
    if not piece.turns:
        blocks.append(Text(words("slice.empty")))
    if page == last:
        blocks.extend(_ending(piece, reader))
    first = next((turn.label for turn in shown if turn.id in moments), "")
    jump = (Choice(reader.words("slice.moment"), Address("moment", f"{piece.id}:{first}")),) if first else ()
    blocks.append(Choices((*jump, *_ways(piece, page, last, ids, reader))))
    return Document(tuple(blocks), Address("slice", piece.id, page))


def _exchange(turn: Turn, log: str, reader: Reader) -> Iterator[Block]:
    """A turn as it was said, and below our own what was thought; what the person has deleted is not shown again."""
    moment = instant(turn.at)
    who = reader.words("slice.you" if turn.role == USER else "slice.me")
    said = spoken(turn.text) if turn.role == USER else turn.text
    if turn.role == USER and DELETED in turn.text and said != turn.text:
        said = "\n\n".join(part for part in (said, f"*{reader.words('slice.deleted')}*") if part)
    seconds = int(moment.timestamp()) if moment else 0
    yield Utterance(who, local_clock(moment, reader.zone) if moment else turn.at, said, seconds)
    thoughts = thoughts_of(log, turn.label, reader.words) if turn.role == AGENT and log else ""
    if thoughts:
        yield Fold(reader.words("slice.thoughts"), thoughts)


def _ending(piece: Slice, reader: Reader) -> Sequence[Items]:
    sections = (
        ("slice.loops", tuple(f"↗ {clip(loop, LINE)}" for loop in piece.open_loops if loop.strip())),
        ("slice.decisions", tuple(f"✓ {clip(made, LINE)}" for made in piece.decisions if made.strip())),
        ("slice.tags", (clip(" · ".join(piece.tags), LINE),) if piece.tags else ()),
    )
    return [Items(items, label=reader.words(key)) for key, items in sections if items]


def _ways(piece: Slice, page: int, last: int, ids: Sequence[str], reader: Reader) -> Iterator[Choice]:
    words, day = reader.words, reader.day(piece).isoformat()
    if page:
        yield Choice(words("page.back"), Address("slice", piece.id, page - 1))
    if page < last:
        yield Choice(words("page.on"), Address("slice", piece.id, page + 1))
    before, after = bisect_left(ids, piece.id), bisect_right(ids, piece.id)
    if before:
        yield Choice(words("slice.previous", slice=ids[before - 1]), Address("slice", ids[before - 1]))
    if after < len(ids):
        yield Choice(words("slice.next", slice=ids[after]), Address("slice", ids[after]))
    yield Choice(words("slice.day", day=day), Address("timeline", day))
    yield Choice(words("slice.card"), Address("card", day))
