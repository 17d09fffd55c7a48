"""What the house does by itself while nobody waits: it looks how things stand, and does what is due, one job at a time.

A round may be broken off at any moment, because talk goes first: each job is one that is owed until it is done, so
the next round meets it again (DESIGN 5.4). The decision is `bot.due`'s.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import TYPE_CHECKING, Final

from bot.due import NUDGE, Hours, Looked, Nudge, due
from core.clock import instant, iso
from core.errors import DiskLost, Malformed, PlatformTrouble, StorageError
from core.evolving import Reason
from core.journal.records import Ran
from core.latest import Latest
from core.slices import policy
from core.slices.model import ACTIVE
from core.turn.place import Placing

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from bot.due import Job
    from bot.lapse import Lapse
    from bot.posting import Posting
    from core.config import Preferences
    from core.config.values import Quiet
    from core.maintenance import Maintenance
    from core.slices.model import Slice
    from core.turn.parts import Parts

NIGHTLY: Final = "nightly"

_log = logging.getLogger("previously.rounds")


@dataclass(frozen=True, slots=True)
class _Seen:
    """The newest slice and the settings, as one look found them."""

    newest: Slice | None
    preferences: Preferences
    state: Looked


class Rounds:
    """Goes round. `done` counts the jobs that were begun."""

    def __init__(self, parts: Parts, lapse: Lapse, maintenance: Maintenance, posting: Posting) -> None:
        self.done: Counter[Job] = Counter()
        self._parts = parts
        self._lapse = lapse
        self._maintenance = maintenance
        self._posting = posting
        self._began = parts.clock.now()
        self._ready = asyncio.Event()
        self._caring = asyncio.Lock()
        self._lacking = False
        self._tries = 0
        self._tried: datetime | None = None
        self._hopeless: set[str] = set()
        self._opened: Latest[frozenset[str]] = Latest()
        self._work: Mapping[Job, Callable[[_Seen], Awaitable[object]]] = {
            "finish": self._finish,
            "close": self._close,
            "sweep": self._sweep,
            "care": self._care,
            "fold": self._fold,
            "briefing": self._briefing,
            "nudge": self._nudge,
            "nightly": self._nightly,
            "look": self._look_around,
        }

    def wake(self) -> None:
        """Have another round begun, now or when the present one is over; several wishes are one round."""
        self._ready.set()

    @property
    def resting(self) -> bool:
        """Whether no round is wanted."""
        return not self._ready.is_set()

    async def rest(self) -> None:
        """Go round at once and whenever woken, until cancelled. Raises `DiskLost`."""
        while True:
            self._ready.clear()
            await self.once()
            _give_way()
            await self._ready.wait()

    async def once(self) -> None:
        """Do what is due, each job at most once, until nothing more is. Raises `DiskLost`."""
        begun: set[Job] = set()
        while "look" not in begun:
            _give_way()
            try:
                seen = await self._look()
            except (StorageError, Malformed) as error:
                _log.warning("nothing is done by itself: %s", error)
                return
            job = next(one for one in due(seen.state, self._parts.clock.now()) if one not in begun)
            begun.add(job)
            self.done[job] += 1
            await self._do(job, seen)

    async def care(self, *, merging: bool = True) -> None:
        """Do what is owed and mark what has no marks; what could not be done is tried again later, ever more seldom."""
        async with self._caring:
            self._tried, maintenance = self._parts.clock.now(), self._maintenance
            fresh = maintenance.due
            await maintenance.run(self._parts.words[self._parts.locale], self._parts.zone, merging=merging)
            failed = maintenance.due
            maintenance.put_off()
            self._lacking = failed or await maintenance.lacking()
            self._tries = (1 if fresh else self._tries + 1) if self._lacking else 0

    async def sweep(self) -> None:
        """Close slices that an earlier day left open; looks at all of them."""
        parts = self._parts
        left = await Placing(parts.slices, parts.storage).sweep(parts.clock.now())
        if left:
            await parts.keeper.keep("sweep", "care", left)
            parts.closing.boundary = True
            if parts.projections.woven:
                await parts.projections.after_turn([one.slice for one in left], closed=[one.slice for one in left])
        for one in left:
            await parts.evolving.owe(Reason("slice_closed", one.slice))

    async def _do(self, job: Job, seen: _Seen) -> None:
        try:
            await self._work[job](seen)
        except DiskLost:
            raise
        except (StorageError, PlatformTrouble, Malformed) as error:
            _log.warning("%s waits: %s", job, error)
        except Exception:  # noqa: BLE001 - a fault in a job must not end the process; logged with its traceback
            _log.exception("%s broke off", job)

    async def _look(self) -> _Seen:
        parts, state = self._parts, self._parts.journal.state
        latest = await parts.slices.latest()
        newest = latest.slice if latest else None
        preferences = await parts.config.load()
        bot, shown = preferences.bot, state.shown
        talked = policy.last_instant(newest) if newest else None
        reader = self._posting.reader(newest, preferences)
        wanted = bot.briefing.nudge and not self._posting.slept(reader)
        nudge = Nudge(
            at=time.fromisoformat(bot.briefing.nudge_at),
            every=bot.briefing.nudge_days,
            last=instant(state.ran.get(NUDGE, "")),
            heard=talked,
        )
        looked = Looked(
            zone=reader.zone,
            silence=timedelta(minutes=preferences.user.slicing.silence_minutes),
            idle=state.idle,
            owed=bool(state.care),
            talked=talked,
            open=newest is not None and not newest.closed,
            gap=newest.id if newest else "",
            shown=state.shown_gap,
            live=instant(shown.at) if shown and shown.message else None,
            reachable=await self._posting.reachable(newest),
            waiting=bot.briefing.mode == "waiting",
            quiet=_hours(bot.quiet),
            boundary=self._maintenance.due,
            lacking=self._lacking,
            tries=self._tries,
            tried=self._tried,
            left=bool(await self._left(newest)),
            checked=instant(state.ran.get(NIGHTLY, "")) or self._began,
            nudge=nudge if wanted else None,
        )
        return _Seen(newest, preferences, looked)

    async def _left(self, newest: Slice | None) -> set[str]:
        """Slices that are listed as open although talk has gone on elsewhere; none while they are first looked through.

        One that a sweep could not close is left to the nightly check.
        """
        if newest is None or not self._parts.projections.woven:
            return set()
        listed = await self._parts.projections.entries()
        opened = self._opened.of(lambda: frozenset(one.id for one in listed if one.status == ACTIVE), listed)
        return set(opened - {newest.id} - self._hopeless)

    async def _finish(self, seen: _Seen) -> None:
        del seen
        await self._parts.keeper.finish()

    async def _close(self, seen: _Seen) -> None:
        state = seen.state
        await self._lapse.run(marked=not state.quiet.hold(self._parts.clock.now(), state.zone))

    async def _sweep(self, seen: _Seen) -> None:
        self._hopeless |= await self._left(seen.newest)
        await self.sweep()

    async def _care(self, seen: _Seen) -> None:
        await self.care(merging=seen.state.boundary)

    async def _fold(self, seen: _Seen) -> None:
        if seen.newest:
            await self._posting.fold(seen.newest, seen.preferences)

    async def _briefing(self, seen: _Seen) -> None:
        if seen.newest:
            await self._posting.brief(seen.newest, seen.preferences)

    async def _nudge(self, seen: _Seen) -> None:
        if seen.newest:
            await self._posting.nudge(seen.newest, seen.preferences)

    async def _nightly(self, seen: _Seen) -> None:
        """Look at everything: what was left open, whether every file loads and the projections agree with them.

        The weave also puts older years into files of their own once the catalog is too large (DESIGN 6).
        """
        del seen
        self._parts.journal.append(Ran(NIGHTLY, iso(self._parts.clock.now())))
        self._hopeless.clear()
        await self.sweep()
        woven = await self._parts.projections.weave(force=True)
        if woven.unreadable:
            _log.warning("these cannot be read: %s", ", ".join(woven.unreadable))

    async def _look_around(self, seen: _Seen) -> None:
        del seen
        await self._maintenance.look()


def _give_way() -> None:
    """Be cancelled if that was asked for: Python 3.11 forgets it when something fails at the same moment."""
    task = asyncio.current_task()
    if task and task.cancelling():
        raise asyncio.CancelledError


def _hours(quiet: Quiet) -> Hours:
    return Hours(time.fromisoformat(quiet.start), time.fromisoformat(quiet.end))
