"""Which slices hold a word, how rare it is, and which slices are of a day: what a search starts from."""

from __future__ import annotations

import math
from array import array
from bisect import bisect_left
from collections import Counter, defaultdict, deque
from itertools import repeat
from typing import TYPE_CHECKING, Final

from core.recall.records import SEAM, Lexicon, Record, record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from core.slices.model import Slice

_APPEND: Final = array.append
K1: Final = 0.9
B: Final = 0.75
_WALKED: Final = 4_000
"""How many entries a query walks before it leaves frequent words to the close look at the best candidates."""
_FEW: Final = 50
"""A smaller memory is weighed as if it had so many slices: in it, no word is worth nothing for being everywhere."""


class Postings:
    """The inverted index. A slice that is replaced or removed leaves dead entries, which are cleared now and then."""

    def __init__(self) -> None:
        self._lexicon = Lexicon()
        self._records: list[Record | None] = []
        self._places: dict[str, int] = {}
        self._posted: list[array[int]] = []
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
        return len(self._posted[number]) - self._dead[number] if 0 <= number < len(self._posted) else 0

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
            posted = self._posted[number] if 0 <= number < len(self._posted) else ()
            if walked and walked + len(posted) > _WALKED:
                continue
            walked += len(posted)
            for place in reversed(posted):  # of slices that are as good the newer ones are looked at
                scores[place] += worth
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
        posted = self._posted
        posted.extend(map(array, repeat("I", len(self._lexicon) - len(posted))))
        distinct = set(new.row)
        distinct.discard(SEAM)
        deque(map(_APPEND, map(posted.__getitem__, distinct), repeat(place)), maxlen=0)  # a loop without a step of ours

    def _clear_dead(self) -> None:
        kept = [entry for entry in self._records if entry is not None]
        self._records, self._places, self._calendar, self._total = [], {}, [], 0.0
        self._posted, self._dead = [], Counter()
        for entry in kept:
            self._post(entry)
