"""What one turn has from where: the person's own words, addresses that it may fetch, and whether it is tainted."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from core.slices.foreign import written
from core.slices.notes import spoken
from core.slices.taint import TAINTING, holds_foreign, tainted_in
from core.web.urls import Provenance, found

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from core.agent.run import Step
    from core.llm.base import Message

FETCHES: Final = 4
"""Pages that one turn may fetch (reliability 4.2, rule 6)."""

_READING: Final = frozenset({"readSlice", "recall", "readSliceSummary", "readTimelineWindow"})


@dataclass(slots=True)
class Taint:
    """The state of a turn. `own` are the person's newest words, `known` the addresses it may fetch, `fetched` how many.

    `tainted` once somebody else's words are in the conversation: no file is written from then on.
    """

    own: str = ""
    known: Provenance = field(default_factory=Provenance)
    tainted: bool = False
    fetched: int = 0

    def note(self, step: Step) -> None:
        """Take up a finished step, also one of an earlier try: what it brought counts on."""
        name = step.call.name
        if step.outcome != "completed":
            return
        if name in TAINTING or (name in _READING and holds_foreign(step.result)):
            self.tainted = True
        if name == "webSearch":
            self.known.add(_listed(step.result))
        if name == "webFetch":
            self._visit(step.result)

    def _visit(self, result: str) -> None:
        url, links = _page(result)
        if url:
            self.known.visited(url, links)


def taint_of(own_words: str, newest: str, messages: Sequence[Message], log: str, steps: Iterable[Step]) -> Taint:
    """The state of a turn that begins, or goes on: `newest` are its words as stored, `log` the slice's cognition.

    What the person wrote in the conversation, apart from what they passed on, is where addresses may come from.
    """
    said = [message.text for message in messages if message.role == "user"]
    taint = Taint(own_words)
    taint.tainted = holds_foreign(newest) or any(map(holds_foreign, said)) or bool(tainted_in(log))
    for text in (own_words, *(written(spoken(one)) for one in said)):
        taint.known.add(found(text))
    for step in steps:
        taint.fetched += step.call.name == "webFetch" and step.outcome != "denied"
        taint.note(step)
    return taint


def _listed(result: str) -> list[str]:
    """The addresses of a search's sources."""
    try:
        raw = json.loads(result)
    except ValueError:
        return []
    sources = raw.get("sources", []) if isinstance(raw, dict) else []
    return [url for one in sources if isinstance(one, dict) for url in found(str(one.get("url", "")))]


def _page(result: str) -> tuple[str, list[str]]:
    """Where a fetched page stood, and its links."""
    try:
        raw = json.loads(result)
    except ValueError:
        return "", []
    if not isinstance(raw, dict):
        return "", []
    links = raw.get("links", [])
    return str(raw.get("url", "")), [str(one) for one in links] if isinstance(links, list) else []
