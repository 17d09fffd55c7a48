"""Links, FIFOs, folders and files in each other's place (reliability 4.6, lines 24 to 26, and their neighbours)."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from core.errors import NotAFile
from core.storage.base import ABSENT, Delete, Write, version_of
from core.storage.local import LocalStorage
from core.storage.os_disk import OsDisk
from tests.core.storage.disks import DISKS, needs_posix

if TYPE_CHECKING:
    from collections.abc import Callable


def a_link_to_a_folder(root: Path, outside: Path) -> str:
    (root / "memory/odd").symlink_to(outside, target_is_directory=True)
    return "memory/odd/a.md"


def a_link_to_a_file(root: Path, outside: Path) -> str:
    (root / "memory/odd").symlink_to(outside / "a.md")
    return "memory/odd"


def a_dangling_link(root: Path, outside: Path) -> str:
    (root / "memory/odd").symlink_to(outside / "nothing")
    return "memory/odd"


def a_hard_link(root: Path, outside: Path) -> str:
    (root / "memory/odd").hardlink_to(outside / "a.md")
    return "memory/odd"


def a_fifo(root: Path, outside: Path) -> str:
    os.mkfifo(root / "memory/odd")
    return "memory/odd"


def a_folder(root: Path, outside: Path) -> str:
    (root / "memory/odd").mkdir()
    return "memory/odd"


def a_file_for_a_folder(root: Path, outside: Path) -> str:
    (root / "memory/odd").write_bytes(b"x")
    return "memory/odd/a.md"


@needs_posix
@pytest.mark.timeout(10)
@pytest.mark.parametrize(
    "plant",
    [
        a_link_to_a_folder,
        a_link_to_a_file,
        a_dangling_link,
        a_hard_link,
        a_fifo,
        a_folder,
        a_file_for_a_folder,
    ],
)
async def test_what_is_no_plain_file_is_refused_without_hanging_or_touching(
    tmp_path: Path, plant: Callable[[Path, Path], str]
) -> None:
    root, outside = tmp_path / "home", tmp_path / "outside"
    (root / "memory").mkdir(parents=True)
    outside.mkdir()
    (outside / "a.md").write_bytes(b"secret")
    path = plant(root, outside)
    disk = OsDisk(root)
    storage = LocalStorage(disk)

    with pytest.raises(NotAFile):
        await storage.read(path)
    for change in (Write(path, b"mine", ABSENT), Write(path, b"mine", version_of(b"secret"))):
        with pytest.raises(NotAFile):
            await storage.commit([Write("memory/good.md", b"", ABSENT), change], "through")
    with pytest.raises(NotAFile):
        await storage.commit([Delete(path, version_of(b"secret"))], "delete")

    disk.shut()
    assert {each.name: each.read_bytes() for each in outside.iterdir()} == {"a.md": b"secret"}
    assert [each.name for each in (root / "memory").iterdir()] == ["odd"]


@needs_posix
@pytest.mark.timeout(10)
@pytest.mark.parametrize("how", ["descriptors", "paths"])
def test_the_disk_itself_follows_no_link_and_waits_for_no_fifo(tmp_path: Path, how: str) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real/x").write_bytes(b"x")
    (tmp_path / "folder").symlink_to("real")
    (tmp_path / "file").symlink_to("real/x")
    os.mkfifo(tmp_path / "fifo")
    disk = DISKS[how](tmp_path)

    with pytest.raises(OSError, match=r".") as caught:
        disk.read("file")
    assert caught.value.errno == errno.ELOOP
    with pytest.raises(OSError, match=r".") as caught:
        disk.read("fifo")
    assert caught.value.errno == errno.EINVAL
    with pytest.raises(OSError, match=r".") as caught:
        disk.open_append("fifo")
    assert caught.value.errno == errno.ENXIO
    for use in (disk.read, disk.create, disk.open_append, disk.stat, disk.remove):
        with pytest.raises(NotADirectoryError):
            use("folder/x")
    assert [(name, look.kind) for name, look in disk.list("")] == [
        ("fifo", "other"),
        ("file", "other"),
        ("folder", "other"),
        ("real", "folder"),
    ]


@needs_posix
def test_a_socket_or_device_is_not_opened_for_reading(tmp_path: Path) -> None:
    disk = OsDisk(Path("/dev"))

    with pytest.raises(OSError, match="not a plain file"):
        disk.read("zero")

    disk.shut()


def test_a_hard_link_shows_in_the_stat(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x")
    (tmp_path / "b").hardlink_to(tmp_path / "a")

    found = DISKS["descriptors"](tmp_path).stat("a")

    assert found is not None
    assert found.links == 2
