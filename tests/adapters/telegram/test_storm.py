from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest

from tests.adapters.telegram.storm import Storm
from tests.storm.killing import fast

if TYPE_CHECKING:
    from collections.abc import Iterator

SEED = 20260309

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")


@pytest.fixture
def home() -> Iterator[Path]:
    with TemporaryDirectory(dir=fast()) as folder:
        yield Path(folder) / "home"


@pytest.mark.parametrize(
    ("updates", "kills"), [(12, 4), pytest.param(200, 50, marks=pytest.mark.long)], ids=["short", "long"]
)
def test_telegram_is_answered_once_whenever_the_process_is_killed(home: Path, updates: int, kills: int) -> None:
    outcome = Storm(home, SEED).run(updates, kills)

    print(outcome.line())  # noqa: T201 - the figures belong in the log
    assert outcome.faults == []
    assert outcome.kills >= kills
    assert outcome.updates >= updates
