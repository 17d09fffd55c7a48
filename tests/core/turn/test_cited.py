"""Which slices an answer cites."""

from __future__ import annotations

import pytest

from core.document import Address, Choice, Choices
from core.journal.records import Plan
from core.turn.cited import MOST, cited
from core.turn.showing import page_of


def ways(text: str) -> list[str]:
    found = cited(text)
    return [choice.address.command for choice in found.choices if choice.address] if found else []


@pytest.mark.parametrize(
    ("text", "slices"),
    [
        ("You fired it (9 March, 2026-03-09-1842).", ["2026-03-09-1842"]),
        ("也聊过（3月9日，2026-03-09-1842）。", ["2026-03-09-1842"]),
        ("See `2026/03/09/1842`, then [2026/03/10/0700-abcdef]", ["2026-03-09-1842", "2026-03-10-0700"]),
        ("2026-03-09-1842 and 2026-03-01-0700 and 2026-03-09-1842", ["2026-03-09-1842", "2026-03-01-0700"]),
        ("on 2026-03-09 at 18:42, number 12026-03-09-1842, 2026-13-09-1842, 2026-03-09-18421", []),
        ("", []),
    ],
)
def test_a_slice_that_is_named_can_be_opened(text: str, slices: list[str]) -> None:
    assert ways(text) == [f"/slice {slice_id}" for slice_id in slices]


def test_the_label_is_what_stands_in_the_text() -> None:
    assert cited("(2026-03-09-1842)") == Choices((Choice("2026-03-09-1842", Address("slice", "2026-03-09-1842")),))


def test_an_answer_that_names_very_many_slices_offers_the_first_of_them() -> None:
    assert len(ways(" ".join(f"2026-03-{day:02}-1842" for day in range(1, 29)))) == MOST


def test_the_page_of_an_answer_ends_with_the_ways_to_its_slices() -> None:
    page = page_of(Plan("abcdef", "answer", (), reply=("Then: 2026-03-09-1842.", "Recall", "one hit")))

    assert page.blocks[-1] == cited("2026-03-09-1842")
    assert len(page.blocks) == 3
