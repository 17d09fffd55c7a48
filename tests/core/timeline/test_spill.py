from __future__ import annotations

import json

import pytest

from core.slices.model import core_path
from core.storage.memory import MemoryStorage
from core.timeline.codec import decode_catalog, encode_catalog, encode_entries
from core.timeline.entry import Entry
from core.timeline.stored import read_catalog
from core.timeline.tapestry import LIMIT, Tapestry
from tests.core.timeline.memory import Memory, active, closed, paths

INDEX = "memory/episodic/timeline/index.json"
YEARS = (2023, 2024, 2025, 2026)
NEW = "2026-03-10-1100"


async def spread(limit: int = 4000) -> Memory:
    """Three slices a year; a limit of 4,000 bytes holds about two of the years."""
    memory = Memory(limit=limit)
    ids = [f"{year}-0{month}-15-0900" for year in YEARS for month in (1, 2, 3)]
    await memory.put(*(closed(one, focus=f"About {one}", tags=("life", f"y{one[:4]}")) for one in ids))
    await memory.projections.weave(force=True)
    return memory


def split(memory: Memory) -> list[str]:
    names = (path.removeprefix("memory/episodic/") for path in memory.shown)
    return sorted(name for name in names if name.startswith("timeline"))


async def test_beyond_the_limit_the_oldest_years_stand_in_files_of_their_own() -> None:
    memory = await spread()

    assert split(memory) == [
        "timeline-2023.md",
        "timeline-2024.md",
        "timeline.md",
        "timeline/index-2023.json",
        "timeline/index-2024.json",
        "timeline/index.json",
    ]
    main = decode_catalog(memory.shown[INDEX])
    assert {entry.id[:4] for entry in main.entries} == {"2025", "2026"}
    assert main.slice_count == 6
    assert len(memory.shown[INDEX]) <= 4000
    old = decode_catalog(memory.shown["memory/episodic/timeline/index-2023.json"])
    assert [entry.id for entry in old.entries] == [f"2023-0{month}-15-0900" for month in (1, 2, 3)]
    assert old.updated_at == "2023-03-15T09:00:30.000Z"
    assert memory.shown["memory/episodic/timeline-2023.md"].startswith(
        b"# Timeline\n\n_Generated: 2023-03-15T09:00:30."
    )
    assert memory.shown == await memory.rebuilt()


async def test_all_years_are_read_together_again() -> None:
    memory = await spread()

    catalog = await read_catalog(memory.storage)

    assert catalog is not None
    assert [entry.id[:4] for entry in catalog.entries] == [str(year) for year in YEARS for _ in range(3)]
    assert catalog.slice_count == 12


async def test_a_birth_and_a_close_rewrite_no_older_year() -> None:
    memory = await spread()
    await memory.put(active(NEW))
    born = await memory.projections.after_turn([], born=[NEW])
    await memory.change(NEW, status="closed", closed_by="capacity", focus="New", tags=("life",))

    closing = await memory.projections.after_turn([], closed=[NEW])

    assert paths(born) == ["timeline/index.json", "timeline.md", "slices/2026/03/_index.json"]
    assert paths(closing) == ["strands.json", "timeline/index.json", "timeline.md", "slices/2026/03/_index.json"]
    assert memory.shown == await memory.rebuilt()


async def test_a_strand_that_comes_alive_again_is_told_in_its_old_year_too() -> None:
    memory = await spread()
    await memory.change("2023-01-15-0900", tags=("sailing",))
    await memory.projections.weave(force=True)
    await memory.put(closed(NEW, focus="At sea again", tags=("Sailing",)))

    changes = await memory.projections.after_turn([], closed=[NEW])

    assert "timeline/index-2023.json" in paths(changes)
    assert "timeline/index-2024.json" not in paths(changes)
    assert memory.shown == await memory.rebuilt()


async def test_what_the_original_added_again_is_folded_again() -> None:
    memory = await spread()
    before = memory.shown
    whole = await read_catalog(memory.storage)
    assert whole is not None
    await memory.write(INDEX, encode_catalog([encode_entries(whole.entries)], "2026-03-10T12:01:00.000Z", 12, 0))
    memory.restart()

    result = await memory.projections.weave(force=True)

    assert (result.added, result.removed, result.total) == (0, 0, 12)
    assert split(memory)[-1] == "timeline/index.json"
    assert memory.shown == before


async def test_a_catalog_that_has_become_small_is_one_file_again() -> None:
    memory = await spread()
    for path in [path for path in memory.storage.files if "slices/2025" in path and path.endswith("core.md")]:
        await memory.delete(path)
    for month in (1, 2, 3):
        await memory.delete(core_path(f"2024-0{month}-15-0900"))

    await memory.projections.weave(force=True)

    assert split(memory) == ["timeline.md", "timeline/index.json"]
    assert memory.shown == await memory.rebuilt()


async def test_the_newest_year_stays_in_the_main_file_however_big() -> None:
    memory = await spread(limit=10)

    assert {entry.id[:4] for entry in decode_catalog(memory.shown[INDEX]).entries} == {"2026"}


def entry(number: int, years: int, each: int) -> Entry:
    year, rest = 2027 - years + number // each, number % each
    day = f"{year}-{rest // 28 % 12 + 1:02d}-{rest % 28 + 1:02d}"
    slice_id = f"{day}-{rest // 336 // 60:02d}{rest // 336 % 60:02d}"
    focus = f"Talk {number} about the choir book, the flat and what the doctor said"
    return Entry(slice_id, day, f"{day}T09:00:00.000Z", f"{day}T09:20:00.000Z", 12, "closed", focus, tags=("a", "b"))


@pytest.mark.parametrize(("limit", "count"), [(LIMIT, 25), (10**12, 1)])
async def test_fifty_thousand_slices_stand_in_years_or_in_one_file(limit: int, count: int) -> None:
    tapestry = Tapestry(limit=limit)
    listed = [entry(number, 25, 2000) for number in range(50_000)]
    for one in listed:
        tapestry.enter(one)

    files = tapestry.files("2026-12-31T00:00:00.000Z")

    pages = [path for path in files if "/timeline/index" in path]
    assert len(pages) == count
    assert all(len(files[path]) <= limit for path in pages)
    assert sum(files[path].count(b"\n- **") for path in files if path.endswith(".md")) == 50_000
    catalog = await read_catalog(MemoryStorage({path: files[path] for path in pages}))
    assert catalog is not None
    assert [one.id for one in catalog.entries] == sorted(one.id for one in listed)
    assert catalog.slice_count == 50_000
    assert json.loads(files["memory/episodic/strands.json"]).keys() == {"a", "b"}
