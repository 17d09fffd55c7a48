"""Choosing what to quote: of every slice that was read, what says most of what a question looks for."""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from core.language.questions import asks, asks_what_was_answered, suits
from core.language.sentences import sentences
from core.language.tokens import TELLING, keys, terms
from core.llm.offline.scene import own

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

Role = Literal["user", "agent", "note"]

_TURN: Final = re.compile(r"^## Turn (\S+) — (\S+) \((user|agent)\)[^\n]*\n", re.MULTILINE)
_NOTE: Final = re.compile(r"^(?:summary|open_loops|decisions): (?!\(none\)$)(.+)$", re.MULTILINE)
_LONG: Final = 320
"""A turn up to that many characters is quoted whole."""
_ASIDE: Final = 0.35
"""What words that stand beside a passage, not in it, count for it."""
_SUITS: Final = 1.4
"""How much better a passage is that holds the kind of thing asked for."""
_YOURS: Final = 1.5
"""How much better the assistant's words are when they are asked for."""
_BESIDE: Final = 0.5
"""How well a further passage must fit, beside the best, to be quoted too."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """Something that may be quoted: a turn of either side, or a sentence that was noted about the talk."""

    role: Role
    text: str


@dataclass(frozen=True, slots=True)
class Passage:
    """Words to quote, how well they fit, and the share of the question that they and what is beside them hold."""

    role: Role
    text: str
    score: float
    covers: float


@dataclass(frozen=True, slots=True)
class Found:
    """What to quote of one talk (`slice_id` "" for the conversation at hand)."""

    slice_id: str
    passages: tuple[Passage, ...]

    @property
    def score(self) -> float:
        """How well the best of it fits."""
        return max(passage.score for passage in self.passages)


def turns_of(text: str) -> list[Spoken]:
    """The turns in what a reading tool returned, in order."""
    parts = _TURN.split(text)
    bodies = zip(parts[3::4], parts[4::4], strict=True)
    return [Spoken("user" if role == "user" else "agent", body.strip()) for role, body in bodies if body.strip()]


def notes_of(text: str) -> list[Spoken]:
    """What was noted about a talk, sentence by sentence, in what a summary tool returned."""
    return [Spoken("note", part) for line in _NOTE.findall(text) for part in sentences(line)]


def choose(question: str, talks: Mapping[str, Sequence[Spoken]], *, small: bool = False) -> list[Found]:
    """What fits of each talk, the best first; the best talk first.

    `small` says that there is too little to tell a rare word from a common one: all that tell count alike.
    """
    all_spoken = [spoken for talk in talks.values() for spoken in talk]
    worth = {one.key: one.weight for one in terms(question) if one.weight >= TELLING} if small else {}
    worth = worth or _worth(question, all_spoken)
    whole = sum(worth.values())
    if not whole:
        return []
    found = []
    for slice_id, talk in talks.items():
        ranked = sorted(_judged(question, talk, worth, whole), key=lambda passage: -passage.score)
        if ranked:
            found.append(Found(slice_id, tuple(ranked)))
    return sorted(found, key=lambda one: -one.score)


def shortened(found: Found, *, fully: bool) -> Found:
    """The talk with what is worth quoting of it: turns before notes, and only one passage unless `fully`."""
    if not fully:
        return Found(found.slice_id, found.passages[:1])
    near = [passage for passage in found.passages if passage.score >= _BESIDE * found.score]
    turns = [passage for passage in found.passages if passage.role != "note"][:1]
    turns += [passage for passage in near if passage.role != "note" and passage not in turns][:1]
    said = " ".join(passage.text for passage in turns)
    notes = [passage for passage in near if passage.role == "note" and passage.text.rstrip(".。…") not in said]
    return Found(found.slice_id, (*turns, *notes[:2]))


def _worth(question: str, all_spoken: Sequence[Spoken]) -> dict[str, float]:
    """What each telling word is worth: the fewer of these turns hold it, the more."""
    having = Counter(key for spoken in all_spoken for key in set(keys(spoken.text)))
    return {
        term.key: term.weight * math.log(1 + (len(all_spoken) + 1) / (having[term.key] + 0.5))
        for term in terms(question)
        if term.weight >= TELLING
    }


def _judged(question: str, talk: Sequence[Spoken], worth: Mapping[str, float], whole: float) -> Iterator[Passage]:
    met = [worth.keys() & set(keys(spoken.text)) for spoken in talk]
    about = frozenset[str]().union(*(found for found, spoken in zip(met, talk, strict=True) if spoken.role == "note"))
    yours = asks_what_was_answered(question)
    for at, spoken in enumerate(talk):
        quoted = _quotable(spoken)
        if not quoted or (spoken.role == "agent" and not yours):
            continue
        beside = about.union(*met[max(at - 1, 0) : at + 2])
        score = sum(worth[key] for key in met[at]) + _ASIDE * sum(worth[key] for key in beside - met[at])
        score *= _SUITS if suits(question, quoted) else 1.0
        score *= _YOURS if yours and spoken.role == "agent" else 1.0
        if score > 0:
            covers = sum(worth[key] for key in beside | met[at]) / whole
            yield Passage(spoken.role, _cut(quoted, worth), score, covers)


def _quotable(spoken: Spoken) -> str:
    """What may stand for an answer: not what the assistant itself quoted, and never a mere question."""
    text = own(spoken.text, every=spoken.role == "agent")
    return text if any(not asks(sentence) for sentence in sentences(text)) else ""


def _cut(text: str, worth: Mapping[str, float]) -> str:
    """A long text as the run of whole sentences that says most."""
    if len(text) <= _LONG:
        return text
    parts = sentences(text)
    values = [sum(worth.get(key, 0.0) for key in set(keys(part))) * (0.5 if asks(part) else 1.0) for part in parts]
    first = last = max(range(len(parts)), key=values.__getitem__)
    while True:
        start, end = _place(text, parts, first, last)
        wider = [
            (values[side], side)
            for side in (last + 1, first - 1)
            if 0 <= side < len(parts) and end - start + len(parts[side]) <= _LONG
        ]
        if not wider:
            return text[start:end] if end - start <= 2 * _LONG else f"{text[start : start + 2 * _LONG]}…"
        side = max(wider)[1]
        first, last = min(first, side), max(last, side)


def _place(text: str, parts: Sequence[str], first: int, last: int) -> tuple[int, int]:
    """Where the sentences from `first` to `last` stand in the text."""
    at, start = 0, 0
    for place, part in enumerate(parts[: last + 1]):
        at = text.index(part, at)
        start = at if place == first else start
        at += len(part)
    return start, at
