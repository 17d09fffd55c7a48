"""A house whose memory is also pushed to GitHub while it talks, for crash tests: every push is a point of death."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from bot.house import Given, House, build
from core.journal.journal import Journal
from core.replica.scribe import MemoryScribe
from core.storage.github.remote import Remote
from core.storage.github.replica import ReplicaStorage
from core.storage.github.repository import Repository
from core.storage.local import LocalStorage
from tests.doubles.github.within import Held, Within
from tests.doubles.sim_disk import SimDisk
from tests.house.life import COMPACT_ABOVE, WORDS, Kind, Patient, tags

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.clock import Clock
    from core.conversation import Inbox
    from core.llm.base import ChatModel
    from core.storage.disk import Disk
    from tests.house.person import Person


class Pushed:
    """The repository of all worlds of a test. Which commit its branches have is the person's to say (`remote`)."""

    def __init__(self) -> None:
        self._github = Held()
        self._remote: Remote | None = None
        self._written = asyncio.Event()

    def kind(self) -> Kind:
        """What its processes are made of."""
        return Kind(house=self._house, chat=self._chat)

    def _house(self, disk: Disk, clock: Clock, model: ChatModel, life: int) -> House:
        assert isinstance(disk, SimDisk)
        journal = Journal.open(disk, clock, compact_above=COMPACT_ABOVE)
        local, wire = LocalStorage(disk, tags(life)), Within(self._github, disk.effect)
        remote = Remote(Repository(wire, "mara", "memory", clock), disk, local, MemoryScribe(), clock, "house")
        self._remote, self._written = remote, asyncio.Event()
        storage = ReplicaStorage(local, self._wrote)
        given = Given(disk, storage, clock, model, WORDS, sweep=local.sweeping)
        return build(given, journal)

    def _wrote(self, paths: set[str], message: str) -> None:
        assert self._remote
        self._remote.courier.wrote(paths, message)
        self._written.set()

    def _chat(self, person: Person, effect: Callable[[str], None]) -> Patient:
        assert self._remote
        self._github.held.refs = person.remote
        if not person.remote:
            self._github.store.push({"README.md": b"mine"})
        return Pushing(person, effect, self._remote, self._written, self._github)


class Pushing(Patient):
    """The adapter of a platform, and the courier beside it."""

    def __init__(
        self, person: Person, effect: Callable[[str], None], remote: Remote, written: asyncio.Event, github: Held
    ) -> None:
        super().__init__(person, effect)
        self._remote = remote
        self._written = written
        self._github = github

    async def serve(self, inbox: Inbox) -> None:
        courier = self._remote.courier
        await courier.begin()
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._push())
                await super().serve(inbox)
        except asyncio.CancelledError:
            assert await courier.flush(), "something was never pushed"
            self._compare()
            raise

    async def _push(self) -> None:
        while True:
            await self._remote.courier.round(force=True)
            await self._written.wait()
            self._written.clear()

    def _compare(self) -> None:
        """At an orderly end all of memory is in the repository, and nothing else of ours."""
        disk = self._remote.disk
        assert isinstance(disk, SimDisk)
        here = {path: data for path, data in disk.tree().items() if path.startswith("memory/")}
        there = {path: data for path, data in self._github.store.contents().items() if path.startswith("memory/")}
        differ = sorted(path for path in here.keys() | there.keys() if here.get(path) != there.get(path))
        assert differ == [], f"the repository differs: {differ}"
