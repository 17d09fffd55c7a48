from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from adapters.terminal.render import Look, render, render_aside, render_fold
from core.document import Block, Choice, Choices, Document, Fold, Items, Text, Title, Utterance
from tests.adapters.terminal.pages import HARD_EN, PAGES

GOLDEN = Path(__file__).parents[2] / "golden" / "terminal"
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
STEERING = "\x1b\r\n\x07\x9b\u202e\u2066\u2028\t`~|-#>*_[]()<>&;x0 1.!\\\ud800"

texts = st.text(st.one_of(st.characters(), st.sampled_from(STEERING)), max_size=60)
blocks = st.one_of(
    st.builds(Title, texts, texts, texts),
    st.builds(Text, texts),
    st.builds(Items, st.tuples(texts, texts), texts),
    st.builds(Utterance, texts, texts, texts),
    st.builds(Fold, texts, texts),
    st.builds(Choices, st.tuples(st.builds(Choice, texts))),
)
documents = st.builds(Document, st.lists(blocks, max_size=4).map(tuple))


def page(*parts: Block) -> Document:
    return Document(parts)


def controls(text: str) -> set[str]:
    return {mark for mark in text if unicodedata.category(mark) in {"Cc", "Cs"} or mark in "\u202e\u2066\u2028"}


@pytest.mark.parametrize("name", PAGES)
def test_a_plain_page_reads_as_its_golden_file(name: str) -> None:
    expected = (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")

    shown = render(PAGES[name], Look(44))

    assert f"{shown}\n" == expected


@settings(max_examples=200, deadline=None)
@given(documents, st.integers(0, 60))
def test_a_plain_page_holds_no_control_character_but_the_newline(document: Document, width: int) -> None:
    shown = render(document, Look(width))

    assert controls(shown) <= {"\n"}


@settings(max_examples=100, deadline=None)
@given(documents, st.integers(0, 60))
def test_a_page_in_colour_holds_no_escape_but_colours(document: Document, width: int) -> None:
    shown = render(document, Look(width, colour=True))

    assert controls(COLOUR.sub("", shown)) <= {"\n"}


@settings(max_examples=100, deadline=None)
@given(texts, st.booleans())
def test_an_opened_fold_and_an_aside_are_as_harmless_as_a_page(text: str, colour: bool) -> None:
    look = Look(40, colour=colour)

    shown = render_fold(Fold(text, text), look) + render_aside(text, look)

    assert controls(COLOUR.sub("", shown) if colour else shown) <= {"\n"}


def test_colours_in_stored_text_are_shown_and_not_obeyed() -> None:
    shown = render(page(Text("\x1b[31mred\x1b[0m")), Look(40, colour=True))

    assert "\x1b[31m" not in shown
    assert "␛[31mred␛[0m" in shown


@pytest.mark.parametrize("entity", ["&#x202E;", "&#27;", "&#x9b;", "&#13;", "&#7;"])
def test_an_entity_does_not_bring_a_control_character_back(entity: str) -> None:
    shown = render(page(Text(f"before {entity} after")), Look(40, colour=True))

    assert controls(COLOUR.sub("", shown)) == set()


@pytest.mark.parametrize("width", [8, 20, 44, 80])
def test_no_prose_line_is_wider_than_the_terminal(width: int) -> None:
    shown = render(HARD_EN, Look(width))

    prose = re.sub(r"```python.*?```", "", shown, flags=re.DOTALL)
    assert [line for line in prose.splitlines() if cell_len(line) > width] == []


def test_without_a_width_nothing_is_wrapped() -> None:
    sentence = "a sentence " * 40

    shown = render(page(Text(sentence)), Look())

    assert shown == sentence.rstrip()


@pytest.mark.parametrize("colour", [False, True])
def test_code_is_never_wrapped_padded_or_joined(colour: bool) -> None:
    code = "def remember():\n    return 'words that go on and on beyond the edge of the terminal'\n\n\nremember()"

    shown = render(page(Text(f"so:\n\n```python\n{code}\n```\nthen")), Look(30, colour=colour))

    assert code in COLOUR.sub("", shown)


@pytest.mark.parametrize("colour", [False, True])
def test_a_fence_that_is_still_open_shows_its_code_so_far(colour: bool) -> None:
    shown = render(page(Text("~~~ `x`\nfirst\n```\nlast")), Look(30, colour=colour))

    assert "first\n```\nlast" in COLOUR.sub("", shown)


@pytest.mark.parametrize("markup", ["<kbd>", "<div>\nhello\n</div>", "a <b>bold</b> word", "<!-- note -->"])
def test_html_is_text_here_and_nothing_of_it_is_swallowed(markup: str) -> None:
    shown = render(page(Text(markup)), Look(60, colour=True))

    assert COLOUR.sub("", shown) == markup


def test_lines_stay_lines_and_a_link_shows_where_it_leads() -> None:
    shown = render(page(Text("first\nsecond [here](https://example.org/x)")), Look(60, colour=True))

    assert COLOUR.sub("", shown) == "first\nsecond here (https://example.org/x)"


def test_choices_are_numbered_through_the_page_and_folds_among_themselves() -> None:
    document = page(
        Choices((Choice("a"), Choice("b"))), Fold("thought", ""), Choices((Choice("c"),)), Fold("recall", "")
    )

    shown = render(document, Look())

    assert shown == "[1] a\n[2] b\n\n▸ thought  /1\n\n[3] c\n\n▸ recall  /2"


def test_a_failure_is_set_apart_in_colour() -> None:
    document = page(Text("The model did not answer."))

    shown = render(document, Look(60, colour=True), failed=True)

    assert shown == "\x1b[33mThe model did not answer.\x1b[0m"


def test_a_family_emoji_and_a_flag_are_never_cut() -> None:
    family, flag = "👩‍👩‍👧‍👦", "🏳️‍🌈"

    lines = render(page(Text((family + flag) * 20)), Look(11)).splitlines()

    assert all(re.fullmatch(f"(?:{family}|{flag})+", line) for line in lines)
    assert "".join(lines) == (family + flag) * 20


def test_chinese_punctuation_begins_no_line() -> None:
    shown = render(page(Text("我们昨天说好了，今天去看公寓。你记得吗？记得！" * 4)), Look(17))

    assert not [line for line in shown.splitlines() if line[0] in "，。？！"]
