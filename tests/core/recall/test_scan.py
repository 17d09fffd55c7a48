from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core.errors import DiskTrouble
from core.recall.scan import Recall
from core.slices.codec import encode
from core.slices.model import core_path
from core.slices.store import Slices
from core.storage.base import Delete, Write, version_of
from core.storage.memory import MemoryStorage
from tests.core.recall.given import said
from tests.doubles.clock import ManualClock

if TYPE_CHECKING:
    from core.slices.model import Slice
    from core.storage.base import File

YEAST = said("2026-03-09-1842", "The yeast comes from Remi.", "Good to know.")
OPEN = said("2026-07-15-0900", "The yeast is weak today.", status="active")


def bytes_of(entry: Slice) -> bytes:
    return encode(entry).encode()


class FailingStorage(MemoryStorage):
    """A disk that cannot be read."""

    async def read(self, path: str) -> File:
        raise DiskTrouble(path, 5, "I/O error")


def recall_over(*slices: Slice, storage: MemoryStorage | None = None) -> tuple[Recall, MemoryStorage, ManualClock]:
    store = storage or MemoryStorage({core_path(one.id): bytes_of(one) for one in slices})
    clock = ManualClock("2026-07-15T12:00:00+00:00")
    return Recall(Slices(store), clock), store, clock


async def found(recall: Recall, query: str, current: str = "") -> list[str]:
    return [hit.slice_id for hit in (await recall.find(query, "Europe/Paris", current)).hits]


async def test_a_report_points_with_relevance_reason_and_what_to_read() -> None:
    recall, _, _ = recall_over(YEAST)

    report = await recall.find("Where does the yeast come from?", "Europe/Paris")

    assert [(hit.slice_id, hit.relevance, hit.reason) for hit in report.hits] == [(YEAST.id, 1.0, "yeast")]
    assert report.confidence == 1.0
    assert [(read.slice_id, read.priority, read.note) for read in report.recommended_reads] == [
        (YEAST.id, "high", "turn0")
    ]


async def test_what_was_never_said_gives_an_empty_report_without_confidence() -> None:
    recall, _, _ = recall_over(YEAST)

    report = await recall.find("When is my wedding anniversary?", "Europe/Paris")

    assert (report.hits, report.recommended_reads, report.confidence) == ((), (), 0.0)


async def test_the_slice_being_written_is_not_memory() -> None:
    recall, _, _ = recall_over(YEAST, OPEN)

    assert await found(recall, "yeast", current=OPEN.id) == [YEAST.id]
    assert set(await found(recall, "yeast")) == {YEAST.id, OPEN.id}


async def test_an_open_slice_is_read_anew_each_time() -> None:
    recall, storage, _ = recall_over(OPEN)
    await found(recall, "yeast")
    grown = said(OPEN.id, "The yeast is weak today.", "Oh.", "The oven is fine though.", status="active")
    path = core_path(OPEN.id)

    await storage.commit([Write(path, bytes_of(grown), version_of(bytes_of(OPEN)))], "grow")

    assert await found(recall, "oven") == [OPEN.id]


async def test_a_slice_that_was_noted_is_found_at_once() -> None:
    recall, storage, _ = recall_over(YEAST)
    await found(recall, "yeast")
    roof = said("2026-07-14-1000", "The roof leaks.")
    await storage.commit([Write(core_path(roof.id), bytes_of(roof), None)], "talk")

    recall.note(roof, version_of(bytes_of(roof)))

    assert await found(recall, "roof") == [roof.id]


async def test_a_noted_slice_without_a_file_is_no_memory() -> None:
    recall, _, _ = recall_over(YEAST)

    recall.note(said("2026-07-14-1000", "The roof leaks.", status="active"))

    assert await found(recall, "roof") == []


async def test_slices_of_others_are_found_and_dropped_after_a_minute() -> None:
    recall, storage, clock = recall_over(YEAST)
    await found(recall, "yeast")
    roof = said("2026-05-02-1300", "The roof leaks.")
    await storage.commit(
        [
            Write(core_path(roof.id), bytes_of(roof), None),
            Delete(core_path(YEAST.id), version_of(bytes_of(YEAST))),
        ],
        "a pull",
    )

    clock.shift(61)

    assert await found(recall, "roof") == [roof.id]
    assert await found(recall, "yeast") == []


async def test_a_slice_changed_by_somebody_else_is_read_again_when_that_is_said() -> None:
    recall, storage, _ = recall_over(YEAST)
    await found(recall, "yeast")
    edited = said(YEAST.id, "The flour comes from Anna.")
    await storage.commit([Write(core_path(YEAST.id), bytes_of(edited), version_of(bytes_of(YEAST)))], "an edit")

    recall.forget(YEAST.id)

    assert await found(recall, "flour") == [YEAST.id]


async def test_words_that_a_hand_adds_to_an_old_slice_are_found_once_somebody_has_looked_through_the_archive() -> None:
    storage, clock = MemoryStorage({core_path(YEAST.id): bytes_of(YEAST)}), ManualClock("2026-07-15T12:00:00+00:00")
    slices = Slices(storage)
    recall = Recall(slices, clock)
    await slices.survey()
    await found(recall, "yeast")
    more = said(YEAST.id, "The yeast comes from Remi.", "Good to know.", "And the flour from Anna.")
    await storage.commit([Write(core_path(YEAST.id), bytes_of(more), version_of(bytes_of(YEAST)))], "by hand")

    await slices.survey()

    assert await found(recall, "flour") == [YEAST.id]
    assert slices.changed() == frozenset()


async def test_words_that_were_deleted_from_a_closed_slice_are_not_found_any_more() -> None:
    recall, storage, _ = recall_over(YEAST)
    await found(recall, "yeast")
    deleted = said(YEAST.id, "[deleted] The yeast comes from Remi.", "Good to know.")

    await storage.commit([Write(core_path(YEAST.id), bytes_of(deleted), version_of(bytes_of(YEAST)))], "delete")

    assert await found(recall, "yeast") == []


async def test_a_slice_that_opened_and_closed_within_the_minute_is_found_from_the_next() -> None:
    recall, storage, _ = recall_over(YEAST)
    await found(recall, "yeast", current=YEAST.id)
    short, now = said("2026-07-15-1158", "The roof leaks."), said("2026-07-15-1159", "Hm.", status="active")
    for one in (short, now):
        await storage.commit([Write(core_path(one.id), bytes_of(one), None)], "talk")

    assert await found(recall, "roof", current=now.id) == [short.id]


async def test_a_file_that_cannot_be_understood_hides_no_other() -> None:
    broken = {core_path("2026-01-01-1000"): b"---\n\xff\xfe\n---\n", core_path(YEAST.id): bytes_of(YEAST)}
    recall, _, _ = recall_over(storage=MemoryStorage(broken))

    assert await found(recall, "yeast") == [YEAST.id]


async def test_memory_that_cannot_be_read_is_trouble_and_not_nothing() -> None:
    recall, _, _ = recall_over(storage=FailingStorage({core_path(YEAST.id): bytes_of(YEAST)}))

    with pytest.raises(DiskTrouble):
        await found(recall, "yeast")


async def test_at_most_five_slices_are_pointed_at() -> None:
    recall, _, _ = recall_over(*(said(f"2026-01-{day:02}-1000", "The same old song.") for day in range(1, 29)))

    assert len(await found(recall, "song")) == 5
