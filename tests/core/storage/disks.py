"""The disks under test, by name, and a way to write a file on any of them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from core.storage.folders import OpenFolders, PathFolders
from core.storage.os_disk import OsDisk
from core.storage.ram_disk import RamDisk

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from core.storage.disk import Disk

needs_posix = pytest.mark.skipif(sys.platform == "win32", reason="modes, FIFOs and umask are POSIX")

DISKS: dict[str, Callable[[Path], Disk]] = {
    "descriptors": lambda root: OsDisk(root, OpenFolders(root)),
    "paths": lambda root: OsDisk(root, PathFolders(root)),
    "ram": lambda root: RamDisk(),
}


def write(disk: Disk, path: str, data: bytes) -> None:
    handle = disk.create(path)
    disk.write(handle, data)
    disk.sync(handle)
    disk.close(handle)
