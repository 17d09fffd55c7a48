from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.bench.recall import main

BENCH = os.environ.get("PREVIOUSLY_BENCH", "")  # noqa: TID251 - where the data lies is the tester's to say


@pytest.mark.skipif(not BENCH, reason="PREVIOUSLY_BENCH names no folder of questions")
@pytest.mark.parametrize(
    ("name", "floor"),
    [
        ("locomo", {"hit@5": 0.925, "MRR": 0.815}),
        ("memorybank-zh", {"hit@1": 0.90}),
    ],
)
def test_recall_stays_above_its_floor(name: str, floor: dict[str, float]) -> None:
    shares = main(Path(BENCH) / name)

    assert {key: share for key, share in shares.items() if share < floor.get(key, 0.0)} == {}
