"""How much was said each day, drawn and in words."""

from __future__ import annotations

from core.document import Picture
from tests.core.views.given import commands, piece, reader, timeline


def picture(days: list[str], argument: str = "", locale: str = "en") -> Picture | None:
    page = timeline([piece(f"{day}T12:00:00Z") for day in days], argument, 0, reader(locale))
    return next((block for block in page.blocks if isinstance(block, Picture)), None)


def test_the_top_page_shows_the_twelve_months_up_to_the_last_slice() -> None:
    found = picture(["2019-01-01", "2026-02-10", "2026-02-10", "2026-02-11"])

    assert found
    assert (found.days[0], found.days[-1]) == (("2025-03-01", 0), ("2026-02-11", 1))
    assert dict(found.days)["2026-02-10"] == 2
    assert len(found.days) == 348


def test_a_year_shows_its_days_and_none_that_are_to_come() -> None:
    past, present = picture(["2025-03-09"], "2025"), picture(["2026-03-09"], "2026")

    assert past
    assert present
    assert (past.days[0][0], past.days[-1][0]) == ("2025-01-01", "2025-12-31")
    assert present.days[-1] == ("2026-03-16", 0)


def test_the_words_say_what_the_picture_shows() -> None:
    days = ["2026-02-10", "2026-02-10", "2026-02-11"]

    english, chinese = picture(days), picture(days, locale="zh")

    assert english
    assert chinese
    assert english.caption == "3 slices · days with talk: 2 · fullest day: 2026-02-10 Tue (2)"
    assert chinese.caption == "3 个切片 · 聊过的日子：2 · 聊得最多的一天：2026-02-10 周二（2）"


def test_where_nothing_was_said_there_is_no_picture() -> None:
    assert picture([]) is None
    assert picture(["2026-02-10"], "2021") is None


def test_a_year_at_either_end_of_the_calendar_is_no_trouble() -> None:
    assert picture(["0001-03-09"], "") is not None
    assert picture(["9999-12-31"], "9999") is not None


def test_every_level_leads_on_from_year_to_month_to_day_to_slice_and_back() -> None:
    pieces = [piece("2025-03-09T18:42:00Z"), piece("2026-02-10T12:00:00Z")]

    def ways(argument: str) -> list[str]:
        return commands(timeline(pieces, argument, 0, reader()))

    assert {"/timeline 2026-02", "/timeline 2025"} <= set(ways(""))
    assert {"/timeline 2025-03", "/timeline 2026", "/timeline"} <= set(ways("2025"))
    assert {"/timeline 2025-03-09", "/timeline 2026-02", "/timeline 2025", "/timeline"} <= set(ways("2025-03"))
    assert {"/slice 2025-03-09-1842", "/timeline 2026-02-10", "/timeline 2025-03"} <= set(ways("2025-03-09"))
