"""A whole house on a disk with a chat double in front: lives that can be ended at any operation.

The person and the story survive a process; the house does not. `Lives.run` starts processes until the story is told and
nothing is open, and hands each new one the disk that the last one left.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

from bot.house import Given, House, build
from core.errors import DiskLost, StorageError
from core.i18n import load_words
from core.journal.journal import Journal
from core.storage.disk import Disk
from core.storage.local import LocalStorage
from tests.doubles.chat import Chat
from tests.doubles.clock import ManualClock
from tests.doubles.echo_model import EchoModel
from tests.doubles.fault_disk import Killed
from tests.house.ack import unkept
from tests.house.person import Person

if TYPE_CHECKING:
    from core.clock import Clock
    from core.conversation import Inbox, Incoming
    from core.llm.base import ChatModel

WORDS = load_words(Path(__file__).resolve().parents[2] / "locales")
QUIET_STEPS = 4000
COMPACT_ABOVE = 6_000
"""Bytes: early, so that the stories see compactions while they are told."""

Ending = Literal["told", "killed", "lost", "refused"]
Act = Callable[[Person], None]
Effect = Callable[[str], None]


class Ground(Disk, Protocol):
    """A disk that also counts what happens outside of it, and shows all that it holds."""

    def effect(self, name: str) -> None:
        """Count a send, an edit, a call of the model: points of death, too."""

    def tree(self) -> dict[str, bytes]:
        """Every file by its path."""


@dataclass
class Story:
    """What the person does, one act after another; each act waits until the one before has been dealt with."""

    acts: Sequence[Act]
    done: int = 0

    def ahead(self, acts: int | None) -> Story:
        """The story from here on, for so many acts more (None: to its end)."""
        return Story(self.acts if acts is None else self.acts[: self.done + acts], self.done)


class Patient(Chat):
    """The adapter of a platform that delivers again what could not be kept, a little later (reliability 2.9)."""

    async def serve(self, inbox: Inbox) -> None:
        while True:
            updates = await self.world.pending()
            try:
                await inbox.accept(updates)
            except StorageError:
                await self._hold(updates)
                continue
            self._effect("acknowledge")
            self.world.acknowledge(updates)

    async def _hold(self, updates: list[Incoming]) -> None:
        if isinstance(self.world, Person):
            self.world.refused += len(updates)
        await self.world.clock.sleep(5)


def plainly(disk: Disk, clock: Clock, model: ChatModel, life: int) -> House:
    """The house as the bot builds it, save that its journal compacts earlier and temporary names can be foretold."""
    return furnished(
        Journal.open(disk, clock, compact_above=COMPACT_ABOVE), LocalStorage(disk, tags(life)), clock, model
    )


def furnished(journal: Journal, storage: LocalStorage, clock: Clock, model: ChatModel, *, sweep: bool = True) -> House:
    """The house around that journal and storage."""
    given = Given(storage._disk, storage, clock, model, WORDS, sweep=storage.sweeping if sweep else None)
    return build(given, journal)


def tags(life: int) -> Callable[[], str]:
    """Middles of temporary names, never the same in two lives."""
    numbers = count()
    return lambda: f"{life}.{next(numbers):08x}"


@dataclass(frozen=True)
class Kind:
    """What the processes are made of; tests take a rule away by handing in a part that does not keep it."""

    house: Callable[[Disk, Clock, ChatModel, int], House] = plainly
    chat: Callable[[Person, Effect], Chat] = Patient
    model: Callable[[Effect], ChatModel] = EchoModel
    deadly: tuple[type[BaseException], ...] = ()
    """What may also end a process of this kind, as a kill would."""


@dataclass
class Lives:
    """A person, a story, and the processes that live through it."""

    disk: Ground
    story: Story
    person: Person = field(default_factory=lambda: Person(ManualClock(instant=True)))
    kind: Kind = field(default_factory=Kind)
    endings: list[Ending] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    """Promises that were broken on the way, as far as they can be seen only there."""

    def __post_init__(self) -> None:
        self.person.heed = self._heed

    def run(self, reborn: Callable[[Ground], Ground] = lambda dead: dead, *, lives: int = 12) -> None:
        """Live until the story is told; after each death `reborn` makes the next disk from the last one."""
        for _ in range(lives):
            self.endings.append(asyncio.run(self._life()))
            if self.endings[-1] == "told":
                return
            self.disk = reborn(self.disk)
        raise AssertionError(f"the story was not told in {lives} lives: {self.endings}")

    def _heed(self, updates: list[Incoming]) -> None:
        self.broken += unkept(self.disk, updates)

    async def _life(self) -> Ending:
        """One process, and how it ended."""
        self.person.lives += 1
        self.person.reopen()
        try:
            async with asyncio.TaskGroup() as group:
                await self._serve(group)
        except BaseExceptionGroup as several:
            return _ending(several, self.kind.deadly)
        return "told"

    async def _serve(self, group: asyncio.TaskGroup) -> None:
        model = self.kind.model(self.disk.effect)
        house = self.kind.house(self.disk, self.person.clock, model, self.person.lives)
        chat = self.kind.chat(self.person, self.disk.effect)
        house.queues.join({"double": chat})
        await house.recover()
        await house.tidy()
        serving = [group.create_task(house.queues.serve()), group.create_task(chat.serve(house.door))]
        await self._tell(house)
        for task in serving:
            task.cancel()
        await asyncio.wait(serving)
        house.shut()

    async def _tell(self, house: House) -> None:
        while True:
            await self._settled(house)
            if self.story.done == len(self.story.acts):
                return
            act = self.story.acts[self.story.done]
            self.story.done += 1
            act(self.person)

    async def _settled(self, house: House) -> None:
        """Return when the platform holds nothing back and the house has nothing open."""
        for _ in range(QUIET_STEPS):
            await asyncio.sleep(0)  # noqa: TID251 - giving way, not waiting
            if not self.person.queue and house.parts.journal.state.idle:
                return
        raise AssertionError(f"nothing moves any more: {house.parts.journal.state}")


def _ending(several: BaseExceptionGroup[BaseException], deadly: tuple[type[BaseException], ...]) -> Ending:
    """Whatever else happened in a killed process happened to nobody."""
    found = set(_leaves(several))
    if any(isinstance(one, (Killed, *deadly)) for one in found):
        return "killed"
    if any(isinstance(one, DiskLost) for one in found):
        return "lost"
    if all(isinstance(one, StorageError) for one in found):
        return "refused"
    raise several


def _leaves(several: BaseExceptionGroup[BaseException]) -> list[BaseException]:
    return [
        leaf for one in several.exceptions for leaf in (_leaves(one) if isinstance(one, BaseExceptionGroup) else [one])
    ]
