from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.relative import with_dates

TODAY = date(2026, 8, 19)


@pytest.mark.parametrize(
    ("said", "dated"),
    [
        ("Call Remi tomorrow.", "Call Remi tomorrow (2026-08-20)."),
        ("Yesterday we baked", "Yesterday (2026-08-18) we baked"),
        ("the day after tomorrow", "the day after tomorrow (2026-08-21)"),
        ("the day before yesterday", "the day before yesterday (2026-08-17)"),
        ("Dentist day after tomorrow", "Dentist day after tomorrow (2026-08-21)"),
        ("Since day before yesterday", "Since day before yesterday (2026-08-17)"),
        ("last night it rained", "last night (2026-08-18) it rained"),
        ("tonight or today", "tonight (2026-08-19) or today (2026-08-19)"),
        ("明天交稿，后天出发", "明天（2026-08-20）交稿，后天（2026-08-21）出发"),
        ("我们 tomorrow见", "我们 tomorrow (2026-08-20)见"),
        ("大后天见，前天说的", "大后天（2026-08-22）见，前天（2026-08-17）说的"),
        ("下周一开会", "下周一（2026-08-24）开会"),
        ("上个星期天和这周五", "上个星期天（2026-08-16）和这周五（2026-08-21）"),
    ],
)
def test_a_word_that_means_a_day_gets_its_date(said: str, dated: str) -> None:
    assert with_dates(said, TODAY) == dated


@pytest.mark.parametrize(
    "said",
    [
        "",
        "tomorrow (2026-08-20)",
        "明天（2026-08-20）",
        "today's bread",
        "tomorrowland",
        "next Friday",
        "The last night in the old flat",
        "it was his last night",
        "以后天气会好",
        "目前天冷",
        "聪明天真",
        "每周一",
    ],
)
def test_what_has_its_date_or_means_no_single_day_stays(said: str) -> None:
    assert with_dates(said, TODAY) == said


def test_a_day_beyond_the_calendar_stays() -> None:
    assert with_dates("tomorrow", date.max) == "tomorrow"
    assert with_dates("昨天", date.min) == "昨天"


pieces = st.sampled_from(["tomorrow", "昨天", "下周日", "后天", " ", "today", "x", "(", "2026-"]) | st.text(max_size=4)


@given(st.lists(pieces), st.dates())
def test_doing_it_twice_changes_nothing(parts: list[str], today: date) -> None:
    once = with_dates("".join(parts), today)

    assert with_dates(once, today) == once
