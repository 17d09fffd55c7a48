from __future__ import annotations

from datetime import date, timedelta

import pytest

from core.i18n import load_words
from core.relative import long_ago, phrase
from tests.tree import ROOT

WORDS = load_words(ROOT / "locales")
TODAY = date(2026, 5, 20)


@pytest.mark.parametrize(
    ("days", "english", "chinese"),
    [
        (1, "yesterday", "昨天"),
        (56, "8 weeks ago", "8 周前"),
        (57, "2 months ago", "2 个月前"),
        (365, "12 months ago", "12 个月前"),
        (791, "2 years ago", "2 年前"),
        (1900, "5 years ago", "5 年前"),
    ],
)
def test_a_page_tells_far_days_by_months_and_years(days: int, english: str, chinese: str) -> None:
    day = TODAY - timedelta(days)

    assert long_ago(day, TODAY, WORDS["en"]) == english
    assert long_ago(day, TODAY, WORDS["zh"]).replace(" ", "") == chinese.replace(" ", "")


def test_what_files_and_models_read_stays_as_it_was_and_so_does_what_is_to_come() -> None:
    assert phrase(TODAY - timedelta(791), TODAY, WORDS["en"]) == "113 weeks ago"
    assert long_ago(TODAY + timedelta(70), TODAY, WORDS["en"]) == "in 10 weeks"
    assert long_ago(None, TODAY, WORDS["en"]) == ""
