"""What every storage promises; each backend's tests inherit the class and give it an empty `storage` fixture."""

from __future__ import annotations

import pytest

from core.errors import Conflict, Malformed, NotAFile, NotFound, PathRefused
from core.storage.base import ABSENT, Change, Delete, Entry, Storage, Write, version_of

NOTE = "memory/notes/idea.md"
TASK = "tasks/today.md"
SLICE = "memory/episodic/slices/2026/03/09/1842"


async def put(storage: Storage, path: str, data: bytes, expects: str | None = ABSENT) -> str:
    """Write one file; its version."""
    await storage.commit([Write(path, data, expects)], "put")
    return version_of(data)


async def names(storage: Storage, folder: str) -> list[tuple[str, bool]]:
    return [(entry.name, entry.folder) for entry in await storage.list(folder)]


async def is_missing(storage: Storage, path: str) -> bool:
    try:
        await storage.read(path)
    except NotFound:
        return True
    return False


CONTENTS = {
    "empty": b"",
    "plain": b"# Ideas\n",
    "unicode": "⋯ 你好 🎩 👨‍👩‍👧 שלום\u2028\n".encode(),
    "binary": bytes(range(256)),
    "crlf": b"\xef\xbb\xbfa\r\nb\r",
    "big": b"0123456789abcdef" * 100_000,
}


class StorageContract:
    @pytest.mark.parametrize("data", CONTENTS.values(), ids=CONTENTS.keys())
    async def test_what_was_written_is_read_byte_for_byte(self, storage: Storage, data: bytes) -> None:
        await storage.commit([Write(NOTE, data, ABSENT)], "put")

        file = await storage.read(NOTE)

        assert file.path == NOTE
        assert file.data == data
        assert file.version == version_of(data)

    async def test_the_version_is_the_id_that_git_gives(self, storage: Storage) -> None:
        await put(storage, NOTE, b"hello\n")

        file = await storage.read(NOTE)

        assert file.version == "ce013625030ba8dba906f756967f9e9ca394464a"

    async def test_bytes_that_are_no_text_are_malformed_only_as_text(self, storage: Storage) -> None:
        await put(storage, NOTE, b"ok \xff")

        file = await storage.read(NOTE)

        with pytest.raises(Malformed, match="byte 3"):
            _ = file.text

    async def test_a_missing_file_is_not_found(self, storage: Storage) -> None:
        with pytest.raises(NotFound) as caught:
            await storage.read(NOTE)

        assert caught.value.path == NOTE

    async def test_a_folder_is_not_a_file(self, storage: Storage) -> None:
        await put(storage, NOTE, b"x")

        with pytest.raises(NotAFile):
            await storage.read("memory/notes")

    async def test_a_file_is_not_a_folder(self, storage: Storage) -> None:
        await put(storage, NOTE, b"x")

        with pytest.raises(NotAFile):
            await put(storage, f"{NOTE}/deeper.md", b"y")

        assert (await storage.read(NOTE)).data == b"x"

    async def test_a_folder_is_never_overwritten_by_a_file(self, storage: Storage) -> None:
        await put(storage, NOTE, b"x")

        with pytest.raises(NotAFile):
            await put(storage, "memory/notes", b"y")

        assert (await storage.read(NOTE)).data == b"x"

    async def test_a_commit_cannot_need_one_name_as_file_and_as_folder(self, storage: Storage) -> None:
        with pytest.raises(NotAFile):
            await storage.commit(
                [
                    Write("memory/a", b"", ABSENT),
                    Write("memory/b.md", b"", ABSENT),
                    Write("memory/a/c.md", b"", ABSENT),
                ],
                "both",
            )

        assert await names(storage, "memory") == []

    async def test_an_update_names_the_version_it_replaces(self, storage: Storage) -> None:
        first = await put(storage, NOTE, b"one")

        await put(storage, NOTE, b"two", first)

        assert (await storage.read(NOTE)).data == b"two"

    @pytest.mark.parametrize("expected", [ABSENT, version_of(b"older")], ids=["absent", "older"])
    async def test_a_late_update_is_a_conflict(self, storage: Storage, expected: str | None) -> None:
        version = await put(storage, NOTE, b"one")

        with pytest.raises(Conflict) as caught:
            await put(storage, NOTE, b"two", expected)

        assert (caught.value.path, caught.value.expected, caught.value.found) == (NOTE, expected, version)
        assert (await storage.read(NOTE)).data == b"one"

    async def test_an_update_of_what_is_gone_is_a_conflict(self, storage: Storage) -> None:
        with pytest.raises(Conflict) as caught:
            await put(storage, NOTE, b"two", version_of(b"one"))

        assert caught.value.found is None
        assert await is_missing(storage, NOTE)

    async def test_a_late_deletion_is_a_conflict(self, storage: Storage) -> None:
        await put(storage, NOTE, b"one")

        with pytest.raises(Conflict):
            await storage.commit([Delete(NOTE, version_of(b"zero"))], "delete")

        assert (await storage.read(NOTE)).data == b"one"

    async def test_a_deleted_file_is_gone_from_reading_and_listing(self, storage: Storage) -> None:
        version = await put(storage, NOTE, b"one")
        await put(storage, "memory/notes/other.md", b"stays")

        await storage.commit([Delete(NOTE, version)], "delete")

        assert await is_missing(storage, NOTE)
        assert await names(storage, "memory/notes") == [("other.md", False)]

    async def test_a_deleted_file_may_be_made_anew(self, storage: Storage) -> None:
        version = await put(storage, NOTE, b"one")
        await storage.commit([Delete(NOTE, version)], "delete")

        await put(storage, NOTE, b"one again")

        assert (await storage.read(NOTE)).data == b"one again"
        assert await names(storage, "memory/notes") == [("idea.md", False)]

    @pytest.mark.parametrize("place", [0, 1, 2])
    async def test_one_conflict_leaves_every_file_of_the_commit_as_it_was(self, storage: Storage, place: int) -> None:
        kept = await put(storage, NOTE, b"kept")
        doomed = await put(storage, "memory/notes/doomed.md", b"doomed")
        changes: list[Change] = [
            Write(NOTE, b"new", kept),
            Delete("memory/notes/doomed.md", doomed),
            Write("memory/fresh/a.md", b"new", ABSENT),
        ]
        changes.insert(place, Write(TASK, b"late", version_of(b"never there")))

        with pytest.raises(Conflict):
            await storage.commit(changes, "all or none")

        assert (await storage.read(NOTE)).data == b"kept"
        assert (await storage.read("memory/notes/doomed.md")).data == b"doomed"
        assert await is_missing(storage, "memory/fresh/a.md")
        assert await is_missing(storage, TASK)

    async def test_all_changes_of_a_commit_take_effect(self, storage: Storage) -> None:
        old = await put(storage, NOTE, b"old")
        gone = await put(storage, TASK, b"gone")

        await storage.commit(
            [Write(NOTE, b"new", old), Delete(TASK, gone), Write(f"{SLICE}/timeline/core.md", b"turn", ABSENT)], "turn"
        )

        assert (await storage.read(NOTE)).data == b"new"
        assert await is_missing(storage, TASK)
        assert (await storage.read(f"{SLICE}/timeline/core.md")).data == b"turn"

    async def test_two_changes_of_one_path_are_a_value_error(self, storage: Storage) -> None:
        version = await put(storage, NOTE, b"one")

        with pytest.raises(ValueError, match="two changes"):
            await storage.commit([Write(NOTE, b"two", version), Delete(NOTE, version)], "twice")

        assert (await storage.read(NOTE)).data == b"one"

    async def test_an_empty_commit_changes_nothing(self, storage: Storage) -> None:
        await storage.commit([], "nothing")

        assert await names(storage, "memory") == []

    async def test_a_commit_may_be_repeated_as_it_was(self, storage: Storage) -> None:
        old = await put(storage, NOTE, b"old")
        gone = await put(storage, TASK, b"gone")
        changes: list[Change] = [Write(NOTE, b"new", old), Delete(TASK, gone), Write("memory/a.md", b"", ABSENT)]
        await storage.commit(changes, "once")

        await storage.commit(changes, "twice")

        assert (await storage.read(NOTE)).data == b"new"
        assert await is_missing(storage, TASK)
        assert (await storage.read("memory/a.md")).data == b""

    async def test_a_half_done_commit_is_completed_by_repeating_it(self, storage: Storage) -> None:
        old = await put(storage, NOTE, b"old")
        await put(storage, TASK, b"done")
        await storage.commit([Write(NOTE, b"new", old)], "the first half")

        await storage.commit([Write(NOTE, b"new", old), Write("memory/a.md", b"rest", ABSENT)], "all of it")

        assert (await storage.read("memory/a.md")).data == b"rest"

    async def test_a_listing_is_sorted_and_tells_folders_from_files(self, storage: Storage) -> None:
        for path in ["memory/b.md", "memory/a/x.md", "memory/c/d/e.md", "memory/a-1.md", "memory/_index.json"]:
            await put(storage, path, b"x")

        listing = await names(storage, "memory")

        assert listing == [("_index.json", False), ("a", True), ("a-1.md", False), ("b.md", False), ("c", True)]

    async def test_folders_have_no_mark_and_files_have_one(self, storage: Storage) -> None:
        await put(storage, "memory/a/x.md", b"x")
        await put(storage, "memory/b.md", b"x")

        folder, file = await storage.list("memory")

        assert folder == Entry("a", folder=True)
        assert file.mark

    async def test_a_listing_of_a_missing_folder_is_empty(self, storage: Storage) -> None:
        assert await names(storage, "sessions") == []
        assert await names(storage, "memory/nowhere/at/all") == []

    async def test_a_listing_of_a_file_is_that_file_alone(self, storage: Storage) -> None:
        await put(storage, NOTE, b"x")

        listing = await names(storage, NOTE)

        assert listing == [("idea.md", False)]

    async def test_a_mark_stays_while_a_file_does_and_changes_when_it_changes(self, storage: Storage) -> None:
        version = await put(storage, NOTE, b"one")
        (before,) = await storage.list("memory/notes")
        (same,) = await storage.list("memory/notes")

        await put(storage, NOTE, b"two", version)

        (after,) = await storage.list("memory/notes")
        assert before.mark == same.mark
        assert after.mark != before.mark

    async def test_names_that_differ_by_case_alone_do_not_stand_side_by_side(self, storage: Storage) -> None:
        await put(storage, f"{SLICE}/files/AbC_-1-1.jpg", b"x")

        with pytest.raises(PathRefused, match="case alone"):
            await put(storage, f"{SLICE}/files/aBc_-1-1.jpg", b"y")

        assert await names(storage, f"{SLICE}/files") == [("AbC_-1-1.jpg", False)]

    async def test_names_that_differ_by_case_alone_do_not_come_in_one_commit(self, storage: Storage) -> None:
        with pytest.raises(PathRefused, match="case alone"):
            await storage.commit(
                [Write(f"{SLICE}/files/A-1.jpg", b"x", ABSENT), Write(f"{SLICE}/files/a-1.jpg", b"x", ABSENT)], "twins"
            )

        assert await names(storage, f"{SLICE}/files") == []

    @pytest.mark.parametrize(
        "path", ["../x.md", "/memory/x.md", "memory", "memory/../../x.md", "src/x.md", "Memory/x.md"]
    )
    async def test_refused_paths_are_refused_everywhere_and_touch_nothing(self, storage: Storage, path: str) -> None:
        with pytest.raises(PathRefused):
            await storage.read(path)
        with pytest.raises(PathRefused):
            await storage.commit([Write(NOTE, b"good", ABSENT), Write(path, b"bad", ABSENT)], "mixed")
        with pytest.raises(PathRefused):
            await storage.commit([Delete(path, version_of(b""))], "delete")

        assert await is_missing(storage, NOTE)

    @pytest.mark.parametrize("folder", ["", ".", "..", "/", "state", "memory/..", "memory/", "/memory", "MEMORY"])
    async def test_refused_folders_are_not_listed(self, storage: Storage, folder: str) -> None:
        with pytest.raises(PathRefused):
            await storage.list(folder)
