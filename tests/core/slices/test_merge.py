from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.slices.codec import decode, encode
from core.slices.merge import close, merge_slices, merge_turns
from core.slices.model import Slice, Turn
from tests.core.slices import hostile

NOW = "2026-03-14T09:00:00.000Z"
U1 = Turn("q1W-_A", "2026-03-09T18:42:07.113Z", "user", "Which yeast?")
A1 = Turn("q1W-_A", "2026-03-09T18:42:30.000Z", "agent", "Dry.")
U2 = Turn("aB3_xQ", "2026-03-09T18:44:00.000Z", "user", "And flour?")
A2 = Turn("aB3_xQ", "2026-03-09T18:44:20.000Z", "agent", "Rye.")
OURS = Turn("Zz_-0w", "2026-03-09T18:43:00.000Z", "user", "from the other device")
BASE = Slice("2026-03-09-1842", start=U1.at, turns=(U1, A1))


def test_a_turn_that_is_only_ours_comes_after_theirs_and_nothing_is_doubled() -> None:
    assert merge_turns(replace(BASE, turns=(U1, A1, U2)), [U1, A1, OURS]).turns == (U1, A1, U2, OURS)


def test_a_merge_that_brings_nothing_returns_the_slice_itself() -> None:
    assert merge_turns(BASE, [A1, U1]) is BASE


def test_a_reply_survives_beside_its_question_with_the_same_id() -> None:
    assert merge_turns(replace(BASE, turns=(U1,)), [U1, A1]).turns == (U1, A1)


def test_a_text_that_a_person_edited_in_the_file_wins() -> None:
    edited = replace(U1, text="Which yeast, really?")

    assert merge_turns(replace(BASE, turns=(edited, A1)), [U1, A1, U2]).turns == (edited, A1, U2)


@pytest.mark.parametrize("label", ["1", "?"])
def test_turns_without_an_id_are_known_by_time_role_and_text(label: str) -> None:
    first, second = replace(U1, label=label), replace(U2, label=label)

    assert merge_turns(replace(BASE, turns=(first,)), [first, second]).turns == (first, second)


def test_an_ordinal_that_was_counted_otherwise_is_not_doubled() -> None:
    old = replace(U1, label="1")

    assert merge_turns(replace(BASE, turns=(old,)), [replace(old, label="7")]).turns == (old,)


def test_marks_of_the_other_version_win_and_tags_and_loops_are_joined() -> None:
    theirs = replace(BASE, focus="theirs", status="closed", tags=("a", "b"), open_loops=("x",), loops=("l",))
    ours = replace(BASE, focus="ours", tags=("b", "c"), open_loops=("y",), loops=("m",), turns=(U1, A1, U2))

    merged = merge_slices(theirs, ours)

    assert (merged.focus, merged.status) == ("theirs", "closed")
    assert (merged.tags, merged.open_loops, merged.loops) == (("a", "b", "c"), ("x", "y"), ("l", "m"))
    assert merged.turns == (U1, A1, U2)


@given(st.lists(hostile.turns, max_size=6), st.lists(hostile.turns, max_size=6))
def test_merging_again_changes_nothing(theirs: list[Turn], ours: list[Turn]) -> None:
    once = merge_turns(replace(BASE, turns=tuple(theirs)), ours)

    assert merge_turns(once, ours) == once
    assert once.turns[: len(theirs)] == tuple(theirs)


def test_a_reply_that_was_cut_off_is_completed_by_the_redo() -> None:
    long = replace(A1, text="Dry yeast.\n\n## Turn over the dough\n\nThen wait. 🎩")
    data = encode(replace(BASE, turns=(U1, long))).encode()
    header = data.index(b"(agent)") + len(b"(agent)")

    for cut in [cut for cut in range(header, len(data)) if data[cut - 1] != ord("\n")]:
        assert merge_turns(decode(data[:cut], "x"), [U1, long, U2]).turns == (U1, long, U2)


def test_a_text_that_a_person_shortened_in_a_whole_file_stays_short() -> None:
    read = decode(encode(replace(BASE, turns=(U1, replace(A1, text="D")))), "x")

    assert merge_turns(read, [A1]).turns[-1].text == "D"


def test_a_slice_active_five_days_ago_ends_with_its_last_turn() -> None:
    closed = close(BASE, "time_silence", NOW)

    assert (closed.status, closed.end, closed.closed_by) == ("closed", A1.at, "time_silence")


@pytest.mark.parametrize(
    ("slice_", "end"),
    [
        (Slice("x", start=U1.at), NOW),
        (Slice("x", start="2026-03-15T00:00:00.000Z"), "2026-03-15T00:00:00.000Z"),
        (Slice("x", start=A1.at, turns=(U1,)), A1.at),
        (Slice("x", start=U1.at, turns=(U1, replace(A1, at="later"))), U1.at),
        (Slice("x", start=U1.at, turns=(replace(A1, at="later"),)), U1.at),
        (Slice("x", turns=(replace(A1, at="later"),)), NOW),
    ],
)
def test_the_end_is_now_only_without_turns_and_never_before_the_start(slice_: Slice, end: str) -> None:
    assert close(slice_, "user_explicit", NOW).end == end


def test_closing_twice_keeps_the_first_signal() -> None:
    once = close(BASE, "capacity", NOW)

    assert close(once, "user_explicit", NOW) is once


def test_an_unknown_signal_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="time_silence"):
        close(BASE, "boredom", NOW)


def test_an_old_file_without_status_loses_nothing_when_it_is_closed() -> None:
    text = "---\nslice_id: 2020-01-01-0000\nmood: warm # mine\n---\n## Turn 1 — 2020-01-01T00:00:00Z (user)\n\n  hi\n"

    closed = encode(close(decode(text, "x"), "time_silence", NOW))

    assert closed == text.replace(
        "mood: warm # mine\n",
        "status: closed\nend: '2020-01-01T00:00:00Z'\nclosed_by: time_silence\nmood: warm # mine\n",
    )
