"""The courier between the disk and the repository: when to look, when to push, and what to do when GitHub says no.

It works beside the talk and never holds it up. Whatever fails, what was said is on the disk; what differs from the
repository is the queue (DESIGN 5.9, reliability 3.2 and 3.3).
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final

from core.errors import DiskLost, RepositoryTrouble, StorageError
from core.storage.github.lag import Lag
from core.storage.github.pulling import Pull, Stopped
from core.storage.github.pushing import Push
from core.storage.github.verdict import BRIEFLY, UNSURE

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from datetime import datetime

    from core.storage.github.desk import Desk
    from core.storage.github.pace import Pace

POLL: Final = 300.0
"""Seconds after which the repository is looked at although nothing was said."""
FACTS: Final = 3600.0
"""Seconds after which it is looked at whether the repository is still private."""
TRIES: Final = 8
"""How often a commit is made again because somebody else was faster."""
OPEN_AT_MOST: Final = 600.0
"""Seconds after which a turn's words are pushed although its answer is not there."""
DAY: Final = 86_400.0

_log = logging.getLogger("previously.github")


class Courier:
    """Looks, takes over, pushes. One round at a time."""

    def __init__(
        self, desk: Desk, pace: Pace, *, public: bool = False, rewoven: Callable[[], Awaitable[None]] | None = None
    ) -> None:
        """`public` allows a repository that everybody can read; `rewoven` is awaited after a merge changed slices."""
        self._desk = desk
        self._pace = pace
        self._push = Push(desk, pace)
        self._public = public
        self.rewoven = rewoven
        self._wake = asyncio.Event()
        self._one = asyncio.Lock()
        self._open: dict[str, float] = {}
        self._look_due = True
        self._looked = self._checked = -DAY
        self._facts_tag = ""
        self._boundary = False
        self._trouble = ""
        self._since: datetime | None = None
        self._told: dict[str, float] = {}

    def lag(self) -> Lag:
        """How things stand."""
        mirror = self._desk.mirror
        kept = {path: why for path, (_, why) in mirror.kept.items()}
        return Lag(
            len(self._desk.touched),
            self._since if self._desk.touched else None,
            self._trouble,
            mirror.stopped,
            tuple(sorted(path for path, why in kept.items() if why != "large")),
            tuple(sorted(path for path, why in kept.items() if why == "large")),
        )

    def wrote(self, paths: set[str], message: str) -> None:
        """Memory was written. A turn's words wait for its answer, so that one commit carries both."""
        desk, (phase, _, turn) = self._desk, message.partition(" ")
        desk.touched |= paths
        self._since = self._since or desk.clock.now()
        if phase == "words":
            self._open[turn] = desk.clock.monotonic()
            self._look_due = True
        elif phase == "answer":
            self._open.pop(turn, None)
        self._wake.set()

    def inspected(self) -> None:
        """The repository was just seen to be private, or allowed to be public."""
        self._checked = self._desk.clock.monotonic()

    async def begin(self) -> None:
        """Take over what the repository has, before anything is taken in; look for what waits on this disk.

        Raises `RepositoryTrouble` and `StorageError`. When the repository cannot be reached and this disk was in step
        with it before, the talk goes on from the disk.
        """
        async with self._one:
            try:
                await self._look(force=True)
            except Stopped as stop:
                self._stop(stop.why)
            except RepositoryTrouble as error:
                if error.kind not in BRIEFLY or not self._desk.mirror.head:
                    raise
                self._meet(error)
            await self._desk.survey()
            self._desk.rewoven = False
        self._wake.set()

    async def peek(self) -> str:
        """The branch's head, "" when it has none. Raises `RepositoryTrouble`."""
        return (await self._head("") or ("", ""))[0]

    async def serve(self) -> None:
        """Work for ever. Raises `DiskLost`."""
        while True:
            await self.round()
            await self._rest()

    async def round(self, *, force: bool = False) -> None:
        """Do what is due, once. `force` pushes also what waits for an answer, for company or for its time."""
        async with self._one:
            try:
                await self._round(force=force)
            except Stopped as stop:
                self._stop(stop.why)
            except RepositoryTrouble as error:
                self._meet(error)
            except StorageError as error:
                self._trouble = str(error)
                self._pace.failed()
                _log.warning("the disk refused while the repository was read: %s", error)
            except DiskLost:
                raise
            except Exception:  # noqa: BLE001 - a fault of the copy must not end the talk; logged with its traceback
                self._trouble = "fault"
                self._pace.failed()
                _log.exception("a fault of the copy; the talk goes on")
        if self._desk.rewoven and self.rewoven:
            self._desk.rewoven = False
            await self.rewoven()

    async def flush(self, seconds: float = 20.0) -> bool:
        """Push everything now, also what is derived, for at most so long; whether nothing waits any more."""
        self._boundary = True
        try:
            async with asyncio.timeout(seconds):
                await self.round(force=True)
        except TimeoutError:
            return False
        return not await self._push.waiting()

    async def settled(self) -> bool:
        """Push what is written so far; whether it is in the repository. For hosts without a disk of their own."""
        await self.round(force=True)
        return not await self._push.waiting(derived=False)

    async def decide(self, *, theirs: bool) -> None:
        """The owner has decided after a stop: take the branch as it is (`theirs`), or bring back what is here."""
        async with self._one:
            mirror, repository = self._desk.mirror, self._desk.repository
            try:
                head, tag = await self._head("") or ("", "")
                if theirs and head:
                    await Pull(self._desk).take(head, tag, trusting=True)
                elif head:
                    mirror.forget()
                    await Pull(self._desk).learn(await repository.commit(head))
                else:
                    mirror.forget()
            except RepositoryTrouble as error:
                self._meet(error)
                return
            mirror.note(stopped="")
            await self._desk.survey()
        self._wake.set()

    async def _round(self, *, force: bool) -> None:
        desk, mirror = self._desk, self._desk.mirror
        if self._pace.resting():
            return
        await self._check_public()
        if mirror.stopped:
            return
        now = desk.clock.monotonic()
        due = self._look_due and desk.repository.graphql  # else each push looks first
        if due or mirror.sent or not mirror.head or now - self._looked >= POLL:
            await self._look(force=bool(mirror.sent))
        for _ in range(TRIES):
            try:
                await self._push_all(force=force)
            except RepositoryTrouble as error:
                if error.kind not in {"stale", "empty"}:
                    raise
                await self._look(force=True)
            else:
                return
        raise RepositoryTrouble("again", "somebody else keeps pushing")

    async def _push_all(self, *, force: bool) -> None:
        while force or not (self._talking() or self._pace.wait()):
            if not self._desk.repository.graphql and await self._push.waiting(derived=self._boundary):
                await self._look(force=True)  # a ref that only moves forward is no compare and swap (3.2)
            more = await self._push.one(all_of_it=self._boundary)
            self._pace.fine()
            self._trouble = ""
            if not more:
                self._boundary = False
                self._since = None
                return

    def _talking(self) -> bool:
        """Whether a turn is being answered: its words go with its answer."""
        now = self._desk.clock.monotonic()
        self._open = {turn: since for turn, since in self._open.items() if now - since < OPEN_AT_MOST}
        return bool(self._open)

    async def _look(self, *, force: bool = False) -> None:
        """Ask where the branch is, by a conditional request, and take over what moved it."""
        mirror = self._desk.mirror
        found = await self._head("" if force and mirror.sent else mirror.tag)
        self._look_due, self._looked = False, self._desk.clock.monotonic()
        self._pace.fine()
        if found is None:
            return
        head, tag = found
        if not head and mirror.head:
            raise Stopped("emptied")
        if head and head != mirror.head:
            await Pull(self._desk).take(head, tag)
        else:
            mirror.note(tag=tag, sent={})

    async def _head(self, tag: str) -> tuple[str, str] | None:
        """The head and its tag; an empty head for a branch that does not exist; None when nothing has changed."""
        try:
            return await self._desk.repository.head(tag)
        except RepositoryTrouble as error:
            if error.kind == "empty":
                return "", ""
            if error.kind == "missing":
                await self._desk.repository.facts()  # the repository itself is there: only the branch is not
                return "", ""
            raise

    async def _check_public(self) -> None:
        now, mirror = self._desk.clock.monotonic(), self._desk.mirror
        if self._public or now - self._checked < FACTS:
            return
        reply = await self._desk.repository.facts(self._facts_tag)
        self._checked = now
        self._facts_tag = reply.headers.get("etag", self._facts_tag)
        if reply.status == 304:  # noqa: PLR2004 - as before
            return
        if not reply.data.get("private"):
            raise Stopped("public")
        if mirror.stopped == "public":
            mirror.note(stopped="")

    def _stop(self, why: str) -> None:
        if self._desk.mirror.stopped != why:
            self._desk.mirror.note(stopped=why)
            self._desk.tell(f"github.stopped.{why}", repository=self._desk.repository.full_name)

    def _meet(self, error: RepositoryTrouble) -> None:
        """Wait as long as the kind of trouble asks; tell the owner what only a person can mend, once a day."""
        self._trouble = error.kind
        if error.kind == "pause":
            self._pace.limited(error.seconds)
        elif error.kind in UNSURE or error.kind == "stale":
            self._pace.failed()
        else:
            self._pace.limited(FACTS / 4)
            now = self._desk.clock.monotonic()
            if now - self._told.get(error.kind, -DAY) >= DAY:
                self._told[error.kind] = now
                self._desk.tell(f"github.trouble.{error.kind}", repository=self._desk.repository.full_name)
        _log.info("%s", error)

    async def _rest(self) -> None:
        """Wait for something written, or for the next look; a rest that GitHub asked for is not cut short."""
        clock = self._desk.clock
        while pause := self._pace.resting():
            await clock.sleep(pause)
        waits = self._pace.wait() if self._desk.touched and not self._talking() else 0.0
        async with asyncio.TaskGroup() as group:
            alarm = group.create_task(self._ring(waits or POLL))
            await self._wake.wait()
            alarm.cancel()
        self._wake.clear()

    async def _ring(self, seconds: float) -> None:
        await self._desk.clock.sleep(seconds)
        self._wake.set()
