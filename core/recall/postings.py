"""Which slices hold a word, how rare it is, and which slices are of a day: what a search starts from."""

from __future__ import annotations

import math
from array import array
from bisect import bisect_left
from collections import Counter, defaultdict, deque
from functools import partial
from itertools import repeat
from typing import TYPE_CHECKING, Final

from core.recall.records import SEAM, Lexicon, Record, record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from core.slices.model import Slice

_APPEND: Final = array.append
_NOWHERE: Final = 0xFFFF_FFFF
K1: Final = 0.9
B: Final = 0.75
_WALKED: Final = 4_000
"""How many entries a query walks before it leaves frequent words to the close look at the best candidates."""
_FEW: Final = 50
"""A smaller memory is weighed as if it had so many slices: in it, no word is worth nothing for being everywhere."""


class Postings:
    """The inverted index. A slice that is replaced or removed leaves dead entries, which are cleared now and then.

    The first place of a word stands apart from the others: most words are met once, and a row for each takes time.
    """

    def __init__(self) -> None:
        self._lexicon = Lexicon()
        self._records: list[Record | None] = []
        self._places: dict[str, int] = {}
        self._firsts: array[int] = array("I")
        self._others: defaultdict[int, array[int]] = defaultdict(partial(array, "I"))
        self._dead: Counter[int] = Counter()
        self._total = 0.0
        self._calendar: list[tuple[int, int]] = []

    def __len__(self) -> int:
        return len(self._places)

    @property
    def places(self) -> Mapping[str, int]:
        """Where each slice stands, by its id."""
        return self._places

    def number(self, key: str) -> int:
        """The number of a key; -1 for one that nobody ever said."""
        return self._lexicon.numbers.get(key, -1)

    def at(self, place: int) -> Record:
        """The living slice at a place."""
        entry = self._records[place]
        if entry is None:
            raise LookupError(place)
        return entry

    def add(self, entry: Slice) -> None:
        """Take a slice in, replacing what stood there under its id."""
        self.remove(entry.id)
        self._post(record(entry, self._lexicon))
        if len(self._records) > 2 * len(self._places) + 64:
            self._clear_dead()

    def remove(self, slice_id: str) -> None:
        """Forget a slice; one that is not there is no matter."""
        place = self._places.pop(slice_id, None)
        if place is None:
            return
        gone = self.at(place)
        self._records[place] = None
        self._total -= gone.length
        self._calendar.pop(bisect_left(self._calendar, (gone.day, place)))
        self._dead.update(set(gone.row))

    def norm(self, length: float) -> float:
        """What a count is weighed against in a slice of that length."""
        mean = self._total / max(len(self._places), 1) or 1.0
        return K1 * (1 - B + B * length / mean)

    def having(self, number: int) -> int:
        """How many slices hold that word."""
        return self._posted(number) - self._dead[number]

    def rarity(self, having: int) -> float:
        """What a word (or a day) is worth that so many slices share."""
        slices = max(len(self._places), _FEW)
        return math.log(1 + (slices - having + 0.5) / (having + 0.5))

    def between(self, first: int, last: int) -> list[int]:
        """The places of the slices that began on the days between two ordinals, both included."""
        start, end = bisect_left(self._calendar, (first, -1)), bisect_left(self._calendar, (last + 1, -1))
        return [place for _, place in self._calendar[start:end]]

    def gather(self, wanted: Iterable[tuple[int, float]]) -> dict[int, float]:
        """What the words that a slice holds are worth, by place; rare words first, frequent ones perhaps not.

        How often a word stands there is left to the close look: this only finds whom to look at.
        """
        scores: defaultdict[int, float] = defaultdict(float)
        walked = 0
        for number, worth in sorted(wanted, key=lambda pair: -pair[1]):
            posted = self._posted(number)
            if posted == 0 or (walked and walked + posted > _WALKED):
                continue
            walked += posted
            for place in reversed(self._others.get(number, ())):  # of slices as good the newer ones are looked at
                scores[place] += worth
            if self._firsts[number] != _NOWHERE:
                scores[self._firsts[number]] += worth
        if self._dead:
            for place in [place for place in scores if self._records[place] is None]:
                del scores[place]
        return scores

    def _post(self, new: Record) -> None:
        place = len(self._records)
        self._records.append(new)
        self._places[new.slice_id] = place
        self._total += new.length
        at = (new.day, place)
        self._calendar.insert(bisect_left(self._calendar, at), at)
        known = len(self._firsts)
        distinct = set(new.row)
        distinct.discard(SEAM)
        distinct.difference_update(range(known, len(self._lexicon)))
        self._firsts.extend(repeat(place, len(self._lexicon) - known))
        deque(map(_APPEND, map(self._others.__getitem__, distinct), repeat(place)), maxlen=0)  # no steps of ours

    def _posted(self, number: int) -> int:
        """How many places are noted for a word, dead ones too."""
        if not 0 <= number < len(self._firsts):
            return 0
        return (self._firsts[number] != _NOWHERE) + len(self._others.get(number, ()))

    def _clear_dead(self) -> None:
        kept = [entry for entry in self._records if entry is not None]
        self._records, self._places, self._calendar, self._total = [], {}, [], 0.0
        self._firsts, self._dead = array("I", repeat(_NOWHERE, len(self._lexicon))), Counter()
        self._others.clear()
        for entry in kept:
            self._post(entry)
