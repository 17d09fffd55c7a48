from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.language.dates import spans, without

TODAY = date(2026, 7, 15)  # a Wednesday


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2026-03-09", "2026-03-09", "2026-03-09"),
        ("2026/3/9", "2026-03-09", "2026-03-09"),
        ("2026-03", "2026-03-01", "2026-03-31"),
        ("on 3 May", "2026-05-03", "2026-05-03"),
        ("May 3rd, 2024", "2024-05-03", "2024-05-03"),
        ("the 9th of March", "2026-03-09", "2026-03-09"),
        ("on 9 December", "2025-12-09", "2025-12-09"),
        ("in March 2024", "2024-03-01", "2024-03-31"),
        ("last March", "2026-03-01", "2026-03-31"),
        ("in October", "2025-10-01", "2025-10-31"),
        ("last July", "2025-07-01", "2025-07-31"),
        ("yesterday", "2026-07-14", "2026-07-14"),
        ("the day before yesterday", "2026-07-13", "2026-07-13"),
        ("last night", "2026-07-14", "2026-07-14"),
        ("last week", "2026-07-06", "2026-07-12"),
        ("last weekend", "2026-07-11", "2026-07-12"),
        ("this month", "2026-07-01", "2026-07-31"),
        ("last month", "2026-06-01", "2026-06-30"),
        ("last year", "2025-01-01", "2025-12-31"),
        ("last Friday", "2026-07-10", "2026-07-10"),
        ("on Monday", "2026-07-13", "2026-07-13"),
        ("last Wednesday", "2026-07-08", "2026-07-08"),
        ("three days ago", "2026-07-12", "2026-07-12"),
        ("two weeks ago", "2026-06-27", "2026-07-05"),
        ("a couple of months ago", "2026-05-01", "2026-05-31"),
        ("5 years ago", "2021-01-01", "2021-12-31"),
        ("last spring", "2026-03-01", "2026-05-31"),
        ("in the summer of 2024", "2024-06-01", "2024-08-31"),
        ("last winter", "2025-12-01", "2026-02-28"),
        ("in 2024", "2024-01-01", "2024-12-31"),
        ("上周五", "2026-07-10", "2026-07-10"),
        ("上上周三", "2026-07-01", "2026-07-01"),
        ("周一", "2026-07-13", "2026-07-13"),
        ("上星期", "2026-07-06", "2026-07-12"),
        ("上周末", "2026-07-11", "2026-07-12"),
        ("上个月", "2026-06-01", "2026-06-30"),
        ("上个月5号", "2026-06-05", "2026-06-05"),
        ("5月2号", "2026-05-02", "2026-05-02"),
        ("五月二号", "2026-05-02", "2026-05-02"),
        ("12月2日", "2025-12-02", "2025-12-02"),
        ("2024年3月9日", "2024-03-09", "2024-03-09"),
        ("二〇二四年三月", "2024-03-01", "2024-03-31"),
        ("去年十月", "2025-10-01", "2025-10-31"),
        ("去年夏天", "2025-06-01", "2025-08-31"),
        ("前年", "2024-01-01", "2024-12-31"),
        ("昨天", "2026-07-14", "2026-07-14"),
        ("前天晚上", "2026-07-13", "2026-07-13"),
        ("三天前", "2026-07-12", "2026-07-12"),
        ("两个月前", "2026-05-01", "2026-05-31"),
        ("十一月二十三日", "2025-11-23", "2025-11-23"),
    ],
)
def test_a_date_in_words_is_a_span_of_days(text: str, first: str, last: str) -> None:
    found = spans(f"what was {text} about", TODAY)

    assert [(one.first.isoformat(), one.last.isoformat()) for one in found] == [(first, last)]


@pytest.mark.parametrize(
    "text",
    [
        "what may I do",
        "march on",
        "31/12",
        "第一周",
        "the 40th of May 2026",
        "2026-13-01",
        "Monday morning person",
        "a secondhand summer dress",
    ],
)
def test_what_is_no_date_is_left_alone(text: str) -> None:
    assert [one for one in spans(text, TODAY) if one.days == 1] == []


def test_several_dates_are_found_in_order_and_can_be_taken_out() -> None:
    text = "Between last March and 2026-05-02, and 去年十月, what happened?"

    found = spans(text, TODAY)

    assert [one.text for one in found] == ["last March", "2026-05-02", "去年十月"]
    assert without(text, found).split() == ["Between", "and", ",", "and", ",", "what", "happened?"]


def test_the_twenty_ninth_of_february_is_the_latest_one() -> None:
    assert spans("on 29 February", TODAY)[0].first == date(2024, 2, 29)


@given(st.text(max_size=80), st.dates(date(1, 1, 1), date(9999, 12, 31)))
def test_no_text_on_no_day_is_trouble(text: str, today: date) -> None:
    for one in spans(text, today):
        assert one.first <= one.last
        assert text[one.start : one.start + len(one.text)] == one.text


@given(
    st.sampled_from(["last ", "in ", "on ", "上", "去年", "5 ", ""]),
    st.sampled_from(["week", "March", "3 May", "周五", "十月", "months ago", "2号", "December 9999", "天前"]),
    st.dates(date(1, 1, 1), date(9999, 12, 31)),
)
def test_dates_at_the_edges_of_the_calendar_are_left_out(before: str, after: str, today: date) -> None:
    assert all(one.first <= one.last for one in spans(before + after, today))
