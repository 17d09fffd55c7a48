"""A memory of two files and a commit that updates one, deletes one and makes one in new folders."""

from __future__ import annotations

from core.storage.base import ABSENT, Change, Delete, Write, version_of
from core.storage.local import LocalStorage
from core.storage.ram_disk import RamDisk

A = "memory/notes/a.md"
B = "memory/notes/b.md"
DEEP = "memory/one/two/three.md"


def content(disk: RamDisk) -> dict[str, bytes]:
    return {path: bytes(node.data) for path, node in disk.names.items() if node.kind == "file"}


async def two_files() -> RamDisk:
    disk = RamDisk()
    await LocalStorage(disk).commit([Write(A, b"a1", ABSENT), Write(B, b"b1", ABSENT)], "begin")
    return disk


UPDATE: list[Change] = [
    Write(A, b"a2", version_of(b"a1")),
    Delete(B, version_of(b"b1")),
    Write(DEEP, b"new", ABSENT),
]
UPDATED = {A: b"a2", DEEP: b"new"}
ORIGINAL = {A: b"a1", B: b"b1"}
