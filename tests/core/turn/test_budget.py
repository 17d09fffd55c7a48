"""How much goes to a model: the estimate, what is left out first, and windows that stand still (DESIGN 6, P081)."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.llm.base import Message, ToolCall
from core.llm.size import ending, listed, newest, size, tokens
from core.turn.budget import LAST, REQUEST, SOME, SYSTEM, Budget, clipped, fitted

TEXTS = st.text(st.sampled_from("ab 花🎉\n"), max_size=200)


def talk(count: int, length: int = 40) -> list[Message]:
    return [Message("user" if n % 2 == 0 else "assistant", f"{n} {'x' * length}") for n in range(count)]


@pytest.mark.parametrize(
    ("text", "count"), [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("花园", 2), ("abcd花", 2), ("👩‍👧", 3)]
)
def test_four_ascii_characters_or_one_other_are_a_token(text: str, count: int) -> None:
    assert tokens(text) == count


def test_calls_count_with_their_messages() -> None:
    call = Message("assistant", "", (ToolCall("1", "recall", "x" * 400),))

    assert size([call]) > size([Message("assistant", "")]) + 100


@given(TEXTS, st.integers(0, 60))
def test_the_end_of_a_text_is_the_longest_that_fits(text: str, most: int) -> None:
    kept = ending(text, most)

    assert text.endswith(kept)
    assert tokens(kept) <= most
    if kept != text:
        assert tokens(text[-len(kept) - 1 :] if kept else text[-1]) > most


@given(st.lists(TEXTS, max_size=8), st.integers(0, 120))
def test_the_newest_parts_that_fit_are_kept_in_order(parts: list[str], most: int) -> None:
    kept = newest(parts, most)

    assert sum(map(tokens, kept)) <= most
    whole = len(kept) != 1 or not parts or kept[0] == parts[-1]
    assert kept == (parts[len(parts) - len(kept) :] if whole else [ending(parts[-1], most)])


def test_the_first_names_that_fit_are_listed() -> None:
    assert listed(["aaaa", "bbbb", "cccc"], 4) == ["aaaa", "bbbb"]


def test_the_defaults_are_those_of_the_design() -> None:
    assert Budget() == Budget(12_000, 48_000, 16_000)


@pytest.mark.parametrize(("request_", "system", "worker"), [(48_000, 12_000, 16_000), (24_000, 6_000, 8_000)])
def test_a_number_sets_the_request_and_the_others_scale(request_: int, system: int, worker: int) -> None:
    assert Budget.of(request_) == Budget(system, request_, worker)


def test_all_turns_go_along_when_there_is_room() -> None:
    turns = talk(20)

    assert fitted([], turns, [], REQUEST, 20) == turns


def test_the_oldest_turns_go_first_and_the_newest_stay() -> None:
    chosen = fitted([Message("system", "x" * 400)], talk(400, 4_000), [Message("user", "now")], 20_000, 60)

    assert chosen[-1].text.startswith("399 ")
    assert size(chosen) + LAST + 100 <= 20_000
    assert size(chosen) > 5_000


def test_the_window_begins_with_the_person() -> None:
    for count in range(1, 60):
        chosen = fitted([], talk(count), [], REQUEST, 20)

        assert not chosen or chosen[0].role == "user"


def test_nothing_else_is_left_out_for_a_newest_message_beyond_all_room() -> None:
    assert fitted([], talk(10), [Message("user", "x" * 1_000_000)], REQUEST, 20) == []


@settings(max_examples=60)
@example(recent=20, length=566, most=6_000)
@given(st.integers(3, 60), st.integers(0, 3_000), st.integers(6_000, 48_000))
def test_a_window_holds_what_it_should_and_moves_seldom(recent: int, length: int, most: int) -> None:
    turns = talk(240, length)
    firsts = [
        fitted([], turns[:count], [Message("user", turns[count].text)], most, recent)[:1]
        for count in range(0, len(turns), 2)
    ]
    moved = sum(one != other for one, other in pairwise(firsts))
    longest = (most - LAST) // (length // 4 + 10)
    step = min(recent // 2, SOME) if longest > 3 * SOME else 1

    assert moved <= 4 + len(firsts) * 2.5 / step
    kept = fitted([], turns, [], most, recent)
    assert len(kept) <= recent + recent // 2
    assert size(kept) <= most


@given(st.lists(st.integers(0, 2_000), min_size=1, max_size=60), st.integers(3, 30))
def test_a_window_never_goes_back(lengths: list[int], recent: int) -> None:
    turns = [
        m
        for n, length in enumerate(lengths)
        for m in (Message("user", f"{n} " + "x" * length), Message("assistant", f"{n}"))
    ]
    starts = [0]
    for count in range(2, len(turns) + 1, 2):
        chosen = fitted([], turns[:count], [Message("user", "hm")], 6_000, recent)
        starts.append(count - len(chosen))

    assert starts == sorted(starts)


def test_layers_that_fit_stay_in_their_order() -> None:
    assert clipped([("a", 0), ("c", 4), ("b", 1)], SYSTEM) == ["a", "c", "b"]


def test_of_layers_beyond_the_room_the_last_ranks_go_first() -> None:
    layers = [
        ("identity " * 10, 0),
        ("## Card\n" + "- line of the card\n" * 50, 2),
        ("slice", 0),
        ("## Topics\n" + "all " * 40, 4),
    ]

    kept = clipped(layers, 150)

    assert kept[0] == layers[0][0]
    assert kept[1].startswith("## Card\n- line of the card")
    assert len(kept[1]) < len(layers[1][0])
    assert kept[-1] == "slice"
    assert sum(map(tokens, kept)) <= 150


def test_what_stands_at_rank_nought_is_never_cut() -> None:
    assert clipped([("identity " * 100, 0), ("## Card\n- line", 2)], 10) == ["identity " * 100]
