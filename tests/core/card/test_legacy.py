from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.card.codec import blank_card, decode, encode, has_stamp, is_card
from core.card.legacy import ensure, format_of, must_evolve, read_card
from core.card.model import Card, Entry
from core.errors import Malformed

V3 = """# Previously On

_Active slice: 2026-01-05-0900 | Format: v3 | Updated: 2026-01-05T09:30:00.000Z_

## User profile

### Identity & background

- Name: Odile (the baker)
  refs: [2026/01/01/0800-T1] | confidence: high | updated: 2026-01-02 | obs: 3
- Alias: 小奥 (rare)
  refs: [2026/01/01/0800-T1]

### Communication preferences

- Wants numbers first.
  evidence: [2026/01/02/0800] | confidence: medium

### Goals & direction

- Opens a second shop.
  refs: [2026/01/03/0800] | confidence: low

### Values & priorities

- Once wanted to sell.
  refs: [2026/01/03/0800] | refuted_by: [2026/01/04/0800]

### Current state

- The oven is broken.
  refs: [2026/01/04/0800], [odd ref] | updated: 2026-01-04 | expires: 2026-01-11

### Boundaries & sensitivities

- Not before six.

## Self-model

### Tool discipline

- Read the slice first.
  refs: [2026/01/04/0800]

### Corrections

_No beliefs yet._
"""

V2 = """# Previously On

_Active slice: 2023-04-21-0610 | Updated: 2023-04-21_

## 长期记忆

### User identity

- Odile is a baker in Lille (moved in 2019).
  evidence: [2022/01/08/1130-T1] | confidence: high | updated: 2023-04-20 | obs: 5

### User patterns

- Bakes at night.
  evidence: [2022/01/08/1130-T2]

### Agent strategies

- Be brief.

## 短期记忆

### Current context

- Looks for flour.
  evidence: [2023/04/21/0610-T10] | updated: 2023-04-21 | expires: 2023-04-28
"""

V1 = """# Previously On

## User identity

- Odile is a baker.

## User patterns

- Bakes at night.

## Agent strategies

_No beliefs yet._
"""


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", "blank"),
        ("\ufeff \r\n", "blank"),
        (blank_card("2026-01-01-0000", "now"), "card"),
        (V3, "v3"),
        (V2, "v2"),
        (V2.replace("\n", "\r\n"), "v2"),
        (V1, "v1"),
        ("shopping list", "unknown"),
    ],
)
def test_every_format_is_told_from_the_others(text: str, found: str) -> None:
    assert format_of(text) == found


def test_v3_becomes_a_card() -> None:
    assert read_card(V3, "2026-02-01") == Card(
        slice_id="2026-01-05-0900",
        updated="2026-01-05T09:30:00.000Z",
        identity=("Name: Odile", "Alias: 小奥 (rare)"),
        profile="Wants numbers first. Opens a second shop.",
        now=(
            Entry("The oven is broken.", ("2026/01/04/0800", "odd ref"), since="2026-01-04"),
            Entry("Not before six.", since="2026-02-01"),
        ),
        self_model=(Entry("Read the slice first.", ("2026/01/04/0800",)),),
    )


def test_v2_becomes_a_card_without_chinese_headings() -> None:
    card = read_card(V2)

    assert card.identity == ("Odile is a baker in Lille (moved in 2019).",)
    assert card.profile == "Bakes at night."
    assert card.now == (Entry("Looks for flour.", ("2023/04/21/0610-T10",), since="2023-04-21"),)
    assert card.self_model == (Entry("Be brief."),)
    assert card.slice_id == "2023-04-21-0610"
    assert "记忆" not in encode(card)


def test_v1_becomes_a_card_and_placeholders_become_nothing() -> None:
    card = read_card(V1)

    assert card == Card(identity=("Odile is a baker.",), profile="Bakes at night.")
    assert "No beliefs" not in encode(card)


@pytest.mark.parametrize("text", [V1, V2, V3, "\ufeff" + V3.replace("\n", "\r\n")])
def test_a_migrated_card_is_in_todays_format_and_reads_back_equal(text: str) -> None:
    card = read_card(text, "2026-02-01")

    assert has_stamp(encode(card))
    assert decode(encode(card)) == card


def test_a_card_of_today_is_left_untouched_and_a_blank_text_is_an_empty_card() -> None:
    text = blank_card("2026-01-01-0000", "now")

    assert encode(read_card(text)) == text
    assert read_card(" \n") == Card()


def test_what_is_no_card_is_malformed() -> None:
    with pytest.raises(Malformed):
        read_card("shopping list")


def test_a_card_must_evolve_until_it_has_the_stamp() -> None:
    stampless = "## Identity\n\n- Name: x\n\n## Past\n\nwords\n"

    assert must_evolve(stampless)
    assert must_evolve(V3)
    assert not must_evolve("")
    assert not must_evolve(blank_card("a", "b"))
    assert not must_evolve(encode(read_card(V3)))


NEW = {"slice_id": "2026-03-09-1842", "now": "2026-03-09T18:42:00.000Z"}
CARD = blank_card("2026-03-01-0000", "then").replace("then_", "then_\n\n## Now\n\n- n | since: 2026-01-01")


def test_a_legacy_live_card_is_migrated_and_written_twice() -> None:
    made = ensure(V2, "", "", **NEW)

    assert is_card(made.text)
    assert "Looks for flour." in made.text
    assert (made.write_live, made.write_copy) == (True, True)


def test_a_card_that_is_up_to_date_in_both_places_is_not_written() -> None:
    made = ensure(CARD, CARD, "", **NEW)

    assert made.text == CARD
    assert (made.write_live, made.write_copy) == (False, False)


def test_a_stale_snapshot_is_written_once() -> None:
    made = ensure(CARD, blank_card("a", "b"), "", **NEW)

    assert made.text == CARD
    assert (made.write_live, made.write_copy) == (False, True)


def test_without_a_live_card_an_earlier_snapshot_is_taken() -> None:
    assert ensure("", "", CARD, **NEW).text == CARD
    assert "Looks for flour." in ensure("", "", V2, **NEW).text


@pytest.mark.parametrize("seed", ["", "shopping list"])
def test_without_anything_a_new_card_is_written_twice(seed: str) -> None:
    made = ensure("", "", seed, **NEW)

    assert made.text == blank_card("2026-03-09-1842", "2026-03-09T18:42:00.000Z")
    assert (made.write_live, made.write_copy) == (True, True)


def test_a_live_file_that_is_no_card_is_left_alone() -> None:
    with pytest.raises(Malformed):
        ensure("shopping list", "", "", **NEW)


@given(
    st.lists(st.sampled_from([*V3.split("\n"), *V2.split("\n"), *V1.split("\n")]) | st.text(max_size=20)).map("\n".join)
)
def test_no_old_card_raises_anything_but_malformed(text: str) -> None:
    try:
        card = read_card(text, "2026-02-01")
    except Malformed:
        assert format_of(text) == "unknown"
    else:
        assert decode(encode(card), "2026-02-01") == card


SAMPLES = os.environ.get("PREVIOUSLY_SAMPLES", "")  # noqa: TID251 - the tests' own switch


@pytest.mark.skipif(not SAMPLES, reason="PREVIOUSLY_SAMPLES is unset")
def test_the_originals_old_snapshots_keep_every_belief() -> None:
    found = sorted(Path(SAMPLES).rglob("previously.md"))
    assert found

    for path in found:
        text = path.read_bytes().decode()
        card = read_card(text)
        bullets = [line[2:].strip() for line in text.split("\n") if line.startswith("- ")]

        written = encode(card)

        assert all(bullet in written for bullet in bullets)
        assert decode(written) == card
