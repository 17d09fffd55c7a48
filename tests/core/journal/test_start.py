from __future__ import annotations

from zlib import crc32

import pytest

from core.errors import Malformed, NotAFile
from core.journal.codec import encode
from core.journal.records import PATH, Hello, Plan, Try
from core.journal.state import State
from tests.core.journal.given import said, talk
from tests.core.journal.opened import ONE, QUARANTINED, opened, text_of, told
from tests.doubles.sim_disk import SimDisk


def test_a_fresh_journal_knows_nothing_and_is_not_called_clean() -> None:
    journal = opened(SimDisk())

    assert journal.state == State()
    assert not journal.clean
    assert journal.notices == []


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


def test_a_temporary_file_of_a_dead_process_is_swept_away_at_the_start() -> None:
    disk = SimDisk()
    disk.plant("state/.journal.jsonl.tmp", b"half")

    opened(disk)

    assert list(disk.tree()) == [PATH]
