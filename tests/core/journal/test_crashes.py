from __future__ import annotations

import errno

import pytest

from core.journal.records import PATH
from tests.core.journal.crashes import (
    Story,
    explore_kills,
    explore_power_cuts,
    explore_two_crashes,
    survive,
    tell,
)
from tests.core.journal.given import SHORT, conversation
from tests.doubles.fault_disk import refuse

ERRORS = ("ENOSPC", "EIO", "EROFS", "EACCES", "EMFILE")


def test_a_kill_at_any_operation_loses_nothing() -> None:
    story = Story(conversation())

    tally = explore_kills(story)

    tell(f"journal, kill at every operation: {tally.states} states, {tally.bad} bad")
    assert tally.bad == 0, tally.first
    assert tally.states > len(story.operations()) > 100


def test_a_power_cut_at_any_operation_loses_nothing() -> None:
    tally = explore_power_cuts(Story(conversation()))

    tell(f"journal, power cut at every operation: {tally.states} states, {tally.bad} bad")
    assert tally.bad == 0, tally.first
    assert tally.states > 300


def test_a_kill_or_a_power_cut_soon_after_a_kill_loses_nothing() -> None:
    kills, cuts = explore_two_crashes(Story(SHORT[:9]), within=13, most=8)

    tell(f"journal, kill then kill: {kills.states} states, {kills.bad} bad")
    tell(f"journal, kill then power cut: {cuts.states} states, {cuts.bad} bad")
    assert f"replace {PATH}" in Story(SHORT[:9]).operations()
    assert (kills.bad, cuts.bad) == (0, 0), kills.first or cuts.first
    assert kills.states > 400
    assert cuts.states > 1_000


@pytest.mark.parametrize("name", ERRORS)
@pytest.mark.parametrize("forever", [False, True], ids=["once", "from now on"])
def test_a_disk_that_refuses_at_any_operation_loses_nothing_and_work_goes_on(name: str, forever: bool) -> None:
    story = Story(SHORT)
    count = len(story.operations())

    seen = [survive(story, k, refuse(getattr(errno, name), forever=forever)) for k in range(1, count + 1)]

    troubles, lost = sum(one.troubles for one in seen), sum(one.lost for one in seen)
    tell(f"journal, {name} {'from now on' if forever else 'once'} at {count} points: {troubles} refused, {lost} ended")
    assert troubles > 0
    assert lost > 0
