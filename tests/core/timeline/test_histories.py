from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.slices.model import CLOSED, core_path
from core.strands.codec import decode_index
from core.strands.index import Merge
from core.timeline.stored import read_catalog
from tests.core.timeline.memory import Memory, active

if TYPE_CHECKING:
    from collections.abc import Callable

STRANDS = "memory/episodic/strands.json"
TAGS = st.lists(st.sampled_from(["flat", "Flat ", "money", "花园", "", "7", "sailing", "ｂread", "bread"]), max_size=4)
STEPS = st.one_of(
    st.tuples(st.just("open"), st.sampled_from([1, 2000, 40_000, 900_000, 20_000_000])),
    st.tuples(st.just("tag"), TAGS),
    st.tuples(st.just("talk"), st.none()),
    st.tuples(st.just("close"), TAGS),
    st.tuples(st.just("mark"), st.integers(0, 30)),
    st.tuples(st.just("edit"), st.tuples(st.integers(0, 30), TAGS)),
    st.tuples(st.just("reopen"), st.integers(0, 30)),
    st.tuples(st.just("delete"), st.integers(0, 30)),
    st.tuples(st.just("merge"), st.sampled_from([("bread", "flat"), ("sailing", "money"), ("flat", "花园")])),
    st.tuples(st.just("restart"), st.none()),
    st.tuples(st.just("weave"), st.none()),
)


class History:
    """A life of slices, one step at a time, with the projections kept up as the pipeline does."""

    def __init__(self, limit: int) -> None:
        self.memory = Memory("2024-11-03T08:00:00+00:00", limit)
        self.open = ""

    async def step(self, name: str, value: object) -> None:
        """Take a step; one for which the time is not right is none."""
        await getattr(self, f"_{name}")(value)

    async def ids(self) -> list[str]:
        return await self.memory.slices.ids()

    async def _open(self, seconds: int) -> None:
        self.memory.clock.shift(seconds)
        before = [self.open] if self.open else []
        for one in before:
            await self.memory.change(one, status=CLOSED, closed_by="time_silence")
        self.open = await self.memory.slices.mint(self.memory.clock.now())
        await self.memory.put(active(self.open))
        await self.memory.projections.after_turn([self.open], closed=before, born=[self.open])

    async def _tag(self, tags: list[str]) -> None:
        if self.open:
            await self.memory.change(self.open, tags=tuple(tags))
            await self.memory.projections.after_turn([self.open])

    async def _talk(self, _: None) -> None:
        if self.open:
            piece = await self.memory.get(self.open)
            turns = (*piece.turns, replace(piece.turns[-1], label=f"t{len(piece.turns)}"))
            await self.memory.put(replace(piece, turns=turns))
            await self.memory.projections.after_turn([self.open])

    async def _close(self, tags: list[str]) -> None:
        if self.open:
            marks = {"status": CLOSED, "closed_by": "capacity", "focus": "Talk", "tags": tuple(tags)}
            await self.memory.change(self.open, **marks)
            closed, self.open = self.open, ""
            await self.memory.projections.after_turn([closed], closed=[closed])

    async def _mark(self, number: int) -> None:
        if ids := await self.ids():
            await self.memory.change(ids[number % len(ids)], focus="Marked")
            await self.memory.projections.after_turn([ids[number % len(ids)]], force=True)

    async def _edit(self, value: tuple[int, list[str]]) -> None:
        if ids := await self.ids():
            await self.memory.change(ids[value[0] % len(ids)], summary="By hand\n- here", tags=tuple(value[1]))

    async def _reopen(self, number: int) -> None:
        if ids := await self.ids():
            await self.memory.change(ids[number % len(ids)], status="active", closed_by="")

    async def _delete(self, number: int) -> None:
        if ids := await self.ids():
            gone = ids[number % len(ids)]
            await self.memory.delete(core_path(gone))
            self.open = "" if gone == self.open else self.open

    async def _merge(self, pair: tuple[str, str]) -> None:
        await self.memory.projections.merge([Merge(*pair)])

    async def _restart(self, _: None) -> None:
        self.memory.restart()

    async def _weave(self, _: None) -> None:
        await self.memory.projections.weave(force=True)


async def lived(steps: list[tuple[str, object]], limit: int) -> Memory:
    history = History(limit)
    for name, value in steps:
        await history.step(name, value)
    await history.memory.projections.weave(force=True)
    return history.memory


def run(check: Callable[[], object]) -> None:
    asyncio.run(check())  # type: ignore[arg-type]


@pytest.mark.parametrize("limit", [1_000_000, 2500])
@settings(deadline=None)
@given(steps=st.lists(STEPS, max_size=25))
def test_keeping_up_gives_the_same_bytes_as_a_rebuild_from_slices_alone(
    limit: int, steps: list[tuple[str, object]]
) -> None:
    async def check() -> None:
        memory = await lived(steps, limit)

        rebuilt = await memory.rebuilt()

        assert memory.shown == {**rebuilt, **{path: memory.shown[path] for path in memory.shown if "alias" in path}}

    run(check)


@settings(deadline=None)
@given(steps=st.lists(STEPS, max_size=25))
def test_after_every_pass_the_catalog_and_the_strands_agree(steps: list[tuple[str, object]]) -> None:
    async def check() -> None:
        memory = await lived(steps, 1_000_000)

        catalog = await read_catalog(memory.storage)
        index = decode_index(memory.shown[STRANDS])

        assert catalog is not None
        told = {(key, entry.id.replace("-", "/")) for entry in catalog.entries for key in entry.strands}
        assert told == {(key, rel) for key, rels in index.items() for rel in rels}
        assert [entry.id for entry in catalog.entries] == await memory.slices.ids()

    run(check)
