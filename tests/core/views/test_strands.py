"""Strands as pages: names that fit no button, pages, merged names, what was meant, buttons that are too old."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.document import Address, Title
from core.strands.index import normalise
from core.views.strands import code_of, named, strand_page, strands_page, suggestions, unknown_page
from tests.core.views.given import choices, commands, items, piece, reader, texts

INDEX = {
    "bread": ("2026/03/01/0900", "2026/03/09/1842"),
    "面包 店": ("2026/03/10/0900",),
    "2026": ("2026/02/01/0900",),
    "12": ("2026/01/01/0900",),
    "Rua do Farol": ("2025/01/01/0900",),
}


@given(st.text(max_size=60))
def test_every_name_fits_a_button_and_is_found_by_it(name: str) -> None:
    plain = normalise(name)
    address = Address("strand", code_of(name))

    back = Address.decode(address.encode())

    assert back == address
    if plain:
        assert named({name: ()}, {}, back.argument) == (name, 0)


@pytest.mark.parametrize("name", INDEX)
@pytest.mark.parametrize("page", [0, 1, 11])
def test_the_typed_form_of_a_button_finds_its_strand_and_page(name: str, page: int) -> None:
    _, _, typed = Address("strand", code_of(name), page).command.partition(" ")

    assert named(INDEX, {}, typed) == (name, page)


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("Bread", ("bread", 0)),
        (" ＢＲＥＡＤ ", ("bread", 0)),
        ("bread 3", ("bread", 2)),
        ("面包　店", ("面包 店", 0)),
        ("rua  do farol 2", ("Rua do Farol", 1)),
        ("12", ("12", 0)),
        ("12 2", ("12", 1)),
        ("loaf", ("bread", 0)),
        ("crust 2", ("bread", 1)),
        ("nothing", (None, 0)),
        ("", (None, 0)),
        (":0123456789ab", (None, 0)),
    ],
)
def test_a_strand_is_found_by_its_normal_form_and_by_what_was_merged_into_it(
    asked: str, found: tuple[str | None, int]
) -> None:
    aliases = {"loaf": "crust", "crust": "bread", "round": "about", "about": "round"}

    assert named(INDEX, aliases, asked) == found
    assert named(INDEX, aliases, "round") == (None, 0)


def test_the_strand_seen_last_stands_first_with_its_count_and_day() -> None:
    page = strands_page(INDEX, 0, reader(zone="Asia/Shanghai"))

    assert items(page)[:2] == (
        "**面包 店** · 1 slice · last 2026-03-10 Tue · 6 days ago",
        "**bread** · 2 slices · last 2026-03-10 Tue · 6 days ago",
    )
    assert commands(page)[1] == "/strand bread"


def test_many_strands_are_paged() -> None:
    index = {f"topic {n:02d}": (f"2026/01/{n + 1:02d}/0900",) for n in range(26)}

    pages = [strands_page(index, page, reader()) for page in range(3)]

    assert [len(items(page)) for page in pages] == [12, 12, 2]
    assert commands(pages[1])[-2:] == ["/strands", "/strands 3"]
    assert strands_page(index, 99, reader()) == pages[2]


def test_a_strand_shows_its_slices_newest_first() -> None:
    pieces = [piece("2026-03-01T09:00:00Z", "flour"), piece("2026-03-09T18:42:00Z", "oven")]

    page = strand_page("bread", pieces, 0, reader())

    assert items(page) == ("2026-03-09 Mon · oven", "2026-03-01 Sun · flour")
    assert commands(page) == ["/slice 2026-03-09-1842", "/slice 2026-03-01-0900", "/strands"]


def test_without_strands_a_sentence_says_so() -> None:
    assert texts(strands_page({}, 0, reader())) == ["No topics yet. They form as talks are marked."]


@pytest.mark.parametrize(
    ("asked", "meant"),
    [("bred", ["bread"]), ("farol", ["Rua do Farol"]), ("面包", ["面包 店"]), ("my bread", ["bread"]), ("qqqq", [])],
)
def test_an_unknown_name_is_answered_with_what_may_have_been_meant(asked: str, meant: list[str]) -> None:
    assert suggestions(INDEX, asked) == meant


def test_a_button_of_a_strand_that_is_gone_says_that_it_is_too_old() -> None:
    page = unknown_page(INDEX, ":0123456789ab", reader())

    assert texts(page) == ["That button is too old; the strand that it opened is no longer there."]
    assert commands(page)[-1] == "/strands"


def test_an_unknown_name_without_anything_like_it_offers_those_seen_last() -> None:
    page = unknown_page(INDEX, "qqqq", reader("zh"))

    assert next(iter(choices(page))).label == "面包 店"
    assert not any(isinstance(block, Title) for block in page.blocks)
