from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core.errors import NotFound
from core.storage.github.desk import Bulk
from core.storage.local import LocalStorage
from core.storage.unflushed import Unflushed
from tests.core.storage.contract import NOTE, SLICE, TASK, StorageContract, put
from tests.core.storage.github.given import Replica
from tests.doubles.fault_disk import FaultDisk

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.storage.base import Change, Entry, File
    from tests.doubles.github.server import GitHubDouble


class Pushed:
    """A storage whose every commit has reached the repository when it returns, and stands there byte for byte."""

    def __init__(self, replica: Replica) -> None:
        self._replica = replica

    async def read(self, path: str) -> File:
        return await self._replica.storage.read(path)

    async def list(self, folder: str) -> Sequence[Entry]:
        return await self._replica.storage.list(folder)

    async def commit(self, changes: Sequence[Change], message: str) -> None:
        await self._replica.storage.commit(changes, message)
        await self._replica.round(force=True)
        there = self._replica.double.store.contents()
        for change in changes:
            try:
                here: bytes | None = (await self.read(change.path)).data
            except NotFound:
                here = None
            assert there.get(change.path) == here


class TestGitHubStorage(StorageContract):
    @pytest.fixture
    async def storage(self, replica: Replica) -> Pushed:
        await replica.courier.begin()
        return Pushed(replica)


async def test_a_fresh_disk_gets_everything_back(github: GitHubDouble, replica: Replica) -> None:
    await replica.courier.begin()
    for path, data in ((NOTE, b"note"), (TASK, b"task"), (f"{SLICE}/timeline/briefing.md", bytes(range(256)))):
        await put(replica.storage, path, data)
    await replica.round(force=True)

    other = Replica(github)
    await other.courier.begin()

    assert await other.data(NOTE) == b"note"
    assert await other.data(TASK) == b"task"
    assert await other.data(f"{SLICE}/timeline/briefing.md") == bytes(range(256))
    assert other.mirror.files.tree_id() == replica.mirror.files.tree_id() == replica.mirror.tree
    other.close()


async def test_a_fresh_disk_is_flushed_once_and_before_it_counts_as_copied(
    github: GitHubDouble, replica: Replica
) -> None:
    github.store.push({f"memory/notes/n{number}.md": b"x%d" % number for number in range(30)})
    heads: list[str] = []
    disk = FaultDisk(replica.disk)
    bulk = LocalStorage(Unflushed(disk))
    replica.desk.bulk = Bulk(bulk, lambda: heads.append(replica.mirror.head))

    await replica.courier.begin()

    assert heads == [""]
    assert not any("sync" in name for name in disk.fuse.names)
    assert await replica.data("memory/notes/n7.md") == b"x7"
