"""Cards of earlier formats (v1 to v3), read into today's, and the card that a new slice starts from (original.md 1.6).

Nothing writes the old formats any more. An old belief that was refuted or superseded is not carried over: the card
says what holds, and the old file stays in the slices' snapshots.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

from core.card.codec import blank_card, decode, encode, has_stamp, is_card
from core.card.model import Card, Entry
from core.errors import Malformed
from core.identity import bare
from core.relative import local_day

Format = Literal["blank", "card", "v3", "v2", "v1", "unknown"]

IDENTITY: Final = "Identity & background"
PROFILE: Final = (
    "Personality & decision style",
    "Communication preferences",
    "Cognitive style",
    "Domain knowledge",
    "Values & priorities",
    "Work style",
    "Goals & direction",
)
"""What v3 describes the person by; today's profile is made of it."""
CURRENT: Final = ("Current state", "Boundaries & sensitivities")
SELF: Final = (
    "Tool discipline",
    "Reasoning & decomposition",
    "Answer form",
    "Recurring errors",
    "Recall discipline",
    "Corrections",
)
OLDER: Final = {
    "User identity": IDENTITY,
    "User patterns": "Work style",
    "Agent strategies": "Tool discipline",
    "Current context": "Current state",
}
"""The sections of v1 and v2 and what they became in v3."""
_STAMPED: Final = re.compile(r"_Active slice:\s*([^|_]*?)\s*(?:\|.*?)?(?:Updated:\s*([^|]*?)\s*)?_\Z")
_REF: Final = re.compile(r"\[\s*([^\[\]]+?)\s*\]")


@dataclass(frozen=True, slots=True)
class Belief:
    """A bullet of an old card with its meta line: where it rests, since when it holds."""

    text: str
    refs: tuple[str, ...] = ()
    updated: str = ""


@dataclass(frozen=True, slots=True)
class Ensured:
    """The card that a slice starts from, and which of the two files must be written for it."""

    text: str
    write_live: bool
    write_copy: bool


def format_of(text: str) -> Format:
    """The format that a card is written in; the later one where a text could be two."""
    lines = {line.strip() for line in text.removeprefix("\ufeff").split("\n")}
    if not any(lines):
        return "blank"
    if is_card(text):
        return "card"
    if "## User profile" in lines:
        return "v3"
    if lines & {"## 长期记忆", "## 短期记忆"}:
        return "v2"
    return "v1" if lines & {f"## {name}" for name in OLDER} else "unknown"


def read_card(text: str, today: str = "") -> Card:
    """The card that a text of any format holds, empty for a blank text. Raises `Malformed` for what is no card."""
    found = format_of(text)
    if found == "blank":
        return Card()
    if found == "card":
        return decode(text, today)
    if found == "unknown":
        raise Malformed("card", "neither a user card nor one of its earlier formats")
    return _migrated(text, today)


def must_evolve(text: str) -> bool:
    """Whether a card that says something lacks the stamp of today's format, so that the next close evolves it.

    Writing the outcome, changed or not, puts the stamp there and so ends it (B16).
    """
    return bool(text.strip()) and not has_stamp(text)


def ensure(live: str, copy: str, seed: str, *, slice_id: str, now: str, today: str = "") -> Ensured:
    """The card for a slice from the live card, the slice's own snapshot and, for want of both, an earlier snapshot.

    "" stands for a file that is not there. A live card of an earlier format is migrated; none at all is seeded.
    Raises `Malformed` when the live card is no card: it is the person's file and left alone.
    """
    text = _current(live, today) if live.strip() else _seeded(seed, slice_id, now, today)
    return Ensured(text, write_live=text != live, write_copy=text != copy)


def _seeded(seed: str, slice_id: str, now: str, today: str) -> str:
    """The card of an earlier snapshot, or a new one when there is none that can be read."""
    try:
        return _current(seed, today) if seed.strip() else blank_card(slice_id, now)
    except Malformed:
        return blank_card(slice_id, now)


def _current(text: str, today: str) -> str:
    return text if is_card(text) else encode(read_card(text, today))


def _migrated(text: str, today: str) -> Card:
    lines = [line.rstrip("\r") for line in text.removeprefix("\ufeff").split("\n")]
    beliefs = _beliefs(lines)
    stamp = next((found for line in lines if (found := _STAMPED.match(line.strip()))), None)
    told = [belief.text for name in PROFILE for belief in beliefs.get(name, ())]
    return Card(
        slice_id=stamp[1] if stamp else "",
        updated=(stamp[2] or "") if stamp else "",
        identity=tuple(bare(belief.text) for belief in beliefs.get(IDENTITY, ())),
        profile=" ".join(told),
        now=tuple(_hook(belief, today) for name in CURRENT for belief in beliefs.get(name, ())),
        self_model=tuple(Entry(belief.text, belief.refs) for name in SELF for belief in beliefs.get(name, ())),
    )


def _hook(belief: Belief, today: str) -> Entry:
    day = local_day(belief.updated, "UTC")
    return Entry(belief.text, belief.refs, since=day.isoformat() if day else today)


def _beliefs(lines: list[str]) -> dict[str, list[Belief]]:
    """The bullets of an old card by the v3 name of their section."""
    found: dict[str, list[Belief]] = {}
    section = ""
    for at, line in enumerate(lines):
        if line.startswith("#"):
            name = line.lstrip("#").strip()
            section = OLDER.get(name, name)
        elif line.startswith("- ") and section and line[2:].strip():
            belief = _belief(line[2:].strip(), lines[at + 1] if at + 1 < len(lines) else "")
            found.setdefault(section, []).extend([belief] if belief else [])
    return found


def _belief(text: str, below: str) -> Belief | None:
    """A bullet and the indented meta line below it; None when it says that it holds no longer."""
    meta: dict[str, str] = {}
    if below[:1].isspace():
        for part in below.split("|"):
            key, colon, value = part.partition(":")
            if colon:
                meta[key.strip()] = value.strip()
    if meta.get("superseded_by") or meta.get("refuted_by"):
        return None
    refs = meta.get("refs") or meta.get("evidence") or ""
    return Belief(text, tuple(_REF.findall(refs)), meta.get("updated", ""))
