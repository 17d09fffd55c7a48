"""T1 and T2 once more, with the courier at work: at every push, too, the house dies, and nothing is lost or doubled."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.house.ends import End, Tally, cuts, ends, kills, some, whole
from tests.house.pushing import Pushed
from tests.house.stories import BRIEF, EVERYDAY
from tests.house.tell import tell

SEED = 20_261_130
PUSHES = ("push", "pushed")


@pytest.fixture(scope="module")
def pushed() -> Pushed:
    return Pushed()


@pytest.fixture(scope="module")
def brief(pushed: Pushed) -> list[End]:
    return ends(BRIEF, pushed.kind())


def test_before_and_after_every_push_is_a_point_of_death(brief: list[End]) -> None:
    count = Counter(end.where.partition(" ")[0] for end in brief)

    tell(f"T1 with the pusher: {dict(count)}")
    assert count["push"] == count["pushed"] > 5
    assert {"send", "edit", "model", "acknowledge", "write", "replace"} <= count.keys()


def test_a_kill_at_some_points_with_the_pusher_loses_and_doubles_nothing(pushed: Pushed, brief: list[End]) -> None:
    at_pushes = [end for end in brief if end.where in PUSHES]
    points = [*some(at_pushes, 12, SEED), *some(brief, 24, SEED)]

    tally = kills(points, pushed.kind(), Tally())

    tell(f"T1 kill with the pusher (seed {SEED}): {tally}")
    assert tally.bad == 0, tally.first


def test_a_power_cut_at_some_points_with_the_pusher_loses_and_doubles_nothing(pushed: Pushed, brief: list[End]) -> None:
    points = some(whole(brief), 12, SEED)

    tally = cuts(points, pushed.kind(), Tally(), most=3, ahead=None)

    tell(f"T2 power cut with the pusher (seed {SEED}): {tally}")
    assert tally.bad == 0, tally.first


@pytest.mark.long
@pytest.mark.timeout(0)
def test_a_kill_at_every_point_with_the_pusher_loses_and_doubles_nothing(pushed: Pushed) -> None:
    everyday = ends(EVERYDAY, pushed.kind())

    tally = kills(everyday, pushed.kind(), Tally())

    tell(f"T1 long, kill with the pusher: {tally}")
    assert tally.bad == 0, tally.first
