from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from core.slices.codec import decode, decode_head, encode
from core.slices.merge import close, merge_turns
from core.slices.model import Turn
from tests.core.slices.original import original_turns

SAMPLES = os.environ.get("PREVIOUSLY_SAMPLES", "")  # noqa: TID251 - names data that is not ours to keep here
FILES = sorted(Path(SAMPLES).rglob("core.md")) if SAMPLES else []
pytestmark = pytest.mark.skipif(not FILES, reason="PREVIOUSLY_SAMPLES names no folder with slices")


@pytest.mark.parametrize("path", FILES, ids=lambda path: "-".join(path.parts[-6:-2]))
def test_a_real_file_loads_and_is_written_as_it_was(path: Path) -> None:
    data = path.read_bytes()

    found = decode(data, str(path))

    assert encode(found).encode() == data
    assert decode_head(data, str(path)) == replace(found, turns=())
    assert [turn.text for turn in found.turns] == [seen[3] for seen in original_turns(data.decode())]
    assert found.turns


@pytest.mark.parametrize("path", FILES, ids=lambda path: "-".join(path.parts[-6:-2]))
def test_a_real_file_changes_only_where_it_was_changed(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    found = decode(text, str(path))

    grown = encode(merge_turns(replace(found, tags=(*found.tags, "new")), [Turn("Zz_-00", "2026", "user", "hi")]))

    before, after = text.split("\n"), grown.split("\n")
    assert [line for line in after if line not in before] == ["  - new", "## Turn Zz_-00 — 2026 (user)", "hi"]
    assert close(found, "user_explicit", "2026") == found
