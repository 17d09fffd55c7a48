"""Every page over the demo people reads as its golden file, in both languages."""

from __future__ import annotations

import pytest

from tests.core.views.pages import GOLDEN, NAMES, PEOPLE, page


@pytest.mark.parametrize("locale", PEOPLE)
@pytest.mark.parametrize("name", NAMES)
async def test_a_page_over_a_demo_person_reads_as_its_golden_file(name: str, locale: str) -> None:
    assert await page(name, locale) == (GOLDEN / f"{name}-{locale}.txt").read_text(encoding="utf-8")
