"""T1 and T2: the house dies at every operation, alone, twice, or with the power; nothing is lost, doubled or torn."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.doubles.fault_disk import HALF, KILL, Fault
from tests.doubles.sim_disk import SimDisk
from tests.house.check import faults
from tests.house.ends import End, Tally, cuts, ends, kills, second, some, whole
from tests.house.life import Ground, Kind, Lives, Story
from tests.house.stories import BRIEF, EVERYDAY
from tests.house.tell import tell

SEED = 20_260_309
NEXT = 60
"""Changes of the second process among which it dies: it has recovered, and is back at work, by then."""


@pytest.fixture(scope="module")
def everyday() -> list[End]:
    return ends(EVERYDAY, Kind())


@pytest.fixture(scope="module")
def brief() -> list[End]:
    return ends(BRIEF, Kind())


def test_every_change_of_disk_and_world_is_a_point_of_death(everyday: list[End]) -> None:
    count = Counter(end.where.partition(" ")[0] for end in everyday)

    tell(f"T1 points of death: {len(everyday)}, of them {len(everyday) - len(whole(everyday))} halfway through a write")
    tell(f"T1 before each: {dict(count)}")
    assert {"send", "edit", "model", "acknowledge", "write", "sync", "replace", "create"} <= count.keys()
    assert len(everyday) > 600


def test_a_kill_at_any_point_loses_and_doubles_nothing(everyday: list[End]) -> None:
    tally = kills(everyday, Kind(), Tally(), ahead=0)

    tell(f"T1 kill, until all is answered: {tally}")
    assert tally.bad == 0, tally.first
    assert tally.states == len(everyday)


def test_a_kill_at_some_points_harms_nothing_to_the_end_of_the_story(everyday: list[End]) -> None:
    tally = kills(some(everyday, 30, SEED), Kind(), Tally())

    tell(f"T1 kill, to the end (seed {SEED}): {tally}")
    assert tally.bad == 0, tally.first


@pytest.mark.parametrize("how", [KILL, HALF], ids=["before", "halfway"])
def test_a_process_that_is_really_cut_off_comes_to_the_same(how: Fault) -> None:
    """The points above are looked at from outside; here the process is torn out of its work, `finally` and all."""
    healthy = Lives(SimDisk(), Story(BRIEF))
    healthy.run()
    assert isinstance(healthy.disk, SimDisk)
    points = some(range(1, healthy.disk.operations + 1), 12, SEED)

    for k in points:
        disk = SimDisk()
        disk.fail_at(k, how)
        lives = Lives(disk, Story(BRIEF))
        lives.run(as_killed)
        assert lives.endings in (["killed", "told"], ["told"])
        assert faults(lives) == []

    tell(f"T1 cut off {how.kind}: {len(points)} points (seed {SEED})")


def test_a_power_cut_at_some_points_loses_and_doubles_nothing(everyday: list[End]) -> None:
    points = some(whole(everyday), 80, SEED)

    tally = cuts(points, Kind(), Tally(), most=8)

    tell(f"T2 power cut at {len(points)} points (seed {SEED}): {tally}")
    assert tally.bad == 0, tally.first
    assert tally.states > 150


def test_a_second_crash_soon_after_a_kill_loses_and_doubles_nothing(brief: list[End]) -> None:
    again = some(list(second(BRIEF, some(brief, 30, SEED), Kind(), NEXT)), 100, SEED)

    killed = kills(again, Kind(), Tally(), ahead=1)
    cut = cuts(some(whole(again), 60, SEED), Kind(), Tally(), most=4)

    tell(f"T2 kill, then kill (seed {SEED}): {killed}")
    tell(f"T2 kill, then power cut (seed {SEED}): {cut}")
    assert (killed.bad, cut.bad) == (0, 0), killed.first or cut.first


@pytest.mark.long
@pytest.mark.timeout(0)
def test_a_kill_at_every_point_harms_nothing_to_the_end_of_the_story(everyday: list[End]) -> None:
    tally = kills(everyday, Kind(), Tally())

    tell(f"T1 long, kill: {tally}")
    assert tally.bad == 0, tally.first


@pytest.mark.long
@pytest.mark.timeout(0)
def test_a_power_cut_at_every_point_loses_and_doubles_nothing(everyday: list[End]) -> None:
    tally = cuts(whole(everyday), Kind(), Tally(), most=16, ahead=0)

    tell(f"T2 long, power cut at {len(whole(everyday))} points: {tally}")
    assert tally.bad == 0, tally.first


@pytest.mark.long
@pytest.mark.timeout(0)
def test_two_crashes_in_every_pairing_lose_and_double_nothing(brief: list[End]) -> None:
    killed, cut = Tally(), Tally()

    for again in second(BRIEF, brief, Kind(), NEXT):
        kills([again], Kind(), killed, ahead=0)
        cuts(whole([again]), Kind(), cut, most=4, ahead=0)

    tell(f"T2 long, kill at any of {len(brief)} points, then kill within {NEXT} changes: {killed}")
    tell(f"T2 long, kill at any of {len(brief)} points, then power cut within {NEXT} changes: {cut}")
    assert (killed.bad, cut.bad) == (0, 0), killed.first or cut.first


def as_killed(dead: Ground) -> Ground:
    assert isinstance(dead, SimDisk)
    return dead.kill_image()
