from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from core.errors import Conflict, Malformed, NotFound
from core.slices.codec import decode, encode
from core.slices.merge import close, merge_turns
from core.slices.model import SLICES, Slice, Turn, core_path
from core.slices.store import Slices, born, changes
from core.storage.base import Write, version_of
from core.storage.memory import MemoryStorage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.storage.base import Entry, File

TREE = Path(__file__).parents[2] / "golden" / "slices" / "tree"
NOW = datetime(2026, 3, 14, 9, 0, 30, tzinfo=UTC)


class CountingStorage(MemoryStorage):
    """Memory that counts what is asked of it."""

    reads = 0
    lists = 0

    async def read(self, path: str) -> File:
        self.reads += 1
        return await super().read(path)

    async def list(self, folder: str) -> Sequence[Entry]:
        self.lists += 1
        return await super().list(folder)


def golden() -> CountingStorage:
    files = {path.relative_to(TREE).as_posix(): path.read_bytes() for path in TREE.rglob("*.md")}
    return CountingStorage(files)


def file_of(slice_id: str, status: str = "active", text: str = "hi") -> dict[str, bytes]:
    at = f"{slice_id[:10]}T{slice_id[11:13]}:{slice_id[13:]}:00.000Z"
    one = Slice(slice_id, status, at, closed_by="capacity" if status == "closed" else "")
    return {core_path(slice_id): encode(replace(one, turns=(Turn("q1W-_A", at, "user", text),))).encode()}


async def test_all_slices_are_found_in_order_and_nothing_else() -> None:
    storage = golden()
    noise = ["2026/03/_index.json", "2026/03/09/12/x.md", "2026/3/09/1200/timeline/core.md", "2026/03/09/1200.txt"]
    storage = CountingStorage({**storage.files, **{f"{SLICES}/{name}": b"x" for name in noise}})

    assert await Slices(storage).ids() == [
        "2026-03-08-0700", "2026-03-09-1842", "2026-03-09-2005", "2026-03-10-0001", "2026-03-10-0915",
    ]  # fmt: skip


async def test_an_empty_memory_has_no_slices() -> None:
    slices = Slices(MemoryStorage())

    assert (await slices.ids(), await slices.heads(), await slices.active(), await slices.latest()) == (
        [],
        [],
        [],
        None,
    )


async def test_a_slice_is_loaded_with_the_version_that_a_write_must_name() -> None:
    storage = golden()
    slices = Slices(storage)
    loaded = await slices.load("2026-03-09-2005")

    grown = merge_turns(loaded.slice, [Turn("Zz_-00", "2026-03-09T20:06:00.000Z", "agent", "ok")])
    await storage.commit(changes(loaded, grown), "one turn")

    assert (await slices.load("2026-03-09-2005")).slice == grown
    with pytest.raises(Conflict):
        await storage.commit(changes(loaded, replace(grown, focus="late")), "too late")


async def test_a_missing_slice_is_not_found_and_never_empty() -> None:
    with pytest.raises(NotFound, match="timeline/core"):
        await Slices(golden()).load("2026-03-09-0000")


async def test_an_old_flat_file_becomes_a_folder_when_it_is_written() -> None:
    storage = golden()
    slices = Slices(storage)
    loaded = await slices.load("2026-03-08-0700")
    before = storage.files[loaded.path].decode()

    await storage.commit(changes(loaded, close(loaded.slice, "time_silence", "2026")), "close")

    after = storage.files[core_path("2026-03-08-0700")].decode()
    assert loaded.path not in storage.files
    assert [line for line in before.split("\n") if line not in after.split("\n")] == []
    assert (await slices.load("2026-03-08-0700")).slice.closed
    assert "2026-03-08-0700" in await slices.ids()


async def test_one_broken_file_is_reported_stays_as_it_is_and_hides_no_other() -> None:
    broken = {core_path("2026-03-10-0002"): b"---\nfocus: [a\n---\n", core_path("2026-03-10-0003"): b""}
    storage = CountingStorage({**golden().files, **broken})
    slices = Slices(storage)

    heads = await slices.heads()

    assert [head.id for head in heads] == await Slices(golden()).ids()
    assert set(slices.unreadable) == {"2026-03-10-0002", "2026-03-10-0003"}
    assert "neither front matter" in slices.unreadable["2026-03-10-0003"]
    assert {path: storage.files[path] for path in broken} == broken
    with pytest.raises(Malformed):
        await slices.load("2026-03-10-0002")


async def test_a_mended_file_is_no_longer_reported() -> None:
    path = core_path("2026-03-10-0002")
    storage = MemoryStorage({path: b"oops"})
    slices = Slices(storage)
    await slices.heads()
    reported = set(slices.unreadable)

    mended = Write(path, file_of("2026-03-10-0002")[path], version_of(b"oops"))
    await storage.commit([mended], "mend")
    heads = await slices.heads()

    assert reported == {"2026-03-10-0002"}
    assert [head.id for head in heads] == ["2026-03-10-0002"]
    assert slices.unreadable == {}


async def test_heads_have_no_turns_and_are_read_again_only_when_a_file_changed() -> None:
    storage = golden()
    slices = Slices(storage)
    first = await slices.heads()
    after_first = storage.reads
    loaded = await slices.load("2026-03-09-2005")
    await storage.commit(changes(loaded, replace(loaded.slice, focus="ovens")), "mark")
    before_second = storage.reads

    second = await slices.heads()

    assert [head.turns for head in first] == [()] * 5
    assert after_first == 5
    assert storage.reads - before_second == 1
    assert [head.focus for head in second if head.id == "2026-03-09-2005"] == ["ovens"]


async def test_some_heads_can_be_asked_for_and_a_missing_one_is_passed_over() -> None:
    slices = Slices(golden())

    heads = await slices.heads(["2026-03-10-0915", "2026-03-09-0000", "2026-03-08-0700"])

    assert [head.id for head in heads] == ["2026-03-10-0915", "2026-03-08-0700"]
    assert slices.unreadable == {}


async def test_a_long_look_gives_other_tasks_a_turn() -> None:
    breaths = []

    async def breathe() -> None:
        breaths.append(1)

    files = {path: data for day in range(1, 29) for path, data in file_of(f"2026-02-{day:02}-0800").items()}
    files |= {path: data for day in range(1, 29) for path, data in file_of(f"2026-01-{day:02}-0800").items()}

    heads = await Slices(MemoryStorage(files), breathe).heads()

    assert len(heads) == 56
    assert len(breaths) == 2


async def test_every_active_slice_of_any_day_is_found_newest_first() -> None:
    files = file_of("2026-03-09-1842") | file_of("2025-12-31-2359") | file_of("2026-03-13-0800", "closed")
    slices = Slices(MemoryStorage({**golden().files, **files}))

    found = [loaded.slice.id for loaded in await slices.active()]

    assert found == ["2026-03-10-0001", "2026-03-09-2005", "2026-03-09-1842", "2026-03-08-0700", "2025-12-31-2359"]


async def test_the_latest_slice_costs_the_same_in_a_large_archive() -> None:
    rng = random.Random(7)
    days = [datetime(2020, 1, 1, tzinfo=UTC) + timedelta(days=rng.randrange(2000)) for _ in range(300)]
    files = {path: data for day in days for path, data in file_of(f"{day:%Y-%m-%d}-0800", "closed").items()}
    storage = CountingStorage({**files, **file_of("2026-03-13-0800")})

    latest = await Slices(storage).latest()

    assert latest is not None
    assert latest.slice.id == "2026-03-13-0800"
    assert (storage.reads, storage.lists) == (1, 4)


async def test_the_newest_ids_come_in_order_and_cost_the_same_in_a_large_archive() -> None:
    days = [datetime(2020, 1, 1, tzinfo=UTC) + timedelta(days=day) for day in range(300)]
    storage = CountingStorage({path: data for day in days for path, data in file_of(f"{day:%Y-%m-%d}-0800").items()})
    slices = Slices(storage)

    newest = await slices.newest(3)

    assert newest == (await slices.ids())[-3:]
    assert await Slices(MemoryStorage()).newest(3) == []
    storage.lists = 0
    await slices.newest(3)
    assert storage.lists == 6


async def test_the_latest_slice_is_the_newest_that_can_be_read() -> None:
    slices = Slices(MemoryStorage({core_path("2026-03-14-0001"): b"oops", **file_of("2026-03-13-0800")}))

    latest = await slices.latest()

    assert latest is not None
    assert latest.slice.id == "2026-03-13-0800"
    assert set(slices.unreadable) == {"2026-03-14-0001"}


async def test_two_slices_in_one_utc_minute_both_live() -> None:
    storage = MemoryStorage()
    slices = Slices(storage)
    for text in ("first", "second", "third"):
        one = Slice(await slices.mint(NOW), start="s", turns=(Turn("q1W-_A", "2026", "user", text),))
        await storage.commit(changes(born(one), one), text)

    texts = {name: decode(storage.files[core_path(name)], name).turns[0].text for name in await slices.ids()}

    assert texts == {"2026-03-14-0900": "first", "2026-03-14-0901": "second", "2026-03-14-0902": "third"}


@pytest.mark.parametrize(
    ("existing", "minted"),
    [
        ("2026-03-14-0859", "2026-03-14-0900"),
        ("2026-03-14-0900", "2026-03-14-0901"),
        ("2026-12-31-2359", "2027-01-01-0000"),
        ("2026-99-14-0900", "2026-03-14-0900"),
        ("9999-12-31-2359", "2026-03-14-0900"),
    ],
)
async def test_an_id_is_never_at_or_before_one_that_exists(existing: str, minted: str) -> None:
    slices = Slices(MemoryStorage({core_path(existing): b"even a broken file", **file_of("2026-03-01-0000")}))

    assert await slices.mint(NOW) == minted


async def test_an_id_is_the_minute_in_utc() -> None:
    assert await Slices(MemoryStorage()).mint(datetime.fromisoformat("2026-03-14T01:30:59+08:00")) == "2026-03-13-1730"


async def test_a_renamed_folder_says_which_slice_it_is() -> None:
    data = file_of("2026-03-09-1842")[core_path("2026-03-09-1842")]
    slices = Slices(MemoryStorage({core_path("2026-03-09-1900"): data}))

    assert [head.id for head in await slices.heads()] == ["2026-03-09-1900"]
    assert (await slices.load("2026-03-09-1900")).slice.id == "2026-03-09-1900"
