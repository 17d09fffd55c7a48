"""What of the timeline was asked for, and the calendar that answers it."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.document import Address
from core.views.asked import Days, asked_for, days_of
from core.views.calendar import Calendar, month_end
from tests.core.views.given import commands, items, piece, reader, texts, timeline

TODAY = date(2026, 3, 16)
DATES = st.dates(date(1, 1, 1), date(9999, 12, 31))
TALKED = st.dates(date(1000, 1, 1), date(9999, 12, 30))


@given(DATES, DATES)
def test_any_days_fit_an_address_and_are_read_back(one: date, other: date) -> None:
    days = Days(min(one, other), max(one, other))

    back = Address.decode(Address("timeline", days.argument, 9).encode())

    assert back
    assert days_of(back.argument, TODAY) == days


@pytest.mark.parametrize(
    ("asked", "argument", "page"),
    [
        ("2026-03", "2026-03", 0),
        ("2026-03 2", "2026-03", 1),
        ("2026", "2026", 0),
        ("2026-03-09", "2026-03-09", 0),
        ("2026-03-09..2026-03-01", "2026-03-01..2026-03-09", 0),
        ("2026-03-01..2026-03-31", "2026-03", 0),
        ("yesterday", "2026-03-15", 0),
        ("last month", "2026-02", 0),
        ("last spring", "2025-03-01..2025-05-31", 0),
        ("last year", "2025", 0),
        ("march", "2026-03", 0),
        ("march 3", "2026-03-03", 0),
        ("monday", "2026-03-16", 0),
        ("去年三月", "2025-03", 0),
        ("上周", "2026-03-09..2026-03-15", 0),
        ("上周五", "2026-03-13", 0),
        ("5月2号", "2025-05-02", 0),
        ("五月二号", "2025-05-02", 0),
        ("去年夏天", "2025-06-01..2025-08-31", 0),
        ("last friday", "2026-03-13", 0),
        ("the 2nd of May", "2025-05-02", 0),
        ("昨天", "2026-03-15", 0),
        ("去年", "2025", 0),
    ],
)
def test_days_are_asked_for_by_date_or_in_words(asked: str, argument: str, page: int) -> None:
    found, at = asked_for(asked, TODAY)

    assert found
    assert (found.argument, at) == (argument, page)


@pytest.mark.parametrize("asked", ["", "3", "2026-13", "2026-02-30", "0000", "bread", ".."])
def test_what_names_no_day_is_none(asked: str) -> None:
    assert asked_for(asked, TODAY)[0] is None


@given(st.lists(TALKED, max_size=12), DATES, DATES)
def test_the_calendar_agrees_with_looking_at_every_slice(days: list[date], one: date, other: date) -> None:
    pieces = [piece(f"{day.isoformat()}T12:00:00Z") for day in days]
    calendar = Calendar.of(pieces, "UTC")
    first, last = min(one, other), max(one, other)

    assert [p.id for p in calendar.between(first, last)] == sorted(
        f"{day.isoformat()}-1200" for day in days if first <= day <= last
    )
    assert calendar.before(first) == max((day for day in days if day < first), default=None)
    assert calendar.after(last) == min((day for day in days if day > last), default=None)
    assert calendar.months() == {
        month: sum(day.isoformat()[:7] == month for day in days) for month in sorted({d.isoformat()[:7] for d in days})
    }


@given(DATES)
def test_a_month_ends_before_the_first_of_the_next(day: date) -> None:
    end = month_end(day)

    assert (end.year, end.month) == (day.year, day.month)
    assert end == date.max or (end + timedelta(1)).day == 1


def test_this_day_of_earlier_years_stands_on_the_top_page_and_on_the_day() -> None:
    pieces = [
        piece("2023-03-16T09:00:00Z", "a kiln"),
        piece("2025-03-16T09:00:00Z", "a cello"),
        piece("2025-03-17T09:00:00Z", "another day"),
        piece("2026-03-16T09:00:00Z", "today"),
    ]

    for argument in ("", "2026-03-16"):
        page = timeline(pieces, argument, 0, reader())
        assert items(page, "On this day, Mar 16") == ("2025 · a cello", "2023 · a kiln")
        assert "/timeline 2025-03-16" in commands(page)
    assert items(timeline(pieces, "2023-03-16", 0, reader()), "On this day") == ()


def test_the_leap_day_is_remembered_in_leap_years_alone() -> None:
    pieces = [piece("2024-02-29T09:00:00Z", "leap"), piece("2027-02-28T09:00:00Z", "not leap")]

    page = timeline(pieces, "2028-02-29", 0, reader(now="2028-02-29T12:00:00Z"))

    assert items(page, "On this day") == ("2024 · leap",)


def test_a_month_draws_the_silence_between_its_days() -> None:
    pieces = [piece(f"2026-03-{day}T09:00:00Z") for day in ("01", "02", "09")]

    assert texts(timeline(pieces, "2026-03", 0, reader("zh"))) == ["*— 1 周后 —*"]


def test_the_silence_before_the_second_page_of_a_month_is_drawn() -> None:
    pieces = [piece(f"2026-03-{day:02d}T09:00:00Z") for day in (*range(1, 13), 20)]

    assert texts(timeline(pieces, "2026-03", 1, reader())) == ["*— 1 week later —*"]


def test_a_busy_day_is_cut_in_the_month_and_paged_on_its_own() -> None:
    pieces = [piece(f"2026-03-09T{hour:02d}:00:00Z", f"talk {hour}") for hour in range(20)]

    month, second = timeline(pieces, "2026-03", 0, reader()), timeline(pieces, "2026-03-09", 1, reader())

    assert items(month)[-1] == "… and 12 more"
    assert items(second)[0] == "**talk 12**"
    assert "/timeline 2026-03-09" in commands(second)


def test_an_open_slice_is_marked_wherever_it_stands() -> None:
    one = piece("2026-03-09T09:00:00Z", "", status="active")

    for argument in ("2026-03", "2026-03-09"):
        assert any(
            "(no title yet)" in line and "(still open)" in line
            for line in items(timeline([one], argument, 0, reader()))
        )


def test_a_year_leads_to_its_months_and_to_the_years_beside_it() -> None:
    pieces = [piece(f"{year}-05-01T09:00:00Z") for year in (2020, 2023, 2026)]

    assert commands(timeline(pieces, "2023", 0, reader())) == [
        *("/timeline 2023-05", "/timeline 2020", "/timeline 2026", "/timeline"),
    ]
    assert texts(timeline(pieces, "2021", 0, reader())) == ["No slices here."]
