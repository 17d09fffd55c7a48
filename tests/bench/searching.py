"""The search by words over ten thousand slices: building the index, asking it, and adding one slice."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, timedelta
from itertools import accumulate
from random import Random
from typing import TYPE_CHECKING

from core.clock import iso
from core.recall.lexical import Index
from core.slices.model import Slice, Turn
from tests.bench.archive import LAST, PACE, STEP, TURNS
from tests.bench.figure import Figure, best, cost, ms

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tests.bench.archive import Grounds

COUNT = 10_000
QUERIES = 300
ADDED = 100
VOCABULARY = 30_000
HAN_WORDS = 8_000
CHINESE = 0.2
STOP = (
    "the",
    "a",
    "of",
    "to",
    "and",
    "i",
    "you",
    "it",
    "is",
    "in",
    "that",
    "was",
    "for",
    "on",
    "with",
    "my",
    "we",
    "be",
)
ONSETS = (*"bcdfghjklmnprstvwz", "br", "st", "tr", "ch", "sh", "pl")
RHYMES = (*"aeiou", "ai", "ea", "ou", "an", "er", "il", "on", "us")
ENDINGS = ("", "", "", "s", "ed", "ing", "er", "ly", "ment", "al")
WORD = re.compile(r"\w+")


class Tongue:
    """Invented words, met as often as real ones are: the n-th at 1/n of the first."""

    def __init__(self, seed: int = 1) -> None:
        self.random = Random(seed)
        self.english = [self._word() for _ in range(VOCABULARY)]
        self.chinese = ["".join(chr(0x4E00 + self.random.randrange(2500)) for _ in range(2)) for _ in range(HAN_WORDS)]
        self._often = {len(words): list(accumulate(1 / (n + 3) for n in range(len(words)))) for words in self._both()}

    def says(self, count: int, *, chinese: bool) -> str:
        """A sentence of so many words."""
        words = self.chinese if chinese else self.english
        picked = self.random.choices(words, cum_weights=self._often[len(words)], k=count)
        if chinese:
            return "".join(picked) + "。"
        return " ".join(self.random.choice((word, self.random.choice(STOP))) for word in picked).capitalize() + "."

    def _word(self) -> str:
        random = self.random
        parts = (random.choice(ONSETS) + random.choice(RHYMES) for _ in range(random.choice((1, 2, 2, 3))))
        return "".join(parts) + random.choice(ENDINGS)

    def _both(self) -> tuple[list[str], list[str]]:
        return self.english, self.chinese


def talks(count: int, tongue: Tongue) -> Iterator[Slice]:
    """Slices of eight turns, one in five Chinese, some 1.1 kB of words each."""
    for number in range(count):
        began = LAST - STEP * (count - 1 - number)
        chinese = tongue.random.random() < CHINESE
        turns = tuple(
            Turn(f"t{at}", iso(began + PACE * at), ("user", "agent")[at % 2],
                 tongue.says(tongue.random.randint(8, 32), chinese=chinese))
            for at in range(TURNS)
        )  # fmt: skip
        yield Slice(
            f"{began:%Y-%m-%d-%H%M}", "closed", iso(began), turns[-1].at, "Europe/Berlin", closed_by="time_silence",
            focus=tongue.says(8, chinese=chinese), summary=tongue.says(14, chinese=chinese), turns=turns,
        )  # fmt: skip


def questions(slices: Sequence[Slice], tongue: Tongue) -> list[str]:
    """Questions in words that were said, every fourth with a date."""
    random, asked = tongue.random, []
    for number in range(QUERIES):
        words = random.choice(random.choice(slices).turns).text.rstrip(".。").split()
        told = " ".join(random.sample(words, min(4, len(words)))) if len(words) > 1 else words[0][:8]
        asked.append(f"What did I say about {told}{' in March' if number % 4 == 0 else ''}?")
    return asked


def filled(index: Index, slices: Sequence[Slice]) -> None:
    """Take them in."""
    for piece in slices:
        index.add(piece)


def figures(grounds: Grounds) -> Iterator[Figure]:
    del grounds
    tongue = Tongue()
    slices = list(talks(COUNT, tongue))
    floor = best(lambda: [WORD.findall(turn.text) for piece in slices for turn in piece.turns])
    index = Index()
    built = cost(lambda: filled(index, slices))
    told = f"{ms(built.cpu)} CPU; \\w+ alone {ms(floor.cpu)}"
    yield Figure("index of 10,000 slices / splitting their text into words", told, built.cpu / floor.cpu, 5)
    asked, now = questions(slices, tongue), LAST + timedelta(days=3)
    each = best(lambda: [index.search(one, now, UTC) for one in asked]).cpu / QUERIES
    yield Figure("a query over 10,000 slices, CPU ms", ms(each), 1000 * each, 2)
    newer = [replace(piece, turns=piece.turns[::-1]) for piece in slices[-ADDED:]]
    added = cost(lambda: filled(index, newer)).cpu / ADDED
    yield Figure("a changed slice among 10,000, CPU ms", ms(added), 1000 * added, 5)
