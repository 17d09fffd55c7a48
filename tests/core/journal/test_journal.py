from __future__ import annotations

from zlib import crc32

import pytest

from core.journal.codec import encode
from core.journal.records import PATH, Applied, Bye, Done, In, Plan, Shown, Try
from tests.core.journal.given import AT, conversation, merge, said, talk, update
from tests.core.journal.opened import ONE, opened, text_of, told
from tests.doubles.clock import ManualClock
from tests.doubles.sim_disk import SimDisk


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


def test_a_bye_is_the_last_line_after_compaction() -> None:
    disk = SimDisk()
    journal = told(disk, *(record for batch in talk(1) for record in batch))

    journal.bye()

    assert text_of(disk).splitlines()[1:] == [encode([Bye()]).strip()]
