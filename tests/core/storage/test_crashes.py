"""A commit is killed before each of its operations, with and without the power going too (reliability 2.4, 2.11)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core.storage.base import ABSENT, Change, Delete, Write, version_of
from core.storage.local import LocalStorage
from tests.doubles.fault_disk import HALF, KILL, Killed
from tests.doubles.sim_disk import SimDisk

if TYPE_CHECKING:
    from tests.doubles.fault_disk import Fault

CORE = "memory/slices/1842/core.md"
OTHER = "memory/slices/1842/agent.md"
CARD = "memory/card.md"
GONE = "tasks/done.md"

BEFORE = {CARD: b"old card", GONE: b"done"}
AFTER = {CARD: b"the new card", CORE: b"first turn"}
CHANGES: list[Change] = [
    Write(CORE, b"first turn", ABSENT),
    Write(CARD, b"the new card", version_of(b"old card")),
    Delete(GONE, version_of(b"done")),
]


def begun() -> SimDisk:
    """A disk on which BEFORE stands durably."""
    disk = SimDisk()
    for path, data in BEFORE.items():
        disk.plant(path, data)
    return disk


def assert_whole(disk: SimDisk) -> None:
    """Every visible file is as before or as after; only temp files may be torn."""
    visible = {path: data for path, data in disk.tree().items() if not path.endswith(".tmp")}
    for path, data in visible.items():
        assert data in (BEFORE.get(path), AFTER.get(path)), f"{path} is torn"
    assert CARD in visible


async def start_and_repeat(disk: SimDisk) -> None:
    storage = LocalStorage(disk)
    storage.sweep()
    await storage.commit(CHANGES, "again")


async def killed(disk: SimDisk, moment: int, fault: Fault = KILL) -> SimDisk | None:
    """The disk that the next process finds when one died at the moment-th operation; None when it finished before."""
    disk.fail_at(disk.operations + moment, fault)
    try:
        await LocalStorage(disk).commit(CHANGES, "killed")
    except Killed:
        return disk.kill_image()
    return None


async def all_deaths(fault: Fault = KILL) -> list[SimDisk]:
    deaths: list[SimDisk] = []
    while (image := await killed(begun(), len(deaths) + 1, fault)) is not None:
        deaths.append(image)
    return deaths


@pytest.mark.parametrize("fault", [KILL, HALF], ids=["before", "half-way"])
async def test_after_a_kill_at_any_operation_every_file_is_whole_and_a_repeated_commit_completes(fault: Fault) -> None:
    deaths = await all_deaths(fault)

    assert len(deaths) > 30
    for disk in deaths:
        assert_whole(disk)
        await start_and_repeat(disk)
        assert disk.tree() == AFTER


async def test_after_a_power_cut_at_any_operation_every_file_is_whole_and_a_repeated_commit_completes() -> None:
    cuts = 0
    for death in await all_deaths():
        for disk in death.images():
            cuts += 1
            assert_whole(disk)
            await start_and_repeat(disk)
            for second in disk.images():
                assert second.tree() == AFTER

    assert cuts > 100


async def test_a_commit_that_returned_survives_a_power_cut() -> None:
    disk = begun()
    await LocalStorage(disk).commit(CHANGES, "done")

    images = list(disk.images())

    assert [image.tree() for image in images] == [AFTER] * len(images)


async def test_a_commit_repeated_after_a_kill_survives_a_power_cut() -> None:
    # What the dead process left unflushed looks finished to the next one (R9, R14).
    for disk in await all_deaths():
        await start_and_repeat(disk)

        for image in disk.images():
            assert image.tree() == AFTER


async def test_a_new_file_in_a_folder_that_a_dead_process_made_survives_a_power_cut() -> None:
    # The next process writes something else there, so nothing but the chain tells that the folder is not durable.
    for disk in await all_deaths():
        await LocalStorage(disk).commit([Write(OTHER, b"log", ABSENT)], "other")

        for image in disk.images():
            assert image.peek(OTHER) == b"log"


async def test_two_kills_in_a_row_at_any_operations_and_a_power_cut_lose_nothing() -> None:
    for first in await all_deaths():
        second = 1
        while (disk := await killed(first.kill_image(), second)) is not None:
            assert_whole(disk)
            await start_and_repeat(disk)
            for image in disk.images(most=8):
                assert image.tree() == AFTER
            second += 1
