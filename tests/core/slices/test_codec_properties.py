from __future__ import annotations

import contextlib
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import Malformed
from core.slices.codec import decode, decode_head, encode
from core.slices.edit import compose, rewrite
from core.slices.front import careful_front, quick_front
from core.slices.model import Slice, Turn
from core.slices.text import encodable, escape, normalise, unescape
from tests.core.slices import hostile
from tests.core.slices.original import original_turns, trimmed

if TYPE_CHECKING:
    from core.slices.front import Value

GOOD = encode(
    Slice(
        "2026-03-09-1842",
        start="2026-03-09T18:42:07.113Z",
        focus="Yeast: who?",
        tags=("a", "花园"),
        turns=(
            Turn("q1W-_A", "2026-03-09T18:42:07.113Z", "user", "Which yeast?\n\n    fresh"),
            Turn("q1W-_A", "2026-03-09T18:42:30.000Z", "agent", "Dry. 🎩"),
        ),
    ),
)


@given(hostile.slices())
def test_a_slice_comes_back_from_its_file_as_it_was(one: Slice) -> None:
    assert decode(encode(one).encode(), "x") == one


@given(hostile.slices(), st.integers(2, 5))
def test_any_number_of_cycles_gives_the_same_bytes(one: Slice, cycles: int) -> None:
    first = encode(one)

    text = first
    for _ in range(cycles):
        read = decode(text, "x")
        text = encode(replace(read, layout=None))

    assert text == first
    assert encode(decode(first, "x")) == first


@given(hostile.slices())
def test_the_originals_reader_sees_each_turn_once_and_whole(one: Slice) -> None:
    seen = original_turns(encode(one))

    assert seen == [(turn.label, turn.at, turn.role, trimmed(escape(turn.text))) for turn in one.turns]


@given(hostile.slices(), hostile.slices())
def test_a_file_that_was_read_takes_any_change(before: Slice, after: Slice) -> None:
    read = decode(encode(before), "x")

    changed = replace(after, layout=read.layout)

    assert decode(encode(changed), "x") == after


@given(hostile.slices(), hostile.turns)
def test_appending_to_a_file_gives_the_bytes_of_writing_it_anew(one: Slice, turn: Turn) -> None:
    read = decode(encode(one), "x")

    appended = encode(replace(read, turns=(*read.turns, turn)))

    assert appended == encode(replace(one, turns=(*one.turns, turn)))


@given(hostile.slices())
def test_the_head_of_a_file_is_the_slice_without_its_turns(one: Slice) -> None:
    assert decode_head(encode(one).encode(), "x") == replace(one, turns=())


@given(st.binary(max_size=300))
def test_bytes_of_any_kind_raise_nothing_but_malformed(data: bytes) -> None:
    for text in (
        data,
        b"---\n" + data,
        b"---\n" + data + b"\n---\n" + data,
        b"## Turn 1 \xe2\x80\x94 2 (user)\n" + data,
    ):
        for read in (decode, decode_head):
            with contextlib.suppress(Malformed):
                read(text, "x")


edits = st.lists(st.tuples(st.integers(0, len(GOOD)), st.integers(0, 30), hostile.wild), min_size=1, max_size=4)


@given(edits, st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_a_file_mangled_at_random_is_refused_or_kept_byte_for_byte(
    changes: list[tuple[int, int, str]],
    newline: str,
    bom: bool,
) -> None:
    text = GOOD
    for place, length, new in changes:
        text = text[:place] + new + text[place + length :]
    text = "\ufeff" * bom + text.replace("\n", newline)

    try:
        read = decode(text.encode(), "x")
    except Malformed:
        return

    assert encode(read) == text
    grown = replace(read, tags=(*read.tags, "new: tag"), turns=(*read.turns, Turn("Zz_-00", "2026", "agent", "new")))
    assert decode(encode(grown), "x") == grown


@given(st.dictionaries(st.sampled_from(["focus", "tags", "x"]), hostile.wild | st.lists(hostile.wild).map(tuple)))
def test_the_quick_reader_agrees_with_yaml_on_what_we_write(values: dict[str, Value]) -> None:
    block = compose(values)

    quick = quick_front(block)

    assert quick is None or quick == careful_front(block, "x")


lines = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(["a: ", "b:", "- ", "  - ", "  ", "    ", "", "# ", "a:  "]), hostile.wild).map(
            "".join
        ),
        st.sampled_from(
            ["tags:", "tags: []", "  - x", "focus: >-", "  folded", "end: null", "- y", 'c: "d"', "d: 'e'"]
        ),
    ),
    max_size=8,
)


@given(lines)
def test_the_quick_reader_agrees_with_yaml_on_what_people_write(written: list[str]) -> None:
    block = "".join(line + "\n" for line in written)

    quick = quick_front(block)

    assert quick is None or quick == careful_front(block, "x")


@given(lines, st.dictionaries(st.sampled_from(["focus", "end"]), hostile.wild))
def test_rewriting_one_key_leaves_all_others(written: list[str], changes: dict[str, str]) -> None:
    block = "".join(line + "\n" for line in written)
    try:
        before = careful_front(block, "x")
    except Malformed:
        return

    after = careful_front(rewrite(block, changes), "x")

    expected = {**before, **changes}
    assert {key: value for key, value in after.items() if value} == {k: v for k, v in expected.items() if v}


@given(hostile.wild)
def test_unescaping_undoes_escaping(text: str) -> None:
    assert unescape(escape(text)) == text
    assert "## Turn " not in escape(text)


@given(st.text())
def test_normalised_text_is_stable_and_fits_into_a_file(text: str) -> None:
    once = normalise(text)

    assert normalise(once) == once == once.strip("\n")
    assert "\r" not in once
    assert "\0" not in once
    assert once.encode().decode() == once


@pytest.mark.parametrize(
    ("text", "kept"),
    [("\ud800", "\ufffd"), ("a\udfff b", "a\ufffd b"), ("\ud83d\ude00", "😀"), ("ok 🎩", "ok 🎩")],
)
def test_a_lone_surrogate_becomes_a_replacement_character(text: str, kept: str) -> None:
    assert encodable(text) == kept


@given(st.data())
def test_a_file_cut_at_any_byte_of_its_last_turn_loads_and_goes_on(data: st.DataObject) -> None:
    one = data.draw(hostile.slices().filter(lambda found: bool(found.turns)))
    whole = encode(one).encode()
    start = len(encode(replace(one, turns=one.turns[:-1])).rstrip("\n").encode())
    cut = data.draw(st.integers(min(start + 1, len(whole) - 1), len(whole) - 1))
    new = Turn("Zz_-00", "2026-03-10T00:00:00.000Z", "user", "after the crash")

    read = decode(whole[:cut], "x")
    repaired = encode(replace(read, turns=(*read.turns, new)))

    again = decode(repaired, "x")
    kept = [turn for turn in again.turns if turn in one.turns[:-1]]
    assert len(kept) >= len(one.turns) - 1
    assert again.turns[-1] == new
    assert "\n## Turn Zz_-00 — 2026-03-10T00:00:00.000Z (user)\n" in repaired
    assert len(again.turns) <= len(one.turns) + 1
