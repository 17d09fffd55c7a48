"""A house that lives for the length of a test: a simulated disk, a chat in front, a model of the test's choice."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from bot.house import Given, House, build
from core.errors import Unavailable
from core.i18n import load_words
from core.llm.base import Message
from core.slices.codec import decode
from core.storage.local import LocalStorage
from tests.doubles.chat import Chat, World
from tests.doubles.clock import ManualClock
from tests.doubles.sim_disk import SimDisk

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from core.conversation import Attachment, Incoming
    from core.llm.base import ChatModel, Listen, ToolSpec
    from core.slices.model import Slice, Turn

ROUNDS = 6_000
WORDS = load_words(Path(__file__).resolve().parents[2] / "locales")


@dataclass
class Worker:
    """A worker that notices nothing and changes no card; `marks` is what it says of closing slices, in turn."""

    marks: list[Message | Exception | Callable[[], Message]] = field(default_factory=list)
    name: str = "worker"

    async def complete(self, messages: Sequence[Message], tools: Sequence[ToolSpec], on_event: Listen) -> Message:
        forced = next((tool.name for tool in tools if tool.forced), "")
        if forced != "mark_slice" or not self.marks:
            raise Unavailable("the worker rests")
        said = self.marks.pop(0)
        if isinstance(said, Exception):
            raise said
        return said if isinstance(said, Message) else said()


@dataclass
class Living:
    """The house and the world in front of it."""

    house: House
    world: World
    disk: SimDisk

    async def idle(self) -> None:
        """Wait until nothing is open and nothing is on its way."""
        state = self.house.parts.journal.state
        await self.until(lambda: not self.world.queue and state.idle)

    async def until(self, true: Callable[[], bool]) -> None:
        """Wait until it is so."""
        for _ in range(ROUNDS):
            await asyncio.sleep(0)  # noqa: TID251 - giving way, not waiting
            if true():
                return
        raise AssertionError(f"it never came to be: {self.house.parts.journal.state}")

    async def say(self, text: str, pause: float = 30, attachments: tuple[Attachment, ...] = ()) -> Incoming:
        """The person says something after that many seconds, and it is dealt with."""
        self.world.clock.shift(pause)
        said = self.world.say(text, attachments=attachments)
        await self.idle()
        return said

    def slices(self) -> list[Slice]:
        """The slices as they are on the disk, oldest first."""
        tree = self.disk.tree()
        return [decode(tree[path], path) for path in sorted(tree) if path.endswith("/core.md")]

    def turns(self) -> list[Turn]:
        """All turns of all slices."""
        return [turn for piece in self.slices() for turn in piece.turns]

    def texts(self) -> list[tuple[str, str]]:
        """Role and text of all turns."""
        return [(turn.role, turn.text) for turn in self.turns()]

    def file(self, ending: str) -> str:
        """The newest file whose path ends so; "" when there is none."""
        found = [data for path, data in sorted(self.disk.tree().items()) if path.endswith(ending)]
        return found[-1].decode() if found else ""


@asynccontextmanager
async def living(
    model: ChatModel,
    *,
    disk: SimDisk | None = None,
    world: World | None = None,
    zone: str = "UTC",
    patience: float = 60.0,
    worker: ChatModel | None = None,
    accept: bool = True,
) -> AsyncIterator[Living]:
    """Open the house, recover, serve, and shut it at the end; `accept` False leaves it deaf until the test says so."""
    disk = disk or SimDisk()
    world = world or World(ManualClock(instant=True))
    world.reopen()
    storage = LocalStorage(disk)
    given = Given(disk, storage, world.clock, model, WORDS, zone, worker=worker or Worker(), patience=patience)
    house = build(replace(given, sweep=storage.sweeping))
    chat = Chat(world)
    house.queues.join({"double": chat})
    async with asyncio.TaskGroup() as group:
        await house.recover()
        serving = [group.create_task(house.queues.serve())]
        if accept:
            serving.append(group.create_task(chat.serve(house.door)))
        yield Living(house, world, disk)
        for task in serving:
            task.cancel()
    house.shut()
