from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.slices.codec import decode, encode
from core.slices.model import Slice, Turn
from core.slices.notes import annotation, append_edit, mark_deleted, spoken
from core.slices.text import normalise
from tests.core.slices import hostile

ID = "q1W-_A"


def said(*messages: str) -> Slice:
    return Slice(
        "2026-03-09-1842",
        start="s",
        turns=(Turn(ID, "2026", "user", "\n\n".join(messages)), Turn(ID, "2026", "agent", "Dry.")),
    )


def words(slice_: Slice) -> str:
    return slice_.turns[0].text


def test_an_edit_stands_at_the_end_of_the_users_turn_and_leaves_the_reply() -> None:
    edited = append_edit(said("which yeast"), ID, "Which flour?\r\n", "18:45")

    assert words(edited) == "which yeast\n\n[edited 18:45] Which flour?"
    assert edited.turns[1].text == "Dry."


def test_the_last_edit_of_a_message_wins_and_others_stay() -> None:
    first = append_edit(said("one", "two"), ID, "uno\n\nand more", "18:45")
    other = append_edit(first, ID, "dos", "18:46")

    last = append_edit(other, ID, "eins", "18:47", annotation("uno\n\nand more", "18:45"))

    assert words(last) == "one\n\ntwo\n\n[edited 18:46] dos\n\n[edited 18:47] eins"


def test_noting_an_edit_again_changes_nothing() -> None:
    once = append_edit(said("one"), ID, "uno", "18:45")
    twice = append_edit(once, ID, "eins", "18:47", annotation("uno", "18:45"))

    assert append_edit(once, ID, "uno", "18:45") is once
    assert append_edit(twice, ID, "eins", "18:47", annotation("uno", "18:45")) is twice


def test_an_edit_of_a_turn_that_is_not_here_changes_nothing() -> None:
    one = said("one")

    assert append_edit(one, "Zz_-00", "uno", "18:45") is one


def test_every_paragraph_of_a_deleted_turn_is_marked_and_none_is_spoken() -> None:
    deleted = mark_deleted(said("my pin is 1234", "    code\n\n\nend"), ID)

    assert words(deleted) == "[deleted] my pin is 1234\n\n[deleted]     code\n\n\n[deleted] end"
    assert spoken(words(deleted)) == ""
    assert mark_deleted(deleted, ID) is deleted


def test_one_message_of_a_burst_is_left_out_alone() -> None:
    deleted = mark_deleted(said("first", "second\n\nhalf", "third"), ID, "second\n\nhalf")

    assert words(deleted) == "first\n\n[deleted] second\n\n[deleted] half\n\nthird"
    assert spoken(words(deleted)) == "first\n\nthird"
    assert mark_deleted(deleted, ID, "second\n\nhalf") is deleted


def test_a_message_on_its_own_line_is_taken_before_the_same_words_elsewhere() -> None:
    deleted = mark_deleted(said("book it, ok?", "ok"), ID, "ok")

    assert spoken(words(deleted)) == "book it, ok?"


def test_a_short_message_is_never_cut_out_of_a_word() -> None:
    one = said("book it")

    assert mark_deleted(one, ID, "ok") is one


def test_a_piece_of_a_split_paste_is_left_out_though_it_has_no_line_of_its_own() -> None:
    pieces = ["a" * 4000, "b" * 4000, "c" * 50]

    deleted = mark_deleted(said("".join(pieces)), ID, pieces[1])

    assert spoken(words(deleted)) == f"{pieces[0]}\n\n{pieces[2]}"


def test_an_edit_that_was_deleted_is_left_out_too() -> None:
    edited = append_edit(said("one", "two"), ID, "uno", "18:45")

    deleted = mark_deleted(mark_deleted(edited, ID, "one"), ID, annotation("uno", "18:45"))

    assert spoken(words(deleted)) == "two"


@pytest.mark.parametrize("text", ["", "plain", "a\n\n\n b", "[deletedx] a", "say [deleted] here"])
def test_words_that_were_not_deleted_are_spoken_as_they_are(text: str) -> None:
    assert spoken(text) == text


@given(st.lists(hostile.wild.map(normalise).filter(bool), min_size=1, max_size=4), st.data())
def test_a_deleted_turn_is_on_file_and_never_spoken(messages: list[str], data: st.DataObject) -> None:
    deleted = mark_deleted(said(*messages), ID)

    again = decode(encode(deleted), "x")

    assert spoken(words(again)).strip() == ""
    assert data.draw(st.sampled_from(messages)).split("\n")[-1] in words(again)
