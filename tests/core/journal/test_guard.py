from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from core.journal.ids import turn_id
from core.journal.records import Applied, Dead, Plan, Record
from core.journal.state import State
from tests.core.journal.given import AT, merge

if TYPE_CHECKING:
    from collections.abc import Mapping

    from core.journal.records import Json

ONE = turn_id("tg:7:1")
NOW = datetime(2026, 3, 9, 12, 0, tzinfo=UTC)


def folded(*given_records: Record) -> State:
    state = State()
    for record in given_records:
        state.apply(record)
    return state


def test_written_turns_are_guarded_and_a_redone_one_stands_once() -> None:
    first, again = merge("2026-03-09-1200", "aa", "old"), merge("2026-03-09-1200", "aa", "new")

    state = folded(Plan(ONE, "words", ops=(first,)), Plan(ONE, "words", ops=(again,)))

    assert [turn.text for turn in state.guard["2026-03-09-1200"].turns] == ["new"]


@pytest.mark.parametrize(
    ("closed", "later", "guarded"),
    [
        (True, timedelta(hours=24), True),
        (True, timedelta(hours=24, seconds=1), False),
        (False, timedelta(days=9), True),
    ],
)
def test_a_slice_is_guarded_until_24_hours_after_its_closing(closed: bool, later: timedelta, guarded: bool) -> None:
    ops: list[Mapping[str, Json]] = [merge("2026-03-09-1200", "aa", "text")]
    ops += [{"op": "close_slice", "slice": "2026-03-09-1200", "at": AT}] if closed else []
    state = folded(Plan(ONE, "words", ops=tuple(ops)))

    state.prune(NOW + later)

    assert bool(state.guard) is guarded


def test_an_older_slice_whose_closing_nobody_noted_is_guarded_for_48_hours() -> None:
    ops = (merge("2026-03-09-1200", "aa", "old"), merge("2026-03-09-1300", "bb", "new"))
    state = folded(Plan(ONE, "words", ops=ops))

    state.prune(NOW + timedelta(hours=48))
    kept = set(state.guard)
    state.prune(NOW + timedelta(hours=48, seconds=1))

    assert kept == {"2026-03-09-1200", "2026-03-09-1300"}
    assert set(state.guard) == {"2026-03-09-1300"}


@pytest.mark.parametrize(
    "op", [{"op": "merge_turns", "slice": 5}, {"op": "merge_turns", "slice": "s", "turns": "x"}, {"op": "other"}, {}]
)
def test_an_operation_of_another_shape_guards_nothing_and_breaks_nothing(op: Mapping[str, Json]) -> None:
    state = folded(Plan(ONE, "words", ops=(op,)))

    assert not any(one.turns for one in state.guard.values())


def test_what_a_plan_that_is_given_up_would_have_written_is_not_looked_for() -> None:
    written, never = merge("2026-03-09-1200", "aa", "stands"), merge("2026-03-09-1200", "bb", "never stood")
    kept = (Plan(ONE, "words", (), (written,)), Applied(ONE, "words"))
    other = turn_id("tg:7:2")

    state = folded(*kept, Plan(other, "words", (), (never,)), Dead(other, "crashed"), Dead(ONE, "crashed"))

    assert [turn.label for turn in state.guard["2026-03-09-1200"].turns] == ["aa"]
