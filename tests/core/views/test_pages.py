"""Pages over hostile text, odd dates and many slices: nothing raises, nothing is cut in two, every way leads on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.clock import instant, iso
from core.document import Choices, Document, Items, Text, Title
from core.slices.model import Slice, Turn
from core.views.briefing import LOOPS, briefing
from core.views.card import card_page
from core.views.find import excerpt, find_page, hits
from core.views.reader import LABEL, LINE, Reader, clip, title_of
from core.views.slice import slice_page
from tests.bot.living import WORDS
from tests.core.views.pages import timeline

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from core.document import Choice

HOSTILE = (
    "你好，世界。" * 80,
    "👩‍👩‍👧‍👦" * 60,
    "שלום עולם " * 40,
    "\u202e\u2066bidi\u2069" * 30,
    "e\u0301" * 200,
    "🇵🇹🇨🇳" * 50,
    "👍🏽" * 60,
    "line\nbreaks\r\nand\ttabs " * 30,
    "**bold** `code` [x](y) _i_ # - > 1. " * 10,
    "x" * 5_000,
    "{name} {0} %s",
    " ",
)


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


def choices(page: Document) -> Iterator[Choice]:
    for block in page.blocks:
        if isinstance(block, Choices):
            yield from block.choices


def led(page: Document, view: str) -> list[str]:
    """The arguments of the page's ways to that view."""
    return [choice.address.argument for choice in choices(page) if choice.address and choice.address.view == view]


def hostile_pages(text: str, locale: str) -> Iterator[Document]:
    one = piece(
        "2026-03-09T18:42:00Z",
        text,
        summary=text,
        tags=(text,),
        open_loops=(text, " "),
        decisions=(text,),
        turns=(Turn("abcdef", text, "user", text), Turn("abcdef", "2026-03-09T18:43:00Z", "agent", text)),
    )
    other = piece("2026-03-01T18:42:00Z", text + "!")
    see = reader(locale)
    yield briefing([one, other], text, see)
    yield briefing([one, other], text, see, short=True)
    yield slice_page(one, 0, [other.id, one.id], see)
    yield timeline([one, other], "", 0, see, {one.id: text})
    yield timeline([one, other], "2026-03", 0, see)
    yield timeline([one, other], "2026-03-09", 0, see)
    yield timeline([one, other], text, 0, see)
    yield find_page(text, [(one, hits(one, text[:20]) or [text])], see)
    yield card_page(text, see)


@pytest.mark.parametrize("locale", ["en", "zh"])
@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_makes_pages_with_whole_labels_and_short_addresses(text: str, locale: str) -> None:
    for page in hostile_pages(text, locale):
        for choice in choices(page):
            assert 0 < len(choice.label) <= 2 * LABEL
            assert "\n" not in choice.label
            assert choice.address is None or len(choice.address.encode().encode()) <= 60
        for block in page.blocks:
            if isinstance(block, Items):
                assert not any("\n" in item for item in block.items)
            if isinstance(block, Title):
                assert "\n" not in block.text


@given(st.text(max_size=200), st.integers(2, 60))
def test_a_clipped_text_is_one_line_of_at_most_that_length(text: str, most: int) -> None:
    short = clip(text, most)

    assert len(short) <= most
    assert short == " ".join(text.split()) or short.endswith("…")


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("a" * 30, "a" * 30),
        ("a" * 31, "a" * 29 + "…"),
        ("a" * 27 + "👩‍👧" + "b" * 9, "a" * 27 + "…"),
        ("a" * 28 + "e\u0301" + "b" * 9, "a" * 28 + "…"),
        ("a" * 28 + "👍🏽" + "b" * 9, "a" * 28 + "…"),
        ("a" * 28 + "🇵🇹" + "b" * 9, "a" * 28 + "…"),
        ("👩" + "\u200d👩" * 40, ("👩" + "\u200d👩" * 40)[:29] + "…"),
    ],
)
def test_a_sign_is_never_cut_in_two(text: str, cut: str) -> None:
    assert clip(text) == cut


@pytest.mark.parametrize(
    ("zone", "day"), [("UTC", "2026-03-09"), ("Asia/Shanghai", "2026-03-10"), ("America/Lima", "2026-03-09")]
)
def test_a_slice_stands_on_the_persons_day(zone: str, day: str) -> None:
    one = piece("2026-03-09T23:30:00Z")

    page = timeline([one], day, 0, reader(zone=zone))

    assert [
        choice.address.argument for choice in choices(page) if choice.address and choice.address.view == "slice"
    ] == [one.id]


@pytest.mark.parametrize(
    ("start", "day", "clock"),
    [
        ("2026-03-29T00:59:00Z", "2026-03-29", "01:59"),
        ("2026-03-29T01:00:00Z", "2026-03-29", "03:00"),
        ("2026-10-25T00:30:00Z", "2026-10-25", "02:30"),
        ("2026-10-25T01:30:00Z", "2026-10-25", "02:30"),
        ("2026-10-24T22:00:00Z", "2026-10-25", "00:00"),
        ("2026-10-25T23:00:00Z", "2026-10-26", "00:00"),
    ],
)
def test_the_clock_of_a_slice_follows_summer_time(start: str, day: str, clock: str) -> None:
    see = reader(zone="Europe/Berlin", now="2026-11-01T12:00:00Z")

    assert (see.day(piece(start)).isoformat(), see.clock(piece(start))) == (day, clock)


def test_every_slice_is_on_exactly_one_day_of_one_month() -> None:
    pieces = [
        piece(f"2026-{month:02d}-{day:02d}T{hour:02d}:00:00Z")
        for month in (1, 3, 10)
        for day in (1, 31)
        for hour in (0, 12, 23)
    ]
    see = reader(zone="Pacific/Auckland", now="2026-12-01T00:00:00Z")

    seen = []
    for month in {see.day(one).isoformat()[:7] for one in pieces}:
        days = [
            c.address.argument
            for c in choices(timeline(pieces, month, 0, see))
            if c.address and len(c.address.argument) == 10
        ]
        for day in days:
            seen += [
                c.address.argument
                for c in choices(timeline(pieces, day, 0, see))
                if c.address and c.address.view == "slice"
            ]

    assert sorted(seen) == sorted(one.id for one in pieces)


def test_a_day_reads_oldest_to_newest_with_the_gap_as_later() -> None:
    pieces = [piece("2026-03-09T08:00:00Z", "first"), piece("2026-03-09T19:00:00Z", "second")]

    page = timeline(pieces[::-1], "2026-03-09", 0, reader())

    shown = [
        block.items[0] if isinstance(block, Items) else block.markdown
        for block in page.blocks
        if isinstance(block, Items | Text)
    ]
    assert shown == ["**first**", "*— 11 hours later —*", "**second**"]


@pytest.mark.parametrize(("page", "count"), [(-1, 12), (0, 12), (1, 2), (99, 2)])
def test_the_days_of_a_month_are_paged_and_a_page_that_does_not_exist_is_the_nearest(page: int, count: int) -> None:
    pieces = [piece(f"2026-03-{day:02d}T08:00:00Z") for day in range(1, 15)]

    shown = timeline(pieces, "2026-03", page, reader())

    days = [way for way in led(shown, "timeline") if len(way) == len("2026-03-01")]
    assert len(days) == count


@pytest.mark.parametrize("argument", ["2026-13", "2026-02-30", "x", "../..", "２０２６-03", "2026-03-09-1842"])
def test_what_is_no_month_and_no_day_is_answered_with_how_to_ask(argument: str) -> None:
    page = timeline([piece("2026-03-09T08:00:00Z")], argument, 0, reader())

    assert page.blocks == (Text(WORDS["en"]("timeline.how")),)


def test_a_slice_with_an_impossible_id_and_no_start_breaks_no_page() -> None:
    odd = Slice("2026-13-45-9999", "closed")

    for argument in ("", "1970-01", "1970-01-01"):
        assert timeline([odd, piece("2026-03-09T08:00:00Z")], argument, 0, reader()).blocks
    assert briefing([odd], "", reader()).blocks


def test_a_start_that_differs_from_the_id_makes_no_day_twice() -> None:
    pieces = [
        piece("2026-03-09T08:00:00Z"),
        piece("2026-03-10T08:00:00Z", start="2026-03-08T08:00:00Z"),
        piece("2026-03-11T08:00:00Z", start="2026-03-09T09:00:00Z"),
    ]

    page = timeline(pieces, "2026-03", 0, reader())

    labels = [block.label for block in page.blocks if isinstance(block, Items)]
    assert len(labels) == len(set(labels)) == 2


@pytest.mark.parametrize(
    ("turns", "page", "shown"),
    [(0, 0, 0), (20, 0, 20), (21, 0, 20), (21, 1, 1), (21, 9, 1), (21, -3, 20)],
)
def test_a_slice_is_paged(turns: int, page: int, shown: int) -> None:
    said = tuple(Turn(f"turn{n:02d}", "2026-03-09T18:42:00Z", "user", f"line {n}") for n in range(turns))
    one = piece("2026-03-09T18:42:00Z", turns=said, open_loops=("call",))

    found = slice_page(one, page, [one.id], reader())

    assert sum(type(block).__name__ == "Utterance" for block in found.blocks) == shown
    last = max(0, (turns - 1) // 20)
    assert any(isinstance(block, Items) for block in found.blocks) == (max(0, min(page, last)) == last)


def test_a_slice_leads_to_its_neighbours_and_its_day() -> None:
    ids = ["2026-03-08-0900", "2026-03-09-0900", "2026-03-10-0900"]

    page = slice_page(piece("2026-03-09T09:00:00Z"), 0, ids, reader())

    assert led(page, "slice") == [ids[0], ids[2]]
    assert led(page, "timeline") == ["2026-03-09"]


def test_sections_without_data_are_absent_from_a_briefing() -> None:
    bare = briefing([piece("2026-03-09T09:00:00Z", "")], "", reader())

    assert not any(isinstance(block, Items) for block in bare.blocks)
    assert [c.label for c in choices(bare)] == ["View full previously", "Timeline"]


def test_a_briefing_names_at_most_four_loops() -> None:
    loops = ("one", "", "two", "three", "four", "five")

    page = briefing([piece("2026-03-09T09:00:00Z", open_loops=loops)], "Ann", reader())

    shown = next(block for block in page.blocks if isinstance(block, Items) and block.label == "Open loops")
    assert shown.items == ("↗ one", "↗ two", "↗ three", "↗ four")
    assert len(shown.items) == LOOPS


def test_a_briefing_suggests_the_first_other_topic() -> None:
    recent = [
        piece(f"2026-03-0{9 - n}T09:00:00Z", focus) for n, focus in enumerate(("kiln", "kiln", "", "cello", "tea"))
    ]

    labels = [choice.label for choice in choices(briefing(recent, "Ann", reader()))]

    assert labels[:2] == ["Continue: kiln", "cello"]


@pytest.mark.parametrize(
    ("text", "query", "found"),
    [
        ("The Bakery on the corner", "bakery", "The Bakery on the corner"),
        ("corner bakery, second", "second corner", "corner bakery, second"),
        ("角落里的面包店", "面包", "角落里的面包店"),
        ("ＦＵＬＬ width", "full", "ＦＵＬＬ width"),
        ("Straße", "STRASSE", "Straße"),
        ("nothing", "bakery", None),
        ("anything", " ", None),
    ],
)
def test_text_is_found_in_any_script_and_case(text: str, query: str, found: str | None) -> None:
    assert excerpt(text, query) == found


def test_a_deleted_message_is_not_found() -> None:
    turns = (Turn("abcdef", "2026-03-09T09:00:00Z", "user", "[deleted] a secret\n\nkept"),)

    assert hits(piece("2026-03-09T09:00:00Z", turns=turns), "secret") == []


def test_a_card_that_does_not_exist_says_so() -> None:
    assert WORDS["en"]("view.card.none") in [
        block.markdown for block in card_page("", reader()).blocks if isinstance(block, Text)
    ]


def test_a_card_has_distances_behind_its_dates() -> None:
    card = "# Previously On\n\n## Now\n\n- Looks for a bakery | since: 2026-03-09 — refs: 2026/03/09/0900\n"

    shown = "\n".join(block.markdown for block in card_page(card, reader()).blocks if isinstance(block, Text))

    assert "since: 2026-03-09 (7 days ago)" in shown


def test_a_title_is_never_longer_than_a_line() -> None:
    assert len(title_of(piece("2026-03-09T09:00:00Z", "x" * 5_000), WORDS["en"])) == LINE
