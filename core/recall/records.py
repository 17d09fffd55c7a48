"""A slice as the index holds it: who said what, by the numbers of its words."""

from __future__ import annotations

import re
from array import array
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Final

from core.language.tokens import keys_of, runs
from core.relative import local_day
from core.slices.foreign import own
from core.slices.model import USER
from core.slices.notes import spoken

if TYPE_CHECKING:
    from core.slices.model import Slice, Turn

AGENT_SHARE: Final = 0.8
"""What a word of the assistant counts, beside 1 for a word of the person or of the marks."""

_QUOTE: Final = re.compile(r"^>[^\n]*(?:\n|\Z)", re.MULTILINE)


class Numbers(dict[str, int]):
    """The number of every key, given out in the order in which keys are met."""

    def __missing__(self, key: str) -> int:
        number = self[key] = len(self)
        return number


class Runs(dict[str, tuple[int, ...]]):
    """The numbers of the keys of a word, remembered; long stretches of an unspaced script never come again."""

    def __init__(self, numbers: Numbers) -> None:
        super().__init__()
        self._numbers = numbers

    def __missing__(self, run: str) -> tuple[int, ...]:
        found = tuple(map(self._numbers.__getitem__, keys_of(run)))
        if len(found) <= 1:
            self[run] = found
        return found

    def of(self, text: str) -> array[int]:
        """The numbers of a text in order."""
        return array("I", chain.from_iterable(map(self.__getitem__, runs(text))))


@dataclass(frozen=True, slots=True)
class Said:
    """One turn: its label and role, the words that were really said, and their numbers in order."""

    label: str
    role: str
    text: str
    keys: array[int]

    @property
    def share(self) -> float:
        """What a word of this turn counts."""
        return 1.0 if self.role == USER else AGENT_SHARE


@dataclass(frozen=True, slots=True)
class Record:
    """A slice in the index: `day` is the ordinal of its first local day (0: unknown), `length` its words as counted."""

    slice_id: str
    day: int
    said: tuple[Said, ...]
    marks_text: str
    marks: array[int]
    length: float

    def numbers(self) -> frozenset[int]:
        """All words in it."""
        return frozenset(self.marks).union(*(said.keys for said in self.said))


def record(entry: Slice, words: Runs) -> Record:
    """The record of a slice. Deleted and foreign text is no part of it, nor what the assistant quotes from memory."""
    said = tuple(Said(turn.label, turn.role, text, words.of(text)) for turn in entry.turns if (text := _said(turn)))
    marks_text = " · ".join(filter(None, (entry.focus, entry.summary)))
    marked = "\n".join((marks_text, *entry.tags, *entry.open_loops, *entry.decisions))
    marks = words.of(marked)
    length = len(marks) + sum(one.share * len(one.keys) for one in said)
    return Record(entry.id, _day(entry), said, marks_text, marks, length)


def _said(turn: Turn) -> str:
    text = own(spoken(turn.text))
    return (text if turn.role == USER else _QUOTE.sub("", text)).strip()


def _day(entry: Slice) -> int:
    day = local_day(entry.start, entry.timezone) or local_day(entry.id, entry.timezone)
    return day.toordinal() if day else 0
