from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from core.slices.model import Slice, Turn
from core.slices.policy import Arrival, Place, Thresholds, arrival, changes_surface, last_instant, minute_of, place

NOON = datetime(2026, 3, 9, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)


def slice_of(turns: int, last: datetime = NOON) -> Slice:
    early = Turn("q1W-_A", "2026-03-09T11:59:00.000Z", "user", "hi")
    said = (early,) * (turns - 1) + (Turn("aB3_xQ", last.isoformat(), "agent", "ok"),) * (turns > 0)
    return Slice("2026-03-09-1159", start="2026-03-09T11:59:00.000Z", turns=said)


@pytest.mark.parametrize(
    ("silence", "closes"),
    [
        (timedelta(0), None),
        (15 * MINUTE - timedelta(milliseconds=1), None),
        (15 * MINUTE, "time_silence"),
        (2 * HOUR, "time_silence"),
        (25 * HOUR, "time_silence"),
        (timedelta(days=5, minutes=3), "time_silence"),
        (-HOUR, None),
    ],
)
def test_silence_since_the_last_turn_closes_from_the_threshold_on(silence: timedelta, closes: str | None) -> None:
    assert place(slice_of(2), NOON + silence, Thresholds()) == Place(closes, opens=closes is not None)


def test_talk_over_midnight_stays_in_its_slice() -> None:
    late = datetime(2026, 3, 9, 23, 59, tzinfo=UTC)

    assert place(slice_of(2, late), late + 2 * MINUTE, Thresholds()).opens is False


def test_silence_is_a_difference_of_instants_whatever_the_offset() -> None:
    told = Turn("q1W-_A", "2026-03-09T20:00:00+08:00", "user", "hi")

    assert place(Slice("2026-03-09-1200", turns=(told,)), NOON + 14 * MINUTE, Thresholds()).closes is None


@pytest.mark.parametrize(("turns", "closes"), [(19, None), (20, "capacity"), (24, "capacity")])
def test_a_full_slice_closes_before_the_next_turn_is_added(turns: int, closes: str | None) -> None:
    assert place(slice_of(turns), NOON, Thresholds()).closes == closes


@pytest.mark.parametrize(
    ("turns", "later", "closes"),
    [(20, 15 * MINUTE, "time_silence"), (20, MINUTE, "capacity"), (2, MINUTE, "context_lost"), (0, MINUTE, None)],
)
def test_silence_goes_before_capacity_and_capacity_before_a_lost_context(
    turns: int,
    later: timedelta,
    closes: str | None,
) -> None:
    assert place(slice_of(turns), NOON + later, Thresholds(), lost=True).closes == closes


def test_without_an_active_slice_a_new_one_opens_and_none_closes() -> None:
    assert place(None, NOON, Thresholds()) == Place(None, opens=True)


def test_thresholds_are_taken_as_they_are_set() -> None:
    assert place(slice_of(2), NOON + 5 * MINUTE, Thresholds(5 * MINUTE)).closes == "time_silence"
    assert place(slice_of(5), NOON, Thresholds(cap=5)).closes == "capacity"


@pytest.mark.parametrize(
    ("slice_", "when"),
    [
        (Slice("2026-03-09-1159"), "2026-03-09T11:59:00+00:00"),
        (Slice("2026-03-09-1159", start="2026-03-09T11:59:30Z"), "2026-03-09T11:59:30+00:00"),
        (Slice("x", start="nonsense"), None),
        (
            Slice("x", turns=(Turn("a", "2026-03-09T12:00:00Z", "user", ""), Turn("a", "?", "agent", ""))),
            NOON.isoformat(),
        ),
        (Slice("x", "closed", start="2026-03-09T11:00:00Z", end="2026-03-09T12:00:00Z"), NOON.isoformat()),
    ],
)
def test_the_last_instant_is_the_newest_one_that_can_be_read(slice_: Slice, when: str | None) -> None:
    assert last_instant(slice_) == (datetime.fromisoformat(when) if when else None)


@pytest.mark.parametrize("slice_id", ["2026-99-09-1159", "2026-03-09", "x", "2026-03-09-2561"])
def test_an_id_that_is_no_minute_names_none(slice_id: str) -> None:
    assert minute_of(slice_id) is None


@pytest.mark.parametrize(
    ("surfaces", "since", "lost"),
    [
        ([], 5 * MINUTE, False),
        (["discord"], 5 * MINUTE, False),
        (["telegram"], 5 * MINUTE, True),
        (["telegram"], MINUTE, True),
        (["telegram"], 0.9 * MINUTE, False),
        (["discord", "telegram"], 0.5 * MINUTE, False),
        (["discord", "telegram"], 2 * MINUTE, True),
        (["telegram", "discord"], 2 * MINUTE, False),
    ],
)
def test_the_context_is_lost_on_another_surface_unless_it_was_a_minute(
    surfaces: list[str],
    since: timedelta,
    lost: bool,
) -> None:
    assert changes_surface(surfaces, "discord", since) is lost


LAST = slice_of(2)


@pytest.mark.parametrize(
    ("absence", "length"),
    [
        (15 * MINUTE, "line"),
        (6 * HOUR - timedelta(seconds=1), "line"),
        (6 * HOUR, "card"),
        (timedelta(days=400), "card"),
    ],
)
def test_the_briefing_follows_the_absence(absence: timedelta, length: str) -> None:
    due = arrival(LAST, NOON, NOON + absence, Thresholds())

    assert due is not None
    assert (due.gap, due.length) == (LAST.id, length)


def test_a_gap_is_briefed_once_and_the_next_one_again() -> None:
    later = NOON + 7 * HOUR

    assert arrival(LAST, NOON, later, Thresholds(), shown_gap=LAST.id) is None
    assert arrival(LAST, NOON, later, Thresholds(), shown_gap="2026-03-08-0700") == Arrival(LAST.id, "card")
    assert arrival(LAST, NOON, later, Thresholds(), shown_gap=LAST.id, starting=True) is None


def test_within_the_silence_only_a_start_is_briefed_and_in_one_line() -> None:
    soon = NOON + 5 * MINUTE

    assert arrival(LAST, NOON, soon, Thresholds()) is None
    assert arrival(LAST, NOON, soon, Thresholds(), shown_gap=LAST.id, starting=True) == Arrival(LAST.id, "line")
    assert arrival(None, NOON, soon, Thresholds(), starting=True) == Arrival("", "line")
    assert arrival(LAST, NOON, NOON - HOUR, Thresholds()) is None


def test_before_anything_was_said_there_is_no_briefing() -> None:
    assert arrival(None, None, NOON, Thresholds(), starting=True) is None
