"""A slice as the index holds it: the numbers of its words in one row, and where what was said can be shown from."""

from __future__ import annotations

import re
from array import array
from collections import defaultdict
from dataclasses import dataclass
from itertools import count
from operator import add
from typing import TYPE_CHECKING, Final

from core.language.tokens import key_of_word, plain, unspaced_runs, word_runs
from core.relative import local_day
from core.slices.foreign import own
from core.slices.model import USER
from core.slices.notes import spoken

if TYPE_CHECKING:
    from core.slices.model import Slice, Turn

AGENT_SHARE: Final = 0.8
"""What a word of the assistant counts, beside 1 for a word of the person or of the marks."""
SEAM: Final = 0
"""The number that ends a turn in a row; no word has it."""

_QUOTE: Final = re.compile(r"^>[^\n]*(?:\n|\Z)", re.MULTILINE)


class Words(dict[str, int]):
    """The number of the key of a word; `SEAM` for words that say nothing."""

    def __init__(self, numbers: dict[str, int]) -> None:
        super().__init__()
        self._numbers = numbers

    def __missing__(self, word: str) -> int:
        key = key_of_word(word)
        number = self[word] = self._numbers[key] if key else SEAM
        return number


class Lexicon:
    """Gives every key its number, in the order in which keys are met."""

    def __init__(self) -> None:
        self.numbers: defaultdict[str, int] = defaultdict(count(SEAM + 1).__next__)
        self._words = Words(self.numbers)

    def __len__(self) -> int:
        """One more than the greatest number."""
        return len(self.numbers) + 1

    def fill(self, row: list[int], text: str) -> None:
        """Put the numbers of a text behind what the row holds: words, then pairs of characters, then characters.

        Each of the three stands in the order of the text, so that phrases can be seen.
        """
        folded = plain(text)
        row.extend(filter(None, map(self._words.__getitem__, word_runs(folded))))
        if not folded.isascii():
            number = self.numbers.__getitem__
            for run in unspaced_runs(folded):
                row.extend(map(number, map(add, run, run[1:])))
                row.extend(map(number, run))


@dataclass(frozen=True, slots=True)
class Record:
    """A slice in the index: `day` is the ordinal of its first local day (0: unknown), `length` its words as counted.

    `row` has the words of each turn, a `SEAM` behind each, then those of the marks. `labels` and `texts` are of the
    same turns; `mine` is 1 for those of the person.
    """

    slice_id: str
    day: int
    row: array[int]
    labels: tuple[str, ...]
    texts: tuple[str, ...]
    mine: bytes
    marks_text: str
    length: float

    def share(self, turn: int) -> float:
        """What a word of that turn counts; the marks stand behind the last turn."""
        return 1.0 if turn >= len(self.mine) or self.mine[turn] else AGENT_SHARE


def record(entry: Slice, lexicon: Lexicon) -> Record:
    """The record of a slice. Deleted and foreign text is no part of it, nor what the assistant quotes from memory."""
    said = [(turn, text) for turn in entry.turns if (text := _said(turn))]
    row: list[int] = []
    length, start = 0.0, 0
    for turn, text in said:
        lexicon.fill(row, text)
        length += (len(row) - start) * (1.0 if turn.role == USER else AGENT_SHARE)
        row.append(SEAM)
        start = len(row)
    marks_text = " · ".join(filter(None, (entry.focus, entry.summary)))
    lexicon.fill(row, "\n".join((marks_text, *entry.tags, *entry.open_loops, *entry.decisions)))
    return Record(
        entry.id,
        _day(entry),
        array("I", row),
        tuple(turn.label for turn, _ in said),
        tuple(text for _, text in said),
        bytes(turn.role == USER for turn, _ in said),
        marks_text,
        length + len(row) - start,
    )


def _said(turn: Turn) -> str:
    text = turn.text
    if turn.role == USER:
        return (own(spoken(text)) if ">" in text or "[" in text else text).strip()
    return (_QUOTE.sub("", own(text)) if ">" in text else text).strip()


def _day(entry: Slice) -> int:
    day = local_day(entry.start, entry.timezone) or local_day(entry.id, entry.timezone)
    return day.toordinal() if day else 0
