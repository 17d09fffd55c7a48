from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from core.errors import RepositoryTrouble
from core.storage.github.checks import inspect
from tests.core.storage.github.given import Replica
from tests.doubles.github.faults import Fault, forbidden

if TYPE_CHECKING:
    from tests.doubles.github.server import GitHubDouble


async def remarks(github: GitHubDouble, *, public: bool = False, token: str = "") -> list[tuple[str, bool, Any]]:
    replica = Replica(github, token=token) if token else Replica(github)
    try:
        found = await inspect(replica.repository, replica.clock, public=public)
    finally:
        replica.close()
    return [(one.key.removeprefix("github.start."), one.refused, one.fields) for one in found]


def given(github: GitHubDouble, **fields: Any) -> None:
    github.store.push({"README.md": b"mine"})
    for name, value in fields.items():
        setattr(github, name, value)


async def test_a_private_repository_and_a_good_token_need_no_word(github: GitHubDouble) -> None:
    given(github)

    assert await remarks(github) == []
    assert github.count("POST", "/git/blobs") == 1  # the proof that it may write


async def test_an_empty_repository_is_fine(github: GitHubDouble) -> None:
    assert await remarks(github) == []


REFUSALS: dict[str, dict[str, Any]] = {
    "missing": {"gone": True},
    "archived": {"archived": True},
    "public": {"private": False},
    "protected": {"protected": True},
    "denied": {"may_push": False},
}


@pytest.mark.parametrize("key", REFUSALS)
async def test_what_cannot_work_is_refused_with_its_own_sentence(github: GitHubDouble, key: str) -> None:
    given(github, **REFUSALS[key])

    ((found, refused, fields),) = await remarks(github)

    assert (found, refused) == (key, True)
    assert fields["repository"] == "mara/memory"


async def test_a_wrong_token_is_refused(github: GitHubDouble) -> None:
    assert [(key, refused) for key, refused, _ in await remarks(github, token="ghp_wrong")] == [("token", True)]


async def test_a_token_that_only_seems_to_be_allowed_to_write_is_found_out(github: GitHubDouble) -> None:
    given(github)
    github.faults.append(forbidden("POST"))

    assert [(key, refused) for key, refused, _ in await remarks(github)] == [("denied", True)]


async def test_a_public_repository_is_taken_when_that_is_asked_for(github: GitHubDouble) -> None:
    given(github, private=False)

    assert await remarks(github, public=True) == []


async def test_another_default_branch_is_used_and_told(github: GitHubDouble) -> None:
    github.store.push({"README.md": b"mine"}, branch="trunk")
    github.default_branch = "trunk"

    assert await remarks(github) == [("branch", False, {"branch": "trunk"})]


@pytest.mark.parametrize("text", ["2026-03-19 18:42:00 UTC", "2026-03-19 19:42:00 +0100"])
async def test_an_expiring_token_is_told_14_days_ahead(github: GitHubDouble, text: str) -> None:
    given(github, expires=text)

    assert await remarks(github) == [("expiring", False, {"n": 10, "date": "2026-03-19"})]


async def test_a_token_that_lives_on_is_no_news(github: GitHubDouble) -> None:
    given(github, expires="2026-12-19 18:42:00 UTC")

    assert await remarks(github) == []


async def test_a_classic_token_gets_advice(github: GitHubDouble) -> None:
    given(github, scopes="repo, workflow")

    assert await remarks(github) == [("classic", False, {})]


async def test_offline_nothing_is_known(github: GitHubDouble) -> None:
    github.faults.append(Fault("drop"))

    with pytest.raises(RepositoryTrouble) as caught:
        await remarks(github)

    assert caught.value.kind == "offline"
