from __future__ import annotations

import errno
import os
import resource
import stat
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from core.storage.base import ABSENT, Write, version_of
from core.storage.folders import OpenFolders, PathFolders
from core.storage.local import LocalStorage
from core.storage.os_disk import OsDisk
from tests.core.storage.disks import needs_posix, write

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def os_disk(tmp_path: Path) -> Iterator[OsDisk]:
    made = OsDisk(tmp_path)
    yield made
    made.shut()


def modes_below(root: Path) -> dict[str, int]:
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in root.rglob("*")}


@needs_posix
@pytest.mark.parametrize("mask", [0o000, 0o022, 0o077, 0o377, 0o777])
async def test_files_are_0600_and_folders_0700_whatever_the_umask(tmp_path: Path, mask: int) -> None:
    disk = OsDisk(tmp_path)
    before = os.umask(mask)
    try:
        await LocalStorage(disk).commit([Write("memory/a/b/c.md", b"x", ABSENT)], "put")
        disk.close(disk.open_append("memory/journal"))
    finally:
        os.umask(before)
        disk.shut()

    assert modes_below(tmp_path) == {"memory": 0o700, "a": 0o700, "b": 0o700, "c.md": 0o600, "journal": 0o600}


@needs_posix
async def test_a_file_that_was_open_to_others_is_private_once_it_is_replaced(tmp_path: Path, os_disk: OsDisk) -> None:
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory/a.md").write_bytes(b"x")
    (tmp_path / "memory/a.md").chmod(0o666)

    await LocalStorage(os_disk).commit([Write("memory/a.md", b"y", version_of(b"x"))], "update")

    assert stat.S_IMODE((tmp_path / "memory/a.md").stat().st_mode) == 0o600


def test_a_home_that_is_reached_through_a_link_is_fine(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    disk = OsDisk(tmp_path / "link")

    write(disk, "x", b"1")

    disk.shut()
    assert (tmp_path / "real/x").read_bytes() == b"1"


@pytest.mark.parametrize("folders", [OpenFolders, PathFolders])
def test_a_missing_home_is_no_disk(tmp_path: Path, folders: type[OpenFolders | PathFolders]) -> None:
    with pytest.raises(OSError, match=r"."):
        folders(tmp_path / "missing")


def test_a_renamed_folder_no_longer_answers_to_its_old_name(tmp_path: Path, os_disk: OsDisk) -> None:
    os_disk.make_folder("a")
    os_disk.make_folder("a/b")
    write(os_disk, "a/b/x", b"1")
    (tmp_path / "a").rename(tmp_path / "moved")

    assert os_disk.stat("a/b/x") is None
    with pytest.raises(FileNotFoundError):
        os_disk.create("a/b/y")
    assert os_disk.read("moved/b/x") == b"1"


def test_a_folder_that_was_replaced_is_entered_anew(tmp_path: Path, os_disk: OsDisk) -> None:
    os_disk.make_folder("a")
    write(os_disk, "a/x", b"old")
    (tmp_path / "a").rename(tmp_path / "moved")
    (tmp_path / "a").mkdir()

    write(os_disk, "a/x", b"new")

    assert (tmp_path / "moved/x").read_bytes() == b"old"
    assert (tmp_path / "a/x").read_bytes() == b"new"


def test_a_folder_that_became_a_link_is_not_entered(tmp_path: Path, os_disk: OsDisk) -> None:
    os_disk.make_folder("a")
    write(os_disk, "a/x", b"old")
    (tmp_path / "a").rename(tmp_path / "moved")
    (tmp_path / "a").symlink_to("moved")

    with pytest.raises(NotADirectoryError):
        os_disk.read("a/x")


def test_a_folder_above_that_became_a_link_is_not_entered_either(tmp_path: Path, os_disk: OsDisk) -> None:
    for folder in ("a", "a/b", "a/b/c"):
        os_disk.make_folder(folder)
    write(os_disk, "a/b/c/x", b"old")
    (tmp_path / "a").rename(tmp_path / "moved")
    (tmp_path / "a").symlink_to("moved")

    with pytest.raises(NotADirectoryError):
        os_disk.read("a/b/c/x")


def open_descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="counts descriptors in /proc")
def test_many_folders_keep_few_descriptors_open_and_give_all_back(tmp_path: Path) -> None:
    before = open_descriptors()
    disk = OsDisk(tmp_path)
    for number in range(60):
        disk.make_folder(f"{number}")
        disk.make_folder(f"{number}/timeline")
        write(disk, f"{number}/timeline/core.md", b"x")

    during = open_descriptors()
    disk.shut()

    assert during - before < 50
    assert open_descriptors() == before


def test_a_folder_too_deep_to_hold_open_is_refused(os_disk: OsDisk) -> None:
    with pytest.raises(OSError, match=r".") as caught:
        os_disk.read("/".join(["a"] * 40))

    assert caught.value.errno == errno.ENAMETOOLONG


@needs_posix
def test_a_short_write_is_never_taken_for_a_whole_one(os_disk: OsDisk) -> None:
    # At the limit the system takes a part of the bytes and says so without an error.
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handle = os_disk.create("x")
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    try:
        with pytest.raises(OSError, match=r".") as caught:
            os_disk.write(handle, b"x" * 4000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        os_disk.close(handle)

    assert caught.value.errno == errno.EFBIG
    assert os_disk.read("x") == b"x" * 1000


@pytest.mark.skipif(not Path("/proc/meminfo").exists(), reason="needs a file whose size is told as zero")
def test_a_file_of_unknown_size_is_read_to_its_end() -> None:
    disk = OsDisk(Path("/proc"))

    data = disk.read("meminfo")

    disk.shut()
    assert data.startswith(b"MemTotal")


STORY = """
import asyncio, sys
from pathlib import Path
from core.storage.base import ABSENT, Write
from core.storage.local import LocalStorage
from core.storage.os_disk import OsDisk

async def main():
    storage = LocalStorage(OsDisk(Path(sys.argv[1])))
    text = "\\u22ef \\u4f60\\u597d \\U0001f3a9"
    await storage.commit([Write("memory/a.md", text.encode(), ABSENT)], "put")
    assert (await storage.read("memory/a.md")).text == text
    assert (await storage.read("memory/by-hand.md")).text == text
    print([entry.name for entry in await storage.list("memory")])

asyncio.run(main())
"""


@pytest.mark.parametrize("coerce", ["0", "1"])
def test_text_is_utf_8_in_a_locale_that_knows_only_ascii(tmp_path: Path, coerce: str) -> None:
    home = tmp_path / "家"
    (home / "memory").mkdir(parents=True)
    text = "⋯ 你好 🎩"
    (home / "memory/by-hand.md").write_text(text, encoding="utf-8")
    (home / "memory/你好.md").write_text(text, encoding="utf-8")

    done = subprocess.run(
        [sys.executable, "-c", STORY, str(home)],
        cwd=Path(__file__).parents[3],
        env={"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": coerce, "PATH": "/usr/bin:/bin"},
        capture_output=True,
        check=False,
    )

    assert done.stderr == b""
    assert done.stdout == b"['a.md', 'by-hand.md']\n"
    assert (home / "memory/a.md").read_bytes() == text.encode()
