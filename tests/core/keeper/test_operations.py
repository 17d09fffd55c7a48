"""Operations: as the journal has them, and what each does to a file, once and again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import Malformed
from core.keeper.apply import conflict_copy, edits_of
from core.keeper.operations import (
    CloseSlice,
    DeleteTurn,
    EditTurn,
    LogCognition,
    MarkSlice,
    MergeTurns,
    NoteMessages,
    OpenSlice,
    Operation,
    PostBriefing,
    SetAside,
    from_json,
    to_json,
)
from core.slices.codec import decode, encode
from core.slices.messages import Message
from core.slices.model import Slice, Turn

if TYPE_CHECKING:
    from collections.abc import Sequence

ID = "2026-03-09-1842"
AT = "2026-03-09T18:42:07.113Z"
LATER = "2026-03-09T19:00:00.000Z"
SAID = Turn("abcdef", AT, "user", "first words")
REPLY = Turn("abcdef", LATER, "agent", "an answer")

EVERY: Sequence[Operation] = (
    OpenSlice(ID, AT, "Europe/Paris"),
    MergeTurns(ID, (SAID, REPLY), AT, "UTC"),
    CloseSlice(ID, "capacity", LATER),
    MarkSlice(ID, "focus", "summary", ("a", "b"), "mixed", ("loop",), ("decision",)),
    NoteMessages(ID, (Message("abcdef", "user", "tg:1:2", AT, size=4),)),
    LogCognition(ID, "abcdef", f"## Cognition abcdef — {AT}\n\n"),
    EditTurn(ID, "abcdef", "tg:1:2", "new words", "19:00", LATER, "[edited 18:50] old"),
    DeleteTurn(ID, "abcdef", "tg:1:2", "first words", LATER, "[edited 19:00] new words"),
    PostBriefing(ID, "PREVIOUSLY ON you\n"),
    SetAside(ID, (SAID,), LATER),
)
HOSTILE = ["## Turn x — y (user)", "---", "你好 👩‍👩‍👧", "\u2028\u202e", "<<<<<<< HEAD", "#\\# Turn "]


def applied(operations: Sequence[Operation], tree: dict[str, bytes] | None = None) -> dict[str, bytes]:
    """The tree after the operations, as a storage without a person beside us would have it."""
    result = dict(tree or {})
    for operation in operations:
        for edit in edits_of(operation):
            data = edit.change(result.get(edit.path))
            if data is not None:
                result[edit.path] = data
    return result


def piece_in(tree: dict[str, bytes]) -> Slice:
    (path,) = [path for path in tree if path.endswith("/core.md")]
    return decode(tree[path], path)


@pytest.mark.parametrize("operation", EVERY, ids=lambda one: one.op)
def test_an_operation_survives_the_journal(operation: Operation) -> None:
    assert from_json([to_json(operation)]) == (operation,)


@given(st.text(), st.text(), st.lists(st.sampled_from(HOSTILE)))
def test_any_words_survive_the_journal(text: str, clock: str, tags: list[str]) -> None:
    text = text.encode("utf-8", "replace").decode()
    for operation in (EditTurn(ID, "abcdef", "k", text, clock, AT), MarkSlice(ID, text, text, tuple(tags))):
        assert from_json([to_json(operation)]) == (operation,)


@pytest.mark.parametrize("record", [{"op": "fly"}, {"op": "open"}, {}, {"op": "merge_turns", "slice": ID, "turns": 3}])
def test_an_operation_that_this_version_does_not_know_is_a_typed_error(record: dict[str, object]) -> None:
    with pytest.raises(Malformed):
        from_json([record])


@pytest.mark.parametrize("again", [1, 2, 3])
def test_a_whole_story_done_again_from_any_point_gives_the_same_bytes(again: int) -> None:
    once = applied(EVERY)

    assert applied([*EVERY] * again, once) == once
    for start in range(len(EVERY)):
        assert applied(EVERY[start:], once) == once


@pytest.mark.parametrize("operation", [EVERY[2], EVERY[3], EVERY[6], EVERY[7]], ids=lambda one: one.op)
def test_what_needs_a_slice_makes_none(operation: Operation) -> None:
    assert not any(path.endswith("core.md") for path in applied([operation]))


def test_opening_leaves_a_slice_that_stands() -> None:
    before = applied([MergeTurns(ID, (SAID,), AT, "UTC")])

    assert applied([OpenSlice(ID, LATER, "Asia/Tokyo")], before) == before


def test_a_slice_that_has_vanished_is_born_again_with_the_turns_of_the_plan() -> None:
    piece = piece_in(applied([MergeTurns(ID, (SAID,), AT, "Asia/Tokyo")]))

    assert (piece.start, piece.timezone, piece.turns) == (AT, "Asia/Tokyo", (SAID,))


def test_a_reply_stands_beside_its_question_of_the_same_id() -> None:
    tree = applied([MergeTurns(ID, (SAID,), AT, "UTC"), MergeTurns(ID, (REPLY,), AT, "UTC")])

    assert piece_in(tree).turns == (SAID, REPLY)


def test_a_closed_slice_keeps_its_first_signal() -> None:
    tree = applied([MergeTurns(ID, (SAID,), AT, "UTC"), CloseSlice(ID, "capacity", LATER)])

    assert applied([CloseSlice(ID, "user_explicit", LATER)], tree) == tree
    assert (piece_in(tree).end, piece_in(tree).closed_by) == (AT, "capacity")


def test_what_a_person_wrote_into_the_file_stays_when_a_turn_is_added() -> None:
    tree = applied([MergeTurns(ID, (SAID,), AT, "UTC")])
    (path,) = tree
    mine = tree[path].replace(b"status: active", b"status: active\nmine: yes  # my remark").replace(b"first", b"FIRST")
    after = applied([MergeTurns(ID, (SAID, REPLY), AT, "UTC")], {path: mine})[path]

    assert b"mine: yes  # my remark" in after
    assert b"FIRST words" in after
    assert b"an answer" in after


def test_the_first_briefing_of_a_slice_stays() -> None:
    tree = applied([PostBriefing(ID, "one\n"), PostBriefing(ID, "two\n")])

    assert list(tree.values()) == [b"one\n"]


def test_a_log_of_another_hand_with_odd_bytes_is_only_added_to() -> None:
    path = next(edit.path for edit in edits_of(EVERY[5]))

    after = applied([EVERY[5]], {path: b"\xff\xfe mine\n"})[path]

    assert after.startswith(b"\xff\xfe mine\n")
    assert b"## Cognition abcdef" in after


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_words_are_one_turn_after_any_number_of_writes(text: str) -> None:
    tree = applied([MergeTurns(ID, (Turn("abcdef", AT, "user", text),), AT, "UTC")])
    for number in range(3):
        tree = applied([MergeTurns(ID, (Turn(f"turn{number}x", LATER, "agent", text),), AT, "UTC")], tree)

    assert [turn.text for turn in piece_in(tree).turns] == [text] * 4


def test_a_conflict_file_is_named_after_what_it_holds() -> None:
    assert conflict_copy("a/core.md", "2026-03-09T18:42:07.113Z") == "a/core.conflict-20260309T184207.md"


def test_a_slice_that_a_hand_has_marked_keeps_its_bytes() -> None:
    piece = Slice(ID, "closed", AT, LATER, focus="mine", turns=(SAID,))
    path = next(edit.path for edit in edits_of(EVERY[3]))
    before = {path: encode(piece).encode()}

    assert applied([EVERY[3]], before) == before
