from __future__ import annotations

import errno

import pytest

from core.errors import DiskLost, DiskTrouble, Ousted
from core.journal.journal import Journal
from core.journal.records import PATH, Shown
from tests.core.journal.given import AT, SHORT, said, talk
from tests.core.journal.opened import opened, text_of, told
from tests.doubles.clock import ManualClock
from tests.doubles.fault_disk import refuse
from tests.doubles.sim_disk import SimDisk


def test_a_stop_on_a_full_disk_is_an_unclean_one_and_no_error() -> None:
    disk = SimDisk()
    journal = told(disk, said(1))
    disk.fail_at(disk.operations + 1, refuse(errno.ENOSPC, forever=True))

    journal.bye()

    assert list(opened(disk.kill_image()).state.waiting) == ["tg:7:1"]


def test_a_full_disk_keeps_nothing_says_so_and_takes_the_same_update_later() -> None:
    disk = SimDisk()
    journal = told(disk, said(1))
    disk.fail_at(disk.operations + 2, refuse(errno.ENOSPC))

    with pytest.raises(DiskTrouble) as refusal:
        journal.append(said(2))
    after = list(journal.state.waiting)
    journal.append(said(2))

    assert refusal.value.errno == errno.ENOSPC
    assert after == ["tg:7:1"]
    assert list(opened(disk.kill_image()).state.waiting) == ["tg:7:1", "tg:7:2"]
    assert journal.notices == []


def test_a_failed_write_leaves_no_half_line_for_the_next_append_to_continue() -> None:
    disk = SimDisk()
    journal = told(disk, said(1))
    disk.fail_at(disk.operations + 2, refuse(errno.EIO))
    with pytest.raises(DiskTrouble):
        journal.append(said(2))
    torn = text_of(disk)

    journal.append(said(3))

    assert not torn.endswith(b"\n")
    assert list(opened(disk.kill_image()).state.waiting) == ["tg:7:1", "tg:7:3"]


def test_after_a_failed_fsync_nothing_is_written_or_flushed_again() -> None:
    disk = SimDisk()
    journal = told(disk, Shown("g", AT))
    disk.fail_at(disk.operations + 3, refuse(errno.EIO))
    with pytest.raises(DiskLost):
        journal.append(Shown("h", AT))
    before = disk.operations

    with pytest.raises(DiskLost):
        journal.append(Shown("h", AT))
    with pytest.raises(DiskLost):
        journal.compact()

    assert disk.operations == before
    assert journal.state.shown_gap == "g"


def test_after_a_failed_fsync_the_next_process_does_not_build_on_the_file_that_was_lost() -> None:
    disk = SimDisk()
    journal = told(disk, said(1))
    disk.fail_at(disk.operations + 3, refuse(errno.EIO))
    with pytest.raises(DiskLost):
        journal.append(said(2))
    after = disk.kill_image()

    opened(after).append(said(3))

    assert [list(opened(image).state.waiting) for image in after.images()] == [["tg:7:1", "tg:7:2", "tg:7:3"]]


def test_a_full_disk_does_not_keep_the_journal_from_being_opened() -> None:
    disk = SimDisk()
    told(disk, said(1))
    full = disk.kill_image()
    full.fail_at(6, refuse(errno.ENOSPC))

    journal = opened(full)

    assert full.fuse.names[5].startswith("create ")
    assert list(journal.state.waiting) == ["tg:7:1"]


def test_a_compaction_without_room_does_not_spoil_the_append_that_set_it_off() -> None:
    disk = SimDisk()
    journal = opened(disk, compact_above=10)
    for batch in talk(1)[:-1]:
        journal.append(*batch)
    disk.fail_at(disk.operations + 6, refuse(errno.ENOSPC))

    journal.append(*talk(1)[-1])
    uncompacted = text_of(disk).count(b"\n")
    journal.append(Shown("g", AT))

    assert "write" in disk.fuse.names[-12:]
    assert uncompacted == sum(len(batch) for batch in talk(1))
    assert text_of(disk).count(b"\n") == 1
    assert opened(disk.kill_image()).state.shown_gap == "g"


@pytest.mark.parametrize("gone", ["state", PATH])
def test_a_journal_deleted_while_running_comes_back_with_everything(gone: str) -> None:
    disk = SimDisk()
    journal = told(disk, *(record for batch in SHORT[:5] for record in batch))
    known = journal.state.snapshot()
    disk.uproot(gone)

    journal.append(said(9))

    for image in disk.images():
        again = opened(image)
        assert list(again.state.waiting) == ["tg:7:9"]
        assert again.state.turns == journal.state.turns
        assert set(known.seen) < set(again.state.seen)
    assert journal.notices == [("journal.recreated", {})]


def test_a_journal_changed_by_another_hand_is_written_anew_from_what_is_known() -> None:
    disk = SimDisk()
    journal = told(disk, said(1))
    disk.plant(PATH, b"hello\n")

    journal.append(said(2))

    assert list(opened(disk.kill_image()).state.waiting) == ["tg:7:1", "tg:7:2"]
    assert journal.notices == [("journal.recreated", {})]


def test_ballast_is_set_aside_and_spent_once() -> None:
    disk = SimDisk()

    journal = Journal.open(disk, ManualClock(), ballast=5_000)
    size = len(disk.tree()["state/ballast"])

    assert size == 5_000
    assert journal.spend_ballast()
    assert not journal.spend_ballast()
    assert "state/ballast" not in disk.tree()


def test_ballast_of_another_size_is_laid_anew_and_one_that_fits_stays() -> None:
    disk = SimDisk()
    disk.plant("state/ballast", b"half")

    Journal.open(disk, ManualClock(), ballast=5_000)
    before = disk.operations
    Journal.open(disk.kill_image(), ManualClock(), ballast=5_000)

    assert len(disk.tree()["state/ballast"]) == 5_000
    assert "create state/ballast" in disk.fuse.names[:before]
    assert disk.operations == before


def test_a_disk_without_room_for_ballast_goes_without() -> None:
    disk = SimDisk()
    opened(disk)
    creating = SimDisk()
    Journal.open(creating, ManualClock(), ballast=9)
    at = creating.fuse.names.index("create state/ballast") + 2
    full = SimDisk()
    full.fail_at(at, refuse(errno.ENOSPC))

    journal = Journal.open(full, ManualClock(), ballast=9)
    journal.append(said(1))

    assert "state/ballast" not in full.tree()


def test_a_journal_whose_folder_is_another_process_s_by_now_touches_it_no_more() -> None:
    disk, ousted = SimDisk(), [False]

    def secure() -> None:
        if ousted[0]:
            raise Ousted("somebody else is here")

    journal = Journal.open(disk, ManualClock(), secure=secure)
    journal.append(said(1))
    disk.uproot("state")
    ousted[0] = True
    disk.plant(PATH, b"theirs")

    with pytest.raises(Ousted):
        journal.append(said(2))
    with pytest.raises(Ousted):
        journal.bye()

    assert disk.peek(PATH) == b"theirs"
