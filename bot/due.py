"""What the house has to do by itself at a given moment: a pure decision on values (DESIGN 2).

Nothing is counted and nothing is queued: each job is due by what memory and the journal say, so that a process that
slept for three days, was started again, or whose clock was set finds each job due once (pains P089, P091). In quiet
hours nothing is posted and no model is asked (P093): what needs one waits until they are over or somebody talks.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING, Final, Literal

from core.relative import day_of, known_zone

if TYPE_CHECKING:
    from collections.abc import Mapping

Job = Literal["finish", "close", "sweep", "care", "fold", "briefing", "nudge", "nightly", "look"]

NUDGE: Final = "nudge"
"""The name under which the journal keeps when the last nudge came."""

NIGHT: Final = timedelta(hours=3, minutes=30)
"""How long after local midnight the nightly check may begin."""

MORNING: Final = timedelta(hours=4)
"""How long after its time a morning nudge still makes sense; one that slept through it waits for the next day."""

DAY: Final = timedelta(days=1)
FIRST_WAIT: Final = timedelta(minutes=30)
LONGEST_WAIT: Final = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class Hours:
    """A part of the local day, from `start` up to `end`; it may lie over midnight, and equal ends mean none of it."""

    start: time = time(0)
    end: time = time(0)

    def hold(self, now: datetime, zone: str) -> bool:
        """Whether it is that part of the day at that instant in that zone."""
        clock = local(now, zone).time()
        if self.start <= self.end:
            return self.start <= clock < self.end
        return clock >= self.start or clock < self.end


@dataclass(frozen=True, slots=True)
class Nudge:
    """The morning nudge: at what local time, and every how many days.

    `last` and `heard` tell when it came last, and when the person last said anything.
    """

    at: time = time(8)
    every: int = 1
    last: datetime | None = None
    heard: datetime | None = None


@dataclass(frozen=True, slots=True)
class Looked:
    """How things stand.

    `zone` is the person's; `idle` says that nobody waits for anything; `owed` that plans for memory stand unfinished.
    `talked` is when the newest slice was last spoken in (None: never), `open` whether it is open, `gap` its id.
    `shown` is the gap that was briefed, and `live` when the briefing was posted that still stands whole in the chat;
    `waiting` says that briefings are to wait there, `reachable` that the chat of the newest message can be written to.
    `boundary` says that a slice has closed since memory was cared for; `lacking` that something still lacks a model's
    work, tried `tries` times in vain, last at `tried`. `left` are slices that an earlier day left open.
    """

    zone: str
    silence: timedelta
    idle: bool = True
    owed: bool = False
    talked: datetime | None = None
    open: bool = False
    gap: str = ""
    shown: str = ""
    live: datetime | None = None
    reachable: bool = False
    waiting: bool = False
    quiet: Hours = field(default_factory=Hours)
    boundary: bool = False
    lacking: bool = False
    tries: int = 0
    tried: datetime | None = None
    left: bool = False
    checked: datetime | None = None
    nudge: Nudge | None = None


def due(state: Looked, now: datetime) -> tuple[Job, ...]:
    """The jobs that are due, in the order in which they are to be done; "look" is always the last."""
    quiet = state.quiet.hold(now, state.zone)
    silent = state.talked is not None and now - state.talked >= state.silence
    wanted: Mapping[Job, bool] = {
        "finish": state.owed,
        "close": state.open and silent and state.idle,
        "sweep": state.left,
        "care": not quiet and (state.boundary or (state.lacking and again(state, now))),
        "fold": state.live is not None and state.talked is not None and _over(state.live, state.talked, now),
        "briefing": not quiet and silent and state.idle and _briefing(state),
        "nudge": not quiet and silent and state.idle and _nudge(state, now),
        "nightly": state.idle and _nightly(state, now),
        "look": True,
    }
    return tuple(job for job, is_due in wanted.items() if is_due)


def again(state: Looked, now: datetime) -> bool:
    """Whether what a model could not do is to be tried again: after 30 minutes, then twice as long, at most a day."""
    if state.tried is None or now < state.tried:
        return True
    doubled: int = 2 ** min(max(state.tries - 1, 0), 10)
    return now - state.tried >= min(FIRST_WAIT * doubled, LONGEST_WAIT)


def local(now: datetime, zone: str) -> datetime:
    """The instant on the person's wall clock, without a zone: what it shows is the same twice when it is set back."""
    return now.astimezone(known_zone(zone) or UTC).replace(tzinfo=None)


def night_of(now: datetime, zone: str) -> date:
    """The day whose night this is: a day begins for the nightly check half past three."""
    return (local(now, zone) - NIGHT).date()


def _over(live: datetime, talked: datetime, now: datetime) -> bool:
    """Whether the talk has gone on since the briefing was posted; one of the future is of a clock that was set back."""
    return talked > live or live > now + DAY


def _briefing(state: Looked) -> bool:
    """Whether the briefing of this gap is to be posted now, so that it waits."""
    fresh = bool(state.gap) and state.shown != state.gap and state.live is None
    return state.waiting and state.reachable and not state.open and fresh


def _nudge(state: Looked, now: datetime) -> bool:
    """At most one a day, never a second one to which nobody has said anything, and only in a morning without talk."""
    nudge = state.nudge
    if nudge is None or not state.reachable or state.open:
        return False
    wall = local(now, state.zone)
    since = wall - datetime.combine(wall.date(), nudge.at)
    if not timedelta(0) <= since < MORNING or _talked_today(nudge, state.zone, now):
        return False
    if nudge.last is None or nudge.last > now + DAY:
        return True
    rested = day_of(now, state.zone) - day_of(nudge.last, state.zone)
    return rested >= timedelta(days=nudge.every) and nudge.heard is not None and nudge.heard > nudge.last


def _talked_today(nudge: Nudge, zone: str, now: datetime) -> bool:
    """Whether the person has been here this morning already, and needs no nudge."""
    return nudge.heard is not None and day_of(nudge.heard, zone) >= day_of(now, zone)


def _nightly(state: Looked, now: datetime) -> bool:
    """Once a night, also over restarts; a check that lies in the future is one of a clock that was set back."""
    if state.checked is None or state.checked > now + DAY:
        return True
    return night_of(now, state.zone) > night_of(state.checked, state.zone)
