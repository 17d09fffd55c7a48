"""What a model reads of a slice: a part of it, a summary, a window over many. English framing, no user-visible words.

The modes are the original's (original.md 2.12) with its faults mended: every match of a search is shown, `last` never
turns into "all", bounds that are missing mean the edges. Deleted messages are left out, and headers inside messages
stay escaped, so that a message cannot pass for a turn.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from core.clock import instant
from core.errors import TryAgain
from core.slices.codec import decode, encode, front_text
from core.slices.model import USER, Slice, Turn
from core.slices.notes import spoken
from core.slices.text import escape

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    Annotate = Callable[[str], str]

WIDEST_CONTEXT: Final = 10
NOTHING_SELECTED: Final = "*(no turn of this slice is in that range)*"
NO_MATCH: Final = "*(no part of this slice holds these words; here is all of it)*"
BAD_DATE: Final = "*(that date is not understood; here is all of it)*"
GONE: Final = "*(deleted by the person)*"
_NONE: Final = "(none)"


@dataclass(frozen=True, slots=True)
class Turns:
    """The turns with these 0-based places in the file, in file order; none named means all."""

    indices: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Last:
    """The last so many turns; zero or fewer means none."""

    count: int = 3


@dataclass(frozen=True, slots=True)
class Since:
    """The turns at or after an ISO time or date."""

    after: str = ""


@dataclass(frozen=True, slots=True)
class Search:
    """Turns that hold one of the words, letter case aside, with so many neighbours on each side."""

    keywords: tuple[str, ...]
    context: int = 1


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines of the file, counted from 1, both ends included; a missing end is the edge."""

    start: int | None = None
    end: int | None = None


Range = Turns | Last | Since | Search | Lines


def read_range(
    source: Slice | str,
    wanted: Range | None = None,
    *,
    annotate: Annotate | None = None,
    banner: str = "",
) -> str:
    """The wanted part as text: the front matter, then the turns, between blank lines, without a last newline.

    `annotate` gives what stands behind a turn's header for its ISO time (local time), `banner` what stands above all.
    Without `wanted` it is the whole file. Raises `TryAgain` for lines that end before they start, `Malformed` when
    `source` is a text that is no slice.
    """
    shown = visible(decode(source, "the slice") if isinstance(source, str) else source)
    if isinstance(wanted, Lines):
        body = _lines(encode(shown).removesuffix("\n").split("\n"), wanted)
    else:
        blocks = [front_text(shown), *(_block(turn, annotate) for turn in shown.turns)]
        body = "\n\n".join(_search(blocks, wanted) if isinstance(wanted, Search) else _chosen(blocks, shown, wanted))
    return f"{banner}\n\n{body}" if banner else body


def visible(slice_: Slice) -> Slice:
    """The slice as prompts, recall and evidence may see it: without deleted messages; turns keep their places."""
    turns = tuple(_visible_turn(turn) if turn.role == USER else turn for turn in slice_.turns)
    return slice_ if turns == slice_.turns else replace(slice_, turns=turns)


def summary_text(slice_: Slice, *, turns: int | None = None, note: Annotate | None = None) -> str:
    """The marks of a slice, a line each, and never its body. `turns` counts them when the slice is only a head."""
    when = note or (lambda _: "")
    count = len(slice_.turns) if turns is None else turns
    end = slice_.end + when(slice_.end) if slice_.end else "(active)"
    return "\n".join(
        (
            f"slice: {slice_.id}",
            f"start: {slice_.start}{when(slice_.start)}",
            f"end: {end}",
            f"turns: {count}",
            f"focus: {slice_.focus or _NONE}",
            f"summary: {slice_.summary or _NONE}",
            f"tags: {_listed(slice_.tags)}",
            f"tone: {slice_.emotional_tone or _NONE}",
            f"open_loops: {_listed(slice_.open_loops)}",
            f"decisions: {_listed(slice_.decisions)}",
            f"(times are UTC; the person was in {slice_.timezone})",
        ),
    )


def window(heads: Iterable[Slice], start: str = "", end: str = "", limit: int = 20) -> list[Slice]:
    """The slices whose UTC day lies between two dates, both included, newest first, at most `limit` (1 to 50).

    A date is `YYYY-MM-DD`, `YYYY-MM` or `YYYY`, an ISO time for its day, or nothing for no bound.
    """
    first, last = (text.strip().replace("/", "-")[:10] for text in (start, end))
    days = ((head, head.id[:10]) for head in heads)
    within = [head for head, day in days if day[: len(first)] >= first and (not last or day[: len(last)] <= last)]
    return sorted(within, key=lambda head: head.id, reverse=True)[: min(max(limit, 1), 50)]


def window_text(chosen: Sequence[Slice], total: int, *, note: Annotate | None = None) -> str:
    """The chosen slices, a line each, headed by how many of `total` they are."""
    when = note or (lambda _: "")
    lines = [
        f"- {head.id}{when(head.start)}: {head.focus or head.summary or '(not marked yet)'}"
        + (f" [{', '.join(head.tags)}]" if head.tags else "")
        for head in chosen
    ]
    return "\n".join((f"{len(chosen)} of {total} slices, newest first (ids are UTC):", *lines))


def _visible_turn(turn: Turn) -> Turn:
    heard = spoken(turn.text)
    return turn if heard == turn.text else replace(turn, text=heard or GONE)


def _block(turn: Turn, annotate: Annotate | None) -> str:
    header = f"## Turn {turn.label} — {turn.at} ({turn.role}){annotate(turn.at) if annotate else ''}"
    return f"{header}\n\n{escape(turn.text)}"


def _chosen(blocks: list[str], slice_: Slice, wanted: Turns | Last | Since | None) -> list[str]:
    front, turns = blocks[0], blocks[1:]
    match wanted:
        case None | Turns(indices=()):
            return blocks
        case Turns(indices):
            kept = [block for place, block in enumerate(turns) if place in set(indices)]
        case Last(count):
            kept = turns[-count:] if count > 0 else []
        case Since(after):
            limit = instant(after)
            if limit is None:
                return [*blocks, BAD_DATE] if after.strip() else blocks
            times = [instant(turn.at) or limit for turn in slice_.turns]
            kept = [block for block, at in zip(turns, times, strict=True) if at >= limit]
    return [front, *(kept or [NOTHING_SELECTED])]


def _search(blocks: list[str], wanted: Search) -> list[str]:
    """Every matching piece with its neighbours, runs apart by a line of dots; all pieces when nothing matches."""
    words = [word.strip().casefold() for word in wanted.keywords if word.strip()]
    hits = [place for place, block in enumerate(blocks) if any(word in block.casefold() for word in words)]
    if not hits:
        return [NO_MATCH, *blocks]
    context = min(max(wanted.context, 0), WIDEST_CONTEXT)
    shown = sorted(
        {near for hit in hits for near in range(hit - context, hit + context + 1) if 0 <= near < len(blocks)}
    )
    pieces = [f"*({len(hits)} of {len(blocks)} parts hold {' or '.join(map(repr, words))})*"]
    for before, place in zip([shown[0] - 1, *shown], shown, strict=False):
        pieces += ["…"] * (place > before + 1) + [blocks[place]]
    return pieces


def _lines(lines: list[str], wanted: Lines) -> str:
    first = max(wanted.start or 1, 1)
    last = len(lines) if wanted.end is None else wanted.end
    if last < first:
        raise TryAgain(f"lines {first} to {last}: the end comes before the start")
    if first > len(lines):
        raise TryAgain(f"the slice has only {len(lines)} lines")
    clamped = " (the slice ends there)" if last > len(lines) else ""
    last = min(last, len(lines))
    return "\n".join((f"*(lines {first}-{last} of {len(lines)}{clamped})*", "", *lines[first - 1 : last]))


def _listed(texts: Sequence[str]) -> str:
    return "; ".join(texts) or _NONE
