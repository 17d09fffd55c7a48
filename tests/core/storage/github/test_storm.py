from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.core.storage.github.storm import Storm

if TYPE_CHECKING:
    from tests.doubles.github.server import GitHubDouble


@pytest.mark.parametrize("graphql", [True, False], ids=["graphql", "rest"])
async def test_in_a_short_storm_nothing_is_lost_doubled_or_overwritten(github: GitHubDouble, graphql: bool) -> None:
    counts = await Storm(github, seed=1, turns=30, graphql=graphql).run()

    assert counts.wrong == []
    assert counts.edits > 5
    assert counts.refused > 5


async def test_an_outage_in_the_middle_of_a_storm_ends_with_everything_in_order(github: GitHubDouble) -> None:
    counts = await Storm(github, seed=2, turns=40, outage=(10, 30)).run()

    assert counts.wrong == []


@pytest.mark.long
@pytest.mark.parametrize("graphql", [True, False], ids=["graphql", "rest"])
@pytest.mark.parametrize("seed", [11, 12, 13])
async def test_in_a_long_storm_nothing_is_lost_doubled_or_overwritten(
    github: GitHubDouble, seed: int, graphql: bool
) -> None:
    counts = await Storm(github, seed=seed, turns=300, graphql=graphql, outage=(140, 165)).run()

    print(f"seed {seed} {'graphql' if graphql else 'rest'}: {counts}")  # noqa: T201 - the count is the proof
    assert counts.wrong == []
