"""T5: the disk refuses at every operation of the house, once and for a while; nothing that was kept is lost."""

from __future__ import annotations

import errno
from collections import defaultdict

import pytest

from tests.doubles.fault_disk import refuse
from tests.house.ends import some
from tests.house.refusing import Count, healthy, survive
from tests.house.stories import PLAIN
from tests.house.tell import tell

ERRORS = ("ENOSPC", "EIO", "EROFS", "EACCES", "EMFILE")
SEED = 20_260_309
FLUSHES = ("sync", "sync_file", "sync_folder")
AT = 12


@pytest.fixture(scope="module")
def operations() -> list[str]:
    return healthy(PLAIN)


def spread(operations: list[str], each: int, seed: int) -> list[int]:
    """Some points of every kind of operation."""
    kinds: dict[str, list[int]] = defaultdict(list)
    for k, name in enumerate(operations, 1):
        kinds[name.partition(" ")[0]].append(k)
    return sorted(k for points in kinds.values() for k in some(points, each, seed))


@pytest.mark.parametrize("forever", [False, True], ids=["once", "for a while"])
@pytest.mark.parametrize("name", ERRORS)
def test_a_disk_that_refuses_loses_nothing_and_the_person_hears_of_it(
    operations: list[str], name: str, forever: bool
) -> None:
    points, count = spread(operations, 1, ERRORS.index(name)), Count()

    for k in points:
        survive(PLAIN, k, refuse(getattr(errno, name), forever=forever), count)

    tell(f"T5 {name} {'for a while' if forever else 'once'}, at {len(points)} of {len(operations)} operations: {count}")
    assert count.wrong == []
    assert count.struck == len(points)


def test_after_a_failed_fsync_the_process_ends_and_the_next_one_has_everything(operations: list[str]) -> None:
    points = [k for k, name in enumerate(operations, 1) if name.partition(" ")[0] in FLUSHES]
    count = Count()

    for k in some(points, AT, SEED):
        survive(PLAIN, k, refuse(errno.EIO), count)

    tell(f"T5 fsync fails, at {AT} of {len(points)} (seed {SEED}): {count}")
    assert count.wrong == []
    assert count.lost == count.runs == AT


@pytest.mark.long
@pytest.mark.timeout(0)
@pytest.mark.parametrize("forever", [False, True], ids=["once", "for a while"])
@pytest.mark.parametrize("name", ERRORS)
def test_a_disk_that_refuses_at_every_operation_loses_nothing(operations: list[str], name: str, forever: bool) -> None:
    count = Count()

    for k in range(1, len(operations) + 1):
        survive(PLAIN, k, refuse(getattr(errno, name), forever=forever), count)

    tell(f"T5 long, {name} {'for a while' if forever else 'once'}: {count}")
    assert count.wrong == []
    assert count.lost > 0
