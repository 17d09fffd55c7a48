from __future__ import annotations

import pytest

from core.errors import PathRefused
from core.storage.base import ABSENT, Write
from core.storage.memory import MemoryStorage
from tests.core.storage.contract import StorageContract


class TestMemoryStorage(StorageContract):
    @pytest.fixture
    def storage(self) -> MemoryStorage:
        return MemoryStorage()


async def test_it_begins_with_the_files_it_is_given() -> None:
    storage = MemoryStorage({"memory/b.md": b"2", "memory/a.md": b"1"})

    await storage.commit([Write("memory/c.md", b"3", ABSENT)], "put")

    assert (await storage.read("memory/a.md")).data == b"1"
    assert list(storage.files) == ["memory/a.md", "memory/b.md", "memory/c.md"]


async def test_what_it_was_given_and_what_it_gives_are_copies() -> None:
    given = {"memory/a.md": b"1"}
    storage = MemoryStorage(given)

    given["memory/a.md"] = b"changed"
    storage.files["memory/a.md"] = b"changed"

    assert (await storage.read("memory/a.md")).data == b"1"


def test_it_cannot_begin_with_a_name_that_memory_may_not_have() -> None:
    with pytest.raises(PathRefused):
        MemoryStorage({"../x": b""})
