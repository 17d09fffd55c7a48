"""Reading ten thousand slices, beside reading the same files raw."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING

from core.slices.store import Slices
from core.storage.local import LocalStorage
from core.storage.os_disk import OsDisk
from tests.bench.figure import Figure, best, ms

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from tests.bench.archive import Grounds

COUNT = 10_000


def figures(grounds: Grounds) -> Iterator[Figure]:
    home, files = grounds.home(COUNT), grounds.files(COUNT)
    floor = best(lambda: raw(files))
    yield Figure("open, read, close of 10,000 files", f"{ms(floor.cpu)} CPU, {ms(floor.wall)}", 1.0)
    heads = best(lambda: asyncio.run(front(home)))
    told = f"{ms(heads.cpu)} CPU, {ms(heads.wall)}"
    yield Figure("front matter of 10,000 slices / raw, CPU", told, heads.cpu / floor.cpu, 12)
    ids = ["-".join(path.parts[-6:-2]) for path in files]
    whole = best(lambda: asyncio.run(load(home, ids)))
    told = f"{ms(whole.cpu)} CPU, {ms(whole.wall)}"
    yield Figure("load of 10,000 slices with their turns / raw, CPU", told, whole.cpu / floor.cpu)


def raw(files: Sequence[Path]) -> int:
    """The floor: known files, one system call for each step."""
    total = 0
    for path in files:
        handle = os.open(path, os.O_RDONLY)
        total += len(os.read(handle, 1 << 20))
        os.close(handle)
    return total


async def front(home: Path) -> None:
    disk = OsDisk(home)
    found = await Slices(LocalStorage(disk)).heads()
    disk.shut()
    assert len(found) >= COUNT


async def load(home: Path, ids: Sequence[str]) -> None:
    disk = OsDisk(home)
    slices = Slices(LocalStorage(disk))
    for slice_id in ids:
        await slices.load(slice_id)
    disk.shut()
