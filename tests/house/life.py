"""A whole house on a simulated disk with a chat double in front: lives that can be ended at any operation.

The world and the story survive a process; the house does not. `Lives.run` starts processes until the story is told and
nothing is open, and hands each new one the disk that the last one left.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from bot.house import Given, House, build
from core.i18n import load_words
from core.storage.local import LocalStorage
from tests.doubles.chat import Chat, World
from tests.doubles.clock import ManualClock
from tests.doubles.echo_model import EchoModel
from tests.doubles.fault_disk import Killed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tests.doubles.sim_disk import SimDisk

WORDS = load_words(Path(__file__).resolve().parents[2] / "locales")
QUIET_STEPS = 400


@dataclass
class Story:
    """What the person does, one act after another; each act waits until the one before has been dealt with."""

    acts: Sequence[Callable[[World], None]]
    done: int = 0


@dataclass
class Lives:
    """A world, a story, and the processes that live through it."""

    disk: SimDisk
    story: Story
    clock: ManualClock = field(default_factory=lambda: ManualClock(instant=True))
    tokens: frozenset[str] = frozenset()
    starts: int = 0

    def __post_init__(self) -> None:
        self.world = World(self.clock)

    def run(self, reborn: Callable[[SimDisk], SimDisk], *, lives: int = 8) -> None:
        """Live until the story is told; after each death `reborn` makes the next disk from the last one."""
        for _ in range(lives):
            if asyncio.run(self._life()):
                return
            self.disk = reborn(self.disk)
        raise AssertionError(f"the story was not told in {lives} lives")

    async def _life(self) -> bool:
        """One process; True when the story is told, False when it died."""
        self.starts += 1
        self.world.reopen()
        try:
            async with asyncio.TaskGroup() as group:
                house = self._house()
                chat = Chat(self.world, self.disk.effect)
                house.queues.join({"double": chat})
                await house.recover()
                await house.tidy()
                serving = [group.create_task(house.queues.serve()), group.create_task(chat.serve(house.door))]
                await self._tell(house)
                for task in serving:
                    task.cancel()
                house.shut()
        except BaseExceptionGroup as several:
            if several.split(Killed)[0] is None:
                raise
            return False
        return True

    def _house(self) -> House:
        storage = LocalStorage(self.disk)
        model = EchoModel(self.disk.effect)
        return build(Given(self.disk, storage, self.clock, model, WORDS, sweep=storage.sweep))

    async def _tell(self, house: House) -> None:
        while True:
            await self._settled(house)
            if self.story.done == len(self.story.acts):
                return
            act = self.story.acts[self.story.done]
            self.story.done += 1
            act(self.world)

    async def _settled(self, house: House) -> None:
        """Return when the platform holds nothing back and the house has nothing open."""
        for _ in range(QUIET_STEPS):
            await asyncio.sleep(0)  # noqa: TID251 - giving way, not waiting
            if not self.world.queue and house.parts.journal.state.idle:
                return
        raise AssertionError(f"nothing moves any more: {house.parts.journal.state}")
