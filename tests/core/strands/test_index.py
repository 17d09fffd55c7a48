from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import Malformed
from core.strands.codec import decode_aliases, decode_index, encode_index
from core.strands.index import Merge, match, merge, normalise, prune, replace_tags, weave

NOW = datetime(2026, 3, 15, 12, 0, tzinfo=UTC)
TEXTS = st.text(st.characters(codec="utf-8"), max_size=12)


@pytest.mark.parametrize(
    ("tag", "normal"),
    [
        ("  Apex ", "apex"),
        ("　ＡＢ　Ｃ\t d ", "ab c d"),
        ("ＦＬＡＴ！", "flat!"),
        ("花园", "花园"),
        ("　花园 ", "花园"),
        ("two\n  words", "two words"),
        ("\ufeffbom\ufeff", "bom"),
        ("\xa0\u2003 \u3000", ""),
        ("👩‍👩‍👧 Family", "👩‍👩‍👧 family"),
        ("שלום", "שלום"),
    ],
)
def test_a_tag_is_compared_trimmed_lower_case_narrow_and_with_single_blanks(tag: str, normal: str) -> None:
    assert normalise(tag) == normal


@given(TEXTS)
def test_the_normal_form_is_its_own_normal_form(tag: str) -> None:
    assert normalise(normalise(tag)) == normalise(tag)


def test_a_match_is_the_stored_spelling_or_nothing() -> None:
    keys = ["Ａpex", "apex", "flat"]

    assert match(keys, " APEX") == "Ａpex"
    assert match(keys, "flats") is None
    assert match(["", " "], "  ") is None


def test_weaving_keeps_the_spelling_that_stands_and_gives_new_strands_their_normal_form() -> None:
    index, created = weave({"Apex": ("2026/01/01/1000",)}, "2026/02/02/1100", ["aPEX", "New Tag", "new tag", "  "])

    assert index == {"Apex": ("2026/01/01/1000", "2026/02/02/1100"), "new tag": ("2026/02/02/1100",)}
    assert created == ("new tag",)


def test_weaving_a_slice_again_repeats_no_path() -> None:
    once = weave({}, "2026/02/02/1100", ["a", "b"])[0]

    assert weave(once, "2026/02/02/1100", ["B", "a"]) == (once, ())


def test_weaving_leaves_the_index_that_it_was_given_as_it_was() -> None:
    index = {"a": ("2026/01/01/1000",)}

    weave(index, "2026/02/02/1100", ["a", "b"])

    assert index == {"a": ("2026/01/01/1000",)}


def test_replaced_tags_leave_no_stale_path() -> None:
    index = {"a": ("2026/01/01/1000", "2026/02/02/1100"), "b": ("2026/02/02/1100",), "c": ("2026/02/02/1100",)}

    replaced = replace_tags(index, "2026/02/02/1100", ["A", "b", "c"], ["c", "D"])

    assert replaced == {"a": ("2026/01/01/1000",), "c": ("2026/02/02/1100",), "d": ("2026/02/02/1100",)}


def test_a_merge_puts_the_sources_paths_behind_the_targets_and_drops_the_source() -> None:
    index = {"flat": ("2026/01/01/1000",), "apartment": ("2025/01/01/1000", "2026/01/01/1000")}

    merged = merge(index, [Merge("apartment", "flat", "the same home")])

    assert merged.index == {"flat": ("2026/01/01/1000", "2025/01/01/1000")}
    assert merged.applied == (Merge("apartment", "flat", "the same home"),)


def test_merging_two_spellings_keeps_the_one_that_is_named() -> None:
    merged = merge({"Apex": ("2026/01/01/1000",), "apex": ("2026/01/02/1000",)}, [Merge("apex", "Apex")])

    assert merged.index == {"Apex": ("2026/01/01/1000", "2026/01/02/1000")}
    assert len(merged.applied) == 1


def test_a_source_in_another_spelling_is_found() -> None:
    merged = merge({"flat": (), "Apart Ment": ("2026/01/01/1000",)}, [Merge(" apart  ment", "FLAT")])

    assert merged.index == {"flat": ("2026/01/01/1000",)}


@pytest.mark.parametrize(
    "one", [Merge("nowhere", "flat"), Merge("flat", "flat"), Merge("flat", " FLAT "), Merge("", "")]
)
def test_a_merge_without_a_source_of_its_own_changes_nothing(one: Merge) -> None:
    merged = merge({"flat": ("2026/01/01/1000",)}, [one])

    assert merged.index == {"flat": ("2026/01/01/1000",)}
    assert merged.applied == ()


@pytest.mark.parametrize(
    ("paths", "days", "kept"),
    [
        (("2026/01/01/1000",), 14, False),
        (("2026/03/01/1200",), 14, True),
        (("2026/03/01/1159",), 14, False),
        (("2026/03/14/1000",), 14, True),
        (("2026/04/01/1000",), 14, True),
        (("2020/01/01/1000", "2020/01/02/1000"), 14, True),
        (("2026/01/01/1000",), 90, True),
        ((), 14, False),
        (("garbage",), 14, False),
        (("2026/13/45/9999",), 14, False),
    ],
)
def test_a_strand_is_kept_with_two_slices_or_one_of_the_last_fourteen_days(
    paths: tuple[str, ...], days: int, kept: bool
) -> None:
    index = {"other": ("2026/03/10/1000",), "it": paths}

    pruned = prune(index, NOW, days)

    assert ("it" in pruned) is kept
    assert "other" in pruned


@given(st.dictionaries(TEXTS, st.lists(TEXTS, max_size=3).map(tuple), max_size=5))
def test_strands_come_back_from_their_file_in_their_order(index: dict[str, tuple[str, ...]]) -> None:
    found = decode_index(encode_index(index))

    assert list(found.items()) == list(index.items())


def test_the_file_is_what_javascript_writes() -> None:
    written = encode_index({"花园 \u2028": ("2026/01/01/1000",), "empty": ()})

    assert written.decode() == '{\n  "花园 \u2028": [\n    "2026/01/01/1000"\n  ],\n  "empty": []\n}'
    assert encode_index({}) == b"{}"


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"null", b'{"a": "b"}', b'{"a": {"b": []}}', b"\xff\xfe{}"])
def test_strands_that_cannot_be_read_are_malformed_and_never_empty(data: bytes) -> None:
    with pytest.raises(Malformed, match=r"strands\.json"):
        decode_index(data)


@pytest.mark.parametrize("data", [b"", b"[]", b'{"a": []}', b'{"a": 1}'])
def test_merges_that_cannot_be_read_are_malformed(data: bytes) -> None:
    with pytest.raises(Malformed, match=r"strand-aliases\.json"):
        decode_aliases(data)
