from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from core.card.codec import blank_card, decode, encode, has_stamp, is_card
from core.card.model import Card, Entry, aged, overdue, same_substance
from core.errors import Malformed
from core.relative import parse_day

GOLDEN = """# Previously On

_Active slice: 2026-03-09-1842 | Format: user card v2 | Updated: 2026-03-09T19:00:00.000Z_

## Identity

- Name: Odile

## Past

Odile bakes.

- Shop opened 2019 — refs: [2026/03/01/0700]

## Now

- Oven repair — refs: [2026/03/09/1842], [2026/03/08/0900-Ab12Cd] | since: 2026-03-08

## Horizon

- Pay invoice — by: 2026-03-20 — refs: [2026/03/09/1842]

## Self-model

- Lead with numbers.
"""

ODILE = Card(
    slice_id="2026-03-09-1842",
    updated="2026-03-09T19:00:00.000Z",
    identity=("Name: Odile",),
    profile="Odile bakes.",
    anchors=(Entry("Shop opened 2019", ("2026/03/01/0700",)),),
    now=(Entry("Oven repair", ("2026/03/09/1842", "2026/03/08/0900-Ab12Cd"), since="2026-03-08"),),
    horizon=(Entry("Pay invoice", ("2026/03/09/1842",), by="2026-03-20"),),
    self_model=(Entry("Lead with numbers."),),
)


def test_the_golden_card_reads_into_its_values() -> None:
    assert decode(GOLDEN) == ODILE


def test_a_new_card_is_written_in_the_originals_bytes() -> None:
    assert encode(ODILE) == GOLDEN


def test_an_empty_section_is_left_out_and_an_empty_card_is_its_header() -> None:
    header = "# Previously On\n\n_Active slice: 2026-03-09-1842 | Format: user card v2 | Updated: now_\n"

    assert blank_card("2026-03-09-1842", "now") == header
    assert decode(header) == Card(slice_id="2026-03-09-1842", updated="now")
    assert encode(Card(now=(Entry("x"),))).count("## ") == 1


def test_a_card_always_writes_todays_stamp_and_headings() -> None:
    text = encode(ODILE)

    assert has_stamp(text)
    assert "## Profile" not in text
    assert "## Recent" not in text
    assert [line for line in text.split("\n") if line.startswith("## ")] == [
        "## Identity",
        "## Past",
        "## Now",
        "## Horizon",
        "## Self-model",
    ]


def test_an_entry_without_refs_since_or_by_drops_those_parts() -> None:
    card = Card(anchors=(Entry("a"),), now=(Entry("n", since="2026-01-02"),), horizon=(Entry("h"),))

    text = encode(card)

    assert "- a\n" in text
    assert "- n | since: 2026-01-02\n" in text
    assert "- h\n" in text
    assert decode(text) == card


def test_the_first_format_of_cards_reads_and_is_written_as_todays() -> None:
    old = GOLDEN.replace("user card v2", "user card v1").replace("## Past", "## Profile").replace("## Now", "## Recent")

    card = decode(old)

    assert same_substance(card, ODILE)
    assert not has_stamp(old)
    assert encode(card) == GOLDEN


@pytest.mark.parametrize(
    ("line", "entry"),
    [
        ("- no since — refs: [x]", Entry("no since", ("x",), since="2026-09-01")),
        ("- both | since: 2026-02-02 — refs: [x]", Entry("both", ("x",), since="2026-02-02")),
        ("- spaced refs — refs: [a] [b]; [c]", Entry("spaced refs", ("a", "b", "c"), since="2026-09-01")),
        ("- empty ref — refs: [], [ b ]", Entry("empty ref", ("b",), since="2026-09-01")),
        ("- noted — refs: [a] <!-- mine --> | since: 2026-02-02", Entry("noted", ("a",), since="2026-02-02")),
        ("- a — refs: [x] then — refs: [y]", Entry("a — refs: [x] then", ("y",), since="2026-09-01")),
        ("- vague | since: spring", Entry("vague | since: spring", since="2026-09-01")),
        ("- — refs: [x]", Entry("— refs: [x]", since="2026-09-01")),
    ],
)
def test_odd_now_lines_are_read_from_their_right_end(line: str, entry: Entry) -> None:
    text = f"_Format: user card v2_\n\n## Now\n\n{line}\n"

    assert decode(text, "2026-09-01").now == (entry,)
    assert encode(decode(text, "2026-09-01")) == text


@pytest.mark.parametrize(
    ("line", "entry"),
    [
        ("- t — refs: [x] — by: 2026-02-02", Entry("t", ("x",), by="2026-02-02")),
        ("- t — by: 2026-02-02 — refs: [x]", Entry("t", ("x",), by="2026-02-02")),
        ("- t — by: soon", Entry("t — by: soon")),
        ("- t | since: 2026-02-02", Entry("t | since: 2026-02-02")),
    ],
)
def test_odd_horizon_lines_are_read_too(line: str, entry: Entry) -> None:
    assert decode(f"_Format: user card v2_\n\n## Horizon\n\n{line}\n").horizon == (entry,)


def test_self_model_refs_are_read_as_refs() -> None:
    card = decode("_Format: user card v2_\n\n## Self-model\n\n- Lead with empathy — refs: [2026/08/11/1426]\n")

    assert card.self_model == (Entry("Lead with empathy", ("2026/08/11/1426",)),)


def test_a_profile_that_a_person_wrapped_keeps_its_lines() -> None:
    text = GOLDEN.replace("Odile bakes.", "Odile bakes\nand sings.")

    assert decode(text).profile == "Odile bakes\nand sings."
    assert encode(decode(text)) == text


def test_foreign_lines_are_no_entries_and_stay() -> None:
    text = GOLDEN.replace("- Lead", "* Lead").replace("## Horizon", "## My notes\n\n- mine\n\n## Horizon")
    text = text.replace("- Shop", "_an aside_\n<!-- hm -->\n1. one\n> quoted\n  indented\n\n- Shop")

    card = decode(text)

    assert card.self_model == ()
    assert card.profile == "Odile bakes."
    assert card.now == ODILE.now
    assert encode(card) == text


@pytest.mark.parametrize("text", ["", "hello", "## Identity\n\n- Name: x\n", "# Previously On\n", "## Now\n\n- x\n"])
def test_what_is_no_card_is_malformed(text: str) -> None:
    assert not is_card(text)
    with pytest.raises(Malformed):
        decode(text)


def test_a_hand_made_card_without_a_stamp_is_a_card_but_lacks_the_stamp() -> None:
    text = "## Identity\n- Name: x\n\n## Past\nwords\n"

    assert is_card(text)
    assert not has_stamp(text)
    assert decode(text) == Card(identity=("Name: x",), profile="words")
    assert encode(decode(text)) == text


def test_a_byte_order_mark_and_windows_line_ends_load_and_stay() -> None:
    text = "\ufeff" + GOLDEN.replace("\n", "\r\n")

    card = decode(text)

    assert card == ODILE
    assert encode(card) == text


def test_a_change_in_a_windows_file_touches_its_own_line_only() -> None:
    text = "\ufeff" + GOLDEN.replace("\n", "\r\n")
    card = decode(text)

    changed = encode(replace(card, now=(Entry("New", since="2026-03-10"), *card.now)))

    assert changed == text.replace("## Now\r\n\r\n", "## Now\r\n\r\n- New | since: 2026-03-10\r\n\r\n")


def test_overdue_is_before_today_and_only_with_a_date() -> None:
    card = Card(
        horizon=(Entry("a", by="2026-08-31"), Entry("b", by="2026-09-01"), Entry("c", by="2026-09-02"), Entry("d"))
    )
    today = parse_day("2026-09-01")
    assert today

    assert [entry.text for entry in overdue(card, today)] == ["a"]


def test_a_hook_is_aged_from_the_seventh_day() -> None:
    card = Card(now=(Entry("a", since="2026-08-25"), Entry("b", since="2026-08-26"), Entry("c")))
    today = parse_day("2026-09-01")
    assert today

    assert [entry.text for entry in aged(card, today)] == ["a"]


@pytest.mark.parametrize("text", ["", " x", "x\n", "a\nb"])
def test_a_text_that_no_line_can_hold_is_no_entry(text: str) -> None:
    with pytest.raises(ValueError, match="trimmed line"):
        Entry(text)
    with pytest.raises(ValueError, match="trimmed line"):
        Card(identity=(text,))


SAMPLES = os.environ.get("PREVIOUSLY_SAMPLES", "")  # noqa: TID251 - the tests' own switch


@pytest.mark.skipif(not SAMPLES, reason="PREVIOUSLY_SAMPLES is unset")
def test_the_originals_live_card_is_written_back_byte_for_byte() -> None:
    found = sorted(Path(SAMPLES).rglob("current-previously.md"))
    assert found

    for path in found:
        text = path.read_bytes().decode()
        card = decode(text)

        assert encode(card) == text
        assert any(line.startswith("Name: ") for line in card.identity)
        assert card.profile
