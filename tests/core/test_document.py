"""Page addresses: short, versioned, the same after encoding and decoding, and None for whatever is not one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.document import ADDRESS_LIMIT, Address
from core.views.asked import paged

VIEWS = st.from_regex(r"\A[a-z]{1,12}\Z")
ARGUMENTS = st.from_regex(r"\A[A-Za-z0-9_.:-]{0,40}\Z")
PAGES = st.integers(0, 9999)


@given(VIEWS, ARGUMENTS, PAGES)
def test_an_address_that_fits_survives_as_button_data(view: str, argument: str, page: int) -> None:
    address = Address(view, argument, page)
    try:
        text = address.encode()
    except ValueError:
        assert len(f"1/{view}/{argument}/{page}") > ADDRESS_LIMIT
        return

    assert len(text.encode()) <= 60
    assert Address.decode(text) == address


@given(st.text(max_size=80))
def test_any_text_decodes_to_nothing_or_to_what_encodes_to_it(text: str) -> None:
    found = Address.decode(text)

    assert found is None or found.view


@pytest.mark.parametrize(
    "junk",
    [
        "",
        "1",
        "1/",
        "2/timeline//0",
        "1/Timeline//0",
        "1/timeline/a b/0",
        "1/timeline//",
        "1/timeline//-1",
        "1/timeline//0\n",
        "1/timeline/" + "a" * 41 + "/0",
        "1/timeline/你/0",
        "1/timeline//٣",
        "1/" + "a" * 13 + "//0",
        "1/timeline//00000",
    ],
)
def test_junk_is_no_address(junk: str) -> None:
    assert Address.decode(junk) is None


@pytest.mark.parametrize("argument", ["a" * 41, "a/b", "a b", "你好", "\n", "%"])
def test_an_argument_outside_of_the_grammar_is_refused(argument: str) -> None:
    with pytest.raises(ValueError, match="no page has the address"):
        Address("slice", argument).encode()


@given(st.sampled_from(["", "2026-03", "2026-03-09", "2026-03-09-1842"]), st.integers(0, 900))
def test_the_typed_form_of_an_address_is_read_as_the_same_page(argument: str, page: int) -> None:
    _, _, typed = Address("timeline", argument, page).command.partition(" ")

    assert paged(typed) == (argument, page)


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("", ("", 0)),
        ("0", ("", 0)),
        ("3", ("", 2)),
        ("2026", ("2026", 0)),
        ("2026-03  2", ("2026-03", 1)),
        ("2026-03\n2", ("2026-03", 1)),
        ("2026-03 x", ("2026-03 x", 0)),
        ("2026-03 ²", ("2026-03 ²", 0)),
        ("²", ("²", 0)),
        ("٣", ("٣", 0)),
        ("2026-03 " + "9" * 5_000, ("2026-03 " + "9" * 5_000, 0)),
        ("last spring", ("last spring", 0)),
        ("last spring 2", ("last spring", 1)),
    ],
)
def test_what_is_typed_after_a_command_is_an_argument_and_a_page(typed: str, wanted: tuple[str, int]) -> None:
    assert paged(typed) == wanted
