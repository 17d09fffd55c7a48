"""Each rule of reliability 2.4 that the journal keeps, taken away: the crash tests must notice."""

from __future__ import annotations

import errno
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from core.journal.codec import encode
from core.journal.journal import Journal
from core.journal.ledger import FOLDER, Ledger
from core.journal.records import PATH
from tests.core.journal.crashes import (
    COMPACT_ABOVE,
    Broken,
    Opener,
    Story,
    Tally,
    explore_kills,
    explore_power_cuts,
    explore_two_crashes,
    survive,
    tell,
)
from tests.core.journal.given import SHORT, conversation
from tests.doubles.clock import ManualClock
from tests.doubles.fault_disk import refuse

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.storage.disk import Disk


class NoFsync(Ledger):
    """R2 removed: an append is believed as soon as it is written."""

    def _confirm(self) -> None:
        pass


class NoTailCut(Ledger):
    """R10 removed: the torn tail stays, and what comes next is appended to it."""

    def _mend(self, good: bytes) -> None:
        pass

    def _stands(self) -> bool:
        return True


class NoFileFsync(Ledger):
    """R13 removed, first half: the new file is renamed before its bytes are durable."""

    def _write_new(self, path: str, data: bytes) -> None:
        handle = self._disk.create(path)
        self._disk.write(handle, data)
        self._disk.close(handle)


class NoNameFsync(Ledger):
    """R13 removed, second half: the rename is not made durable."""

    def _confirm_name(self) -> None:
        pass


class InPlace(Ledger):
    """R13 removed altogether: the old file goes before the new one comes."""

    def _write_temporary(self, data: bytes) -> None:
        self._disk.remove(PATH)
        super()._write_temporary(data)


class TrustsNames(Ledger):
    """R14 removed: a file that is there is taken for one that will stay."""

    _existed = False

    def load(self) -> Sequence[bytes]:
        self._existed = self._disk.stat(FOLDER) is not None and self._disk.stat(PATH) is not None
        return super().load()

    def _anchor(self) -> None:
        if not self._existed:
            super()._anchor()


class TrustsBytes(Ledger):
    """R9 removed for the journal: what can be read is taken for durable."""

    def _settle(self, data: bytes) -> None:
        pass


class CompactEarly(Journal):
    """R11 removed: the journal is compacted to what is closed, whatever is open."""

    def whole(self) -> bytes:
        return encode([replace(self.state.snapshot(), open=())])

    def append(self, *records: object) -> None:
        super().append(*records)  # type: ignore[arg-type]  # handed through
        if self.size > COMPACT_ABOVE:
            self._ledger.rewrite(self.whole())


class ForgetSeen(Journal):
    """R12 removed: compaction forgets which messages were received."""

    def whole(self) -> bytes:
        return encode([replace(self.state.snapshot(), seen=())])


def with_ledger(ledger: type[Ledger], journal: type[Journal] = Journal) -> Opener:
    def make(disk: Disk) -> Journal:
        clock = ManualClock()
        made = journal(disk, clock, ledger(disk, clock), COMPACT_ABOVE)
        made.load()
        return made

    return make


def two_crashes(story: Story) -> Tally:
    kills, cuts = explore_two_crashes(story, within=13, most=6)
    return Tally(kills.states + cuts.states, kills.bad + cuts.bad, kills.first or cuts.first)


def few_power_cuts(story: Story) -> Tally:
    return explore_power_cuts(story, most=8)


@pytest.mark.parametrize(
    ("rule", "make", "explore"),
    [
        ("R2", with_ledger(NoFsync), few_power_cuts),
        ("R9", with_ledger(TrustsBytes), two_crashes),
        ("R10", with_ledger(NoTailCut), two_crashes),
        ("R11", with_ledger(Ledger, CompactEarly), explore_kills),
        ("R12", with_ledger(Ledger, ForgetSeen), explore_kills),
        ("R13 file", with_ledger(NoFileFsync), few_power_cuts),
        ("R13 name", with_ledger(NoNameFsync), few_power_cuts),
        ("R13 place", with_ledger(InPlace), explore_kills),
        ("R14", with_ledger(TrustsNames), two_crashes),
    ],
)
def test_a_rule_that_is_removed_is_missed(rule: str, make: Opener, explore: Callable[[Story], Tally]) -> None:
    batches = SHORT[:4] if explore is two_crashes else conversation()

    without = explore(Story(batches, make))

    tell(f"journal without {rule}: {without.bad} of {without.states} states bad; {without.first}")
    assert without.bad > 0


@pytest.mark.parametrize("ledger", [TrustsBytes, TrustsNames])
def test_some_rules_are_missed_only_by_a_power_cut_after_a_kill(ledger: type[Ledger]) -> None:
    story = Story(SHORT, with_ledger(ledger))

    assert (explore_kills(story).bad, explore_power_cuts(story).bad) == (0, 0)


def test_a_process_that_goes_on_after_a_refused_write_without_cutting_the_tail_is_noticed() -> None:
    story = Story(SHORT, with_ledger(NoTailCut))
    broken = 0

    for k in range(1, len(story.operations()) + 1):
        try:
            survive(story, k, refuse(errno.ENOSPC))
        except Broken:
            broken += 1

    tell(f"journal that appends to a torn tail: {broken} faults bad")
    assert broken > 0
