"""What the courier does when GitHub refuses, answers get lost, or the network is away."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core.slices.model import core_path
from core.storage.base import ABSENT, Delete, Write, version_of
from tests.core.storage.github.given import Replica
from tests.core.storage.github.talk import SLICE, Talker, turns
from tests.doubles.github.faults import Fault, forbidden, rate_limited

if TYPE_CHECKING:
    from tests.doubles.github.server import GitHubDouble

CORE = core_path(SLICE)
INDEX = "memory/episodic/timeline/index.json"


def titles(double: GitHubDouble) -> list[str]:
    return [commit.message.split("\n")[0] for commit in double.store.log()]


def edited(double: GitHubDouble, path: str, old: bytes, new: bytes) -> None:
    """A person's edit on the site."""
    data = double.store.read(path)
    assert data
    assert old in data
    double.store.push({path: data.replace(old, new)}, "edited by hand")


class TestTrouble:
    @pytest.mark.parametrize("act", ["drop", "after"])
    @pytest.mark.parametrize("graphql", [True, False], ids=["graphql", "rest"])
    async def test_after_a_lost_answer_the_branch_is_read_before_anything_else(
        self, talker: Talker, act: str, graphql: bool
    ) -> None:
        replica, double = talker.replica, talker.replica.double
        replica.repository.graphql = graphql
        double.faults.append(Fault("after" if act == "after" else "drop", "POST /graphql" if graphql else "PATCH"))
        await talker.both("bbbbbb")
        await replica.round()
        double.requests.clear()

        await replica.round()

        assert double.requests[0].startswith("GET")
        assert turns(double.store.read(CORE))[-1] == "bbbbbb agent"
        assert [title for title in titles(double) if "bbbbbb" in title] == [f"Turn {SLICE} bbbbbb"]

    async def test_a_process_that_died_after_its_push_recognises_it(self, talker: Talker) -> None:
        old, double = talker.replica, talker.replica.double
        double.faults.append(Fault("after", "POST /graphql"))
        await talker.both("bbbbbb")
        await old.round()
        await talker.both("cccccc")  # more was said before it died
        new = Replica(double, disk=old.disk)

        await new.courier.begin()
        await new.round()

        assert [title.split(" ")[2] for title in titles(double)[:2]] == ["cccccc", "bbbbbb"]
        assert new.told == []
        new.close()

    @pytest.mark.parametrize(
        ("fault", "rest"),
        [
            (rate_limited(), 60.0),
            (rate_limited(retry_after=37), 37.0),
            (rate_limited(status=429), 60.0),
            (Fault("status", status=502), 2.0),
            (Fault("drop"), 2.0),
        ],
        ids=["secondary", "retry-after", "429", "502", "drop"],
    )
    async def test_trouble_that_passes_makes_the_courier_rest_and_then_all_lands(
        self, talker: Talker, fault: Fault, rest: float
    ) -> None:
        replica, double = talker.replica, talker.replica.double
        await talker.both("bbbbbb")
        replica.clock.shift(30)
        double.faults.append(Fault(fault.act, "POST", 1, fault.status, fault.message, fault.headers))

        await replica.courier.round()

        assert replica.pace.resting() == rest
        assert replica.told == []
        assert replica.courier.lag().waiting == 2
        await replica.round()
        assert turns(double.store.read(CORE))[-1] == "bbbbbb agent"
        assert replica.courier.lag().waiting == 0

    async def test_while_github_limits_nothing_is_asked(self, talker: Talker) -> None:
        replica, double = talker.replica, talker.replica.double
        double.faults.append(rate_limited(retry_after=600))
        await talker.both("bbbbbb")
        replica.clock.shift(30)
        await replica.courier.round()
        double.requests.clear()

        replica.clock.shift(500)
        await replica.courier.round(force=True)

        assert double.requests == []

    async def test_a_token_that_dies_is_told_once_a_day_and_nothing_is_lost(self, talker: Talker) -> None:
        replica, double = talker.replica, talker.replica.double
        double.tokens.clear()
        for number in range(10):
            await talker.both(f"turn0{number}")
            await replica.round()
            replica.clock.shift(3600)
        assert replica.told == [("github.trouble.token", {"repository": "mara/memory"})]
        replica.clock.shift(86_400)
        await replica.round()
        assert len(replica.told) == 2

        double.tokens.add(replica.token)
        await replica.round()

        assert len(turns(double.store.read(CORE))) == 22

    async def test_a_lost_permission_is_told_and_the_talk_goes_on(self, talker: Talker) -> None:
        replica, double = talker.replica, talker.replica.double
        double.faults.append(forbidden("POST", times=2))
        await talker.both("bbbbbb")
        await replica.round()
        assert [key for key, _ in replica.told] == ["github.trouble.denied"]

    async def test_a_day_without_network_ends_with_everything_in_order(self, talker: Talker) -> None:
        replica, double = talker.replica, talker.replica.double
        outage = Fault("drop", times=10_000)
        double.faults.append(outage)
        for number in range(24):
            await talker.both(f"hour{number:02}")
            await replica.round()
            replica.clock.shift(3600)
        assert replica.courier.lag().trouble == "offline"
        assert replica.courier.lag().since is not None
        outage.times = 0

        await replica.round()

        said = [line.split()[0] for line in turns(double.store.read(CORE))]
        assert list(dict.fromkeys(said)) == ["aaaaaa", *(f"hour{number:02}" for number in range(24))]
        assert double.store.log()[0].message.count("Turn-Id: ") == 24
        assert replica.courier.lag().waiting == 0

    async def test_a_secret_stays_here_and_the_rest_goes_on(self, talker: Talker) -> None:
        replica, double = talker.replica, talker.replica.double
        other = Talker(replica, "2026-03-09-1900")
        await talker.say("bbbbbb", "key AKIAIOSFODNN7EXAMPLE")
        await talker.answer("bbbbbb")
        await other.both("cccccc")
        await replica.round()

        assert replica.courier.lag().kept == (CORE,)
        assert ("github.kept.secret", {"path": CORE}) in replica.told
        assert b"AKIA" not in (double.store.read(CORE) or b"")
        assert turns(double.store.read(core_path(other.slice))) == ["cccccc user", "cccccc agent"]
        double.requests.clear()
        await replica.round()
        assert double.count("POST") == 0

        old = await replica.data(CORE) or b""
        clean = old.replace(b"AKIAIOSFODNN7EXAMPLE", b"gone")
        await replica.storage.commit([Write(CORE, clean, version_of(old))], "care edit")
        await replica.round()
        assert double.store.read(CORE) == clean
        assert replica.courier.lag().kept == ()

    async def test_a_large_attachment_stays_here_and_is_listed(self, talker: Talker) -> None:
        replica, double = talker.replica, talker.replica.double
        path = "memory/episodic/slices/2026/03/09/1842/files/aaaaaa-1.jpg"
        await replica.storage.commit([Write(path, b"\xff" * 1_000_001, ABSENT)], "care file")
        await replica.round(force=True)

        assert double.store.read(path) is None
        assert replica.courier.lag().large == (path,)

    async def test_a_deleted_file_is_deleted_there(self, talker: Talker) -> None:
        replica, double = talker.replica, talker.replica.double
        await replica.storage.commit([Write("tasks/a.md", b"a", ABSENT)], "care task")
        await replica.round(force=True)
        await replica.storage.commit([Delete("tasks/a.md", version_of(b"a"))], "care task")
        await replica.round(force=True)

        assert double.store.read("tasks/a.md") is None

    @pytest.mark.parametrize("text", ["", "Welcome to our hotel"], ids=["empty", "another's"])
    async def test_an_answer_that_is_not_githubs_is_trouble_that_passes(self, talker: Talker, text: str) -> None:
        replica, double = talker.replica, talker.replica.double
        await talker.both("bbbbbb")
        replica.clock.shift(30)
        double.faults.append(Fault("status", "GET", 1, 200, text))
        await replica.courier.round()
        assert turns(await replica.data(CORE))[-1] == "bbbbbb agent"

        await replica.round()

        assert turns(double.store.read(CORE))[-1] == "bbbbbb agent"
