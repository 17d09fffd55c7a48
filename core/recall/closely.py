"""A candidate looked at closely: what of the question it holds, where, and how well that stands together."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from core.language.tokens import TELLING, UNSPACED
from core.recall.postings import K1
from core.slices.model import USER

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from core.language.dates import Span
    from core.language.tokens import Term
    from core.recall.records import Record, Said

_WINDOW: Final = 0.5
"""What the best three turns in a row count, beside the whole slice."""
_AFTER: Final = 7
"""How many days after an event people still talk of it; such a slice counts `_LATER` of one on the day."""
_LATER: Final = 0.3
_UNTIMELY: Final = 0.9
_SEAM: Final = 0.3
_PAIR: Final = re.compile(f"[{UNSPACED}]{{2}}\\Z")


@dataclass(frozen=True, slots=True)
class Wanted:
    """One thing that a question looks for: `number` of the key (-1: nobody ever said it) and what it is worth."""

    number: int
    worth: float
    term: Term


@dataclass(frozen=True, slots=True)
class Dated:
    """A time that a question names, what being of it is worth, and the places of the slices that are."""

    span: Span
    worth: float
    places: frozenset[int]

    def nearness(self, place: int, day: int) -> float:
        """1 for a slice of that time, less for one soon after it, else 0."""
        if place in self.places:
            return 1.0
        late = day - self.span.last.toordinal()
        return _LATER if 0 < late <= _AFTER and self.span.days <= _AFTER else 0.0


@dataclass(frozen=True, slots=True)
class Look:
    """What a close look saw.

    `at` is the place of the turn that says most (-1: none), `met` the words that stand together in the best window
    and the marks, `near` how near the slice is to each time named.
    """

    score: float
    at: int
    met: frozenset[int]
    near: tuple[float, ...]


def look(entry: Record, place: int, wanted: Sequence[Wanted], dates: Sequence[Dated], norm: float) -> Look:
    """The score of a slice by all words of the question, its best window and its date."""
    worth = {want.number: want.worth for want in wanted if want.number >= 0}
    each = [_counts(said, worth) for said in entry.said]
    marks = frozenset(filter(worth.__contains__, entry.marks))
    whole: defaultdict[int, float] = defaultdict(float)
    for number in filter(worth.__contains__, entry.marks):
        whole[number] += 1.0
    for counts in each:
        for number, count in counts.items():
            whole[number] += count
    window, at, near = _window(entry, each, worth)
    dated = tuple(one.nearness(place, entry.day) for one in dates)
    timely = sum(nearness * one.worth for nearness, one in zip(dated, dates, strict=True))
    return Look(_bm25(whole, worth, norm) + _WINDOW * window + timely, at, near | marks, dated)


def covered(seen: Look, wanted: Sequence[Wanted], dates: Sequence[Dated]) -> float:
    """The share (0 to 1) of what is looked for that was met; a time that is named helps, and is no must.

    What happened in March may have been told in May: without the time a slice counts nearly as much.
    """
    telling = [want for want in wanted if want.term.weight >= TELLING]
    worth = _seams(telling, seen.met)
    whole, part = sum(worth), sum(value for want, value in zip(telling, worth, strict=True) if want.number in seen.met)
    times = sum(dated.worth for dated in dates)
    timely = sum(dated.worth * near for dated, near in zip(dates, seen.near, strict=True))
    share = (part + timely) / (whole + times) if whole + times > 0 else 0.0
    return max(share, _UNTIMELY * part / whole) if whole > 0 else share


def _bm25(counts: Mapping[int, float], worth: Mapping[int, float], norm: float) -> float:
    return sum(worth[number] * count * (K1 + 1) / (count + norm) for number, count in counts.items())


def _counts(said: Said, worth: Mapping[int, float]) -> dict[int, float]:
    counts: dict[int, float] = {}
    share = said.share
    for number in filter(worth.__contains__, said.keys):
        counts[number] = counts.get(number, 0.0) + share
    return counts


def _window(
    entry: Record, each: Sequence[Mapping[int, float]], worth: Mapping[int, float]
) -> tuple[float, int, frozenset[int]]:
    """The best score of three turns in a row, which turn of them says most (-1: none), and the words in them."""
    best, middle, near = 0.0, -1, frozenset[int]()
    for at in range(len(each)):
        joined: dict[int, float] = {}
        for counts in each[max(at - 1, 0) : at + 2]:
            for number, count in counts.items():
                joined[number] = joined.get(number, 0.0) + count
        score = _bm25(joined, worth, K1) if joined else 0.0
        if score > best:
            best, middle, near = score, at, frozenset(joined)
    if middle < 0:
        return best, middle, near
    around = range(max(middle - 1, 0), min(middle + 2, len(each)))
    return best, max(around, key=lambda at: _saying(entry.said[at], each[at], worth)), near


def _saying(said: Said, counts: Mapping[int, float], worth: Mapping[int, float]) -> tuple[float, bool]:
    return sum(worth[number] for number in counts) * said.share, said.role == USER


def _seams(telling: Sequence[Wanted], met: frozenset[int]) -> list[float]:
    """What each is worth; a pair of characters over the seam of two words is worth little beside a pair that is met."""
    pairs = {want.term.surface for want in telling if want.number in met and _PAIR.match(want.term.surface)}
    firsts, lasts = {pair[0] for pair in pairs}, {pair[1] for pair in pairs}

    def value(want: Wanted) -> float:
        surface = want.term.surface
        seam = want.number not in met and _PAIR.match(surface) and (surface[0] in lasts or surface[1] in firsts)
        return want.worth * (_SEAM if seam else 1.0)

    return [value(want) for want in telling]
