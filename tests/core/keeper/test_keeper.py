"""The keeper: journalled before written, applied to what stands there now, open until it is done."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING

import pytest

from core.errors import Conflict, DiskTrouble, StorageError
from core.journal.journal import Journal
from core.keeper.keeper import ATTEMPTS, Keeper
from core.keeper.operations import CloseSlice, MarkSlice, MergeTurns, PostBriefing
from core.slices.codec import decode
from core.slices.model import Turn, core_path, flat_path
from core.storage.local import LocalStorage
from core.storage.memory import MemoryStorage
from tests.doubles.clock import ManualClock
from tests.doubles.sim_disk import SimDisk

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.keeper.operations import Operation
    from core.storage.base import Change, Entry, File, Storage

ID = "2026-03-09-1842"
AT = "2026-03-09T18:42:07.113Z"
PATH = core_path(ID)
SAID = MergeTurns(ID, (Turn("abcdef", AT, "user", "my words"),), AT, "UTC")
REPLY = MergeTurns(ID, (Turn("abcdef", AT, "agent", "a reply"),), AT, "UTC")


class Refusing:
    """A storage that refuses so many commits before it takes one."""

    def __init__(self, storage: Storage, error: StorageError, times: int = 1) -> None:
        self._storage, self._error, self._left = storage, error, times

    async def read(self, path: str) -> File:
        return await self._storage.read(path)

    async def list(self, folder: str) -> Sequence[Entry]:
        return await self._storage.list(folder)

    async def commit(self, changes: Sequence[Change], message: str) -> None:
        if self._left:
            self._left -= 1
            raise self._error
        await self._storage.commit(changes, message)


FULL = DiskTrouble(PATH, errno.ENOSPC, "no room")


def keeper_on(disk: SimDisk, storage: Storage | None = None) -> tuple[Keeper, Journal]:
    clock = ManualClock(instant=True)
    journal = Journal.open(disk, clock)
    return Keeper(journal, storage or LocalStorage(disk), clock), journal


def texts(disk: SimDisk) -> list[str]:
    return [turn.text for turn in decode(disk.tree()[PATH], PATH).turns]


async def test_a_plan_that_is_applied_is_closed() -> None:
    disk = SimDisk()
    keeper, journal = keeper_on(disk)

    await keeper.keep("abcdef", "words", [SAID])

    assert texts(disk) == ["my words"]
    assert journal.state.opened("abcdef").pending == ()


async def test_the_plan_is_durable_before_the_first_file_is_touched() -> None:
    disk = SimDisk()
    keeper, _ = keeper_on(disk)

    await keeper.keep("abcdef", "words", [SAID])

    names = [name for name in disk.fuse.names if "journal" in name or "core.md" in name]
    assert "journal" in names[0]
    assert any("core.md" in name for name in names)


async def test_a_care_plan_that_the_disk_refused_stays_open_and_is_finished_later() -> None:
    disk = SimDisk()
    keeper, journal = keeper_on(disk, Refusing(LocalStorage(disk), FULL))

    with pytest.raises(DiskTrouble):
        await keeper.keep("care", "care", [SAID])
    assert list(journal.state.care) == ["care"]

    assert await keeper.finish() == 1
    assert texts(disk) == ["my words"]
    assert journal.state.idle
    assert await keeper.finish() == 0


async def test_a_second_plan_of_the_same_name_applies_the_open_one_too() -> None:
    disk = SimDisk()
    keeper, journal = keeper_on(disk, Refusing(LocalStorage(disk), FULL))
    with pytest.raises(DiskTrouble):
        await keeper.keep("care", "care", [SAID])

    await keeper.keep("care", "care", [REPLY])

    assert texts(disk) == ["my words", "a reply"]
    assert journal.state.care == {}


async def test_plans_that_fail_for_ever_can_be_let_go() -> None:
    disk = SimDisk()
    keeper, journal = keeper_on(disk, Refusing(LocalStorage(disk), FULL))
    with pytest.raises(DiskTrouble):
        await keeper.keep("care", "care", [SAID])

    keeper.abandon()

    assert journal.state.care == {}


async def test_an_edit_by_another_hand_in_between_is_met_and_not_overwritten() -> None:
    disk = SimDisk()
    keeper, _ = keeper_on(disk)
    await keeper.keep("abcdef", "words", [SAID])
    disk.plant(PATH, disk.tree()[PATH].replace(b"my words", b"my better words"))

    await keeper.keep("abcdef", "answer", [REPLY])

    assert texts(disk) == ["my better words", "a reply"]


@pytest.mark.parametrize(("times", "kept"), [(ATTEMPTS - 1, True), (ATTEMPTS, False)])
async def test_a_conflict_is_tried_again_a_few_times(times: int, kept: bool) -> None:
    disk = SimDisk()
    keeper, journal = keeper_on(disk, Refusing(LocalStorage(disk), Conflict(PATH, None, None), times))

    try:
        await keeper.keep("abcdef", "words", [SAID])
    except Conflict:
        assert not kept

    assert (PATH in disk.tree()) is kept
    assert bool(journal.state.opened("abcdef").pending) is not kept


@pytest.mark.parametrize("broken", [b"", b"---\nno end", b"<<<<<<< HEAD\n", b"\xff\xfe"])
async def test_words_go_beside_a_file_that_cannot_be_understood(broken: bytes) -> None:
    disk = SimDisk()
    disk.plant(PATH, broken)
    keeper, _ = keeper_on(disk)

    await keeper.keep("abcdef", "words", [SAID])
    await keeper.keep("abcdef", "answer", [REPLY])

    (beside,) = [path for path in disk.tree() if "conflict" in path]
    assert disk.tree()[PATH] == broken
    assert [turn.text for turn in decode(disk.tree()[beside], beside).turns] == ["my words", "a reply"]
    assert set(keeper.unread) == {beside}


async def test_closing_or_marking_a_file_that_cannot_be_understood_changes_nothing() -> None:
    disk = SimDisk()
    disk.plant(PATH, b"---\nno end")
    before = {path: data for path, data in disk.tree().items() if "memory" in path}
    keeper, _ = keeper_on(disk)

    await keeper.keep("care", "care", [CloseSlice(ID, "capacity", AT), MarkSlice(ID, "focus", "")])

    after = {path: data for path, data in disk.tree().items() if "memory" in path and "conflict" not in path}
    assert after == before


async def test_an_old_flat_file_becomes_a_folder_when_it_is_written() -> None:
    disk = SimDisk()
    keeper, _ = keeper_on(disk)
    await keeper.keep("abcdef", "words", [SAID])
    data = disk.tree()[PATH]
    old = SimDisk()
    old.plant(flat_path(ID), data)
    keeper, _ = keeper_on(old)

    await keeper.keep("abcdef", "answer", [REPLY])

    assert texts(old) == ["my words", "a reply"]
    assert flat_path(ID) not in old.tree()


async def test_several_operations_on_one_file_are_one_write() -> None:
    disk, storage = SimDisk(), MemoryStorage()
    keeper, _ = keeper_on(disk, storage)

    await keeper.keep("abcdef", "answer", [SAID, REPLY, CloseSlice(ID, "capacity", AT), PostBriefing(ID, "hello\n")])

    piece = decode((await storage.read(PATH)).data, PATH)
    assert (len(piece.turns), piece.closed_by) == (2, "capacity")


async def test_a_plan_without_operations_is_kept_and_closed() -> None:
    disk = SimDisk()
    keeper, journal = keeper_on(disk)
    nothing: Sequence[Operation] = ()

    await keeper.keep("abcdef", "words", nothing)

    assert journal.state.opened("abcdef").pending == ()
