from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.card.codec import decode, encode, is_card
from core.card.model import Card, Entry
from core.errors import Malformed
from tests.core.card.test_codec import GOLDEN

MARKS = [
    "dough — refs: [2026/01/01/0000]",
    "dough | since: 2026-01-01",
    "dough — by: 2026-01-01",
    "dough — refs\\: [a]",
    "a — refs\\\\: b",
    "<!-- gone? -->",
    "<\\!-- x",
    "[brackets] and — dashes",
    "## heading",
    "- bullet",
    "_italic_",
    "## Turn x — y (user)",
    "家 👩‍👩‍👧 שלום \u202eRTL\u202c \u2028 end",
    "| since:",
    "— by: 2026-01-01 — refs: [x] | since: 2026-01-01",
]


@pytest.mark.parametrize("text", MARKS)
def test_a_text_that_holds_the_formats_own_marks_survives(text: str) -> None:
    card = Card(
        identity=(text,),
        profile=text,
        anchors=(Entry(text),),
        now=(Entry(text, ("2026/03/09/1842",), since="2026-03-08"),),
        horizon=(Entry(text, by="2026-03-20"), Entry(text)),
        self_model=(Entry(text), Entry(text, ("2026/03/09/1842",))),
    )

    assert decode(encode(card)) == card


@pytest.mark.parametrize("text", MARKS)
def test_the_originals_reader_takes_such_a_text_as_text(text: str) -> None:
    line = next(
        line for line in encode(Card(now=(Entry(text, ("r",), since="2026-03-08"),))).split("\n") if "- " in line
    )

    assert line.split("— refs:", 1)[1].startswith(" [r] | since: 2026-03-08")
    assert line.count("| since:") == 1
    assert "<!--" not in line


PROFILES = ["# a", "_a_", "- a", "* a", "+ a", "-", "> a", "1. a", "12) a", "\\# a", "1\\. a", "<!-- a -->", "a # b"]


@pytest.mark.parametrize("start", PROFILES)
def test_a_profile_line_that_looks_like_something_else_survives(start: str) -> None:
    card = Card(profile=f"{start}\nplain\n{start}", anchors=(Entry("x"),))

    text = encode(card)

    assert decode(text) == card
    assert decode(encode(replace(decode(text), anchors=()))).profile == card.profile


hostile = st.text(min_size=1, max_size=40) | st.lists(
    st.sampled_from(
        ["— refs:", "— by:", "| since:", "<!--", "-->", "\\", "[a]", "2026-01-01", "x", " ", "- ", "# ", "_"]
    ),
    min_size=1,
    max_size=8,
).map("".join)
lines = hostile.map(lambda text: text.replace("\n", " ").strip()).filter(bool)
ref = st.sampled_from(["2026/03/09/1842", "2026/03/09/1842-q1W-_A", "2022/01/08/1130-T1", "x", "odd ref"])
refs = st.lists(ref, max_size=3, unique=True).map(tuple)
days = st.sampled_from(["2026-03-08", "0001-01-01", "9999-12-31", "2024-02-29"])
stamps = st.sampled_from(["", "2026-03-09-1842", "2026-03-09T19:00:00.000Z"])
cards = st.builds(
    Card,
    slice_id=stamps,
    updated=stamps,
    identity=st.lists(lines, max_size=2).map(tuple),
    profile=st.lists(lines, max_size=3).map("\n".join),
    anchors=st.lists(st.builds(Entry, lines, refs), max_size=2).map(tuple),
    now=st.lists(st.builds(Entry, lines, refs, since=days), max_size=2).map(tuple),
    horizon=st.lists(st.builds(Entry, lines, refs, by=days | st.just("")), max_size=2).map(tuple),
    self_model=st.lists(st.builds(Entry, lines, refs), max_size=2).map(tuple),
)


@given(cards)
def test_every_card_is_read_back_as_it_was_written(card: Card) -> None:
    assert decode(encode(card)) == card


@given(cards, cards)
def test_every_change_of_a_file_is_read_back(before: Card, after: Card) -> None:
    written = encode(replace(after, layout=decode(encode(before)).layout))

    assert decode(written) == after


notes = st.sampled_from(
    ["* mine", "plain words", "_No active hooks._", "  indented", "### sub", "<!-- c -->", "", "- - x"]
)
texts = st.tuples(st.lists(st.sampled_from(GOLDEN.split("\n")) | notes | lines, max_size=25), st.booleans()).map(
    lambda parts: "_x | Format: user card v2 | y_\n" + ("\r\n" if parts[1] else "\n").join(parts[0])
)


@given(texts)
def test_every_text_of_a_card_is_written_back_byte_for_byte(text: str) -> None:
    card = decode(text)
    renamed = text.replace("## Profile", "## Past").replace("## Recent", "## Now")

    assert encode(card) == renamed


@given(texts, lines)
def test_a_persons_lines_stay_through_an_edit_that_does_not_address_them(text: str, new: str) -> None:
    card = decode(text)
    entry = Entry(new, ("2026/03/09/1842",), since="2026-03-08")

    written = encode(replace(card, now=(entry, *card.now)))

    left = [line.strip() for line in written.split("\n") if line.strip()]
    for line in text.split("\n"):
        if line.strip() and line.strip() != "_No active hooks._":
            assert line.strip() in left
    assert decode(written).now == (entry, *card.now)
    assert decode(written) == replace(card, now=(entry, *card.now))


@given(st.text())
def test_no_text_raises_anything_but_malformed(text: str) -> None:
    for body in (text, f"_Format: user card v2_\n## Past\n{text}", f"_Format: user card v2_\n## Now\n- {text}"):
        try:
            decode(body)
        except Malformed:
            assert not is_card(body)
