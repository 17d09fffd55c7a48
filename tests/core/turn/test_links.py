"""Which strands a message touches (original.md 2.7 and 3.16: 215)."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from core.turn.links import Link, resolved, spotted

NOW = datetime(2026, 3, 9, 18, 42, tzinfo=UTC)
HERE = "2026/03/09/1842"
INDEX = {
    "Bakery": ("2026/01/01/0900", "2026/03/08/0900", "2026/02/01/0900", "2026/02/02/0900"),
    "kiln": ("2026/03/07/0900", HERE),
    "only here": (HERE,),
    "test": ("2026/03/08/0900",),
    "花园": ("2026/03/01/0900",),
    "c++": ("2026/03/02/0900",),
    "rye-bread": ("2025/03/02/0900",),
    "tea": ("2025/03/03/0900",),
}


def test_a_hint_is_resolved_to_strands_seen_elsewhere_newest_first() -> None:
    found = resolved(INDEX, ["kiln", "BAKERY", "unknown", "only here", "kiln", "test", ""], HERE)

    assert found == (
        Link("Bakery", ("2026/03/08/0900", "2026/02/02/0900", "2026/02/01/0900")),
        Link("kiln", ("2026/03/07/0900",)),
    )


def test_at_most_three_links_are_shown() -> None:
    assert len(resolved(INDEX, ["kiln", "Bakery", "花园", "c++", "tea"], HERE)) == 3


@pytest.mark.parametrize(
    ("message", "strands"),
    [
        ("Is the bakery open?", ["Bakery"]),
        ("the bakeryish thing", []),
        ("今天去花园吗", ["花园"]),
        ("I write c++ all day", ["c++"]),
        ("a rye-bread and tea", ["rye-bread", "tea"]),
        ("rye bread", []),
        ("this is a test", []),
        ("only here", []),
        ("", []),
    ],
)
def test_words_of_a_message_are_recognised(message: str, strands: list[str]) -> None:
    assert [link.strand for link in spotted(INDEX, message, HERE, NOW)] == strands


def test_often_long_and_fresh_goes_first() -> None:
    found = spotted(INDEX, "tea tea tea tea with the kiln and the bakery", HERE, NOW)

    assert [link.strand for link in found] == ["tea", "Bakery", "kiln"]


def test_of_equal_matches_the_one_seen_last_goes_first() -> None:
    index = {"aaaaa": ("2026/03/07/0900",), "bbbbb": ("2026/03/08/0900",)}

    assert [link.strand for link in spotted(index, "aaaaa bbbbb", HERE, NOW)] == ["bbbbb", "aaaaa"]
