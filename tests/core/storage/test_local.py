from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core.errors import Conflict, NotAFile
from core.storage.base import ABSENT, Delete, Write, version_of
from core.storage.local import LocalStorage
from core.storage.os_disk import OsDisk
from core.storage.ram_disk import Node, RamDisk
from tests.core.storage.contract import StorageContract
from tests.core.storage.two_files import DEEP, ORIGINAL, UPDATE, A, B, content, two_files
from tests.core.storage.watched_disk import WatchedDisk

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class TestLocalStorageInRam(StorageContract):
    @pytest.fixture
    def storage(self) -> LocalStorage:
        return LocalStorage(RamDisk())


class TestLocalStorageOnDisk(StorageContract):
    @pytest.fixture
    def storage(self, tmp_path: Path) -> Iterator[LocalStorage]:
        disk = OsDisk(tmp_path)
        yield LocalStorage(disk)
        disk.shut()


async def test_the_order_is_check_write_flush_look_rename_flush() -> None:
    disk = WatchedDisk(await two_files())

    await LocalStorage(disk, tag=lambda: "1.0000000a").commit(UPDATE, "update")

    changing = [(name, path) for name, path in disk.log if name not in {"stat", "list", "read"}]
    assert changing == [
        ("sync_folder", ""),
        ("sync_folder", "memory"),
        ("make_folder", "memory/one"),
        ("sync_folder", "memory"),
        ("make_folder", "memory/one/two"),
        ("sync_folder", "memory/one"),
        ("create", "memory/notes/.a.md.1.0000000a.tmp"),
        ("write", ""),
        ("sync", ""),
        ("create", "memory/one/two/.three.md.1.0000000a.tmp"),
        ("write", ""),
        ("sync", ""),
        ("replace", A),
        ("remove", B),
        ("replace", DEEP),
        ("sync_folder", "memory/notes"),
        ("sync_folder", "memory/one/two"),
    ]


async def test_a_folder_chain_is_flushed_once_by_each_process() -> None:
    disk = WatchedDisk(await two_files())
    storage = LocalStorage(disk)
    await storage.commit([Write(A, b"a2", version_of(b"a1"))], "first")
    first = disk.asked("sync_folder")
    disk.forget()

    await storage.commit([Write(A, b"a3", version_of(b"a2"))], "second")

    assert first == ["", "memory", "memory/notes"]
    assert disk.asked("sync_folder") == ["memory/notes"]


async def test_a_folder_that_was_deleted_and_made_anew_is_flushed_anew() -> None:
    ram = await two_files()
    disk = WatchedDisk(ram)
    storage = LocalStorage(disk)
    await storage.commit([Write(A, b"a2", version_of(b"a1"))], "first")
    for path in (A, B, "memory/notes"):
        del ram.names[path]
    disk.forget()

    await storage.commit([Write(A, b"a3", ABSENT)], "second")

    assert disk.asked("sync_folder") == ["memory", "memory/notes"]


async def test_bytes_that_stand_already_are_flushed_and_not_written_again() -> None:
    disk = WatchedDisk(await two_files())

    await LocalStorage(disk).commit([Write(A, b"a1", ABSENT)], "again")

    assert disk.asked("create", "write", "replace") == []
    assert disk.asked("sync_file") == [A]
    assert disk.asked("sync_folder") == ["", "memory", "memory/notes"]


async def test_a_deletion_of_what_is_gone_makes_that_durable() -> None:
    disk = WatchedDisk(await two_files())

    await LocalStorage(disk).commit([Delete("memory/notes/gone.md", version_of(b"x"))], "again")

    assert disk.asked("remove") == []
    assert disk.asked("sync_folder") == ["memory/notes"]


async def test_a_conflict_asks_for_nothing_but_looks() -> None:
    disk = WatchedDisk(await two_files())

    with pytest.raises(Conflict):
        await LocalStorage(disk).commit([*UPDATE, Write("tasks/x.md", b"", version_of(b"y"))], "late")

    assert {name for name, _ in disk.log} <= {"stat", "list", "read"}


async def test_a_file_that_comes_back_at_once_is_found() -> None:
    ram = await two_files()
    node = ram.names.pop(A)

    def back(number: int, name: str, path: str) -> None:
        if number == 2:
            ram.names[A] = node

    file = await LocalStorage(WatchedDisk(ram, back)).read(A)

    assert file.data == b"a1"


async def test_an_edit_while_a_commit_is_being_prepared_is_never_overwritten() -> None:
    ram = await two_files()
    edited: list[str] = []

    def edit(number: int, name: str, path: str) -> None:
        if name == "sync" and not edited:
            edited.append(path)
            ram.names[A] = Node("file", bytearray(b"by hand"), mark=10**6)

    with pytest.raises(Conflict) as caught:
        await LocalStorage(WatchedDisk(ram, edit)).commit(UPDATE, "update")

    assert caught.value.found == version_of(b"by hand")
    assert content(ram) == {A: b"by hand", B: b"b1"}


async def test_a_file_that_appears_while_a_commit_is_being_prepared_is_never_overwritten() -> None:
    ram = await two_files()

    def appear(number: int, name: str, path: str) -> None:
        if name == "sync":
            ram.names[DEEP] = Node("file", bytearray(b"by hand"), mark=10**6)

    with pytest.raises(Conflict):
        await LocalStorage(WatchedDisk(ram, appear)).commit(UPDATE, "update")

    assert content(ram) == {**ORIGINAL, DEEP: b"by hand"}


async def test_a_file_that_vanishes_before_it_is_flushed_again_is_a_conflict() -> None:
    ram = await two_files()

    def vanish(number: int, name: str, path: str) -> None:
        if name == "sync_file":
            del ram.names[A]

    with pytest.raises(Conflict) as caught:
        await LocalStorage(WatchedDisk(ram, vanish)).commit([Write(A, b"a1", version_of(b"a1"))], "again")

    assert caught.value.found is None


@pytest.mark.parametrize(
    "node", [Node("other"), Node("folder"), Node("file", bytearray(b"x"), links=2)], ids=["other", "folder", "linked"]
)
async def test_what_is_no_plain_file_is_neither_read_nor_replaced_nor_deleted(node: Node) -> None:
    disk = await two_files()
    disk.names["memory/notes/odd.md"] = node
    storage = LocalStorage(disk)

    with pytest.raises(NotAFile):
        await storage.read("memory/notes/odd.md")
    for change in (
        Write("memory/notes/odd.md", b"y", ABSENT),
        Write("memory/notes/odd.md", b"y", version_of(b"x")),
        Delete("memory/notes/odd.md", version_of(b"x")),
    ):
        with pytest.raises(NotAFile):
            await storage.commit([Write(A, b"a2", version_of(b"a1")), change], "odd")

    assert disk.names["memory/notes/odd.md"] is node
    assert content(disk)[A] == b"a1"


async def test_a_link_where_a_folder_belongs_is_not_a_file_either() -> None:
    disk = await two_files()
    disk.names["memory/link"] = Node("other")
    storage = LocalStorage(disk)

    with pytest.raises(NotAFile):
        await storage.read("memory/link/a.md")
    with pytest.raises(NotAFile):
        await storage.commit([Write("memory/link/a.md", b"", ABSENT)], "through")
    with pytest.raises(NotAFile):
        await storage.list("memory/link/deeper")


async def test_a_listing_shows_odd_files_and_hides_names_that_memory_may_not_have() -> None:
    disk = await two_files()
    for name in (".git", "Résumé.md", ".a.md.1.0000000a.tmp", "notes.md.", "Con"):
        disk.names[f"memory/notes/{name}"] = Node("file")
    disk.names["memory/notes/pipe.md"] = Node("other", mark=7)

    entries = await LocalStorage(disk).list("memory/notes")

    assert [entry.name for entry in entries] == ["a.md", "b.md", "pipe.md"]
    assert not entries[-1].folder


async def test_sweeping_deletes_our_temp_files_and_nothing_else() -> None:
    disk = await two_files()
    kept = ["memory/notes/.a.md.tmp", "memory/notes/x.tmp", "memory/notes/.a.md.1.0000000A.tmp", "memory/.DS_Store"]
    ours = ["memory/notes/.a.md.1.0000000a.tmp", "memory/.core.md.4194304.deadbeef.tmp", "tasks/.t.md.9.00000000.tmp"]
    disk.make_folder("tasks")
    disk.make_folder("state")
    disk.make_folder("memory/notes/.folder.1.0000000a.tmp")
    for path in [*kept, *ours, "state/.a.md.1.0000000a.tmp"]:
        disk.names[path] = Node("file")

    swept = LocalStorage(disk).sweep()

    assert swept == 3
    assert set(content(disk)) == {A, B, *kept, "state/.a.md.1.0000000a.tmp"}
    assert "memory/notes/.folder.1.0000000a.tmp" in disk.names


async def test_sweeping_one_folder_leaves_the_others() -> None:
    disk = await two_files()
    for path in ("memory/notes/.a.md.1.0000000a.tmp", "memory/.b.md.1.0000000a.tmp"):
        disk.names[path] = Node("file")

    swept = LocalStorage(disk).sweep(["memory/notes"])

    assert swept == 1
    assert "memory/.b.md.1.0000000a.tmp" in disk.names


def test_sweeping_an_empty_home_finds_nothing() -> None:
    assert LocalStorage(RamDisk()).sweep() == 0


async def test_of_many_folders_those_used_last_are_remembered_and_the_others_flushed_once_more() -> None:
    disk = WatchedDisk(RamDisk())
    storage = LocalStorage(disk)
    for number in range(300):
        await storage.commit([Write(f"memory/{number:03}/a.md", b"a1", ABSENT)], "many")
    disk.forget()

    await storage.commit([Write("memory/299/a.md", b"a2", version_of(b"a1"))], "remembered")
    remembered = disk.asked("sync_folder")
    disk.forget()
    await storage.commit([Write("memory/000/a.md", b"a2", version_of(b"a1"))], "forgotten")

    assert remembered == ["memory/299"]
    assert disk.asked("sync_folder") == ["memory", "memory/000"]
