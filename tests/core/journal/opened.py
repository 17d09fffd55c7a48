"""Journals on simulated disks, opened as the tests of the journal want them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.journal.ids import turn_id
from core.journal.journal import Journal
from core.journal.records import PATH
from tests.doubles.clock import ManualClock

if TYPE_CHECKING:
    from core.journal.records import Record
    from tests.doubles.sim_disk import SimDisk

ONE = turn_id("tg:7:1")
QUARANTINED = "state/quarantine/journal-20260309T184200Z.jsonl"


def opened(disk: SimDisk, clock: ManualClock | None = None, compact_above: int = 64 * 1024) -> Journal:
    return Journal.open(disk, clock or ManualClock(), compact_above=compact_above)


def told(disk: SimDisk, *records: Record) -> Journal:
    journal = opened(disk)
    journal.append(*records)
    return journal


def text_of(disk: SimDisk) -> bytes:
    found = disk.peek(PATH)
    assert found is not None
    return found
