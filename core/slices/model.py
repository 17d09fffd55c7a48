"""A slice: one burst of talk, as a value.

Seeds ("Slices"): a slice opens when someone starts talking and closes after silence; its id is the UTC minute of
its first message, `YYYY-MM-DD-HHMM`, and its place on disk follows from the id (original.md 1.1). Instants stay the
ISO text that the file has: nothing is repaired silently.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

ROOT: Final = "memory/episodic"
SLICES: Final = f"{ROOT}/slices"
USER: Final = "user"
AGENT: Final = "agent"
ACTIVE: Final = "active"
CLOSED: Final = "closed"
TONES: Final = ("positive", "neutral", "negative", "mixed")
SIGNALS: Final = ("time_silence", "user_explicit", "capacity", "context_lost", "time_cap")
_ID: Final = re.compile(r"(\d{4})-(\d{2})-(\d{2})-(\d{4})\Z", re.ASCII)


def is_slice_id(text: str) -> bool:
    """Whether the text has the form `YYYY-MM-DD-HHMM`."""
    return _ID.match(text) is not None


def rel_of(slice_id: str) -> str:
    """The path form of an id, `YYYY/MM/DD/HHMM`, as strands and refs write it; raises ValueError."""
    found = _ID.match(slice_id)
    if not found:
        raise ValueError(f"{slice_id!r} is not a slice id (YYYY-MM-DD-HHMM)")
    return "/".join(found.groups())


def folder_of(slice_id: str) -> str:
    """The folder of a slice."""
    return f"{SLICES}/{rel_of(slice_id)}"


def core_path(slice_id: str) -> str:
    """The shared record of a slice."""
    return f"{folder_of(slice_id)}/timeline/core.md"


def flat_path(slice_id: str) -> str:
    """Where the shared record of an old slice may stand: a file in place of the folder (original.md 1.3)."""
    return f"{folder_of(slice_id)}.md"


def agent_path(slice_id: str) -> str:
    """The cognition log of a slice."""
    return f"{folder_of(slice_id)}/timeline/agent.md"


def messages_path(slice_id: str) -> str:
    """Which platform messages stand in the slice (DESIGN 5.6)."""
    return f"{folder_of(slice_id)}/timeline/messages.jsonl"


def briefing_path(slice_id: str) -> str:
    """The briefing that was posted at the slice's birth (DESIGN 5.6)."""
    return f"{folder_of(slice_id)}/timeline/briefing.md"


def snapshot_path(slice_id: str) -> str:
    """The card as of the slice."""
    return f"{folder_of(slice_id)}/previously.md"


def evolution_path(slice_id: str, number: int) -> str:
    """The record of a change of the card during the slice, from 1: what, why, and the card as it was before."""
    return f"{folder_of(slice_id)}/timeline/evolution-{number}.md"


CARD_PATH: Final = f"{ROOT}/current-previously.md"


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of a slice: `label` as the header has it, ISO time `at`, `role` user or agent, and the text.

    Both sides of an exchange share the label. An all-digit label is an ordinal of old files, not an id.
    """

    label: str
    at: str
    role: str
    text: str

    @property
    def id(self) -> str | None:
        """The turn id, or None for an old ordinal."""
        return None if re.fullmatch(r"\d+", self.label, re.ASCII) else self.label


@dataclass(frozen=True, slots=True)
class Slice:
    """One burst of talk with its marks. Field meanings: seeds, "YAML frontmatter"."""

    id: str
    status: str = ACTIVE
    start: str = ""
    end: str = ""
    timezone: str = "UTC"
    focus: str = ""
    summary: str = ""
    open_loops: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    related_slices: tuple[str, ...] = ()
    loops: tuple[str, ...] = ()
    emotional_tone: str = ""
    closed_by: str = ""
    evolution_summary: str = ""
    turns: tuple[Turn, ...] = ()
    layout: object = field(default=None, compare=False, repr=False)
    """How the file was written, kept by the codec so that what nobody changed is written back byte for byte."""

    @property
    def closed(self) -> bool:
        """Whether the burst is over."""
        return self.status == CLOSED

    @property
    def last_at(self) -> str:
        """The ISO time of the last turn, or of the start when there is none."""
        return self.turns[-1].at if self.turns else self.start
