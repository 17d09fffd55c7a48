"""The variable that says how much goes to a model at once."""

from __future__ import annotations

import pytest

from bot.settings import load
from core.errors import SettingsError
from core.turn.budget import Budget


def test_unset_it_leaves_the_defaults() -> None:
    assert load({}).budget() == Budget(12_000, 48_000, 16_000)


@pytest.mark.parametrize(
    ("text", "budget"),
    [
        ("48000", Budget(12_000, 48_000, 16_000)),
        (" 24000 ", Budget(6_000, 24_000, 8_000)),
        ("8000", Budget(2_000, 8_000, 2_666)),
        ("1000000", Budget(250_000, 1_000_000, 333_333)),
    ],
)
def test_a_number_is_the_whole_request_and_the_rest_scales(text: str, budget: Budget) -> None:
    assert load({"PREVIOUSLY_CONTEXT": text}).budget() == budget


@pytest.mark.parametrize("text", ["7999", "1000001", "0", "-1", "many", "48k", "'48000'"])
def test_anything_else_is_refused_by_name(text: str) -> None:
    with pytest.raises(SettingsError, match="PREVIOUSLY_CONTEXT"):
        load({"PREVIOUSLY_CONTEXT": text})
