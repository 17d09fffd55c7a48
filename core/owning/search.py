"""Finding what is to be forgotten: slices, the last minutes, a topic or words; and where later talk quotes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from core.clock import instant
from core.errors import Malformed, NotAFile, NotFound
from core.owning.wanted import Wanted, joined
from core.slices.forgetting import folded
from core.slices.model import USER
from core.strands.index import match

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Sequence
    from datetime import datetime

    from core.clock import Clock
    from core.slices.model import Slice
    from core.slices.store import Slices
    from core.timeline.projections import Projections

QUOTED: Final = 24
"""Code points from which on a line of what is forgotten is looked for in later answers."""
BREATH: Final = 25


class Search:
    """Looks through memory; changes nothing. What cannot be read cannot be searched and stays as it is."""

    def __init__(self, slices: Slices, projections: Projections, clock: Clock) -> None:
        self._slices = slices
        self._projections = projections
        self._clock = clock

    async def slices(self, ids: Iterable[str]) -> Wanted:
        """These slices, as far as there are any, and where later talk quotes them."""
        there = set(await self._slices.ids())
        return await self._with_echoes(Wanted(tuple(sorted(there.intersection(ids)))))

    async def since(self, moment: datetime) -> Wanted:
        """Every exchange of which something was said at that instant or later."""
        parts: dict[str, tuple[str, ...]] = {}
        async for piece in self._pieces(reversed(await self._slices.ids())):
            labels = tuple(dict.fromkeys(turn.label for turn in piece.turns if _is_after(turn.at, moment)))
            if labels:
                parts[piece.id] = labels
            elif piece.turns:
                break
        return await self._with_echoes(Wanted(parts=parts))

    async def about(self, text: str) -> Wanted:
        """The slices of the topic of that name, and every exchange and mark that says these words."""
        word = folded(text)
        if not word:
            return Wanted()
        index = await self._projections.index()
        strand = match(index, text)
        whole = {path.replace("/", "-") for path in index[strand]} if strand else set()
        parts: dict[str, tuple[str, ...]] = {}
        async for piece in self._pieces(one for one in await self._slices.ids() if one not in whole):
            labels = tuple(dict.fromkeys(turn.label for turn in piece.turns if word in folded(turn.text)))
            if labels or any(word in folded(mark) for mark in marks_of(piece)):
                parts[piece.id] = labels
        return await self._with_echoes(Wanted(tuple(sorted(whole)), parts, (word,)))

    async def _with_echoes(self, wanted: Wanted) -> Wanted:
        """With the later exchanges whose answer quotes a line of what is forgotten, or names its slice."""
        needles = await self._needles(wanted)
        if not needles:
            return wanted
        first = wanted.slices[0]
        parts: dict[str, tuple[str, ...]] = {}
        later = (one for one in await self._slices.ids() if one > first and one not in wanted.whole)
        async for piece in self._pieces(later):
            known = wanted.parts.get(piece.id, ())
            labels = tuple(
                dict.fromkeys(
                    turn.label
                    for turn in piece.turns
                    if turn.role != USER and turn.label not in known and _quotes(turn.text, needles)
                )
            )
            if labels:
                parts[piece.id] = labels
        return joined(wanted, Wanted(parts=parts))

    async def _needles(self, wanted: Wanted) -> Sequence[str]:
        lines: dict[str, None] = dict.fromkeys(wanted.whole)
        async for piece in self._pieces(wanted.slices):
            labels = None if piece.id in wanted.whole else wanted.parts.get(piece.id, ())
            for turn in piece.turns:
                if turn.role == USER and (labels is None or turn.label in labels):
                    lines |= dict.fromkeys(line for line in map(folded, turn.text.split("\n")) if len(line) >= QUOTED)
        return tuple(lines)

    async def _pieces(self, ids: Iterable[str]) -> AsyncIterator[Slice]:
        for number, slice_id in enumerate(ids):
            if number % BREATH == BREATH - 1:
                await self._clock.sleep(0)
            try:
                yield (await self._slices.load(slice_id)).slice
            except (NotFound, NotAFile, Malformed):
                continue


def marks_of(piece: Slice) -> tuple[str, ...]:
    """What the marks of a slice say."""
    lists = (*piece.open_loops, *piece.decisions, *piece.tags, *piece.loops)
    return tuple(one for one in (piece.focus, piece.summary, piece.evolution_summary, *lists) if one)


def _quotes(text: str, needles: Sequence[str]) -> bool:
    plain = folded(text)
    return any(needle in plain for needle in needles)


def _is_after(at: str, moment: datetime) -> bool:
    when = instant(at)
    return when is not None and when >= moment
