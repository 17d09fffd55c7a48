"""Inbox, redo log and outbox of the process in one append-only file (DESIGN 5, reliability 2.3-2.4)."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final, Self

from core.clock import iso
from core.errors import DiskTrouble
from core.journal.ballast import load_ballast, spend_ballast
from core.journal.codec import decode, encode
from core.journal.ledger import Ledger, Notice
from core.journal.records import Bye, Hello, Record
from core.journal.state import State

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.clock import Clock
    from core.storage.disk import Disk

COMPACT_ABOVE: Final = 64 * 1024
"""Bytes above which an idle journal is compacted."""


class Journal:
    """The journal, open for appending. One process at a time: the caller holds the lock on `state/`.

    `state` is what the records add up to. `clean` says whether the process before stopped in order with nothing half
    applied: if not, projections are rebuilt rather than trusted (R16). `notices` are for the owner.
    """

    def __init__(self, disk: Disk, clock: Clock, ledger: Ledger, compact_above: int = COMPACT_ABOVE) -> None:
        self.state = State()
        self.clean = False
        self._disk = disk
        self._clock = clock
        self._ledger = ledger
        self._compact_above = compact_above
        self._compacted = 0

    @classmethod
    def open(
        cls,
        disk: Disk,
        clock: Clock,
        *,
        ballast: int = 0,
        compact_above: int = COMPACT_ABOVE,
        secure: Callable[[], None] | None = None,
    ) -> Self:
        """The journal of that disk, mended and durable; `ballast` bytes are set aside when there is room.

        `secure` is called before each write and raises `Ousted` when `state/` is no longer ours. Raises `Malformed`
        when a newer version wrote it (the file is left), `NotAFile`, `DiskTrouble`, `DiskLost`.
        """
        journal = cls(disk, clock, Ledger(disk, clock, secure), compact_above)
        journal.load()
        if ballast:
            load_ballast(disk, ballast)
        return journal

    @property
    def notices(self) -> list[Notice]:
        """What the owner should hear of, as (key, fields), oldest first; the caller takes out what it has told."""
        return self._ledger.notices

    @property
    def size(self) -> int:
        """Bytes in the file."""
        return self._ledger.size

    def load(self) -> None:
        """Read the file into `state`; raises as `open` does."""
        last: Record | None = None
        for payload in self._ledger.load():
            last = decode(payload)
            self.state.apply(last)
        stopped = isinstance(last, Bye)
        self.clean = stopped and not self._half_applied()
        if stopped:
            # On a full disk the bot still starts and says so; nothing can be written that would need this mark.
            with suppress(DiskTrouble):
                self._append(Hello(iso(self._clock.now())))

    def append(self, *records: Record) -> None:
        """Make the records durable by one write and one fsync, then take them up in `state`.

        Raises `DiskTrouble` when the disk refused: nothing counts as kept, `state` is as before and a later append may
        succeed. Raises `DiskLost` when an fsync failed: the process must end. Raises ValueError for operations that
        JSON has no form for.
        """
        self._append(*records)
        full = self.size > max(self._compact_above, 2 * self._compacted)
        if self.state.idle and (full or self.state.purge):
            # What was asked is durable; a compaction that found no room is tried again after the next append.
            with suppress(DiskTrouble):
                self.compact()

    def compact(self) -> bool:
        """Replace the file by one record of the whole state, if nothing is open (R11); whether it was done.

        Raises `DiskTrouble` (the old file stands) and `DiskLost`.
        """
        if not self.state.idle:
            return False
        self.state.prune(self._clock.now())
        self._ledger.rewrite(self.whole())
        self._compacted, self.state.purge = self.size, False
        return True

    def purge(self) -> None:
        """Have the file written anew as soon as nothing is open: it holds words that are not to stay in it."""
        self.state.purge = True

    def whole(self) -> bytes:
        """The line that builds the present state from nothing; what is open is in it too (R11, R12)."""
        return encode([self.state.snapshot()])

    def bye(self) -> None:
        """Compact if nothing is open and mark the stop as orderly; a disk that refuses leaves it an unclean one."""
        with suppress(DiskTrouble):
            self.compact()
        with suppress(DiskTrouble):
            self._append(Bye())

    def spend_ballast(self) -> bool:
        """Free the room set aside, so that the turn in progress can be finished; whether there was any."""
        return spend_ballast(self._disk)

    def close(self) -> None:
        """Give the file back. The journal is of no use after this."""
        self._ledger.close()

    def _append(self, *records: Record) -> None:
        if not records:
            return
        self._ledger.append(encode(records), self.whole)
        for record in records:
            self.state.apply(record)

    def _half_applied(self) -> bool:
        return bool(self.state.care) or any(turn.pending for turn in self.state.turns.values())
