"""What is open: the rule by which a loop stands, fades and is settled, and the pages of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core.card.model import Entry
from core.views.loops import FADED, Loops, loops_of, loops_page, unsettled
from tests.core.views.given import commands, items, piece, reader, texts

if TYPE_CHECKING:
    from core.slices.model import Slice


def told(day: int, loops: tuple[str, ...] = (), made: tuple[str, ...] = (), tags: tuple[str, ...] = ()) -> Slice:
    return piece(f"2026-03-{day:02d}T09:00:00Z", f"talk {day}", open_loops=loops, decisions=made, tags=tags)


def split(*pieces: Slice) -> tuple[list[str], list[str]]:
    found = loops_of(pieces)
    return [loop.text for loop in found.open], [loop.text for loop in found.faded]


def test_a_loop_stands_at_the_newest_slice_that_names_it() -> None:
    found = loops_of([told(1, ("Call Ana.",)), told(2, ("call  ana",))])

    assert [(loop.text, loop.source.id) for loop in found.open] == [("call  ana", "2026-03-02-0900")]


@pytest.mark.parametrize("made", ["Call Ana", "call ana.", "ＣＡＬＬ　ANA"])
def test_a_loop_is_settled_when_a_later_slice_decides_it_in_the_same_words(made: str) -> None:
    assert split(told(1, ("Call Ana",)), told(2, (), (made,))) == ([], [])


def test_a_chinese_loop_is_settled_whatever_its_full_stop() -> None:
    assert split(told(1, ("给安娜打电话。",)), told(2, (), ("给安娜打电话",))) == ([], [])


def test_a_loop_that_is_raised_again_after_it_was_decided_is_open() -> None:
    assert split(told(1, (), ("Call Ana",)), told(2, ("Call Ana",))) == (["Call Ana"], [])


def test_a_loop_that_its_own_slice_decides_is_not_open() -> None:
    assert split(told(1, ("Call Ana", "Buy salt"), ("call ana",))) == (["Buy salt"], [])
    assert unsettled(told(1, ("Call Ana", " ", "Buy salt"), ("call ana",))) == ("Buy salt",)


def test_a_loop_fades_when_every_topic_of_its_slice_has_gone_on_without_it() -> None:
    first = told(1, ("Call Ana",), tags=("work", "Money"))

    assert split(first, told(2, tags=("work",))) == (["Call Ana"], [])
    assert split(first, told(2, tags=("work",)), told(3, tags=("money",))) == ([], ["Call Ana"])
    assert split(first, told(2, ("Call Ana",), tags=("work", "money"))) == (["Call Ana"], [])


def test_an_open_or_unmarked_slice_makes_no_loop_fade() -> None:
    first = told(1, ("Call Ana",), tags=("work",))
    running = piece("2026-03-02T09:00:00Z", "now", status="active", tags=("work",))
    dry = piece("2026-03-03T09:00:00Z", "", tags=("work",))

    assert split(first, running, dry) == (["Call Ana"], [])


def test_a_loop_of_a_slice_without_topics_stays() -> None:
    assert split(told(1, ("Call Ana",)), told(2, tags=("work",))) == (["Call Ana"], [])


def test_promises_stand_above_with_when_they_are_due_and_lead_to_their_source() -> None:
    promise = Entry("Send the quote", ("2026/03/01/0900-abcdef", "2026/02/01/0900"), by="2026-03-15")

    page = loops_page(loops_of([told(2, ("Call Ana",))]), [promise, Entry("Some day")], "", 0, reader())

    assert items(page, "Promises") == ("↗ Send the quote — 2026-03-15 · 1 day overdue", "↗ Some day")
    assert items(page, "Open loops") == ("↗ Call Ana — 2026-03-02 · 14 days ago",)
    assert commands(page) == ["/slice 2026-03-01-0900", "/slice 2026-03-02-0900"]


def test_faded_loops_are_counted_and_shown_on_request() -> None:
    found = loops_of([told(1, ("Call Ana",), tags=("work",)), told(2, tags=("work",))])

    page, faded = (loops_page(found, [], asked, 0, reader()) for asked in ("", FADED))

    assert texts(page) == ["Nothing is open."]
    assert commands(page) == ["/loops all"]
    assert items(faded) == ("↗ Call Ana — 2026-03-01 · 2 weeks ago",)
    assert commands(faded) == ["/slice 2026-03-01-0900", "/loops"]


def test_many_loops_are_paged_and_promises_stand_on_the_first_page_alone() -> None:
    found = loops_of([told(1, tuple(f"loop {n}" for n in range(25)))])

    pages = [loops_page(found, [Entry("promise")], "", page, reader()) for page in range(3)]

    assert [len(items(page, "Open loops")) for page in pages] == [12, 12, 1]
    assert [len(items(page, "Promises")) for page in pages] == [1, 0, 0]


def test_nothing_at_all_is_said_so() -> None:
    assert texts(loops_page(Loops(), [], "", 0, reader("zh"))) == ["没有未了的事。"]
