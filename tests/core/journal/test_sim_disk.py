"""The simulated disk itself: what the crash tests rest on."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING

import pytest

from tests.doubles.fault_disk import HALF, KILL, FaultDisk, Killed, refuse
from tests.doubles.sim_disk import SimDisk

if TYPE_CHECKING:
    from core.storage.disk import Disk


def contents(disk: SimDisk, most: int = 64) -> set[bytes | None]:
    return {image.peek("a") for image in disk.images(most)}


def written(disk: Disk, data: bytes) -> int:
    handle = disk.create("a")
    disk.write(handle, data)
    return handle


def test_what_is_not_synced_may_be_absent_torn_zeroed_or_there() -> None:
    disk = SimDisk()
    written(disk, b"abcd")

    assert contents(disk) == {None, b"", b"ab", bytes(4), b"abcd"}


def test_a_synced_file_without_a_synced_name_may_be_gone() -> None:
    disk = SimDisk()
    disk.sync(written(disk, b"abcd"))

    assert contents(disk) == {None, b"abcd"}


def test_a_synced_name_without_synced_bytes_may_be_torn() -> None:
    disk = SimDisk()
    written(disk, b"abcd")
    disk.sync_folder("")

    assert contents(disk) == {b"", b"ab", bytes(4), b"abcd"}


def test_both_synced_is_durable() -> None:
    disk = SimDisk()
    disk.sync(written(disk, b"abcd"))
    disk.sync_folder("")

    assert contents(disk) == {b"abcd"}


def test_a_rename_happens_whole_or_not_at_all() -> None:
    disk = SimDisk()
    disk.plant("a", b"old")
    handle = disk.create("b")
    disk.write(handle, b"new")
    disk.sync(handle)
    disk.sync_folder("")

    disk.replace("b", "a")

    assert {tuple(sorted(image.tree().items())) for image in disk.images()} == {
        (("a", b"old"), ("b", b"new")),
        (("a", b"new"),),
    }


def test_a_folder_that_is_not_durable_takes_its_files_with_it() -> None:
    disk = SimDisk()
    disk.make_folder("f")
    disk.sync(disk.create("f/a"))
    disk.sync_folder("f")

    trees = [image.tree() for image in disk.images()]

    assert {} in trees
    assert {"f/a": b""} in trees


def test_after_a_kill_everything_is_seen_but_a_power_cut_still_takes_it() -> None:
    disk = SimDisk()
    written(disk, b"abcd")

    image = disk.kill_image()

    assert image.peek("a") == b"abcd"
    assert contents(image) == contents(disk)


def test_a_kill_image_goes_its_own_way() -> None:
    disk = SimDisk()
    written(disk, b"abcd")

    image = disk.kill_image()
    image.write(image.open_append("a"), b"ef")

    assert (disk.peek("a"), image.peek("a")) == (b"abcd", b"abcdef")


def test_a_later_write_that_survives_alone_leaves_zeros_before_it() -> None:
    disk = SimDisk()
    handle = written(disk, b"ab")
    disk.sync_folder("")
    disk.write(handle, b"cd")

    assert b"\x00\x00cd" in contents(disk)


def test_too_many_possibilities_are_drawn_the_same_way_each_time() -> None:
    def drawn(seed: int) -> list[bytes | None]:
        disk = SimDisk(seed=seed)
        handle = written(disk, b"ab")
        for _ in range(8):
            disk.write(handle, b"cd")
        assert disk.possibilities() == 2 * 4**9
        return [image.peek("a") for image in disk.images(20)]

    assert drawn(1) == drawn(1)
    assert drawn(1) != drawn(2)
    assert {None, b"ab" + b"cd" * 8} <= set(drawn(1))
    assert len(drawn(1)) <= 20


def test_after_a_failed_sync_no_later_one_makes_it_durable() -> None:
    disk = SimDisk()
    handle = written(disk, b"abcd")
    disk.sync_folder("")
    disk.fail_at(disk.operations + 1, refuse(errno.EIO))
    with pytest.raises(OSError, match="error"):
        disk.sync(handle)

    disk.sync(handle)

    assert b"" in contents(disk)


@pytest.mark.parametrize("wrapped", [False, True], ids=["simulated", "wrapped"])
def test_after_a_kill_every_operation_is_refused(wrapped: bool) -> None:
    inner = SimDisk()
    disk = FaultDisk(inner) if wrapped else inner
    disk.fail_at(2, KILL)
    handle = disk.create("a")

    with pytest.raises(Killed):
        disk.write(handle, b"abcd")
    with pytest.raises(Killed):
        disk.stat("a")
    with pytest.raises(Killed):
        disk.effect("send")

    assert inner.peek("a") == b""


@pytest.mark.parametrize("wrapped", [False, True], ids=["simulated", "wrapped"])
def test_a_kill_in_the_middle_of_a_write_leaves_half(wrapped: bool) -> None:
    inner = SimDisk()
    disk = FaultDisk(inner) if wrapped else inner
    disk.fail_at(2, HALF)

    with pytest.raises(Killed):
        written(disk, b"abcd")

    assert inner.peek("a") == b"ab"


@pytest.mark.parametrize(("forever", "refusals"), [(False, 1), (True, 3)])
def test_an_errno_comes_once_or_from_now_on_until_it_is_healed(forever: bool, refusals: int) -> None:
    disk = FaultDisk(SimDisk())
    disk.fail_at(2, refuse(errno.EROFS, forever=forever))
    seen = 0

    for name in "abcd":
        try:
            disk.create(name)
        except OSError as error:
            seen += error.errno == errno.EROFS
    disk.fail_at(0)
    disk.create("e")

    assert seen == refusals
    assert disk.operations == 5


def test_effects_outside_of_the_disk_are_points_of_death_too() -> None:
    disk = SimDisk()
    disk.fail_at(1)

    with pytest.raises(Killed, match="send"):
        disk.effect("send")


def test_an_open_handle_keeps_a_file_that_was_taken_away() -> None:
    disk = SimDisk()
    handle = written(disk, b"ab")
    disk.uproot("a")

    disk.write(handle, b"cd")

    assert disk.stat("a") is None
    assert contents(disk) == {None}


@pytest.mark.parametrize(
    ("path", "error"), [("none", FileNotFoundError), ("f", IsADirectoryError), ("f/x/y", NotADirectoryError)]
)
def test_reading_what_is_no_file_fails_as_on_a_real_disk(path: str, error: type[OSError]) -> None:
    disk = SimDisk()
    disk.plant("f/x", b"")

    with pytest.raises(error):
        disk.read(path)


def test_names_are_listed_in_order_with_their_kinds() -> None:
    disk = SimDisk()
    disk.plant("b", b"12")
    disk.plant("a/x", b"")

    assert [(name, stat.kind, stat.size) for name, stat in disk.list("")] == [("a", "folder", 0), ("b", "file", 2)]


def test_what_exists_is_not_created_again() -> None:
    disk = SimDisk()
    disk.plant("a", b"")
    disk.plant("f/x", b"")

    with pytest.raises(FileExistsError):
        disk.create("a")
    with pytest.raises(FileExistsError):
        disk.make_folder("f")
    with pytest.raises(IsADirectoryError):
        disk.replace("a", "f")
