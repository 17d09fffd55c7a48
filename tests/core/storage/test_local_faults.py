"""What a commit does when the disk refuses, at every operation and with every errno."""

from __future__ import annotations

import errno

import pytest

from core.errors import DiskLost, DiskTrouble, NotFound
from core.storage.base import ABSENT, Write, version_of
from core.storage.local import LocalStorage
from core.storage.ram_disk import Node
from tests.core.storage.two_files import DEEP, ORIGINAL, UPDATE, UPDATED, A, B, content, two_files
from tests.core.storage.watched_disk import WatchedDisk, refused_when
from tests.doubles.fault_disk import refuse


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO, errno.EROFS, errno.EACCES, errno.EMFILE])
@pytest.mark.parametrize("lasting", [False, True])
async def test_a_disk_that_refuses_at_any_operation_tears_nothing_and_a_repeat_completes(
    code: int, lasting: bool
) -> None:
    counted = WatchedDisk(await two_files())
    await LocalStorage(counted).commit(UPDATE, "count")
    renames = [number for number, (name, _) in enumerate(counted.log, 1) if name in {"replace", "remove"}]

    for moment in range(1, len(counted.log) + 1):
        ram = await two_files()
        disk = WatchedDisk(ram)
        disk.fail_at(moment, refuse(code, forever=lasting))
        storage = LocalStorage(disk)

        with pytest.raises((DiskTrouble, DiskLost)) as caught:
            await storage.commit(UPDATE, "refused")

        operation, _ = disk.log[moment - 1]
        after = {path: data for path, data in content(ram).items() if not path.endswith(".tmp")}
        if isinstance(caught.value, DiskLost):
            assert operation.startswith("sync") or moment > renames[-1]
        else:
            assert isinstance(caught.value, DiskTrouble)
            assert caught.value.errno == code
            assert operation not in {"sync", "sync_file", "sync_folder"}
            assert lasting or content(ram) == after, "a temp file is left"
        if moment <= renames[0]:
            assert after == ORIGINAL
        survivor = LocalStorage(ram)
        survivor.sweep()
        await survivor.commit(UPDATE, "again")
        assert content(ram) == UPDATED


async def test_a_break_between_renames_leaves_the_earlier_changes_whole_in_the_order_given() -> None:
    ram = await two_files()
    disk = WatchedDisk(ram, refused_when("remove", errno.EACCES, ending="b.md"))
    storage = LocalStorage(disk)

    with pytest.raises(DiskTrouble, match="permission denied") as caught:
        await storage.commit(UPDATE, "broken")

    assert caught.value.path == B
    assert content(ram) == {A: b"a2", B: b"b1"}
    await LocalStorage(ram).commit(UPDATE, "again")
    assert content(ram) == UPDATED


@pytest.mark.parametrize("operation", ["sync", "sync_file", "sync_folder"])
async def test_after_a_failed_flush_nothing_more_is_done(operation: str) -> None:
    ram = await two_files()
    disk = WatchedDisk(ram, refused_when(operation, errno.EIO))
    changes = [Write(B, b"b1", version_of(b"b1")), *UPDATE[:1]]

    with pytest.raises(DiskLost, match="Input/output error"):
        await LocalStorage(disk).commit(changes, "lost")

    assert disk.log[-1][0] == operation
    assert [name for name, _ in disk.log].count(operation) == 1


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        (errno.ENOSPC, "the disk is full"),
        (errno.EDQUOT, "quota is used up"),
        (errno.EROFS, "read-only"),
        (errno.EACCES, "permission denied"),
        (errno.EPERM, "not permitted"),
        (errno.EMFILE, "too many open files in this process"),
        (errno.ENFILE, "too many open files on this machine"),
        (errno.EIO, "input/output error"),
        (errno.ETXTBSY, "the disk said: Text file busy"),
    ],
)
async def test_a_refusal_is_told_in_a_plain_sentence(code: int, sentence: str) -> None:
    disk = WatchedDisk(await two_files(), refused_when("create", code))

    with pytest.raises(DiskTrouble, match=sentence) as caught:
        await LocalStorage(disk).commit(UPDATE, "refused")

    assert caught.value.path == A
    assert caught.value.errno == code


@pytest.mark.parametrize("operation", ["stat", "read"])
async def test_what_could_not_be_read_is_neither_missing_nor_empty(operation: str) -> None:
    storage = LocalStorage(WatchedDisk(await two_files(), refused_when(operation, errno.EIO)))

    with pytest.raises(DiskTrouble):
        await storage.read(A)
    with pytest.raises(DiskTrouble):
        await storage.commit([Write(A, b"a2", version_of(b"a1"))], "update")


@pytest.mark.parametrize(("operation", "place"), [("list", "memory/notes"), ("stat", A)])
async def test_what_could_not_be_listed_is_not_empty(operation: str, place: str) -> None:
    storage = LocalStorage(WatchedDisk(await two_files(), refused_when(operation, errno.EACCES)))

    with pytest.raises(DiskTrouble):
        await storage.list(place)


async def test_a_disk_that_refuses_while_sweeping_says_so() -> None:
    disk = await two_files()
    disk.names["memory/.b.md.1.0000000a.tmp"] = Node("file")

    with pytest.raises(DiskTrouble, match="read-only"):
        LocalStorage(WatchedDisk(disk, refused_when("remove", errno.EROFS))).sweep()


async def test_a_temp_file_that_cannot_be_removed_does_not_hide_why_the_commit_failed() -> None:
    ram = await two_files()

    def refuse(number: int, name: str, path: str) -> None:
        if name in {"write", "remove"}:
            raise OSError(errno.ENOSPC if name == "write" else errno.EIO, "no", path)

    with pytest.raises(DiskTrouble, match="full"):
        await LocalStorage(WatchedDisk(ram, refuse)).commit([Write(DEEP, b"new", ABSENT)], "refused")

    with pytest.raises(NotFound):
        await LocalStorage(ram).read(DEEP)
    assert LocalStorage(ram).sweep() == 1


async def test_a_temp_file_that_could_not_be_removed_goes_with_the_next_commit() -> None:
    ram, full = await two_files(), True

    def refuse(number: int, name: str, path: str) -> None:
        if full and name in {"write", "remove"}:
            raise OSError(errno.ENOSPC, "no", path)

    storage = LocalStorage(WatchedDisk(ram, refuse))
    with pytest.raises(DiskTrouble):
        await storage.commit([Write(DEEP, b"new", ABSENT)], "refused")
    stuck = [path for path in content(ram) if path.endswith(".tmp")]
    full = False

    await storage.commit([Write(DEEP, b"new", ABSENT)], "again")

    assert len(stuck) == 1
    assert [path for path in content(ram) if path.endswith(".tmp")] == []
