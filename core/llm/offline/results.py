"""What the tools returned, as far as it is told in other ways than by quoting talk."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from core.identity import person_of
from core.language.questions import asks
from core.language.sentences import sentences
from core.llm.offline.forms import DECIDED

if TYPE_CHECKING:
    from core.llm.offline.scene import Scene

_LINE: Final = re.compile(
    r"^- \*\*(?P<id>\d{4}-\d\d-\d\d-\d{4})\*\* \((?P<day>\d{4}-\d\d-\d\d)[^)\n]*\) ?(?P<about>[^\n]*?)"
    r"(?: · (?:positive|neutral|negative|mixed))?(?: \[[^\]\n]*\])?$",
    re.MULTILINE,
)
_DECISIONS: Final = re.compile(r"^decisions: (?!\(none\)$)(.+)$", re.MULTILINE)


def listed_in(window: str) -> list[tuple[str, tuple[str, str]]]:
    """The talks that a window of the timeline lists: the id of each, its day and what it was about."""
    return [(found["id"], (found["day"], found["about"])) for found in _LINE.finditer(window)]


def known_of(scene: Scene) -> tuple[str, ...]:
    """The lines by which the card introduces the person; none where there is no card."""
    cards = scene.of("readPreviously")
    person = person_of(cards[-1].text) if cards else None
    return person.body if person else ()


def decided_here(scene: Scene) -> tuple[str, ...]:
    """What the person said in the conversation at hand that they decided."""
    return tuple(part for said in scene.earlier for part in sentences(said) if DECIDED.search(part) and not asks(part))


def decisions_in(scene: Scene) -> list[tuple[str, str, tuple[str, ...]]]:
    """What was decided, by talk, newest first: its day, its id, and the decisions that are marked in it."""
    days = {one: day for window in scene.of("readTimelineWindow") for one, (day, _) in listed_in(window.text)}
    found = [
        (str(result.arguments.get("sliceId", "")), _DECISIONS.findall(result.text))
        for result in scene.of("readSliceSummary")
    ]
    return [
        (days.get(one, one[:10]), one, tuple(part for line in lines for part in sentences(line)))
        for one, lines in found
        if lines
    ]
