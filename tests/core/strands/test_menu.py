from __future__ import annotations

from datetime import UTC, datetime

import pytest

from core.i18n import load_words
from core.strands.menu import LABEL, menu
from tests.tree import ROOT

WORDS = load_words(ROOT / "locales")
NOW = datetime(2026, 8, 17, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("locale", "text"),
    [
        ("en", "花园 (last 08-17 Mon · today), work (last 08-11 Tue · 6 days ago), odd"),
        ("zh", "花园（最近 08-17 周一·今天）、work（最近 08-11 周二·6 天前）、odd"),
    ],
)
def test_topics_are_named_newest_first_with_the_day_they_were_last_seen(locale: str, text: str) -> None:
    index = {"odd": ("garbage"[:0],), "work": ("2026/08/11/1115", "2026/01/01/0000"), "花园": ("2026/08/17/0900",)}

    assert menu(index, NOW, "UTC", WORDS[locale]) == LABEL + text


def test_the_day_is_the_persons_own() -> None:
    index = {"work": ("2026/08/16/2330",)}

    assert menu(index, NOW, "Europe/Berlin", WORDS["en"]).endswith("work (last 08-17 Mon · today)")
    assert menu(index, NOW, "No/Where", WORDS["en"]).endswith("work (last 08-16 Sun · yesterday)")


def test_twenty_topics_are_named_and_those_of_one_moment_keep_their_order() -> None:
    index = {f"t{number}": ("2026/08/17/0900",) for number in range(25)}

    text = menu(index, NOW, "UTC", WORDS["en"])

    assert text.count("last") == 20
    assert text.index("t0 ") < text.index("t1 ") < text.index("t19 ")
    assert "t20" not in text


def test_without_strands_there_is_no_line() -> None:
    assert menu({}, NOW, "UTC", WORDS["en"]) == ""
