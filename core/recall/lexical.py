"""A ranked index over slices, in memory: which slices speak of what a question asks, and in which turn.

BM25 over what was said and over the marks, with the best window of three turns on top. A date in the question counts
like a word that only the slices of those days contain. The index is a projection: it is built from the files and may
be thrown away at any time (DESIGN 5.5).
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import nlargest
from typing import TYPE_CHECKING, Final

from core.language.dates import spans, without
from core.language.questions import asks_for_present
from core.language.tokens import TELLING, terms
from core.recall.closely import Dated, Sought, Wanted, covered, look
from core.recall.key_words import key_words
from core.recall.postings import Postings

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import date, datetime, tzinfo

    from core.language.dates import Span
    from core.language.tokens import Term
    from core.recall.closely import Look
    from core.recall.records import Record
    from core.slices.model import Slice

    Seen = tuple[Record, Look]

_CANDIDATES: Final = 24
_PRESENT: Final = 0.7
"""The share of the best score from which a newer statement goes first when the present is asked for."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A slice that a question may be about.

    `score` orders the hits of one question. `covers` (0 to 1) can be compared between questions: the share of what the
    question looks for that stands together in the slice, rare words counting most. `turn` is the label of the turn
    that says most of it ("" when only marks or the date speak for the slice), `excerpt` its text, `why` the words of
    the question that were found, and `on_date` says that the slice is of the time that the question names.
    """

    slice_id: str
    score: float
    covers: float
    turn: str
    excerpt: str
    why: tuple[str, ...]
    on_date: bool = False


class Index:
    """All slices by their words. Not for use from several threads at once."""

    def __init__(self) -> None:
        self._postings = Postings()

    def __len__(self) -> int:
        return len(self._postings)

    def __contains__(self, slice_id: str) -> bool:
        return slice_id in self._postings.places

    def ids(self) -> Collection[str]:
        """The ids of all slices in it."""
        return self._postings.places.keys()

    def add(self, entry: Slice) -> None:
        """Take a slice in, replacing what stood there under its id."""
        self._postings.add(entry)

    def remove(self, slice_id: str) -> None:
        """Forget a slice; one that is not there is no matter."""
        self._postings.remove(slice_id)

    def search(
        self, query: str, now: datetime, zone: tzinfo, *, exclude: Collection[str] = (), limit: int = 5
    ) -> list[Hit]:
        """The slices that the question may be about, best first; `now` and `zone` say what "last week" means."""
        sought = self._sought(query, now.astimezone(zone).date())
        scores = self._postings.gather((want.number, want.worth) for want in sought.wanted)
        for dated in sought.dates:
            for place in dated.places:
                scores[place] = scores.get(place, 0.0) + dated.worth
        for slice_id in exclude:
            scores.pop(self._postings.places.get(slice_id, -1), None)
        best = nlargest(max(_CANDIDATES, limit), scores, key=scores.__getitem__)
        seen = [self._look(place, sought) for place in best]
        seen.sort(key=lambda pair: (pair[1].score, pair[0].slice_id), reverse=True)
        if asks_for_present(query):
            seen = _newest_first(seen)
        return [_hit(entry, found, sought) for entry, found in seen[:limit]]

    def key_words(self, slice_id: str, most: int) -> tuple[str, ...]:
        """The words that mark a slice, the most telling first; none for one that is not there."""
        place = self._postings.places.get(slice_id, -1)
        if place < 0:
            return ()
        entry, postings = self._postings.at(place), self._postings
        return key_words(entry.texts, lambda key: postings.rarity(postings.having(postings.number(key))), most)

    def _sought(self, query: str, today: date) -> Sought:
        found = spans(query, today)
        wanted = [self._want(term) for term in terms(without(query, found))]
        return Sought.of(wanted, [self._date(span) for span in found])

    def _want(self, term: Term) -> Wanted:
        number = self._postings.number(term.key)
        return Wanted(number, term.weight * self._postings.rarity(self._postings.having(number)), term)

    def _date(self, span: Span) -> Dated:
        places = self._postings.between(span.first.toordinal(), span.last.toordinal())
        return Dated(span, self._postings.rarity(len(places)), frozenset(places))

    def _look(self, place: int, sought: Sought) -> Seen:
        entry = self._postings.at(place)
        return entry, look(entry, place, sought, self._postings.norm(entry.length))


def _hit(entry: Record, seen: Look, sought: Sought) -> Hit:
    told = seen.at >= 0
    return Hit(
        entry.slice_id,
        seen.score,
        covered(seen, sought),
        entry.labels[seen.at] if told else "",
        entry.texts[seen.at] if told else entry.marks_text,
        tuple(want.term.surface for want in sought.wanted if want.number in seen.met and want.term.weight >= TELLING),
        1.0 in seen.near,
    )


def _newest_first(seen: list[Seen]) -> list[Seen]:
    """What is nearly as good as the best by age, newest first; the others after them as they were."""
    bar = _PRESENT * seen[0][1].score if seen else 0.0
    close = [pair for pair in seen if pair[1].score >= bar]
    return sorted(close, key=lambda pair: pair[0].slice_id, reverse=True) + seen[len(close) :]
