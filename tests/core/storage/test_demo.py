from __future__ import annotations

import pytest

from core.errors import Conflict, NotAFile, NotFound
from core.storage.base import ABSENT, Delete, Write, version_of
from core.storage.demo import DemoStorage
from core.storage.memory import MemoryStorage
from tests.core.storage.contract import StorageContract, is_missing, names

BASE = {
    "memory/notes/a.md": b"a",
    "memory/notes/b.md": b"b",
    "memory/deep/er/c.md": b"c",
    "tasks/t.md": b"t",
}


@pytest.fixture
def base() -> MemoryStorage:
    return MemoryStorage(BASE)


@pytest.fixture
def demo(base: MemoryStorage) -> DemoStorage:
    return DemoStorage(base)


class TestDemoStorage(StorageContract):
    """Over an empty base it is a storage like any other."""

    @pytest.fixture
    def storage(self) -> DemoStorage:
        return DemoStorage(MemoryStorage())


async def test_what_was_not_changed_is_the_base_s(demo: DemoStorage) -> None:
    assert (await demo.read("memory/notes/a.md")).data == b"a"
    assert await names(demo, "memory") == [("deep", True), ("notes", True)]


async def test_changes_are_seen_and_the_base_never_changes(demo: DemoStorage, base: MemoryStorage) -> None:
    await demo.commit(
        [
            Write("memory/notes/a.md", b"a2", version_of(b"a")),
            Delete("memory/notes/b.md", version_of(b"b")),
            Write("memory/notes/n.md", b"n", ABSENT),
            Write("memory/new/n.md", b"n", ABSENT),
        ],
        "change",
    )

    assert (await demo.read("memory/notes/a.md")).data == b"a2"
    assert await is_missing(demo, "memory/notes/b.md")
    assert await names(demo, "memory/notes") == [("a.md", False), ("n.md", False)]
    assert await names(demo, "memory") == [("deep", True), ("new", True), ("notes", True)]
    assert base.files == BASE


async def test_a_second_change_names_the_version_of_the_first(demo: DemoStorage) -> None:
    await demo.commit([Write("memory/notes/a.md", b"a2", version_of(b"a"))], "first")

    with pytest.raises(Conflict):
        await demo.commit([Write("memory/notes/a.md", b"a3", version_of(b"a"))], "late")
    await demo.commit([Write("memory/notes/a.md", b"a3", version_of(b"a2"))], "second")

    assert (await demo.read("memory/notes/a.md")).data == b"a3"


async def test_what_the_base_has_is_not_absent(demo: DemoStorage) -> None:
    with pytest.raises(Conflict):
        await demo.commit([Write("memory/notes/a.md", b"mine", ABSENT)], "create")


async def test_what_was_deleted_may_be_made_anew(demo: DemoStorage) -> None:
    await demo.commit([Delete("memory/notes/a.md", version_of(b"a"))], "delete")

    await demo.commit([Write("memory/notes/a.md", b"again", ABSENT)], "again")

    assert (await demo.read("memory/notes/a.md")).data == b"again"
    assert await names(demo, "memory/notes") == [("a.md", False), ("b.md", False)]


async def test_a_changed_file_may_be_deleted_and_stays_deleted(demo: DemoStorage) -> None:
    await demo.commit([Write("memory/notes/a.md", b"a2", version_of(b"a"))], "change")

    await demo.commit([Delete("memory/notes/a.md", version_of(b"a2"))], "delete")

    assert await is_missing(demo, "memory/notes/a.md")
    assert await names(demo, "memory/notes") == [("b.md", False)]
    assert await names(demo, "memory/notes/a.md") == []


async def test_a_name_may_turn_from_a_file_into_a_folder(demo: DemoStorage) -> None:
    await demo.commit([Delete("tasks/t.md", version_of(b"t"))], "delete")

    await demo.commit([Write("tasks/t.md/u.md", b"u", ABSENT)], "folder")

    assert await names(demo, "tasks/t.md") == [("u.md", False)]


async def test_a_file_of_the_base_is_no_folder_and_a_folder_no_file(demo: DemoStorage) -> None:
    with pytest.raises(NotAFile):
        await demo.commit([Write("tasks/t.md/u.md", b"u", ABSENT)], "below a file")
    with pytest.raises(NotAFile):
        await demo.commit([Write("memory/deep", b"u", ABSENT)], "over a folder")


async def test_one_conflict_leaves_all_as_it_was(demo: DemoStorage) -> None:
    with pytest.raises(Conflict):
        await demo.commit(
            [Delete("memory/notes/a.md", version_of(b"a")), Write("tasks/t.md", b"x", version_of(b"y"))], "late"
        )

    assert (await demo.read("memory/notes/a.md")).data == b"a"


async def test_two_demos_over_one_base_do_not_see_each_other(base: MemoryStorage) -> None:
    one, two = DemoStorage(base), DemoStorage(base)

    await one.commit([Write("tasks/mine.md", b"1", ABSENT)], "put")

    with pytest.raises(NotFound):
        await two.read("tasks/mine.md")
