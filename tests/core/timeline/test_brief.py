from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from core.i18n import load_words
from core.timeline.brief import brief, earlier
from core.timeline.entry import Entry
from tests.tree import ROOT

WORDS = load_words(ROOT / "locales")
NOW = datetime(2026, 8, 17, 12, 0, tzinfo=UTC)
OLD = Entry("2026-08-10-1839", "2026-08-10", "", turn_count=2, focus="Rent", tags=("flat", "money"), tone="mixed")
NEW = Entry("2026-08-11-2330", "2026-08-11", "", turn_count=14, summary="回顾")
DRY = Entry("2026-08-16-0900", "2026-08-16", "")


@pytest.mark.parametrize(
    ("locale", "zone", "days"),
    [
        ("en", "UTC", ("(08-11 Tue · 6 days ago)", "(08-10 Mon · 7 days ago)")),
        ("en", "Asia/Kolkata", ("(08-12 Wed · 5 days ago)", "(08-11 Tue · 6 days ago)")),
        ("zh", "Asia/Shanghai", ("（08-12 周三·5 天前）", "（08-11 周二·6 天前）")),
    ],
)
def test_the_newest_slices_are_named_with_their_day_where_the_person_is(
    locale: str, zone: str, days: tuple[str, str]
) -> None:
    text = brief([OLD, NEW], NOW, zone, WORDS[locale])

    gap = " " if locale == "en" else ""
    assert text.split("\n") == [
        "## Timeline (recent)",
        f"- **2026-08-11-2330**{gap}{days[0]} 回顾 · 14 turns",
        f"- **2026-08-10-1839**{gap}{days[1]} Rent · 2 turns · mixed [flat,money]",
    ]


def test_what_is_not_shown_is_counted() -> None:
    text = brief([OLD, NEW], NOW, "UTC", WORDS["en"], recent=1)

    assert "2026-08-10-1839" not in text
    assert text.split("\n")[-1].startswith("- 2 slices in all")


def test_unmarked_slices_are_counted() -> None:
    lines = brief([OLD, DRY], NOW, "UTC", WORDS["en"]).split("\n")

    assert lines[1] == "- **2026-08-16-0900** (08-16 Sun · yesterday) (not marked yet)"
    assert lines[-1] == "- 1 of them not marked yet"


def test_without_a_time_there_is_no_calendar() -> None:
    assert "- **2026-08-11-2330** 回顾 · 14 turns" in brief([NEW], None, "UTC", WORDS["en"])


def test_an_empty_timeline_says_so() -> None:
    assert brief([], NOW, "UTC", WORDS["en"]).split("\n")[1].startswith("- (empty")


def test_ten_slices_are_named_and_none_when_none_are_wanted() -> None:
    entries = [replace(OLD, id=f"2026-08-{day:02d}-0900") for day in range(1, 16)]

    assert brief(entries, NOW, "UTC", WORDS["en"]).count("- **") == 10
    assert brief(entries, NOW, "UTC", WORDS["en"], recent=0).count("- **") == 0


def test_what_is_earlier_than_a_slice_stays_the_same_while_it_goes_on() -> None:
    before = earlier([OLD, NEW], "2026-08-16-0900")

    assert earlier([OLD, NEW, DRY, replace(DRY, id="2026-08-17-1000")], "2026-08-16-0900") == before == (OLD, NEW)
    assert earlier([replace(OLD, status="active"), NEW], "2026-08-16-0900") == (NEW,)
