"""The card as a value: who the person is, in five sections (seeds, "User Card"; original.md 1.5)."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from core.relative import parse_day

if TYPE_CHECKING:
    from datetime import date

IDENTITY: Final = "Identity"
PAST: Final = "Past"
NOW: Final = "Now"
HORIZON: Final = "Horizon"
SELF_MODEL: Final = "Self-model"
SECTIONS: Final = (IDENTITY, PAST, NOW, HORIZON, SELF_MODEL)
"""The headings, in the order of the file."""
AGED_DAYS: Final = 7


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of Past's anchors, Now, Horizon or Self-model.

    `text` is one trimmed line and not empty; `refs` point to slices as `YYYY/MM/DD/HHMM[-turn]`; `since` (Now) and
    `by` (Horizon) are `YYYY-MM-DD` or "". Raises ValueError for a text that no line can hold.
    """

    text: str
    refs: tuple[str, ...] = ()
    since: str = ""
    by: str = ""

    def __post_init__(self) -> None:
        check_line(self.text)


def check_line(text: str) -> None:
    """Raise ValueError unless the text is one trimmed line that is not empty."""
    if not text or text != text.strip() or "\n" in text:
        raise ValueError(f"not one trimmed line: {text[:60]!r}")


@dataclass(frozen=True, slots=True)
class Card:
    """The whole card. `profile` may have several lines when a person wrote it so; none of them is empty.

    `slice_id` and `updated` are the stamp: the slice of the last evolution, and when that was (ISO).
    """

    slice_id: str = ""
    updated: str = ""
    identity: tuple[str, ...] = ()
    profile: str = ""
    anchors: tuple[Entry, ...] = ()
    now: tuple[Entry, ...] = ()
    horizon: tuple[Entry, ...] = ()
    self_model: tuple[Entry, ...] = ()
    layout: object = field(default=None, compare=False, repr=False)
    """How the file was written, kept by the codec so that what nobody changed is written back byte for byte."""

    def __post_init__(self) -> None:
        for line in (*self.identity, *(self.profile.split("\n") if self.profile else ())):
            check_line(line)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Everything that carries evidence, in the order of the file."""
        return self.anchors + self.now + self.horizon + self.self_model


def same_substance(one: Card, other: Card) -> bool:
    """Whether two cards say the same, whatever their stamps and layouts (original.md 2.9)."""
    return (one.identity, one.profile, one.anchors, one.now, one.horizon, one.self_model) == (
        other.identity,
        other.profile,
        other.anchors,
        other.now,
        other.horizon,
        other.self_model,
    )


def overdue(card: Card, today: date) -> tuple[Entry, ...]:
    """The Horizon entries whose day is over; today is not over, and no date is never over."""
    return tuple(entry for entry in card.horizon if (day := parse_day(entry.by)) and day < today)


def reached(card: Card, today: date) -> tuple[Entry, ...]:
    """The Horizon entries whose day is today or over: what a returning person is asked about."""
    return tuple(entry for entry in card.horizon if (day := parse_day(entry.by)) and day <= today)


def aged(card: Card, today: date) -> tuple[Entry, ...]:
    """The Now entries of a week ago or older, which the next evolution is asked to judge; nothing expires by itself."""
    limit = today - timedelta(AGED_DAYS)
    return tuple(entry for entry in card.now if (day := parse_day(entry.since)) and day <= limit)
