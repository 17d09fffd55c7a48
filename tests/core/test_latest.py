"""What was worked out last is kept while it is asked of the same values."""

from __future__ import annotations

from core.latest import Latest


def test_the_same_values_are_worked_out_once() -> None:
    kept: Latest[list[int]] = Latest()
    index = {"a": 1}

    first = kept.of(lambda: [1], index, "2026-01-01-0000")

    assert kept.of(lambda: [2], index, f"2026-01-01-{0:04}") is first


def test_an_equal_value_that_is_another_is_worked_out_anew() -> None:
    kept: Latest[list[int]] = Latest()

    kept.of(lambda: [1], {"a": 1}, "x")

    assert kept.of(lambda: [2], {"a": 1}, "x") == [2]


def test_another_text_is_worked_out_anew() -> None:
    kept: Latest[list[int]] = Latest()
    index = {"a": 1}

    kept.of(lambda: [1], index, "x")

    assert kept.of(lambda: [2], index, "y") == [2]
