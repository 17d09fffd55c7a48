from __future__ import annotations

import json
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from core.strands.aliases import adopted, extended, resolve
from core.strands.codec import encode_index
from core.strands.index import Merge, lives, prune
from core.strands.loom import Loom

A, B, C = "2026-01-01-1000", "2026-02-02-1100", "2026-03-03-1200"
RA, RB, RC = "2026/01/01/1000", "2026/02/02/1100", "2026/03/03/1200"
TAGS = st.lists(st.sampled_from(["a", "A", "b", "c ", "ｃ", "", " ", "7", "10", "花园"]), max_size=4)


def test_keys_stand_as_they_first_appear_and_paths_ascend() -> None:
    loom = Loom()
    for slice_id, tags in ((C, ["new", "b"]), (A, ["b", "A"]), (B, ["c", "a"])):
        loom.put(slice_id, tags)

    assert list(loom.index().items()) == [("b", (RA, RC)), ("a", (RA, RB)), ("c", (RB,)), ("new", (RC,))]


def test_keys_that_look_like_array_indexes_stand_where_javascript_puts_them() -> None:
    loom = Loom()
    loom.put(A, ["x", "2026", "10", "9", "007", "4294967295"])

    assert list(loom.index()) == ["9", "10", "2026", "x", "007", "4294967295"]


def test_a_slice_that_loses_a_tag_leaves_nothing_behind() -> None:
    loom = Loom()
    loom.put(A, ["a", "b"])
    loom.put(A, ["b"])

    assert loom.index() == {"b": (RA,)}
    assert not loom.put(A, ["b"])
    assert loom.drop(A)
    assert not loom.drop(A)
    assert loom.index() == {}


def test_a_pruned_strand_comes_back_with_its_first_slice() -> None:
    loom = Loom(as_of=datetime(2026, 3, 3, tzinfo=UTC))
    loom.put(A, ["sailing"])
    before = loom.index()

    loom.put(C, ["Sailing"])

    assert before == {}
    assert loom.index() == {"sailing": (RA, RC)}
    assert loom.strands_of(["SAILING", "other", "sailing"]) == ("sailing",)


def test_merges_apply_to_what_is_there_and_to_what_comes() -> None:
    loom = Loom()
    loom.put(A, ["flat", "apartment"])
    loom.put(B, ["apartment"])
    loom.alias({"apartment": "flat"})
    loom.put(C, ["Apartment"])

    assert loom.index() == {"flat": (RA, RB, RC)}
    assert loom.strands_of(["apartment"]) == ("flat",)


@given(st.lists(st.tuples(st.sampled_from([A, B, C]), TAGS), max_size=8))
def test_however_the_tags_came_the_same_slices_give_the_same_bytes(steps: list[tuple[str, list[str]]]) -> None:
    loom, final = Loom(), {}
    for slice_id, tags in steps:
        loom.put(slice_id, tags)
        final[slice_id] = tags
    other = Loom()
    for slice_id in sorted(final, reverse=True):
        other.put(slice_id, final[slice_id])

    written = encode_index(loom.index())

    assert written == encode_index(other.index())
    assert "" not in json.loads(written)


@given(st.dictionaries(st.sampled_from([A, B, C]), TAGS))
def test_pruning_in_the_loom_is_pruning_of_the_index(tags: dict[str, list[str]]) -> None:
    moment = datetime(2026, 2, 10, tzinfo=UTC)
    whole, pruned = Loom(), Loom(as_of=moment)
    for slice_id, given_tags in tags.items():
        whole.put(slice_id, given_tags)
        pruned.put(slice_id, given_tags)

    assert pruned.index() == prune(whole.index(), moment)
    assert pruned.living() == {key for key in whole.index() if lives(whole.paths(key), moment)}


def test_aliases_lead_to_the_end_of_their_chain_and_circles_end() -> None:
    assert resolve({"a": "b", "b": "C"}, " A ") == "c"
    assert resolve({"a": "b", "b": "a"}, "a") == "a"
    assert resolve({"": "b"}, "  ") == "b"
    assert resolve({}, "  ") == ""


def test_merges_extend_the_aliases_and_never_lead_to_themselves() -> None:
    known = extended({"a": "b"}, [Merge("B", "c"), Merge("c", "a"), Merge("d", "a")])

    assert known == {"a": "b", "b": "c", "d": "c"}


def test_a_merge_of_another_program_is_learnt_from_its_index() -> None:
    tags = {RA: ["flat"], RB: ["apartment"], RC: ["apartment"]}

    assert adopted({"flat": (RA, RB, RC)}, tags, {}) == {"apartment": "flat"}


def test_what_may_have_another_reason_is_not_taken_for_a_merge() -> None:
    single = {RA: ["flat"], RB: ["apartment"]}
    doubtful = {RA: ["flat", "home"], RB: ["apartment"], RC: ["apartment"]}
    always_beside = {RB: ["flat", "apartment"], RC: ["flat", "apartment"]}

    assert adopted({"flat": (RA, RB)}, single, {}) == {}
    assert adopted({"flat": (RA, RB, RC), "home": (RA, RB, RC)}, doubtful, {}) == {}
    assert adopted({"flat": (RB, RC)}, always_beside, {}) == {}
    assert adopted({"flat": (RA,), "apartment": (RB, RC)}, {RA: ["flat"], RB: ["apartment"]}, {}) == {}


@given(st.lists(st.tuples(st.sampled_from([A, B, C]), TAGS), max_size=8), st.booleans())
def test_a_loom_that_is_asked_between_changes_says_what_a_fresh_one_does(
    changes: list[tuple[str, list[str]]], merged: bool
) -> None:
    asked = Loom()
    aliases = {"b": "a"} if merged else {}
    for slice_id, tags in changes:
        asked.index()
        asked.put(slice_id, tags)
    asked.index()
    asked.alias(aliases)

    fresh = Loom(aliases)
    for slice_id, tags in dict(changes).items():
        fresh.put(slice_id, tags)

    assert encode_index(asked.index()) == encode_index(fresh.index())
