"""T1 and T2: the house dies at every operation, alone, twice, or with the power; nothing is lost, doubled or torn."""

from __future__ import annotations

import pytest

from tests.doubles.fault_disk import HALF, KILL, Fault
from tests.doubles.sim_disk import SimDisk
from tests.house.check import faults
from tests.house.life import Lives, Story
from tests.house.stories import TOKENS, UNANSWERED, everyday


def told(disk: SimDisk) -> Lives:
    return Lives(disk, Story(everyday()), tokens=TOKENS)


def operations() -> int:
    """How many points of death the story has."""
    lives = told(SimDisk())
    lives.run(lambda dead: dead)
    assert faults(lives, unanswered=UNANSWERED) == []
    return lives.disk.operations


def test_the_story_is_told_without_a_fault_on_a_healthy_disk() -> None:
    assert operations() > 100


@pytest.mark.parametrize("how", [KILL, HALF], ids=["before", "halfway"])
def test_a_kill_at_any_operation_loses_and_doubles_nothing(how: Fault, record_property: object) -> None:
    points, wrong = operations(), {}

    for k in range(1, points + 1):
        lives = told(SimDisk())
        lives.disk.fail_at(k, how)
        lives.run(lambda dead: dead.kill_image())
        if found := faults(lives, unanswered=UNANSWERED):
            wrong[k] = found

    print(f"T1 {how.kind}: {points} points of death, {len(wrong)} bad")
    assert wrong == {}
