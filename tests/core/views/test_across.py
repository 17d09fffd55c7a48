"""What a house answers to each command over the demo people reads as its golden file, in both languages."""

from __future__ import annotations

import pytest

from tests.core.views.across import COMMANDS, GOLDEN, PEOPLE, across
from tests.core.views.pages import dump


@pytest.mark.parametrize("locale", PEOPLE)
@pytest.mark.parametrize("name", COMMANDS)
async def test_a_command_over_a_demo_person_reads_as_its_golden_file(name: str, locale: str) -> None:
    assert dump(await across(name, locale)) == (GOLDEN / f"{name}-{locale}.txt").read_text(encoding="utf-8")


def test_every_golden_file_belongs_to_a_command() -> None:
    assert {path.name for path in GOLDEN.iterdir()} == {
        f"{name}-{locale}.txt" for name in COMMANDS for locale in PEOPLE
    }
