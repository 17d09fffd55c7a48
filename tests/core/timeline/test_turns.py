from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

import pytest

from core.errors import Conflict, DiskTrouble
from core.llm.base import Message, ToolCall
from core.slices.codec import encode
from core.slices.model import core_path
from core.storage.base import ABSENT, Write, version_of
from core.storage.memory import MemoryStorage
from core.strands.codec import decode_index
from core.timeline.codec import decode_catalog
from core.timeline.projections import ATTEMPTS, Projections
from tests.core.timeline.memory import Memory, active, closed, paths

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.llm.base import Listen, ToolSpec
    from core.storage.base import Change

INDEX = "memory/episodic/timeline/index.json"
STRANDS = "memory/episodic/strands.json"
ALIASES = "memory/episodic/strand-aliases.json"
A, B, C = "2026-02-28-0001", "2026-03-09-1842", "2026-03-09-2005"


class Worker:
    """Merges what it is told to; `during` happens while it thinks."""

    name = "worker"

    def __init__(self, *pairs: tuple[str, str]) -> None:
        self.merges = [{"from": source, "to": target, "reason": "same"} for source, target in pairs]

    async def complete(self, messages: Sequence[Message], tools: Sequence[ToolSpec], on_event: Listen) -> Message:
        call = ToolCall("1", tools[0].name, json.dumps({"merges": self.merges}))
        return Message("assistant", "", (call,), finish="tools")


class Contested(MemoryStorage):
    """Somebody else is faster with the first so many commits."""

    def __init__(self, files: dict[str, bytes], times: int) -> None:
        super().__init__(files)
        self.times = times

    async def commit(self, changes: Sequence[Change], message: str) -> None:
        if self.times:
            self.times -= 1
            junk = b'{"junk": %d}' % self.times
            found = self.files.get(INDEX)
            await super().commit([Write(INDEX, junk, None if found is None else version_of(found))], "theirs")
        await super().commit(changes, message)


class Broken(MemoryStorage):
    """A disk whose file cannot be read for a while."""

    trouble = ""

    async def read(self, path: str) -> object:  # type: ignore[override]
        if path == self.trouble:
            raise DiskTrouble(path, 5, "I/O error")
        return await super().read(path)


async def begun(*more: str) -> Memory:
    """A memory with an old slice and an open one."""
    memory = Memory()
    await memory.put(closed(A, focus="Rent", tags=("flat", *more)), active(B, tags=("bread",)))
    await memory.projections.weave()
    return memory


async def test_a_turn_that_brings_no_tag_writes_no_projection() -> None:
    memory = await begun()
    await memory.change(B, turns=(await memory.get(B)).turns * 2)

    assert await memory.projections.after_turn([B]) == []


async def test_a_tag_that_is_new_to_an_open_slice_writes_the_strands_alone() -> None:
    memory = await begun()
    await memory.change(B, tags=("bread", "Flat"))

    changes = await memory.projections.after_turn([B])

    assert paths(changes) == ["strands.json"]
    assert decode_index(memory.shown[STRANDS])["flat"] == ("2026/02/28/0001", "2026/03/09/1842")


async def test_a_birth_and_a_close_write_the_catalog_and_their_month() -> None:
    memory = await begun()
    await memory.change(B, status="closed", closed_by="capacity", focus="Bread", tags=("bread", "oven"))
    await memory.put(active(C))

    changes = await memory.projections.after_turn([C], closed=[B], born=[C])

    assert paths(changes) == ["strands.json", "timeline/index.json", "timeline.md", "slices/2026/03/_index.json"]
    assert memory.shown == await memory.rebuilt()


async def test_marks_that_a_closed_slice_gets_later_are_listed() -> None:
    memory = await begun()
    await memory.put(closed(C))
    await memory.projections.after_turn([C])
    await memory.change(C, focus="Ovens", tags=("oven",))

    await memory.projections.after_turn([C])

    assert memory.shown == await memory.rebuilt()


async def test_an_orphan_that_was_never_listed_is_listed_by_its_next_turn() -> None:
    memory = await begun()
    await memory.put(active(C))

    await memory.projections.after_turn([C])

    assert C.encode() in memory.shown[INDEX]


async def test_replaced_tags_leave_no_stale_path_and_no_strand_that_is_gone() -> None:
    memory = await begun()
    await memory.change(B, tags=("yeast",))

    changes = await memory.projections.after_turn([B])

    assert "bread" not in decode_index(memory.shown[STRANDS])
    assert decode_catalog(memory.shown[INDEX]).entries[1].strands == ()
    assert "timeline/index.json" in paths(changes)


async def test_with_force_an_open_slice_is_listed_as_it_is_now() -> None:
    memory = await begun()
    await memory.change(B, turns=(await memory.get(B)).turns * 3)

    await memory.projections.after_turn([B], force=True)

    assert decode_catalog(memory.shown[INDEX]).entries[1].turn_count == 6


async def test_a_slice_that_is_gone_is_dropped() -> None:
    memory = await begun()
    await memory.delete(core_path(A))

    await memory.projections.after_turn([A])

    assert memory.shown == await memory.rebuilt()


async def test_a_newborn_is_listed_by_the_commit_that_writes_it() -> None:
    memory = await begun()
    piece = active(C)

    changes = await memory.projections.upsert(piece)
    before = memory.shown
    write = Write(core_path(C), encode(piece).encode(), ABSENT)
    await memory.storage.commit([write, *changes], "birth")

    assert C.encode() not in before[INDEX]
    assert memory.shown == await memory.rebuilt()
    assert await memory.projections.after_turn([C], born=[C]) == []


async def test_a_planned_birth_that_never_came_about_is_forgotten() -> None:
    memory = await begun()
    await memory.projections.upsert(active(C))

    await memory.projections.weave(force=True)

    assert memory.shown == await memory.rebuilt()
    assert C.encode() not in memory.shown[INDEX]


async def test_a_plan_for_a_slice_that_goes_on_weaves_its_tags_alone() -> None:
    memory = await begun()

    changes = await memory.projections.plan([active(B, tags=("bread", "oven"))], listed=False)

    assert paths(changes) == ["strands.json"]


async def test_the_first_turn_of_a_process_finds_what_changed_before_it() -> None:
    memory = await begun()
    await memory.change(A, focus="Rent, mended by hand")
    memory.restart()

    await memory.projections.after_turn([B])

    assert b"mended by hand" in memory.shown[INDEX]


@pytest.mark.parametrize("times", [1, ATTEMPTS - 1])
async def test_somebody_faster_is_met_by_working_it_out_anew(times: int) -> None:
    memory = await begun()
    memory.storage = Contested(memory.storage.files, 0)
    memory.restart()
    await memory.projections.weave(force=True)
    memory.storage.times = times
    await memory.put_quietly(closed(B, focus="Bread"))

    await memory.projections.after_turn([], closed=[B])

    assert memory.shown == await memory.rebuilt()


async def test_somebody_who_is_always_faster_is_a_conflict() -> None:
    memory = await begun()
    memory.storage = Contested(memory.storage.files, 0)
    memory.restart()
    await memory.projections.weave(force=True)
    memory.storage.times = ATTEMPTS
    await memory.put_quietly(closed(B, focus="Bread"))

    with pytest.raises(Conflict):
        await memory.projections.after_turn([], closed=[B])

    await memory.projections.after_turn([])
    assert memory.shown == await memory.rebuilt()


async def test_a_disk_that_cannot_be_read_now_is_trouble_and_no_empty_file() -> None:
    memory = await begun()
    memory.storage = Broken(memory.storage.files)
    memory.restart()
    memory.storage.trouble = STRANDS
    before = memory.storage.files

    with pytest.raises(DiskTrouble):
        await memory.projections.weave(force=True)

    assert memory.storage.files == before


async def test_a_turn_during_a_long_look_is_not_undone_by_it() -> None:
    memory = await begun()
    resume, looking = asyncio.Event(), asyncio.Event()
    many = [f"2025-01-01-{number:04d}" for number in range(30)]
    await memory.put(*(closed(one, focus="Old") for one in many))

    async def breathe() -> None:
        looking.set()
        await resume.wait()

    memory.slices = type(memory.slices)(memory.storage, breathe)
    resume.set()
    memory.projections = Projections(memory.storage, memory.slices, memory.clock)
    await memory.projections.weave(force=True)
    resume.clear()
    looking.clear()
    async with asyncio.TaskGroup() as group:
        weaving = group.create_task(memory.projections.weave(force=True))
        await looking.wait()
        await memory.change(many[0], focus="Changed meanwhile")
        await memory.put(active(C))
        await memory.projections.after_turn([many[0], C], born=[C])
        resume.set()

    assert weaving.result().total == 33
    assert b"Changed meanwhile" in memory.shown[INDEX]
    assert C.encode() in memory.shown[INDEX]
    assert memory.shown == await memory.rebuilt()


async def test_merged_strands_stay_merged_through_every_rebuild() -> None:
    memory = await begun("apartment", *(f"tag {number}" for number in range(25)))
    await memory.change(B, tags=("apartment",))
    await memory.projections.after_turn([B])

    found = await memory.projections.consolidate(Worker(("apartment", "flat"), ("tag 3", "tag 4")))

    assert [one.source for one in found.merges] == ["apartment", "tag 3"]
    assert json.loads(memory.shown[ALIASES]) == {"apartment": "flat", "tag 3": "tag 4"}
    index = decode_index(memory.shown[STRANDS])
    assert index["flat"] == ("2026/02/28/0001", "2026/03/09/1842")
    assert index == found.index
    entries = decode_catalog(memory.shown[INDEX]).entries
    assert entries[0].strands[0] == "flat"
    assert "apartment" not in entries[0].strands
    await memory.projections.weave(force=True)
    assert memory.shown == {**await memory.rebuilt(), ALIASES: memory.shown[ALIASES]}


async def test_few_strands_are_not_put_before_the_worker() -> None:
    memory = await begun()

    found = await memory.projections.consolidate(Worker(("flat", "bread")))

    assert not found.asked
    assert ALIASES not in memory.shown


async def test_a_file_of_merges_that_cannot_be_read_is_left_as_it_is() -> None:
    memory = await begun("apartment", *(f"tag {number}" for number in range(25)))
    await memory.write(ALIASES, b"{broken")

    found = await memory.projections.consolidate(Worker(("apartment", "flat")))
    result = await memory.projections.weave(force=True)

    assert found.failed
    assert "apartment" in found.index
    assert result.unreadable == (ALIASES,)
    assert memory.shown[ALIASES] == b"{broken"


async def test_merges_that_the_original_made_are_kept() -> None:
    memory = Memory()
    await memory.put(
        closed(A, focus="Rent", tags=("flat",)),
        closed(B, focus="Move", tags=("apartment",)),
        closed(C, focus="Paint", tags=("apartment",)),
    )
    await memory.projections.weave()
    merged = {"flat": ["2026/02/28/0001", "2026/03/09/1842", "2026/03/09/2005"]}
    await memory.write(STRANDS, json.dumps(merged, indent=2).encode())
    memory.restart()

    await memory.projections.weave(force=True)

    assert json.loads(memory.shown[STRANDS]) == merged
    assert json.loads(memory.shown[ALIASES]) == {"apartment": "flat"}


async def test_a_merge_by_hand_in_the_file_of_merges_is_taken_over_and_can_be_taken_back() -> None:
    memory = await begun("apartment")
    await memory.write(ALIASES, b'{" Apartment": "Flat"}')

    await memory.projections.weave(force=True)
    merged = decode_index(memory.shown[STRANDS])
    await memory.write(ALIASES, b"{}")
    await memory.projections.weave(force=True)

    assert "apartment" not in merged
    assert "apartment" in decode_index(memory.shown[STRANDS])
