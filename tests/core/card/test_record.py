"""Records of changes of the card survive whatever stands in them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.card.record import Record, decode_record, encode_record
from core.errors import Malformed

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
LINES = st.lists(TEXT, max_size=4).map(tuple)


@given(st.builds(Record, TEXT, st.sampled_from(["slice_closed", "undo"]), TEXT, LINES, LINES, TEXT))
def test_a_record_reads_back_as_it_was_written(record: Record) -> None:
    assert decode_record(encode_record(record), "x") == record


@pytest.mark.parametrize("before", ["", "---\n", '---\nat: "x"\n---\n', "# 卡片\n\n---\n👩‍👩‍👧\n", "no newline"])
def test_the_card_before_is_kept_byte_for_byte(before: str) -> None:
    record = Record("2026-03-09T18:42:00.000Z", "request", "记下了", ("a: b",), ("---",), before)

    assert decode_record(encode_record(record), "x").before == before


@pytest.mark.parametrize(
    "text",
    ["", "# A card\n", '---\nat: "x"\n', "---\n---\n", "---\nat: x\n---\n", '---\nat: "a"\nwhy: "b"\n---\ncard'],
)
def test_anything_else_is_malformed(text: str) -> None:
    with pytest.raises(Malformed):
        decode_record(text, "x")
