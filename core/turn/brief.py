"""What only this turn knows, as one message beside the newest words: time, intent, register, continuity, what is due.

It changes every turn and therefore stands at the end, where it spoils no cached prefix (original.md 2.7, DESIGN 6).
The frame is English, for the model; days and distances are in the person's language.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from core.llm.base import Message
from core.relative import anchors, day_of, due, local_time, month_day, parse_day, slice_instant
from core.strands.index import normalise
from core.turn.notice import Notice

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date, datetime

    from core.card.model import Entry
    from core.i18n import Words
    from core.turn.continuity import Continuity, Tier
    from core.turn.links import Link

HEADING: Final = "[About this turn; not said by the person]"
_CONTINUES: Final[dict[Tier, str]] = {
    "continuing": "Continuity: the same talk goes on; it stands above, no recall is needed for it.",
    "first": "Continuity: the first contact; nothing was said before.",
    "recent_return": "Continuity: back after a short absence (the last talk ended {gap}{focus}). Pick up naturally.",
    "cold": "Continuity: back after a long absence (the last talk ended {gap}{focus}). Start fresh; assume nothing.",
}
_STRONG: Final = "Support first, answers after; match the gravity of what was said."
_LIGHT: Final = "Answer in kind."


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything that a brief may say; what is empty is left out."""

    sent: datetime
    zone: str
    continuity: Continuity
    noticed: Notice = field(default_factory=Notice)
    overdue: Sequence[Entry] = ()
    links: Sequence[Link] = ()
    evolved: str = ""
    demo: bool = False


def brief(facts: Facts, words: Words) -> Message:
    """The brief as a message."""
    sent = local_time(facts.sent, facts.zone, words)
    utc = f"{facts.sent:%Y-%m-%dT%H:%M}Z"
    lines = [
        HEADING,
        f"Sent {sent.text} ({sent.zone}, {sent.offset}; {utc}). Slice ids are UTC labels.",
        *(f"  {line}" for line in anchors(facts.sent, facts.zone, words)),
        *_noticed(facts.noticed),
        _continuing(facts.continuity),
        *_overdue(facts.overdue, day_of(facts.sent, facts.zone), words),
        *_links(facts, words),
    ]
    if facts.evolved:
        lines.append(f"The card was just changed: {facts.evolved}")
    if facts.demo:
        lines.append("Demonstration: nothing said here is kept; say so when it matters.")
    lines.append("Speak of times in the person's zone.")
    return Message("user", "\n".join(lines))


def _noticed(noticed: Notice) -> list[str]:
    signal, lines = noticed.emotional_signal, []
    if noticed.intent:
        reason = f" ({noticed.intent.reason})" if noticed.intent.reason else ""
        lines.append(f"Intent: {noticed.intent.type}{reason}")
    if signal.intensity != "none" or signal.register_ != "neutral":
        note = f" — {signal.note}" if signal.note else ""
        guidance = _STRONG if signal.intensity == "strong" else _LIGHT
        lines.append(f"Register: {signal.register_}, {signal.intensity}{note}. {guidance}")
    return lines


def _continuing(found: Continuity) -> str:
    focus = f", about: {found.focus}" if found.focus else ""
    return _CONTINUES[found.tier].format(gap=found.gap or "at an unknown time", focus=focus)


def _overdue(entries: Sequence[Entry], today: date, words: Words) -> list[str]:
    if not entries:
        return []
    named = (words("brief.quoted", text=e.text, by=e.by, due=due(parse_day(e.by), today, words)) for e in entries)
    return ["Due or overdue, ask how it went:", *(f"  {line}" for line in named)]


def _links(facts: Facts, words: Words) -> list[str]:
    if not facts.links or facts.continuity.tier == "first":
        return []
    hint = facts.noticed.semantic_hint
    hinted = {normalise(name) for name in hint.strands} & {normalise(link.strand) for link in facts.links}
    reason = hint.reason if hinted else ""
    lines = [f"Topics in memory that this touches{f' ({reason})' if reason else ''}:"]
    for link in facts.links:
        moment = slice_instant(link.paths[0])
        seen = month_day(day_of(moment, facts.zone), words) if moment else ""
        lines.append(f"  - {link.strand} (last seen {seen}) → {', '.join(link.paths)}")
    return lines
