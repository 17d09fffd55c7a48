from __future__ import annotations

import errno
from zlib import crc32

import pytest

from core.errors import DiskLost, DiskTrouble, Malformed, NotAFile
from core.journal.codec import encode
from core.journal.ids import turn_id
from core.journal.journal import Journal
from core.journal.records import PATH, Applied, Bye, Done, Hello, In, Plan, Record, Shown, Try
from core.journal.state import State
from tests.core.journal.given import AT, SHORT, conversation, merge, said, talk, update
from tests.doubles.clock import ManualClock
from tests.doubles.fault_disk import refuse
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


def test_a_fresh_journal_knows_nothing_and_is_not_called_clean() -> None:
    journal = opened(SimDisk())

    assert journal.state == State()
    assert not journal.clean
    assert journal.notices == []


def test_what_was_appended_is_known_after_the_next_start() -> None:
    disk = SimDisk()
    for batch in conversation():
        told(disk, *batch)

    again = opened(disk.kill_image())

    assert again.state.is_new(update("tg:7:99"))
    assert not again.state.is_new(update("tg:7:60"))
    assert again.state.shown_gap == "2026-03-08-0900"
    assert again.state.idle


def test_an_append_is_one_write_and_one_flush_whatever_its_number_of_records() -> None:
    disk = SimDisk()
    journal = opened(disk)
    before = disk.operations

    journal.append(said(1), said(2), said(3))

    assert disk.fuse.names[before:] == [f"stat {PATH}", "write", "sync"]
    assert next(disk.images()).peek(PATH) == text_of(disk)


def test_appending_nothing_touches_nothing() -> None:
    disk = SimDisk()
    journal = opened(disk)
    before = disk.operations

    journal.append()

    assert disk.operations == before


def test_lines_are_checksum_space_json() -> None:
    disk = SimDisk()
    told(disk, Try("abc", 1))

    payload = b'{"n":1,"t":"try","turn":"abc"}'

    assert text_of(disk) == b"%08x %b\n" % (crc32(payload), payload)


@pytest.mark.parametrize("keep", range(1, len(encode([Try("abc", 1)]))))
def test_a_torn_tail_is_cut_by_atomic_replace_wherever_it_broke(keep: int) -> None:
    disk = SimDisk()
    whole = encode([said(1)])
    disk.plant(PATH, whole + encode([Try("abc", 1)])[:keep])

    journal = opened(disk)
    torn = text_of(disk)
    journal.append(Try("abc", 2))

    assert torn == whole
    assert text_of(disk) == whole + encode([Try("abc", 2)])
    assert journal.notices == []
    assert f"replace {PATH}" in disk.fuse.names


def test_a_tail_of_zeros_is_cut() -> None:
    disk = SimDisk()
    disk.plant(PATH, encode([said(1)]) + bytes(700))

    opened(disk)

    assert text_of(disk) == encode([said(1)])


def test_a_damaged_line_is_put_aside_and_every_good_one_is_used() -> None:
    disk = SimDisk()
    good, rotten, better = encode([said(1)]), bytearray(encode([said(2)])), encode([said(3)])
    rotten[30] ^= 4
    damaged = good + bytes(rotten) + better
    disk.plant(PATH, damaged)

    journal = opened(disk)

    assert list(journal.state.waiting) == ["tg:7:1", "tg:7:3"]
    assert journal.notices == [("journal.damaged", {"lines": "1", "copy": QUARANTINED})]
    assert disk.peek(QUARANTINED) == damaged
    assert text_of(disk) == good + better
    assert opened(disk.kill_image()).notices == []


def test_a_last_line_that_is_whole_but_wrong_is_no_torn_tail() -> None:
    disk = SimDisk()
    disk.plant(PATH, encode([said(1)]) + b"deadbeef {}\n")

    journal = opened(disk)

    assert journal.notices == [("journal.damaged", {"lines": "1", "copy": QUARANTINED})]


def test_a_file_in_which_nothing_is_good_is_put_aside_whole() -> None:
    disk = SimDisk()
    foreign = encode([said(1), said(2)]).replace(b"\n", b"\r\n")
    disk.plant(PATH, foreign)
    disk.plant(QUARANTINED, b"an older copy")

    journal = opened(disk)

    second = QUARANTINED.replace(".jsonl", "-2.jsonl")
    assert journal.notices == [("journal.damaged", {"lines": "2", "copy": second})]
    assert disk.peek(second) == foreign
    assert disk.peek(QUARANTINED) == b"an older copy"


def test_a_journal_of_a_newer_version_is_refused_and_stays_as_it_is() -> None:
    disk = SimDisk()
    payload = b'{"t":"dream"}'
    newer = encode([said(1)]) + b"%08x %b\n" % (crc32(payload), payload)
    disk.plant(PATH, newer)

    with pytest.raises(Malformed, match="newer version"):
        opened(disk)

    assert text_of(disk) == newer


@pytest.mark.parametrize("path", [f"{PATH}/x", "state"], ids=["a folder for the file", "a file for the folder"])
def test_something_else_in_the_journal_s_place_is_refused(path: str) -> None:
    disk = SimDisk()
    disk.plant(path, b"")

    with pytest.raises(NotAFile):
        opened(disk)


def test_an_orderly_stop_is_told_apart_once() -> None:
    disk = SimDisk()
    journal = told(disk, *(record for batch in talk(1) for record in batch))
    journal.bye()
    journal.close()

    second = opened(disk)
    third = opened(disk.kill_image())

    assert second.clean
    assert not third.clean
    assert text_of(disk).splitlines()[-1] == encode([Hello("2026-03-09T18:42:00.000Z")]).strip()


def test_a_stop_with_a_plan_half_applied_is_not_clean() -> None:
    disk = SimDisk()
    told(disk, said(1), Plan(ONE, "words", ("tg:7:1",))).bye()

    assert not opened(disk).clean


def test_a_stop_with_messages_waiting_is_clean_and_they_wait_still() -> None:
    disk = SimDisk()
    told(disk, said(1)).bye()

    again = opened(disk)

    assert again.clean
    assert list(again.state.waiting) == ["tg:7:1"]


def test_a_stop_on_a_full_disk_is_an_unclean_one_and_no_error() -> None:
    disk = SimDisk()
    journal = told(disk, said(1))
    disk.fail_at(disk.operations + 1, refuse(errno.ENOSPC, forever=True))

    journal.bye()

    assert list(opened(disk.kill_image()).state.waiting) == ["tg:7:1"]


def test_nothing_is_compacted_while_anything_is_open() -> None:
    disk = SimDisk()
    journal = opened(disk, compact_above=10)

    for batch in talk(1)[:-1]:
        journal.append(*batch)

    assert not journal.compact()
    assert text_of(disk).count(b"\n") == sum(len(batch) for batch in talk(1)[:-1])


def test_an_idle_journal_is_compacted_above_its_limit_and_keeps_what_must_stay() -> None:
    disk = SimDisk()
    journal = opened(disk, compact_above=10)
    journal.append(Shown("2026-03-08-0900", AT))

    for batch in talk(1):
        journal.append(*batch)

    again = opened(disk.kill_image())
    assert text_of(disk).count(b"\n") == 1
    assert not again.state.is_new(update("tg:7:1"))
    assert again.state.cursors == {"tg:7": "tg:7:1"}
    assert again.state.shown_gap == "2026-03-08-0900"
    assert [turn.text for turn in again.state.guard["2026-03-09-1200"].turns] == ["words 1 你好"]


def test_a_journal_that_cannot_shrink_is_not_compacted_after_every_turn() -> None:
    disk = SimDisk()
    journal = opened(disk, compact_above=10)
    for number in range(1, 61):
        for batch in talk(number):
            journal.append(*batch)

    compactions = disk.fuse.names.count(f"replace {PATH}")

    assert 2 < compactions < 30


def test_compaction_forgets_a_slice_that_closed_more_than_a_day_ago() -> None:
    clock = ManualClock("2026-03-09T12:00:00+00:00")
    journal = opened(SimDisk(), clock)
    close = {"op": "close_slice", "slice": "2026-03-09-1200", "at": AT}
    journal.append(Plan(ONE, "words", ops=(merge("2026-03-09-1200", ONE, "text"), close)), Applied(ONE, "words"))
    journal.append(Done(ONE))

    journal.compact()
    kept = set(journal.state.guard)
    clock.shift(24 * 3600 + 1)
    journal.compact()

    assert kept == {"2026-03-09-1200"}
    assert not journal.state.guard


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


def test_a_temporary_file_of_a_dead_process_is_swept_away_at_the_start() -> None:
    disk = SimDisk()
    disk.plant("state/.journal.jsonl.tmp", b"half")

    opened(disk)

    assert list(disk.tree()) == [PATH]


def test_an_operation_without_a_json_form_is_refused_and_leaves_the_journal_usable() -> None:
    disk = SimDisk()
    journal = opened(disk)

    with pytest.raises(ValueError, match="JSON"):
        journal.append(said(1), Plan(ONE, "words", ops=({"x": float("nan")},)))
    journal.append(said(2))

    assert list(opened(disk.kill_image()).state.waiting) == ["tg:7:2"]


def test_lone_surrogates_come_back_from_the_file() -> None:
    disk = SimDisk()
    record = In(update(text="a\ud83d\u2028\x00b"), AT)
    told(disk, record)

    assert opened(disk.kill_image()).state.waiting["tg:7:1"].update == record.update


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


def test_a_bye_is_the_last_line_after_compaction() -> None:
    disk = SimDisk()
    journal = told(disk, *(record for batch in talk(1) for record in batch))

    journal.bye()

    assert text_of(disk).splitlines()[1:] == [encode([Bye()]).strip()]
