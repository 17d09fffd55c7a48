"""An answer while it is written: what is shown of it, and where it goes on in another message."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.telegram.rendered import Part
from adapters.telegram.streaming import ROLL, rolled, streamed
from tests.adapters.telegram.nasty import NASTY
from tests.adapters.telegram.rules import faults
from tests.adapters.telegram.shown import tagged

PIECES = [
    "word ",
    "**bold** ",
    "\n",
    "\n\n",
    "```py\n",
    "```\n",
    "    x = 1\n",
    "- item\n",
    "的",
    "😀",
    "<b>",
    "https://e.x/a ",
]


def whole(markdown: str) -> list[str]:
    """All messages that an answer becomes."""
    parts, rest = [], markdown
    while rest:
        head, rest = rolled(rest)
        parts.append(head)
    return parts


def test_whole_lines_are_set_and_the_last_one_stands_as_it_is() -> None:
    assert tagged(streamed("**Yes**, that.\n\nIt was **in Ma")) == "‹bold›Yes‹/bold›, that.\n\nIt was **in Ma"


def test_a_list_that_begins_is_no_heading_for_a_moment() -> None:
    assert tagged(streamed("- a\n  -")) == "• a\n  -"


def test_code_that_is_being_written_is_code_already() -> None:
    assert tagged(streamed("So:\n```py\nx = 1\ny = ")) == "So:\n‹pre py›x = 1\ny =‹/pre›"


def test_no_address_is_a_link_before_the_answer_is_whole() -> None:
    part = streamed("See [here](https://made.up/x), https://made.up/y\nand so")

    assert "text_link" not in {one.kind for one in part.entities}
    assert "‹code›https://made.up/y‹/code›" in tagged(part)


@pytest.mark.parametrize("text", ["", " \n", "\u200b"])
def test_nothing_yet_is_shown_as_a_sign(text: str) -> None:
    assert streamed(text) == Part("…")


@pytest.mark.parametrize("name", NASTY)
def test_every_moment_of_a_nasty_answer_is_taken_by_telegram(name: str) -> None:
    text = NASTY[name]
    moments = sorted({len(text) * at // 12 for at in range(1, 13)})

    assert [fault for at in moments for fault in faults(streamed(rolled(text[:at])[0]))] == []


def test_what_fits_is_not_rolled() -> None:
    assert rolled("word " * 700) == ("word " * 700, "")


def test_a_long_answer_goes_on_at_a_paragraph() -> None:
    text = "\n\n".join(f"Paragraph {n}. " + "Words go on. " * 20 for n in range(30))

    parts = whole(text)

    assert len(parts) > 1
    assert all(part.startswith("Paragraph") for part in parts)
    assert "\n\n".join(parts) == text


def test_a_fence_that_is_cut_is_closed_and_opened_again_with_its_language() -> None:  # P019
    head, rest = rolled("So:\n\n```python\n" + "    keep(words)\n" * 400 + "```\n")

    assert head.endswith("    keep(words)\n```")
    assert rest.startswith("```python\n    keep(words)\n")


def test_a_line_without_an_end_is_cut_between_words_and_never_in_a_sign() -> None:
    assert all(re.fullmatch(r"(?:words ?)+", part) for part in whole("words " * 2000))
    assert all(re.fullmatch("(?:👩‍👩‍👧‍👦)+", part) for part in whole("👩‍👩‍👧‍👦" * 1500))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=40), st.integers(1, 60))
def test_nothing_is_lost_and_nothing_said_twice_where_an_answer_rolls_over(pieces: list[str], times: int) -> None:
    text = "".join(pieces) * times

    parts = whole(text)

    assert all(len(part.encode("utf-16-le")) // 2 <= ROLL + 20 for part in parts)
    bare = [re.sub(r"\s|```(?:py)?", "", part) for part in parts]
    assert "".join(bare) == re.sub(r"\s|```(?:py)?", "", text)
