from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from bot.copied import Copied, lag_lines
from bot.helping import Asked
from core.card.record import Record
from core.document import Choices, Items
from core.storage.github.lag import Lag
from core.views.card import Change, history_page
from core.views.reader import Reader
from tests.bot.living import WORDS

if TYPE_CHECKING:
    from core.document import Document

NOW = datetime(2026, 3, 9, 18, 42, tzinfo=UTC)


def reader(locale: str = "en") -> Reader:
    return Reader(WORDS[locale], "UTC", NOW)


class Owner:
    """A copy that stopped, and what was decided about it."""

    def __init__(self, lag: Lag) -> None:
        self.lag = lag
        self.decided: list[bool] = []

    async def decide(self, *, theirs: bool) -> None:
        self.decided.append(theirs)
        self.lag = replace(self.lag, stopped="")

    async def page(self, argument: str = "") -> Document:
        return await Copied(lambda: self.lag, self.decide).page(Asked(argument, "t", reader()))


def choices(page: Document) -> list[str]:
    return [
        str(one.address and one.address.argument)
        for block in page.blocks
        if isinstance(block, Choices)
        for one in block.choices
    ]


def test_a_copy_that_is_in_step_says_so() -> None:
    assert lag_lines(Lag(), reader()) == ("Everything is there",)


@pytest.mark.parametrize("locale", ["en", "zh"])
def test_what_waits_is_told_with_its_reason_and_what_stays_here(locale: str) -> None:
    lag = Lag(3, NOW, "offline", "public", ("memory/a.md",), ("memory/b.jpg",))

    lines = lag_lines(lag, reader(locale))

    assert len(lines) == 6
    assert "offline" not in "".join(lines)
    assert "memory/a.md" in lines[4]


@pytest.mark.parametrize("why", ["rewound", "forced", "emptied"])
async def test_after_a_stop_the_owner_is_asked_and_the_answer_is_carried_out(why: str) -> None:
    owner = Owner(Lag(stopped=why))
    assert choices(await owner.page()) == ["theirs", "ours"]

    after = await owner.page("theirs")

    assert owner.decided == [True]
    assert choices(after) == []


@pytest.mark.parametrize(("locale", "named"), [("en", "commit 1a2b3c4"), ("zh", "提交 1a2b3c4")])
def test_the_history_of_the_card_names_the_commit_of_a_change_where_it_is_known(locale: str, named: str) -> None:
    record = Record("2026-03-09T18:00:00.000Z", "request", "s", ("- a",), (), "")
    changes = [Change("2026-03-09-1700", record, "1a2b3c4d" * 5), Change("2026-03-09-1700", record)]

    page = history_page(changes, 0, reader(locale))

    labels = [block.label for block in page.blocks if isinstance(block, Items)]
    assert [label.endswith(named) for label in labels] == [True, False]


async def test_nothing_is_decided_where_nothing_is_asked() -> None:
    owner = Owner(Lag(stopped="public"))

    page = await owner.page("ours")

    assert (owner.decided, choices(page)) == ([], [])
