from __future__ import annotations

from dataclasses import replace

import pytest

from core.card.codec import encode
from core.card.diff import Counters, LineDiff, counters, line_diff, similarity
from core.card.model import Card, Entry
from tests.core.card.test_codec import GOLDEN, ODILE


def test_the_same_text_has_no_difference() -> None:
    assert line_diff(GOLDEN, GOLDEN) == LineDiff((), ())
    assert counters(GOLDEN, GOLDEN) == Counters()


def test_an_extra_line_is_added_and_a_missing_one_removed() -> None:
    assert line_diff("a\nb", "a\nb\nc") == LineDiff((), ("c",))
    assert line_diff("a\nb", "a") == LineDiff(("b",), ())


def test_an_edited_line_is_removed_and_added() -> None:
    assert line_diff("- Oven", "- Oven 2") == LineDiff(("- Oven",), ("- Oven 2",))


def test_blank_lines_indentation_and_repetition_do_not_count() -> None:
    assert line_diff("a\n\n  b\n", "\ufeffa\r\nb\nb\n   a") == LineDiff((), ())
    assert line_diff("", "c\nc\nc") == LineDiff((), ("c",))


def test_at_most_twelve_lines_of_each_side_are_shown() -> None:
    diff = line_diff("\n".join(f"old {n}" for n in range(30)), "\n".join(f"new {n}" for n in range(30)))

    assert len(diff.removed) == len(diff.added) == 12
    assert diff.removed[0] == "old 0"


def test_stamps_headings_and_comments_do_not_count() -> None:
    other = GOLDEN.replace("1842", "1900", 1).replace("## Now", "## Recent") + "<!-- c -->\n"

    assert line_diff(GOLDEN, other) == LineDiff((), ())


@pytest.mark.parametrize(
    ("card", "counted"),
    [
        (replace(ODILE, self_model=(*ODILE.self_model, Entry("Ask once."))), Counters(added=1)),
        (replace(ODILE, anchors=()), Counters(removed=1)),
        (replace(ODILE, anchors=(Entry("Shop opened in May 2019"),)), Counters(superseded=1)),
        (replace(ODILE, anchors=(Entry("Moved to Lille"),)), Counters(added=1, removed=1)),
        (replace(ODILE, profile="Odile bakes and teaches."), Counters(reinforced=1)),
        (replace(ODILE, profile=""), Counters(removed=1)),
        (replace(ODILE, identity=("Name: Odette",)), Counters(superseded=1)),
        (replace(ODILE, slice_id="x", updated="y"), Counters()),
    ],
)
def test_entries_are_counted_by_what_became_of_them(card: Card, counted: Counters) -> None:
    assert counters(GOLDEN, encode(replace(card, layout=None))) == counted


def test_a_profile_out_of_nothing_is_added() -> None:
    assert counters(encode(replace(ODILE, profile="")), GOLDEN) == Counters(added=1)


def test_a_stale_hook_that_was_let_go_is_demoted_and_not_removed() -> None:
    assert counters(GOLDEN, encode(replace(ODILE, now=())), demoted=1) == Counters(demoted=1)


def test_of_texts_that_are_no_cards_the_lines_are_counted() -> None:
    assert counters("a\nb", "b\nc\nd") == Counters(added=2, removed=1)


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("Shop opened 2019", "The shop opened in 2019", 1.0),
        ("花园里的玫瑰", "花园里的月季", 4 / 6),
        ("Oven repair", "Flour prices", 0.0),
        ("", "x", 0.0),
    ],
)
def test_likeness_is_shared_words_or_chinese_characters(one: str, other: str, alike: float) -> None:
    assert similarity(one, other) == pytest.approx(alike)
