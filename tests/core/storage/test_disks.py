"""What the disk port says, on the real disk (both ways to reach folders) and in RAM."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core.storage.os_disk import OsDisk
from tests.core.storage.disks import DISKS, write

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from core.storage.disk import Disk


@pytest.fixture(params=DISKS)
def disk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Disk]:
    made = DISKS[request.param](tmp_path)
    yield made
    if isinstance(made, OsDisk):
        made.shut()


class TestEveryDisk:
    """What the port says, on the real disk (both ways to reach folders) and in RAM."""

    def test_what_is_written_is_read(self, disk: Disk) -> None:
        disk.make_folder("a")
        write(disk, "a/x.md", b"one")

        assert disk.read("a/x.md") == b"one"

    def test_appending_creates_and_then_adds(self, disk: Disk) -> None:
        for line in (b"one\n", b"two\n"):
            handle = disk.open_append("log")
            disk.write(handle, line)
            disk.close(handle)

        assert disk.read("log") == b"one\ntwo\n"

    def test_creating_what_is_there_is_refused(self, disk: Disk) -> None:
        write(disk, "x", b"1")

        with pytest.raises(FileExistsError):
            disk.create("x")
        with pytest.raises(FileExistsError):
            disk.make_folder("x")

    def test_nothing_is_made_in_a_missing_folder(self, disk: Disk) -> None:
        for make in (disk.create, disk.open_append, disk.make_folder, disk.list, disk.read, disk.sync_folder):
            with pytest.raises(FileNotFoundError):
                make("missing/x")

    def test_a_file_is_no_folder(self, disk: Disk) -> None:
        write(disk, "x", b"1")

        for use in (disk.create, disk.make_folder, disk.list, disk.read, disk.stat, disk.remove):
            with pytest.raises(NotADirectoryError):
                use("x/y")
        with pytest.raises(NotADirectoryError):
            disk.list("x")

    def test_a_folder_is_no_file(self, disk: Disk) -> None:
        disk.make_folder("a")
        write(disk, "x", b"1")

        with pytest.raises(IsADirectoryError):
            disk.read("a")
        with pytest.raises(OSError, match=r"."):
            disk.remove("a")
        with pytest.raises(OSError, match=r"."):
            disk.replace("x", "a")
        with pytest.raises(OSError, match=r"."):
            disk.open_append("a")

    def test_a_listing_is_sorted_and_tells_kinds_and_sizes(self, disk: Disk) -> None:
        disk.make_folder("b")
        write(disk, "c", b"123")
        write(disk, "a", b"")
        write(disk, "b/deeper", b"x")

        listing = [(name, look.kind, look.size, look.links) for name, look in disk.list("")]

        assert listing == [("a", "file", 0, 1), ("b", "folder", 0, 1), ("c", "file", 3, 1)]

    def test_a_listing_and_a_stat_agree(self, disk: Disk) -> None:
        disk.make_folder("b")
        write(disk, "c", b"123")

        assert all(look == disk.stat(name) for name, look in disk.list(""))

    def test_the_root_is_a_folder(self, disk: Disk) -> None:
        found = disk.stat("")

        assert found is not None
        assert found.kind == "folder"
        disk.sync_folder("")

    def test_what_is_missing_has_no_stat(self, disk: Disk) -> None:
        assert disk.stat("x") is None
        assert disk.stat("x/y/z") is None

    def test_a_mark_changes_with_the_data(self, disk: Disk) -> None:
        write(disk, "x", b"1")
        before = disk.stat("x")
        handle = disk.open_append("x")
        disk.write(handle, b"2")
        disk.close(handle)

        after = disk.stat("x")

        assert before is not None
        assert after is not None
        assert before.mark != after.mark

    def test_replacing_moves_over_the_target(self, disk: Disk) -> None:
        write(disk, "new", b"new")
        write(disk, "old", b"old")

        disk.replace("new", "old")

        assert disk.read("old") == b"new"
        assert disk.stat("new") is None

    def test_replacing_or_removing_what_is_missing_is_refused(self, disk: Disk) -> None:
        with pytest.raises(FileNotFoundError):
            disk.replace("x", "y")
        with pytest.raises(FileNotFoundError):
            disk.remove("x")
        with pytest.raises(FileNotFoundError):
            disk.sync_file("x")

    def test_an_open_file_is_written_wherever_its_name_goes(self, disk: Disk) -> None:
        handle = disk.create("before")
        disk.replace("before", "after")
        disk.write(handle, b"x")
        disk.sync(handle)
        disk.close(handle)
        disk.sync_file("after")

        assert disk.read("after") == b"x"

    def test_closing_twice_is_harmless_and_writing_to_a_closed_handle_is_not(self, disk: Disk) -> None:
        handle = disk.create("x")
        disk.close(handle)
        disk.close(handle)

        with pytest.raises(OSError, match=r"."):
            disk.write(handle, b"x")
        with pytest.raises(OSError, match=r"."):
            disk.sync(handle)
