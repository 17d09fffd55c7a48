"""A slice as the index holds it: the numbers of its words in one row, and where what was said can be shown from."""

from __future__ import annotations

import re
from array import array
from collections import defaultdict
from dataclasses import dataclass
from itertools import count
from operator import add
from typing import TYPE_CHECKING, Final

from core.language.tokens import PLAIN_WORD, key_of_word, plain, unspaced_runs, word_runs
from core.relative import local_day
from core.slices.foreign import own
from core.slices.model import USER
from core.slices.notes import spoken

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.slices.model import Slice, Turn

AGENT_SHARE: Final = 0.8
"""What a word of the assistant counts, beside 1 for a word of the person or of the marks."""
SEAM: Final = 0
"""The number that ends a turn in a row; no word has it."""

_BETWEEN: Final = "\x1f"
_JOINT: Final = f"\n{_BETWEEN}\n"
_PLAIN_OR_BETWEEN: Final = re.compile(rf"{PLAIN_WORD}|{_BETWEEN}")
_QUOTE: Final = re.compile(r"^>[^\n]*(?:\n|\Z)", re.MULTILINE)


class Words(dict[str, int | None]):
    """The number of the key of a word; None for words that say nothing."""

    def __init__(self, numbers: dict[str, int]) -> None:
        super().__init__({_BETWEEN: SEAM})
        self._numbers = numbers

    def __missing__(self, word: str) -> int | None:
        key = key_of_word(word)
        number = self[word] = self._numbers[key] if key else None
        return number


class Lexicon:
    """Gives every key its number, in the order in which keys are met."""

    def __init__(self) -> None:
        self.numbers: defaultdict[str, int] = defaultdict(count(SEAM + 1).__next__)
        self._words = Words(self.numbers)

    def __len__(self) -> int:
        """One more than the greatest number."""
        return len(self.numbers) + 1

    def row(self, texts: Sequence[str]) -> list[int]:
        """The numbers of some texts, a `SEAM` between two: words, then pairs of characters, then characters.

        Each of the three stands in the order of the text, so that phrases can be seen.
        """
        joined = _JOINT.join(texts)
        if joined.isascii() and joined.count(_BETWEEN) == len(texts) - 1:  # one pass over all is twice as fast
            numbers = map(self._words.__getitem__, _PLAIN_OR_BETWEEN.findall(joined.lower()))
            return [number for number in numbers if number is not None]
        row: list[int] = []
        for at, text in enumerate(texts):
            if at:
                row.append(SEAM)
            self._fill(row, text)
        return row

    def _fill(self, row: list[int], text: str) -> None:
        folded = plain(text)
        found = map(self._words.__getitem__, word_runs(folded))
        row.extend([number for number in found if number is not None])
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
    marks_text = " · ".join(filter(None, (entry.focus, entry.summary)))
    marks = "\n".join((entry.focus, entry.summary, *entry.tags, *entry.open_loops, *entry.decisions))
    row = lexicon.row([*(text for _, text in said), marks])
    length, start = 0.0, 0
    for turn, _ in said:
        end = row.index(SEAM, start)
        length += (end - start) * (1.0 if turn.role == USER else AGENT_SHARE)
        start = end + 1
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
