"""What is due, decided on values: each job once, whatever the clock does, in six zones over a whole year."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, time, timedelta

import pytest

from bot.due import Hours, Job, Looked, Nudge, due, local

SILENCE = timedelta(minutes=15)
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
ZONES = ("UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Asia/Shanghai")
NOON = datetime(2026, 3, 9, 12, tzinfo=UTC)
NIGHT = Hours(time(22), time(7))
RESTING = Looked("UTC", SILENCE, talked=NOON - HOUR, gap="2026-03-09-1045", shown="2026-03-09-1045", checked=NOON)
WAITING = replace(RESTING, shown="", reachable=True, waiting=True)
NUDGED = replace(RESTING, reachable=True, nudge=Nudge(time(8)))


def jobs(state: Looked, now: datetime = NOON) -> tuple[Job, ...]:
    return due(state, now)[:-1]


def test_a_house_at_rest_only_looks_around() -> None:
    assert due(RESTING, NOON) == ("look",)


def test_an_empty_memory_has_nothing_to_do() -> None:
    assert jobs(Looked("UTC", SILENCE, checked=NOON)) == ()


@pytest.mark.parametrize(
    ("ago", "closes"), [(SILENCE - MINUTE, False), (SILENCE, True), (3 * DAY, True), (-DAY, False)]
)
def test_a_slice_closes_once_its_silence_is_over(ago: timedelta, closes: bool) -> None:
    state = replace(RESTING, open=True, talked=NOON - ago)

    assert ("close" in due(state, NOON)) == closes


def test_nothing_closes_while_somebody_waits() -> None:
    assert jobs(replace(RESTING, open=True, idle=False)) == ()


def test_unfinished_plans_come_before_everything() -> None:
    state = replace(WAITING, owed=True, boundary=True, left=True, checked=NOON - DAY)

    assert due(state, NOON) == ("finish", "sweep", "care", "briefing", "nightly", "look")


def test_in_quiet_hours_nothing_is_posted_and_no_model_is_asked() -> None:
    state = replace(
        WAITING, quiet=NIGHT, boundary=True, lacking=True, nudge=Nudge(time(6)), talked=NOON - DAY, zone="Asia/Shanghai"
    )
    asleep = datetime(2026, 3, 9, 15, tzinfo=UTC)  # 23:00 in Shanghai

    assert jobs(state, asleep) == ()
    assert set(jobs(state, datetime(2026, 3, 9, 23, 30, tzinfo=UTC))) >= {"care", "briefing", "nudge"}


@pytest.mark.parametrize(
    ("hours", "inside", "outside"),
    [
        (NIGHT, (time(22), time(23, 59), time(0), time(6, 59)), (time(7), time(12), time(21, 59))),
        (Hours(time(1), time(5)), (time(1), time(4, 59)), (time(0, 59), time(5))),
        (Hours(), (), (time(0), time(12))),
    ],
)
def test_quiet_hours_may_lie_over_midnight(hours: Hours, inside: tuple[time, ...], outside: tuple[time, ...]) -> None:
    def held(clock: time) -> bool:
        return hours.hold(datetime.combine(NOON.date(), clock, UTC), "UTC")

    assert all(map(held, inside))
    assert not any(map(held, outside))


@pytest.mark.parametrize(
    "change",
    [
        {"shown": RESTING.gap}, {"open": True}, {"idle": False}, {"reachable": False}, {"waiting": False}, {"gap": ""},
        {"talked": NOON - 14 * MINUTE}, {"live": NOON - DAY},
    ],
)  # fmt: skip
def test_a_briefing_waits_only_where_and_when_it_should(change: dict[str, object]) -> None:
    assert "briefing" in jobs(WAITING)
    assert "briefing" not in jobs(replace(WAITING, **change))  # type: ignore[arg-type]


def test_a_briefing_is_folded_up_when_the_talk_has_gone_on_quiet_hours_or_not() -> None:
    live = replace(RESTING, live=NOON - 2 * HOUR, quiet=Hours(time(11), time(13)))

    assert jobs(live) == ("fold",)
    assert jobs(replace(live, live=NOON)) == ()


@pytest.mark.parametrize(("tries", "hours"), [(1, 0.5), (2, 1), (3, 2), (6, 16), (7, 24), (500, 24)])
def test_what_a_model_could_not_do_is_tried_again_ever_more_seldom(tries: int, hours: float) -> None:
    def tried(ago: timedelta) -> bool:
        return "care" in due(replace(RESTING, lacking=True, tries=tries, tried=NOON - ago), NOON)

    assert not tried(timedelta(hours=hours) - MINUTE)
    assert tried(timedelta(hours=hours))
    assert tried(-HOUR)  # the clock was set back


def test_a_close_is_cared_for_at_once_however_often_something_failed_before() -> None:
    assert jobs(replace(RESTING, boundary=True, tries=9, tried=NOON)) == ("care",)


@pytest.mark.parametrize(
    ("clock", "last", "heard", "comes"),
    [
        (8, None, -26, True), (7, None, -26, False), (11, None, -26, True), (12, None, -26, False),
        (8, -24, -10, True), (8, -24, -3, False), (8, -1, -0.5, False), (8, -24, -25, False), (8, 40, -10, True),
    ],
)  # fmt: skip
def test_a_nudge_comes_once_in_the_morning_and_never_twice_unanswered(
    clock: int, last: float | None, heard: float, comes: bool
) -> None:
    now = NOON.replace(hour=clock)
    asked = Nudge(time(8), 1, None if last is None else now + timedelta(hours=last), now + timedelta(hours=heard))

    assert ("nudge" in due(replace(NUDGED, nudge=asked, talked=NOON - DAY), now)) == comes


def test_a_rarer_nudge_waits_its_days() -> None:
    def comes(days: int) -> bool:
        asked = Nudge(time(8), 3, NOON.replace(hour=8) - days * DAY, NOON - 16 * HOUR)
        return "nudge" in due(replace(NUDGED, nudge=asked, talked=NOON - DAY), NOON.replace(hour=9))

    assert [comes(days) for days in (1, 2, 3, 4)] == [False, False, True, True]


def test_no_nudge_while_the_talk_goes_on() -> None:
    assert "nudge" not in due(replace(NUDGED, open=True, talked=NOON.replace(hour=8)), NOON.replace(hour=8, minute=1))


@pytest.mark.parametrize("zone", ZONES)
def test_over_a_year_with_both_changes_of_the_clock_each_job_comes_once_a_day(zone: str) -> None:
    """Every quarter of an hour, but for three days asleep; each job that is due is done, and then is due no more."""
    now, end = datetime(2026, 1, 1, tzinfo=UTC), datetime(2027, 1, 1, tzinfo=UTC)
    state = replace(NUDGED, zone=zone, checked=now, talked=now)
    nights, mornings = [], []
    while now < end:
        assert state.nudge
        state = replace(state, talked=now - 12 * HOUR, nudge=replace(state.nudge, heard=now - 12 * HOUR))
        found = due(state, now)
        if "nightly" in found:
            nights.append(local(now, zone))
            state = replace(state, checked=now)
        if "nudge" in found:
            mornings.append(local(now, zone))
            state = replace(state, nudge=Nudge(time(8), 1, now))
        now += 3 * DAY if now == datetime(2026, 6, 1, 12, tzinfo=UTC) else timedelta(minutes=15)

    for days in (nights, mornings):
        assert len({day.date() for day in days}) == len(days)
    assert len(nights) in {362, 363}  # the first night is half over in some zones, and three were slept through as one
    assert len(mornings) in {362, 363}
    assert {day.time() for day in nights} - {local(datetime(2026, 6, 4, 12, tzinfo=UTC), zone).time()} == {time(3, 30)}
    assert {day.hour for day in mornings[1:]} <= {8, *(local(datetime(2026, 6, 4, 12, tzinfo=UTC), zone).hour,)}


@pytest.mark.parametrize("jump", [-400 * DAY, -DAY, -HOUR, HOUR, DAY, 400 * DAY])
def test_a_clock_that_is_set_makes_no_job_come_again_and_again(jump: timedelta) -> None:
    now, state, ran = NOON, replace(NUDGED, talked=NOON - DAY), 0
    for number in range(2 * 24 * 4):
        now += timedelta(minutes=15) + (jump if number == 24 else timedelta(0))
        if "nightly" in due(state, now):
            ran += 1
            state = replace(state, checked=now)

    assert ran in {1, 2, 3}


def test_a_briefing_of_the_future_is_folded_up_once_the_clock_is_right_and_keeps_none_from_waiting() -> None:
    state = replace(WAITING, shown="2027-01-01-0900", live=NOON + 300 * DAY)

    assert jobs(state) == ("fold",)
    assert jobs(replace(state, live=None)) == ("briefing",)
    assert jobs(replace(state, live=NOON + MINUTE)) == ()  # a clock that is mended by a minute
