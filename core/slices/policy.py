"""When a burst of talk ends, and when a returning person is briefed: pure decisions on values.

Seeds ("Slices"): a slice closes after silence, at the turn cap, or when the context is lost, and this is detected when
the next message comes. DESIGN 7 has the arrival.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final, Literal

from core.clock import instant

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from core.slices.model import Slice

SHORT_ABSENCE: Final = timedelta(hours=6)
TO_AND_FRO: Final = timedelta(minutes=1)
_NONE: Final = timedelta(0)


@dataclass(frozen=True, slots=True)
class Thresholds:
    """How long a silence closes a slice, and how many stored turns (both roles) fill one."""

    silence: timedelta = timedelta(minutes=15)
    cap: int = 20


@dataclass(frozen=True, slots=True)
class Place:
    """Where a message goes: the signal that closes the active slice, if any, and whether a new slice opens."""

    closes: str | None
    opens: bool


@dataclass(frozen=True, slots=True)
class Arrival:
    """A briefing that is due: `gap` is remembered so that it comes once, `length` is one line or the whole card."""

    gap: str
    length: Literal["line", "card"]


def place(active: Slice | None, now: datetime, thresholds: Thresholds, *, lost: bool = False) -> Place:
    """Where a message that comes now belongs. `active` has its turns.

    Silence goes before capacity, and that before a lost context (original.md 2.2).
    """
    if active is None:
        return Place(None, opens=True)
    signal = closing_signal(active, now, thresholds, lost=lost)
    return Place(signal, opens=signal is not None)


def closing_signal(active: Slice, now: datetime, thresholds: Thresholds, *, lost: bool = False) -> str | None:
    """The signal that closes the slice now, or None. A silence equal to the threshold closes."""
    last = last_instant(active)
    if last and silence(last, now) >= thresholds.silence:
        return "time_silence"
    if len(active.turns) >= thresholds.cap:
        return "capacity"
    return "context_lost" if lost and active.turns else None


def silence(last: datetime, now: datetime) -> timedelta:
    """How long nothing was said: a difference of instants, never below zero when a clock was set back."""
    return max(now - last, _NONE)


def last_instant(slice_: Slice) -> datetime | None:
    """When the slice was last spoken in: its newest readable turn time, else its start, else the minute in its id."""
    for text in (*(turn.at for turn in reversed(slice_.turns)), slice_.end if slice_.closed else "", slice_.start):
        found = instant(text)
        if found:
            return found
    return minute_of(slice_.id)


def minute_of(slice_id: str) -> datetime | None:
    """The UTC minute that an id names; None when there is no such minute."""
    return instant(f"{slice_id[:10]}T{slice_id[11:13]}:{slice_id[13:15]}:00Z") if len(slice_id) == 15 else None  # noqa: PLR2004


def changes_surface(turn_surfaces: Sequence[str], surface: str, since: timedelta) -> bool:
    """Whether a message on `surface` finds the context lost, because the talk was on another one (DESIGN 7).

    `turn_surfaces` are the surfaces of the slice's turns, oldest first; `since` is the time since the last of them.
    The surface of the last turn counts. Within a minute of it nothing closes: a message sent from the other device
    by mistake, and the way back, belong to the same burst, so going to and fro makes no slices of one turn each.
    """
    if not turn_surfaces or turn_surfaces[-1] == surface:
        return False
    return since >= TO_AND_FRO


def arrival(
    last_closed: Slice | None,
    last_turn_at: datetime | None,
    now: datetime,
    thresholds: Thresholds,
    *,
    shown_gap: str | None = None,
    starting: bool = False,
) -> Arrival | None:
    """The briefing that is due when a person is there again, or None.

    `last_closed` is the slice closed last, the one that this arrival closes included: its id names the gap, and
    `shown_gap` is the gap that was already briefed. Under six hours the briefing is one line. When the process starts
    within the silence, the talk goes on in the open slice and one line says where it stands, whatever was shown.
    With nothing said ever, nothing is due.
    """
    if last_turn_at is None:
        return None
    gap = last_closed.id if last_closed else ""
    absence = silence(last_turn_at, now)
    if absence < thresholds.silence:
        return Arrival(gap, "line") if starting else None
    if shown_gap is not None and gap == shown_gap:
        return None
    return Arrival(gap, "line" if absence < SHORT_ABSENCE else "card")
