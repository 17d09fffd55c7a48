from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from core.slices.model import core_path
from core.strands.codec import decode_index
from core.timeline.codec import decode_catalog
from core.timeline.weave import WovenResult, due
from tests.core.timeline.memory import Memory, active, closed, paths

INDEX = "memory/episodic/timeline/index.json"
TIMELINE = "memory/episodic/timeline.md"
STRANDS = "memory/episodic/strands.json"
NOW = datetime(2026, 3, 10, 12, 0, tzinfo=UTC)
A, B, C = "2026-02-28-0001", "2026-03-09-1842", "2026-03-09-2005"


async def agree(memory: Memory) -> None:
    """The strands of every entry are those of its tags that are in `strands.json`, in the normal form (B20)."""
    index = decode_index(memory.shown[STRANDS])
    for entry in decode_catalog(memory.shown[INDEX]).entries:
        carried = {key for key, found in index.items() if entry.id.replace("-", "/") in found}
        assert set(entry.strands) == carried


@pytest.mark.parametrize(
    ("stamp", "expected"),
    [
        ("2026-03-10T11:55:00.000Z", True),
        ("2026-03-10T11:55:00.001Z", False),
        ("2026-03-10T12:00:00.000Z", False),
        ("2026-03-10T12:00:00.001Z", True),
        ("2027-01-01T00:00:00.000Z", True),
        ("soon", True),
        ("", True),
    ],
)
def test_it_is_time_to_weave_after_exactly_five_minutes_and_when_the_stamp_makes_no_sense(
    stamp: str, expected: bool
) -> None:
    assert due(stamp, NOW) is expected


async def test_the_first_weave_lists_everything_and_writes_both_views() -> None:
    memory = Memory()
    await memory.put(closed(A, focus="Rent", tags=("Flat", "money")), closed(B), active(C, tags=("flat",)))

    result = await memory.projections.weave()

    written = ("strands.json", "timeline/index.json", "timeline.md")
    months = ("slices/2026/02/_index.json", "slices/2026/03/_index.json")
    assert replace(result, written=()) == WovenResult(added=3, needs_marking=2, total=3)
    assert [path.removeprefix("memory/episodic/") for path in result.written] == [*written, *months]
    catalog = decode_catalog(memory.shown[INDEX])
    assert [(entry.id, entry.turn_count, entry.strands) for entry in catalog.entries] == [
        (A, 2, ("flat", "money")),
        (B, 2, ()),
        (C, 2, ("flat",)),
    ]
    assert (catalog.updated_at, catalog.slice_count, catalog.needs_marking) == ("2026-03-10T12:00:00.000Z", 3, 2)
    await agree(memory)


async def test_an_empty_memory_has_an_empty_timeline() -> None:
    memory = Memory()

    result = await memory.projections.weave(force=True)

    assert replace(result, written=()) == WovenResult()
    assert json.loads(memory.shown[INDEX])["slices"] == []
    assert memory.shown[TIMELINE].endswith(b"_Schema: 1_\n\n")
    assert memory.shown[STRANDS] == b"{}"


async def test_a_fresh_catalog_is_left_alone_unless_forced() -> None:
    memory = Memory()
    await memory.put(closed(A, focus="Rent"), closed(B))
    await memory.projections.weave()
    await memory.put(closed(C, focus="Ovens"))
    memory.clock.shift(299)

    skipped = await memory.projections.weave()
    forced = await memory.projections.weave(force=True)

    assert skipped == WovenResult(needs_marking=1, total=2, skipped=True)
    assert (forced.added, forced.total, forced.skipped) == (1, 3, False)
    assert C.encode() in memory.shown[TIMELINE]


async def test_a_new_process_leaves_a_fresh_catalog_alone_too() -> None:
    memory = Memory()
    await memory.put(closed(A))
    await memory.projections.weave()
    memory.restart()
    memory.clock.shift(299)

    skipped = await memory.projections.weave()
    memory.clock.shift(1)
    woven = await memory.projections.weave()

    assert skipped == WovenResult(needs_marking=1, total=1, skipped=True)
    assert not woven.skipped


async def test_a_clock_that_was_set_back_does_not_stop_the_weaving() -> None:
    memory = Memory()
    await memory.projections.weave()
    await memory.put(closed(A))
    memory.clock.jump(-3600)

    assert (await memory.projections.weave()).added == 1


async def test_the_slices_win_over_what_is_listed() -> None:
    memory = Memory()
    await memory.put(closed(A, focus="Rent"), closed(B, focus="Yeast"), closed(C, focus="Ovens"))
    await memory.projections.weave()
    await memory.delete(core_path(A))
    await memory.change(B, focus="", summary="")

    result = await memory.projections.weave(force=True)

    assert (result.added, result.removed, result.newly_dry, result.needs_marking, result.total) == (0, 1, 1, 1, 2)
    assert "memory/episodic/slices/2026/02/_index.json" not in memory.shown
    assert memory.shown == await memory.rebuilt()


async def test_marks_clear_the_need_for_marking() -> None:
    memory = Memory()
    await memory.put(closed(A))
    await memory.projections.weave()
    await memory.change(A, focus="Rent")

    result = await memory.projections.weave(force=True)

    assert (result.newly_dry, result.needs_marking) == (0, 0)


@pytest.mark.parametrize("restarted", [False, True])
async def test_a_hand_edit_of_an_old_marked_slice_is_noticed(restarted: bool) -> None:
    memory = Memory()
    await memory.put(closed(A, focus="Rent", tags=("flat",)), closed(B, focus="Yeast", tags=("flat", "bread")))
    await memory.projections.weave()
    await memory.change(A, focus="Rent, mended", tags=("home",))
    memory.clock.shift(400)
    if restarted:
        memory.restart()

    await memory.projections.weave()

    assert b"Rent, mended" in memory.shown[INDEX]
    assert "flat" in decode_index(memory.shown[STRANDS])
    assert "2026/02/28/0001" not in decode_index(memory.shown[STRANDS])["flat"]
    await agree(memory)
    assert memory.shown == await memory.rebuilt()


async def test_a_turn_more_in_an_old_slice_is_counted() -> None:
    memory = Memory()
    await memory.put(closed(A, focus="Rent"))
    await memory.projections.weave()
    piece = await memory.get(A)
    memory.restart()
    await memory.put(replace(piece, turns=(*piece.turns, replace(piece.turns[0], label="zzzzzA"))))

    await memory.projections.weave(force=True)

    assert decode_catalog(memory.shown[INDEX]).entries[0].turn_count == 3


async def test_when_nothing_changed_nothing_is_written() -> None:
    memory = Memory()
    await memory.put(closed(A, focus="Rent", tags=("a",)), active(B))
    await memory.projections.weave()
    memory.clock.shift(1000)
    memory.restart()

    results = [await memory.projections.weave(), await memory.projections.weave(force=True)]

    assert [result.written for result in results] == [(), ()]


@pytest.mark.parametrize("junk", [b"", b"{", b"[]", b"\xff\x00", b"<<<<<<< HEAD\n=======\n>>>>>>> x\n"])
@pytest.mark.parametrize("name", [INDEX, TIMELINE, STRANDS, "memory/episodic/slices/2026/02/_index.json"])
async def test_a_projection_that_cannot_be_read_is_made_anew(name: str, junk: bytes) -> None:
    memory = Memory()
    await memory.put(closed(A, focus="Rent", tags=("a",)), closed(B, focus="Yeast", tags=("a", "b")))
    await memory.projections.weave()
    before = memory.shown
    await memory.write(name, junk)
    memory.restart()

    await memory.projections.weave(force=True)

    assert memory.shown == before


async def test_without_a_catalog_what_was_listed_is_known_from_the_monthly_indexes() -> None:
    memory = Memory()
    await memory.put(closed(A, focus="Rent"), closed(B, focus="Yeast"))
    await memory.projections.weave()
    await memory.delete(INDEX)
    await memory.put(closed(C, focus="Ovens"))
    memory.restart()

    assert (await memory.projections.weave()).added == 1


async def test_a_slice_that_cannot_be_read_keeps_the_entry_that_it_had() -> None:
    memory = Memory()
    await memory.put(closed(A, focus="Rent", tags=("a",)), closed(B, focus="Yeast", tags=("a",)))
    await memory.projections.weave()
    await memory.write(core_path(A), b"---\nfocus: [broken\n---\n")
    memory.restart()

    kept = await memory.projections.weave(force=True)
    rebuilt = await memory.projections.rebuild()

    assert (kept.total, kept.removed, kept.unreadable) == (2, 0, (A,))
    assert (rebuilt.total, rebuilt.unreadable) == (1, (A,))
    assert memory.storage.files[core_path(A)] == b"---\nfocus: [broken\n---\n"


async def test_entries_and_strands_are_told_without_asking_the_disk_twice() -> None:
    memory = Memory()
    await memory.put(closed(A, focus="Rent", tags=("Flat",)), closed(B, tags=("flat",)))

    entries, index = await memory.projections.entries(), await memory.projections.index()

    assert [(entry.id, entry.strands) for entry in entries] == [(A, ("flat",)), (B, ("flat",))]
    assert index == {"flat": ("2026/02/28/0001", "2026/03/09/1842")}


async def test_a_single_strand_is_pruned_once_a_slice_two_weeks_younger_has_closed() -> None:
    memory = Memory("2026-03-15T00:00:00+00:00")
    await memory.put(closed(A, focus="Rent", tags=("rent",)), closed("2026-03-14-0001", focus="Exactly fourteen days"))
    await memory.projections.weave()
    kept = decode_index(memory.shown[STRANDS])
    await memory.put(closed("2026-03-14-0002", focus="A minute more"))

    await memory.projections.after_turn([], closed=["2026-03-14-0002"])

    assert kept == {"rent": ("2026/02/28/0001",)}
    assert decode_index(memory.shown[STRANDS]) == {}
    assert decode_catalog(memory.shown[INDEX]).entries[0].strands == ()
    await agree(memory)


async def test_a_rebuild_writes_every_projection_even_where_it_stands() -> None:
    memory = Memory()
    await memory.put(closed(A, focus="Rent"))
    await memory.projections.weave()

    result = await memory.projections.rebuild()

    assert len(result.written) == len(memory.shown)
    assert memory.shown == await memory.rebuilt()


async def test_changes_are_named_by_path() -> None:
    memory = Memory()
    await memory.put(closed(A, focus="Rent", tags=("rent",)))
    await memory.projections.weave()
    await memory.put(active(C))

    born = await memory.projections.after_turn([C], born=[C])

    assert paths(born) == ["timeline/index.json", "timeline.md", "slices/2026/03/_index.json"]
