from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from core.errors import Ousted
from core.storage.github.lease import LASTS, LOOK, REF, Lease
from tests.core.storage.github.given import Replica
from tests.doubles.clock import ManualClock
from tests.doubles.github.faults import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.doubles.github.server import GitHubDouble


@pytest.fixture
def replica(github: GitHubDouble) -> Iterator[Replica]:
    github.store.push({"README.md": b"mine"})
    made = Replica(github)
    yield made
    made.close()


def tree(replica: Replica) -> str:
    commit = replica.double.store.commit(replica.double.head() or "")
    assert commit
    return commit.tree


async def taken(replica: Replica, holder: str, clock: ManualClock | None = None) -> tuple[Lease, list[str]]:
    lease, told = Lease(replica.repository, clock or replica.clock, holder), list[str]()
    await lease.take(tree(replica), told.append)
    return lease, told


async def test_a_free_repository_is_taken_at_once(replica: Replica) -> None:
    _, told = await taken(replica, "one")

    assert told == []
    assert replica.double.store.ref(f"refs/{REF}")


async def test_a_released_lease_is_taken_at_once(replica: Replica) -> None:
    lease, _ = await taken(replica, "one")
    await lease.release(tree(replica))
    before = replica.clock.monotonic()

    _, told = await taken(replica, "two")

    assert (told, replica.clock.monotonic()) == ([], before)


async def test_a_second_process_waits_and_names_the_first_until_its_lease_expires(replica: Replica) -> None:
    await taken(replica, "one")

    _, told = await taken(replica, "two")

    assert told == ["one"]
    assert LASTS <= replica.clock.monotonic() < LASTS + 3 * LOOK


async def test_a_holder_that_renews_is_never_displaced(replica: Replica) -> None:
    first, _ = await taken(replica, "one")
    clock = ManualClock()
    second = Lease(replica.repository, clock, "two")
    async with asyncio.TaskGroup() as group:
        waiting = group.create_task(second.take(tree(replica), lambda _: None))
        for _ in range(4):
            await asyncio.sleep(0.05)  # noqa: TID251 - lets the thread of the wire answer
            clock.shift(LASTS * 0.6)
            await first.renew(tree(replica))
            await clock.advance(LOOK)
        assert not waiting.done()
        waiting.cancel()


async def test_the_old_holder_ends_when_another_has_taken_over(replica: Replica) -> None:
    first, _ = await taken(replica, "one")
    await taken(replica, "two")

    with pytest.raises(Ousted):
        await first.renew(tree(replica))


async def test_a_renewal_whose_answer_was_lost_is_recognised_as_our_own(replica: Replica) -> None:
    first, _ = await taken(replica, "one")
    replica.double.faults.append(Fault("after", "PATCH"))

    await first.renew(tree(replica))
    await first.renew(tree(replica))
    await first.renew(tree(replica))


async def test_of_two_that_try_at_once_one_gets_through(github: GitHubDouble, replica: Replica) -> None:
    other = Replica(github)
    leases = [Lease(replica.repository, replica.clock, "one"), Lease(other.repository, other.clock, "two")]
    told: list[str] = []

    async with asyncio.TaskGroup() as group:
        for lease in leases:
            group.create_task(lease.take(tree(replica), told.append))

    assert len(told) == 1  # the other waited for the whole lease
    other.close()


async def test_offline_a_holder_goes_on(replica: Replica) -> None:
    first, _ = await taken(replica, "one")
    replica.double.faults.append(Fault("drop", "", times=1))

    await first.renew(tree(replica))
