"""Taking talk out of single files: what is not named keeps its bytes, and doing it again changes nothing."""

from __future__ import annotations

import pytest

from core.card.record import Record, decode_record, encode_record
from core.language.recent import recent
from core.slices import forgotten
from core.slices.forgetting import (
    Trace,
    card_without,
    without_facts,
    without_messages,
    without_names,
    without_record,
    without_thoughts,
)

GONE = Trace(slices=("2026/01/05/2330",), touched=("2026/02/01/0900",), refs=("2026/02/01/0900-abcdef",))
CARD = """# Previously On

_Active slice: 2026-01-05-2330 | Format: user card v2 | Updated: x_

## Identity

- Name: Ada

## Past

Lives by the sea.

- Sailed once — refs: [2026/01/05/2330-aaaaaa]
- Swims — refs: [2026/01/05/2330], [2026/03/01/1200-cccccc]

## Now

- Reads — refs: [2026/02/01/0900-abcdef] | since: 2026-02-01
- Writes — refs: [2026/02/01/0900-zzzzzz] | since: 2026-02-01

## Horizon

- Call Jo — by: 2026-04-01 — refs: [2026/02/01/0900]
"""


def test_a_line_goes_when_all_that_it_rests_on_is_gone_and_loses_a_ref_otherwise() -> None:
    left, gone = without_facts(CARD, GONE)

    assert [line.partition(" — ")[0] for line in gone] == ["- Sailed once", "- Reads", "- Call Jo"]
    assert "- Swims — refs: [2026/03/01/1200-cccccc]\n" in left
    assert "- Writes — refs: [2026/02/01/0900-zzzzzz] | since: 2026-02-01\n" in left
    assert "Lives by the sea." in left
    assert card_without(left, GONE) == left


def test_a_card_without_a_trace_of_it_keeps_its_bytes() -> None:
    text = CARD.replace("\n", "\r\n") + "odd \u2028 line\x0b"

    assert card_without(text, Trace(slices=("2020/01/01/0000",))) == text


def test_words_and_whole_lines_go_wherever_they_stand() -> None:
    left, gone = without_facts(CARD, Trace(words=("by the sea",), lines=("- Name: Ada",)))

    assert gone == ("- Name: Ada", "Lives by the sea.")
    assert "Sailed" in left


def test_the_record_of_a_change_loses_the_lines_and_its_sentence() -> None:
    record = Record("2026-01-06T00:00:00.000Z", "slice_closed", "You sailed.", (
        "- Sailed once — refs: [2026/01/05/2330-aaaaaa]", "- Swims"), ("- Old",), CARD,
    )  # fmt: skip

    found = decode_record(without_record(encode_record(record), GONE), "x")

    assert (found.summary, found.added, found.removed) == ("", ("- Swims",), ("- Old",))
    assert "Sailed" not in found.before
    other = Record("x", "undo", "Fine.", ("- Swims",), (), "nothing")
    assert without_record(encode_record(other), GONE) == encode_record(other)


def test_messages_and_thoughts_go_by_their_turn() -> None:
    lines = b'{"turn":"a","role":"user","key":"k1"}\nnot ours\n{"turn":"b","role":"user","key":"k2"}\n'
    log = "## Cognition a — x\n\n### Thinking\none\n\n## Cognition b — x\n\n### Thinking\ntwo\n"

    assert without_messages(lines, {"a"}) == b'not ours\n{"turn":"b","role":"user","key":"k2"}\n'
    assert without_messages(b'{"turn":"a","role":"user","key":"k1"}\n', {"a"}) is None
    assert without_thoughts(log, ["a"]) == "## Cognition b — x\n\n### Thinking\ntwo\n"
    assert without_thoughts(log, ["a", "b"]) == ""


def test_merges_lose_the_names_that_nobody_carries() -> None:
    data = b'{"boat": "ship", "cat": "cats"}'

    assert without_names(data, ["ship"]) == b'{\n  "cat": "cats"\n}'
    assert without_names(data, ["dog"]) == data
    assert without_names(data, ["boat", "cats"]) is None


def test_what_was_forgotten_is_a_line_each_and_odd_lines_harm_nothing() -> None:
    one = forgotten.Forgetting("f1", "x", ("a",), ("k1",), {"slices": 1})
    two = forgotten.Forgetting("f2", "x", ("b",), ())
    data = forgotten.added(b"not json\n", one)

    assert forgotten.added(data, one) == data
    both = forgotten.merged(data, forgotten.encode([two]))
    assert forgotten.decode(both).turns == {"a", "b"}
    assert forgotten.decode(both).line("f1") == one
    assert forgotten.decode(forgotten.removed(both, "f1") or b"").turns == {"b"}
    assert forgotten.removed(forgotten.encode([two]), "f2") is None
    assert forgotten.decode(b'[]\n5\n{"id":""}\n{"id":5}\n{"id":"x","turns":5}\n').turns == frozenset()


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("last 20 minutes", 20), ("the last 20 min", 20), ("20m", 20), ("past hour", 60), ("two hours", 120),
        ("最近二十分钟", 20), ("最近20分钟", 20), ("半小时", 30), ("过去两个小时", 120), ("last day", 1440),
    ],
)  # fmt: skip
def test_a_stretch_of_time_is_understood(text: str, minutes: int) -> None:
    found = recent(text)

    assert found is not None
    assert found.total_seconds() == minutes * 60


@pytest.mark.parametrize(
    "text", ["minutes", "hour", "the kiln", "20", "last", "a man", "0 minutes", "9999 days", "分钟"]
)
def test_what_names_no_stretch_is_none(text: str) -> None:
    assert recent(text) is None
