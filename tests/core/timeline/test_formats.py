from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import Malformed
from core.slices.model import Slice
from core.timeline.codec import (
    decode_catalog,
    decode_month,
    encode_catalog,
    encode_entries,
    encode_month,
    month_path,
)
from core.timeline.entry import Entry, build_entry, from_json, to_json
from core.timeline.markdown import pointer, render_entries, render_timeline
from tests.tree import ROOT

GOLDEN = ROOT / "tests/golden/timeline"
SAMPLES = os.environ.get("PREVIOUSLY_SAMPLES", "")  # noqa: TID251 - where test data of others stands, if anywhere
TEXT = st.text(st.characters(codec="utf-8"), max_size=20)
TEXTS = st.lists(TEXT, max_size=3).map(tuple)
ENTRIES = st.builds(
    Entry,
    id=st.datetimes().map(lambda moment: f"{moment:%Y-%m-%d-%H%M}".rjust(15, "0")),
    date=st.just("2026-03-09"),
    start=st.just("2026-03-09T18:42:07.113Z"),
    end=st.sampled_from(["", "2026-03-09T18:50:00.000Z"]),
    turn_count=st.none() | st.integers(0, 99),
    status=st.sampled_from(["active", "closed"]),
    focus=TEXT,
    summary=TEXT,
    tags=TEXTS,
    tone=TEXT,
    open_loops=TEXTS,
    decisions=TEXTS,
    strands=TEXTS,
)

OVENS = Entry(
    "2026-03-09-2005",
    "2026-03-09",
    "2026-03-09T20:05:00.000Z",
    "2026-03-09T20:31:12.004Z",
    4,
    "closed",
    "Ovens",
    "Two decks, one stone.",
    ("a", "b"),
    "mixed",
    ("Call Remi by 2026-03-12",),
    ("The stone one",),
    ("a",),
)
YEAST = Entry("2026-03-09-1842", "2026-03-09", "2026-03-09T18:42:00.000Z", status="active")
FIRST = Entry("2026-02-28-0001", "2026-02-28", "2026-02-28T00:01:00.000Z", turn_count=1, summary="S only")
WORLD = Entry(
    "2025-12-31-2359",
    "2025-12-31",
    "2025-12-31T23:59:00.000Z",
    turn_count=2,
    focus="烤面包 👩‍🍳 עם אמא",
    tags=("花园", "a b"),
    tone="positive",
)


def test_vector_7_the_timeline_reads_as_the_original_writes_it() -> None:
    text = render_timeline([render_entries([FIRST, YEAST, OVENS])], "2026-03-10T00:00:00.000Z", 3, 1)

    assert text.endswith(
        "\n\n## 2026-03\n### 03-09\n"
        "- **2026-03-09-2005** Ovens · 4轮 · mixed [a,b]\n- **2026-03-09-1842** *(无摘要)*\n\n"
        "## 2026-02\n### 02-28\n- **2026-02-28-0001** S only · 1轮\n"
    )
    assert text.startswith(
        "# Timeline\n\n_Generated: 2026-03-10T00:00:00.000Z_\n"
        "_Slices: 3_\n_Needs marking: 1_\n_Schema: 1_\n\n## 2026-03\n"
    )


def test_an_empty_timeline_ends_with_its_schema_and_a_blank_line() -> None:
    text = render_timeline([], "2026-03-10T00:00:00.000Z", 0, 0)

    assert (
        text == "# Timeline\n\n_Generated: 2026-03-10T00:00:00.000Z_\n_Slices: 0_\n_Needs marking: 0_\n_Schema: 1_\n\n"
    )


def test_the_files_are_the_golden_ones() -> None:
    listed = [WORLD, FIRST, YEAST, OVENS]
    stamp = "2026-03-10T00:00:00.000Z"

    made = {
        "index.json": encode_catalog([encode_entries([WORLD]), encode_entries(listed[1:])], stamp, 4, 1),
        "timeline.md": render_timeline([render_entries(listed[1:]), render_entries([WORLD])], stamp, 4, 1).encode(),
        "_index.json": encode_month("2026-03", [OVENS, YEAST]),
        "empty.json": encode_catalog([], stamp, 0, 0),
    }

    for name, data in made.items():
        assert data == (GOLDEN / name).read_bytes(), name


@given(st.lists(ENTRIES, max_size=4))
def test_a_catalog_is_the_pretty_json_of_what_it_says(entries: list[Entry]) -> None:
    data = encode_catalog([encode_entries(entries)], "now", len(entries), 0)

    whole = {"_schema": 1, "updated_at": "now", "slice_count": len(entries), "needs_marking": 0}
    whole["slices"] = [to_json(entry) for entry in entries]
    assert json.loads(data) == json.loads(json.dumps(whole))
    assert data.decode() == json.dumps(whole, ensure_ascii=False, indent=2)


@given(st.lists(ENTRIES, max_size=4))
def test_entries_come_back_from_a_catalog(entries: list[Entry]) -> None:
    found = decode_catalog(encode_catalog([encode_entries([one]) for one in entries], "now", len(entries), 7))

    assert list(found.entries) == entries
    assert (found.updated_at, found.slice_count, found.needs_marking) == ("now", len(entries), 7)


def test_the_keys_of_an_entry_stand_in_the_originals_order() -> None:
    keys = "id date start end turn_count status focus summary tags tone open_loops decisions strands needs_marking"

    assert list(to_json(OVENS)) == keys.split()
    assert [key for key in keys.split() if key not in to_json(YEAST)] == ["end", "turn_count", "tone"]


def test_unknown_missing_and_odd_keys_of_an_entry_are_borne() -> None:
    found = from_json({"id": "2026-03-09-1842", "colour": "red", "tags": ["a", 3, None], "turn_count": True, "end": 5})

    assert found == Entry("2026-03-09-1842", "2026-03-09", "2026-03-09T00:00:00.000Z", tags=("a",))
    assert from_json({"focus": "no id"}) is None


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b'{"slices": {}}', b'"x"', b'{"slices": [', b"<<<<<<< HEAD\n"])
def test_a_catalog_without_a_list_of_slices_is_malformed(data: bytes) -> None:
    with pytest.raises(Malformed, match=r"index\.json"):
        decode_catalog(data)


def test_a_monthly_index_is_read_as_object_and_as_list_and_written_as_object() -> None:
    data = encode_month("2026-03", [OVENS, YEAST])
    listed = json.dumps(json.loads(data)["slices"]).encode()

    assert decode_month(data, "x") == decode_month(listed, "x")
    assert [entry.id for entry in decode_month(data, "x")] == ["2026-03-09-1842", "2026-03-09-2005"]
    assert list(json.loads(data)) == ["month", "slices"]
    assert list(json.loads(data)["slices"][0]) == (
        ["id", "focus", "summary", "tags", "status", "start", "open_loops", "decisions"]
    )
    assert month_path("2026-03") == "memory/episodic/slices/2026/03/_index.json"


@pytest.mark.parametrize("data", [b"", b"{}", b"3", b'{"slices": 3}'])
def test_a_monthly_index_that_is_neither_is_malformed(data: bytes) -> None:
    with pytest.raises(Malformed):
        decode_month(data, "x")


def test_an_entry_is_built_from_a_slice_and_counts_both_roles() -> None:
    piece = Slice(
        "2026-03-09-1842", "closed", "", "2026-03-09T18:50:00.000Z", focus="F", summary="S", tags=("a",),
        emotional_tone="calm, a little tired", open_loops=("l",), decisions=("d",),
    )  # fmt: skip

    entry = build_entry(piece, 4, ("a",))

    assert entry == Entry(
        "2026-03-09-1842", "2026-03-09", "2026-03-09T00:00:00.000Z", "2026-03-09T18:50:00.000Z", 4, "closed", "F", "S",
        ("a",), "calm, a little tired", ("l",), ("d",), ("a",),
    )  # fmt: skip
    assert not entry.needs_marking
    assert build_entry(replace(piece, focus="", summary=""), 4).needs_marking


def test_a_pointer_stays_on_one_line_whatever_a_person_wrote() -> None:
    entry = replace(OVENS, focus="Two\nlines", tags=("a\u2028b",))

    assert pointer(entry) == "- **2026-03-09-2005** Two lines · 4轮 · mixed [a b]"
    assert (
        pointer(replace(OVENS, focus="two  blanks", tone="", turn_count=0)) == "- **2026-03-09-2005** two  blanks [a,b]"
    )


@pytest.mark.skipif(not SAMPLES, reason="PREVIOUSLY_SAMPLES names no samples of the original")
def test_monthly_indexes_of_the_original_come_back_byte_for_byte() -> None:
    found = sorted(Path(SAMPLES).rglob("_index.json"))

    for path in found:
        data = path.read_bytes()
        assert encode_month(json.loads(data)["month"], decode_month(data, str(path))) == data
    assert found
