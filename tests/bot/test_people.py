from __future__ import annotations

from typing import TYPE_CHECKING

from bot.house import ROOT
from bot.people import person
from core.storage.benchmark import BenchmarkStorage
from tests.doubles.clock import ManualClock

if TYPE_CHECKING:
    from pathlib import Path

CARD = "memory/episodic/current-previously.md"


async def test_without_anything_beside_us_a_person_of_our_own_is_shown_in_each_language() -> None:
    cards = [(await person(ROOT, locale, None, ManualClock()).read(CARD)).text for locale in ("en", "zh")]

    assert "Mara" in cards[0]
    assert cards[0] != cards[1]


async def test_the_original_s_person_is_taken_where_its_folder_lies_beside_ours(tmp_path: Path) -> None:
    folder = tmp_path / "benchmark-data/personal_14/episodic"
    folder.mkdir(parents=True)
    (folder / "current-previously.md").write_text("# Caleb")

    storage = person(tmp_path / "checkout", "en", None, ManualClock())

    assert (await storage.read(CARD)).text == "# Caleb"


def test_an_address_goes_before_a_folder() -> None:
    assert isinstance(person(ROOT, "en", "http://127.0.0.1:9/data", ManualClock()), BenchmarkStorage)
