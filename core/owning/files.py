"""Whole files in `state/`, durable when the call returns; and every file of a storage."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from core.storage.paths import ROOTS
from core.storage.troubles import flushing, told

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from core.storage.base import Storage
    from core.storage.disk import Disk


def put(disk: Disk, path: str, data: bytes) -> None:
    """Replace the file by these bytes, atomically and durably. Raises `DiskTrouble`, `DiskLost`."""
    folder, _, name = path.rpartition("/")
    temporary = f"{folder}/.{name}.tmp"
    with told(path):
        _make(disk, folder)
        if disk.stat(temporary):
            disk.remove(temporary)
        handle = disk.create(temporary)
        try:
            disk.write(handle, data)
            with flushing(path):
                disk.sync(handle)
        finally:
            disk.close(handle)
        disk.replace(temporary, path)
    with flushing(path):
        disk.sync_folder(folder)


def get(disk: Disk, path: str) -> bytes | None:
    """The file's bytes, None when there is none. Raises `DiskTrouble`."""
    with told(path):
        found = disk.stat(path)
        return disk.read(path) if found and found.kind == "file" else None


def drop(disk: Disk, path: str) -> bool:
    """Remove the file durably; whether there was one. Raises `DiskTrouble`, `DiskLost`."""
    with told(path), suppress(FileNotFoundError):
        disk.remove(path)
        with flushing(path):
            disk.sync_folder(path.rpartition("/")[0])
        return True
    return False


def names(disk: Disk, folder: str) -> Sequence[str]:
    """The plain files in a folder, sorted; none when there is no such folder. Raises `DiskTrouble`."""
    with told(folder), suppress(FileNotFoundError):
        return [name for name, stat in disk.list(folder) if stat.kind == "file"]
    return []


async def below(storage: Storage, folder: str) -> AsyncIterator[str]:
    """The path of every file below a folder of memory, in order. Raises storage trouble."""
    for entry in await storage.list(folder):
        path = f"{folder}/{entry.name}"
        if not entry.folder:
            yield path
            continue
        async for one in below(storage, path):
            yield one


async def every(storage: Storage) -> AsyncIterator[str]:
    """The path of every file of memory, in order. Raises storage trouble."""
    for root in ROOTS:
        async for path in below(storage, root):
            yield path


def _make(disk: Disk, folder: str) -> None:
    above = folder.rpartition("/")[0]
    if not folder or disk.stat(folder):
        return
    _make(disk, above)
    disk.make_folder(folder)
    with flushing(folder):
        disk.sync_folder(above)
