"""A candidate looked at closely: what of the question it holds, where, and how well that stands together."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import compress, pairwise
from typing import TYPE_CHECKING, Final

from core.language.tokens import TELLING, UNSPACED
from core.recall.postings import K1
from core.recall.records import SEAM

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from core.language.dates import Span
    from core.language.tokens import Term
    from core.recall.records import Record

    Counts = dict[int, float]

_WINDOW: Final = 0.5
"""What the best three turns in a row count, beside the whole slice."""
_PHRASE: Final = 0.6
"""What two words count in addition that follow each other as they do in the question, beside the mean of the two."""
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
class Sought:
    """All that a question looks for; `worth` by number, for those that somebody said.

    `phrases` are the pairs of numbers that follow each other in it, each with what finding it so is worth.
    """

    wanted: tuple[Wanted, ...]
    dates: tuple[Dated, ...]
    worth: Mapping[int, float]
    phrases: Mapping[tuple[int, int], float]

    @classmethod
    def of(cls, wanted: Sequence[Wanted], dates: Sequence[Dated]) -> Sought:
        """The same, with the worth by number and by phrase."""
        worth = {want.number: want.worth for want in wanted if want.number >= 0}
        phrases = {
            (one.number, other.number): _PHRASE * (one.worth + other.worth) / 2
            for one, other in pairwise(wanted)
            if one.number >= 0 and other.number >= 0
        }
        return cls(tuple(wanted), tuple(dates), worth, phrases)


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


def look(entry: Record, place: int, sought: Sought, norm: float) -> Look:
    """The score of a slice by all words of the question, its best window and its date."""
    turns, phrases = _counted(entry, sought)
    whole: Counts = {}
    for turn, counts in turns.items():
        share = entry.share(turn)
        for number, count in counts.items():
            whole[number] = whole.get(number, 0.0) + share * count
    marks = frozenset(turns.pop(len(entry.mine), ()))
    window, at, near = _window(entry, turns, sought.worth)
    dated = tuple(one.nearness(place, entry.day) for one in sought.dates)
    timely = sum(nearness * one.worth for nearness, one in zip(dated, sought.dates, strict=True))
    return Look(_bm25(whole, sought.worth, norm) + _WINDOW * window + phrases + timely, at, near | marks, dated)


def covered(seen: Look, sought: Sought) -> float:
    """The share (0 to 1) of what is looked for that was met; a time that is named helps, and is no must.

    What happened in March may have been told in May: without the time a slice counts nearly as much.
    """
    telling = [want for want in sought.wanted if want.term.weight >= TELLING]
    worth = _seams(telling, seen.met)
    whole, part = sum(worth), sum(value for want, value in zip(telling, worth, strict=True) if want.number in seen.met)
    times = sum(dated.worth for dated in sought.dates)
    timely = sum(dated.worth * near for dated, near in zip(sought.dates, seen.near, strict=True))
    share = (part + timely) / (whole + times) if whole + times > 0 else 0.0
    return max(share, _UNTIMELY * part / whole) if whole > 0 else share


def _bm25(counts: Counts, worth: Mapping[int, float], norm: float) -> float:
    score = 0.0
    for number, count in counts.items():
        score += worth[number] * count * (K1 + 1) / (count + norm)
    return score


def _counted(entry: Record, sought: Sought) -> tuple[dict[int, Counts], float]:
    """How often each wanted word stands in each turn that has any, and what the phrases met are worth.

    The marks are the turn behind the last.
    """
    turns: dict[int, Counts] = {}
    phrases: set[tuple[int, int]] = set()
    row, turn, last, before = entry.row, 0, -2, SEAM
    counts: Counts | None = None
    for at in compress(range(len(row)), map({SEAM, *sought.worth}.__contains__, row)):
        number = row[at]
        if number == SEAM:
            turn, counts = turn + 1, None
        elif counts is None:
            counts = turns[turn] = {number: 1.0}
        else:
            counts[number] = counts.get(number, 0.0) + 1.0
            if at == last + 1 and (before, number) in sought.phrases:
                phrases.add((before, number))
        last, before = at, number
    return turns, sum(sought.phrases[pair] for pair in phrases)


def _window(
    entry: Record, turns: Mapping[int, Counts], worth: Mapping[int, float]
) -> tuple[float, int, frozenset[int]]:
    """The best score of three turns in a row, which turn of them says most (-1: none), and the words in them."""
    best, middle, near = 0.0, -1, frozenset[int]()
    for at in sorted({turn + step for turn in turns for step in (-1, 0, 1) if 0 <= turn + step < len(entry.mine)}):
        joined: Counts = {}
        for turn in (at - 1, at, at + 1):
            if turn in turns:
                share = entry.share(turn)
                for number, count in turns[turn].items():
                    joined[number] = joined.get(number, 0.0) + share * count
        score = _bm25(joined, worth, K1)
        if score > best:
            best, middle, near = score, at, frozenset(joined)
    if middle < 0:
        return best, middle, near
    around = [turn for turn in (middle - 1, middle, middle + 1) if turn in turns]
    return best, max(around, key=lambda turn: _saying(entry, turn, turns[turn], worth)), near


def _saying(entry: Record, turn: int, counts: Counts, worth: Mapping[int, float]) -> tuple[float, int]:
    return sum(worth[number] for number in counts) * entry.share(turn), entry.mine[turn]


def _seams(telling: Sequence[Wanted], met: frozenset[int]) -> list[float]:
    """What each is worth; a pair of characters over the seam of two words is worth little beside a pair that is met."""
    pairs = {want.term.surface for want in telling if want.number in met and _PAIR.match(want.term.surface)}
    firsts, lasts = {pair[0] for pair in pairs}, {pair[1] for pair in pairs}

    def value(want: Wanted) -> float:
        surface = want.term.surface
        seam = want.number not in met and _PAIR.match(surface) and (surface[0] in lasts or surface[1] in firsts)
        return want.worth * (_SEAM if seam else 1.0)

    return [value(want) for want in telling]
