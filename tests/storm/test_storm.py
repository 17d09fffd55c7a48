from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest

from tests.storm import cold
from tests.storm.killing import Storm, fast

if TYPE_CHECKING:
    from collections.abc import Iterator

SEED = 20260309

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")


@pytest.fixture
def home() -> Iterator[Path]:
    with TemporaryDirectory(dir=fast()) as folder:
        yield Path(folder) / "home"


@needs_fork
def test_a_conversation_survives_sigkill_after_sigkill(home: Path) -> None:
    outcome = Storm(home, SEED).run(60)

    print(outcome.line())  # noqa: T201 - the figures belong in the log
    assert outcome.faults == []
    assert (outcome.messages, outcome.lost, outcome.doubled, outcome.torn) == (60, 0, 0, 0)
    assert outcome.kills > 10


def test_a_start_that_is_killed_at_any_moment_leaves_a_memory_that_starts(home: Path) -> None:
    outcome = cold.run(home, 4, SEED)

    print(outcome.line())  # noqa: T201 - the figures belong in the log
    assert outcome.faults == []
    assert outcome.kills == 4
