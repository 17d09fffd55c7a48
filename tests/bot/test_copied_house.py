"""A house whose disk does not last: at every call to GitHub the machine is lost, and nothing that was said is."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bot.house import Given, build
from bot.repository import Copy
from bot.settling import Settling
from core.errors import Unsettled
from core.replica.scribe import MemoryScribe
from core.slices.codec import decode
from core.storage.github.remote import Remote
from core.storage.github.repository import Repository
from core.storage.github.wire import Wire
from core.storage.local import LocalStorage
from core.storage.ram_disk import RamDisk
from tests.bot.living import WORDS, Worker
from tests.doubles.chat import Chat, World
from tests.doubles.clock import ManualClock
from tests.doubles.echo_model import EchoModel
from tests.doubles.fault_disk import HALF, KILL, FaultDisk
from tests.doubles.fault_disk import Fault as DiskFault
from tests.doubles.github.faults import Fault
from tests.doubles.github.server import TOKEN, GitHubDouble

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from core.conversation import Inbox
    from core.llm.base import Listen, Message, ToolSpec
    from core.storage.disk import Disk

GOLDEN = Path(__file__).resolve().parents[1] / "golden/github/layout.txt"
TALK = ("I moved to the harbour.", "The rent is 380 a month.", "My bicycle is red.")


@pytest.fixture
def github(tmp_path: Path) -> Iterator[GitHubDouble]:
    double = GitHubDouble(tmp_path / "repository.git")
    double.store.push({"README.md": b"mine"})
    yield double
    wrong, unsound = double.store.fsck(), list(double.refused)
    double.stop()
    assert (wrong, unsound) == ("", [])


class Polled(Chat):
    """Polls as Telegram's client does: what is not settled stays with the platform and comes again."""

    async def serve(self, inbox: Inbox) -> None:
        while True:
            updates = await self.world.pending()
            try:
                await inbox.accept(updates)
            except Unsettled:
                await asyncio.sleep(0.002)  # noqa: TID251 - the wire has a thread of its own
                continue
            self.world.acknowledge(updates)


@dataclass
class Doom:
    """The machine is lost at the `at`-th call to GitHub: before it is carried out, or just after."""

    at: int
    after: bool
    count: int = 0
    dead: bool = False
    seen: list[str] = field(default_factory=list)

    def __call__(self, what: str) -> Fault | None:
        if self.dead:
            return Fault("drop")
        self.count += 1
        self.seen.append(what)
        if self.count == self.at:
            self.dead = True
            return Fault("after" if self.after else "drop")
        return None


class Mute(EchoModel):
    """A model that is asked and never answers."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = False

    async def complete(self, messages: Sequence[Message], tools: Sequence[ToolSpec], on_event: Listen) -> Message:
        self.asked = True
        await asyncio.Event().wait()
        raise AssertionError("nobody sets it")


async def live(
    github: GitHubDouble,
    world: World,
    disk: Disk,
    *,
    patient: bool,
    doom: Doom | None = None,
    mute: Mute | None = None,
) -> None:
    """A process on that disk until all is acknowledged and answered, or until its doom.

    With a `mute` model it is until everything is acknowledged and the answer is awaited.
    """
    world.reopen()
    if disk.stat("state") is None:
        disk.make_folder("state")
    wire = Wire(TOKEN, github.url, patience=5)
    local, clock = LocalStorage(disk), world.clock
    remote = Remote(Repository(wire, "mara", "memory", clock), disk, local, MemoryScribe(), clock, f"house {id(disk)}")
    copy = Copy(remote, wire)
    try:
        async with asyncio.timeout(20):
            await remote.courier.begin()
            settle = Settling(remote.courier, clock, patient=patient)
            given = Given(
                disk, remote.storage, clock, mute or EchoModel(), WORDS, "UTC", worker=Worker(), settle=settle
            )
            house = build(given)
            await copy.join(house)
            chat = Polled(world)
            house.queues.join({"double": chat})
            async with asyncio.TaskGroup() as group:
                await house.recover()
                tasks = [group.create_task(house.queues.serve()), group.create_task(chat.serve(house.door))]
                while not (doom and doom.dead):
                    await asyncio.sleep(0.002)  # noqa: TID251
                    if mute and mute.asked and not world.queue:
                        break
                    if not world.queue and house.parts.journal.state.idle and await remote.courier.settled():
                        break
                for task in tasks:
                    task.cancel()
            house.parts.journal.close()
    finally:
        wire.close()


def turns(github: GitHubDouble) -> Counter[tuple[str, str]]:
    files = github.store.contents()
    cores = [path for path in files if path.endswith("/core.md")]
    return Counter((turn.role, turn.text) for path in cores for turn in decode(files[path], path).turns)


def wanted(texts: tuple[str, ...]) -> Counter[tuple[str, str]]:
    said = [("user", text) for text in texts]
    return Counter([*said, *(("agent", f"answer to «{text}»") for text in texts)])


async def story(github: GitHubDouble, *, patient: bool, doom: Doom | None = None) -> World:
    """Three messages; the machine may be lost once, its disk with it."""
    world = World(ManualClock(instant=True))
    github.plan = doom
    disk = RamDisk()
    for text in TALK:
        world.clock.shift(40)
        world.say(text)
        try:
            await live(github, world, disk, patient=patient, doom=doom)
        except Exception:
            if doom is None or not doom.dead:
                raise
        if doom and doom.dead and github.plan:
            github.plan, disk, doom = None, RamDisk(), None
            await live(github, world, disk, patient=patient)
    return world


@pytest.mark.parametrize("patient", [True, False], ids=["webhook", "polling"])
async def test_a_talk_on_a_disk_that_does_not_last_is_on_github_message_by_message(
    github: GitHubDouble, patient: bool
) -> None:
    await story(github, patient=patient)

    assert turns(github) == wanted(TALK)


async def test_with_a_webhook_the_words_are_pushed_in_a_commit_of_their_own(github: GitHubDouble) -> None:
    await story(github, patient=True)

    named = [commit.message for commit in github.store.log() if commit.message.startswith("Turn")]
    assert len(named) == len(TALK)


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("at", [5, 9])
async def test_a_machine_lost_at_a_call_to_github_loses_no_word_and_says_nothing_twice(
    github: GitHubDouble, at: int, after: bool
) -> None:
    await story(github, patient=False, doom=Doom(at, after))

    assert turns(github) == wanted(TALK)


@pytest.mark.long
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("at", range(1, 30))
async def test_a_machine_lost_at_any_call_to_github_loses_no_word(github: GitHubDouble, at: int, after: bool) -> None:
    await story(github, patient=False, doom=Doom(at, after))

    assert turns(github) == wanted(TALK)


async def test_with_state_deleted_between_turns_nothing_is_answered_twice(github: GitHubDouble) -> None:
    world = World(ManualClock(instant=True))
    first = world.say(TALK[0])
    await live(github, world, RamDisk(), patient=False)
    world.deliver(first)
    world.say(TALK[1])

    await live(github, world, RamDisk(), patient=False)

    assert turns(github) == wanted(TALK[:2])


async def test_what_was_acknowledged_over_a_webhook_and_not_answered_is_answered_once_on_a_fresh_disk(
    github: GitHubDouble,
) -> None:
    world = World(ManualClock(instant=True))
    message = world.say(TALK[0])
    await live(github, world, RamDisk(), patient=True, mute=Mute())
    assert turns(github) == Counter([("user", TALK[0])])

    await live(github, world, RamDisk(), patient=True)

    assert turns(github) == wanted(TALK[:1])
    assert [text for text in world.finals() if text.startswith("answer")] == [f"answer to «{TALK[0]}»"]
    world.deliver(message)  # the platform did not hear that it was taken
    world.clock.shift(40)
    world.say(TALK[1])
    await live(github, world, RamDisk(), patient=True)
    assert turns(github) == wanted(TALK[:2])


async def test_words_that_the_person_would_not_wait_for_any_longer_stay_as_they_are(github: GitHubDouble) -> None:
    world = World(ManualClock(instant=True))
    world.say(TALK[0])
    await live(github, world, RamDisk(), patient=True, mute=Mute())
    world.clock.shift(2 * 86_400)

    await live(github, world, RamDisk(), patient=True)

    assert turns(github) == Counter([("user", TALK[0])])


async def killed_story(github: GitHubDouble, at: int, fault: DiskFault) -> int:
    """Three messages on a disk that stays; the process is killed at its `at`-th operation. How many there were."""
    world, kept = World(ManualClock(instant=True)), RamDisk()
    kept.make_folder("state")
    disk = FaultDisk(kept)
    disk.fail_at(at, fault)
    for text in TALK:
        world.clock.shift(40)
        world.say(text)
        try:
            await live(github, world, disk, patient=False)
        except BaseException:
            if not disk.fuse.dead:
                raise
            disk = FaultDisk(kept)
            await live(github, world, disk, patient=False)
    return disk.operations


@pytest.mark.parametrize("fault", [KILL, HALF], ids=["kill", "half a write"])
@pytest.mark.parametrize("at", [40, 333, 480])
async def test_a_process_killed_at_an_operation_of_its_disk_goes_on_with_the_pusher(
    github: GitHubDouble, at: int, fault: DiskFault
) -> None:
    await killed_story(github, at, fault)

    assert turns(github) == wanted(TALK)


@pytest.mark.long
async def test_a_process_killed_at_any_operation_of_its_disk_goes_on_with_the_pusher(tmp_path: Path) -> None:
    whole = GitHubDouble(tmp_path / "whole.git")
    whole.store.push({"README.md": b"mine"})
    last = await killed_story(whole, 0, KILL)
    whole.stop()
    wrong = []
    for at in range(1, last, 7):
        double = GitHubDouble(tmp_path / f"{at}.git")
        double.store.push({"README.md": b"mine"})
        await killed_story(double, at, (KILL, HALF)[at % 2])
        wrong += [at] if turns(double) != wanted(TALK) or double.store.fsck() else []
        double.stop()

    print(f"{len(range(1, last, 7))} deaths among {last} operations of the disk, pusher on: {len(wrong)} wrong")  # noqa: T201
    assert wrong == []


async def test_the_layout_of_the_repository_is_pinned(github: GitHubDouble) -> None:
    await story(github, patient=False)

    paths = sorted(github.store.contents())
    titles = [commit.message for commit in reversed(github.store.log())]
    told = "\n".join([*paths, "", *(title.replace("\n", " | ") for title in titles)]) + "\n"
    assert told == GOLDEN.read_text(encoding="utf-8")
