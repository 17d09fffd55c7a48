"""The pages of memory on Telegram: golden files over the demo people, and that every one of them can be pressed."""

from __future__ import annotations

import pytest

from core.document import Address
from tests.adapters.telegram.rules import faults
from tests.adapters.telegram.shown import GOLDEN, PAGES, paged, shown
from tests.core.views.across import COMMANDS, PEOPLE


@pytest.mark.parametrize("locale", PEOPLE)
@pytest.mark.parametrize("name", PAGES)
async def test_a_page_over_a_demo_person_reads_as_its_golden_file(name: str, locale: str) -> None:
    expected = (GOLDEN / f"page-{name}-{locale}.txt").read_text(encoding="utf-8")

    assert shown(await paged(name, locale)) == expected


@pytest.mark.parametrize("locale", PEOPLE)
@pytest.mark.parametrize("name", COMMANDS)
async def test_a_page_is_taken_by_telegram_and_every_button_of_it_leads_somewhere(name: str, locale: str) -> None:
    page = await paged(name, locale)
    buttons = [button for row in page.keyboard for button in row]

    assert [fault for part in page.parts for fault in faults(part)] == []
    assert all(button.say or Address.decode(button.data) for button in buttons)
    assert all(len(button.data.encode()) <= 64 for button in buttons)
    assert all(len(row) <= 3 for row in page.keyboard)
