from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core.slices.model import core_path
from tests.core.storage.github.given import Replica
from tests.core.storage.github.talk import SLICE, Talker
from tests.doubles.github.server import GitHubDouble

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytest.register_assert_rewrite("tests.core.storage.contract")


@pytest.fixture
def github(tmp_path: Path) -> Iterator[GitHubDouble]:
    """An empty private repository; whatever a test did to it, git finds nothing wrong with it."""
    double = GitHubDouble(tmp_path / "repository.git")
    yield double
    wrong, unsound = double.store.fsck(), list(double.refused)
    double.stop()
    assert wrong == ""
    assert unsound == []


@pytest.fixture
def replica(github: GitHubDouble) -> Iterator[Replica]:
    made = Replica(github)
    yield made
    made.close()


@pytest.fixture
async def talker(replica: Replica) -> Talker:
    """A slice with one turn that has been pushed."""
    await replica.courier.begin()
    talker = Talker(replica)
    await talker.both("aaaaaa")
    await replica.round()
    assert replica.double.store.read(core_path(SLICE)) == await replica.data(core_path(SLICE))
    return talker
