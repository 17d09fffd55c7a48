"""The house dies at every operation of a story with pictures: no word, no picture and no link is lost or doubled."""

from __future__ import annotations

import pytest

from tests.doubles.sim_disk import SimDisk
from tests.house.check import faults
from tests.house.ends import End, Tally, cuts, ends, kills, some, whole
from tests.house.life import Kind, Lives, Story
from tests.house.person import PICTURE
from tests.house.stories import PICTURES
from tests.house.tell import tell

SEED = 20_260_310


@pytest.fixture(scope="module")
def pictures() -> list[End]:
    return ends(PICTURES, Kind())


def test_pictures_stand_beside_their_turns_on_a_healthy_disk() -> None:
    lives = Lives(SimDisk(), Story(PICTURES))

    lives.run()

    assert faults(lives) == []
    kept = [data for path, data in lives.disk.tree().items() if "/files/" in path]
    assert kept == [PICTURE] * 4


def test_a_kill_at_any_point_loses_and_doubles_no_picture(pictures: list[End]) -> None:
    tally = kills(pictures, Kind(), Tally(), ahead=0)

    tell(f"T1 kill, pictures: {tally}")
    assert tally.bad == 0, tally.first
    assert tally.states > 300


def test_a_power_cut_at_some_points_loses_and_doubles_no_picture(pictures: list[End]) -> None:
    points = some(whole(pictures), 60, SEED)

    tally = cuts(points, Kind(), Tally(), most=6)

    tell(f"T2 power cut at {len(points)} points, pictures (seed {SEED}): {tally}")
    assert tally.bad == 0, tally.first


@pytest.mark.long
@pytest.mark.timeout(0)
def test_a_power_cut_at_every_point_loses_and_doubles_no_picture(pictures: list[End]) -> None:
    tally = cuts(whole(pictures), Kind(), Tally(), most=16, ahead=0)

    tell(f"T2 long, power cut, pictures: {tally}")
    assert tally.bad == 0, tally.first
