"""Slices, a reader and ways to look at pages, for the tests of pages."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from core.clock import instant, iso
from core.document import Choices, Document, Items, Text
from core.slices.model import Slice
from core.views.asked import asked_for
from core.views.calendar import Calendar
from core.views.reader import Reader
from core.views.timeline import how
from core.views.timeline import timeline as page_of
from tests.bot.living import WORDS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    from core.document import Choice


def at(text: str) -> datetime:
    moment = instant(text)
    assert moment
    return moment


def reader(locale: str = "en", zone: str = "UTC", now: str = "2026-03-16T12:00:00Z") -> Reader:
    return Reader(WORDS[locale], zone, at(now))


def piece(began: str, focus: str = "A talk", **fields: object) -> Slice:
    moment = at(began)
    known = Slice(f"{moment:%Y-%m-%d-%H%M}", "closed", iso(moment), iso(moment), focus=focus)
    return replace(known, **fields)  # type: ignore[arg-type]


def timeline(
    pieces: Sequence[Slice], argument: str, page: int, see: Reader, unreadable: Mapping[str, str] | None = None
) -> Document:
    """The page of the timeline for what was typed."""
    wanted, _ = asked_for(argument, see.today)
    if argument and wanted is None:
        return how(see)
    return page_of(Calendar.of(pieces, see.zone), wanted, page, see, unreadable)


def choices(page: Document) -> Iterator[Choice]:
    for block in page.blocks:
        if isinstance(block, Choices):
            yield from block.choices


def commands(page: Document) -> list[str]:
    """What the page's buttons ask for, as typed commands."""
    return [choice.address.command for choice in choices(page) if choice.address]


def items(page: Document, label: str = "") -> tuple[str, ...]:
    """The items under a label, or under all."""
    return tuple(
        item for block in page.blocks if isinstance(block, Items) and label in block.label for item in block.items
    )


def texts(page: Document) -> list[str]:
    return [block.markdown for block in page.blocks if isinstance(block, Text)]
