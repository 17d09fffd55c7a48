"""How a turn follows on what was before (original.md 2.7 and 3.16: 212, 213)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from core.clock import iso
from core.slices.model import Slice
from core.turn.continuity import Continuity, continuity
from tests.bot.living import WORDS

NOW = datetime(2026, 3, 9, 18, 42, tzinfo=UTC)
EN = WORDS["en"]


def before(minutes: float, *, ended: bool = True, focus: str = "The kiln") -> Slice:
    at = iso(NOW - timedelta(minutes=minutes))
    return Slice("2026-03-01-0900", "closed", start=at, end=at if ended else "", focus=focus)


def test_a_turn_within_its_slice_continues_whatever_was_before() -> None:
    assert continuity(False, before(5), NOW, EN) == Continuity("continuing")


def test_without_a_slice_before_it_is_the_first_contact() -> None:
    assert continuity(True, None, NOW, EN) == Continuity("first")


@pytest.mark.parametrize(
    ("minutes", "tier", "gap"),
    [
        (0, "recent_return", "1 min ago"),
        (5, "recent_return", "5 mins ago"),
        (62, "recent_return", "1 hour ago"),
        (90, "recent_return", "2 hours ago"),
        (150, "recent_return", "3 hours ago"),
        (24 * 60 - 1, "recent_return", "1 day ago"),
        (24 * 60, "cold", "1 day ago"),
        (2 * 24 * 60, "cold", "2 days ago"),
        (40 * 24 * 60, "cold", "40 days ago"),
    ],
)
def test_tier_and_gap_follow_the_end_of_the_slice_before(minutes: int, tier: str, gap: str) -> None:
    assert continuity(True, before(minutes), NOW, EN) == Continuity(tier, gap, "The kiln")  # type: ignore[arg-type]


def test_without_an_end_the_start_counts() -> None:
    assert continuity(True, before(62, ended=False), NOW, EN).tier == "recent_return"


def test_without_any_time_it_is_cold() -> None:
    odd = Slice("2026-03-01-0900", "closed", start="some day", end="", focus="The kiln")

    assert continuity(True, odd, NOW, EN) == Continuity("cold", "", "The kiln")


def test_a_clock_that_was_set_back_makes_no_negative_gap() -> None:
    assert continuity(True, before(-300), NOW, EN).gap == "1 min ago"


def test_the_gap_is_told_in_the_persons_language() -> None:
    assert continuity(True, before(90), NOW, WORDS["zh"]).gap == "2 小时前"
