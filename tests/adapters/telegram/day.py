"""The whole house behind the real adapter: lives that begin and end, on one disk, before one Telegram."""

from __future__ import annotations

import asyncio
import json
import re
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from bot.house import Given, House, build
from bot.owners import welcome_page
from core.config.values import BOT_PATH
from core.llm.base import Message, TextDelta
from core.slices.codec import decode
from core.storage.local import LocalStorage
from tests.adapters.telegram.stand import COMMANDS, MARA, TAPPED, WORDS, Named, adapter
from tests.adapters.telegram.waiting import until
from tests.bot.living import Worker
from tests.doubles.quick_clock import QuickClock
from tests.doubles.sim_disk import SimDisk
from tests.doubles.telegram.people import Person
from tests.doubles.telegram.server import TelegramServer
from tests.doubles.telegram.world import TelegramWorld

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from adapters.telegram.client import Telegram
    from core.llm.base import ChatModel, Listen, ToolSpec
    from core.slices.model import Turn

TOKEN = re.compile(r"<m\d+>")


class Teller:
    """A model that answers what it was asked last, word by word; `pause` seconds lie between the words."""

    name = "teller"

    def __init__(self, clock: QuickClock, pause: float = 0.0, filler: int = 0) -> None:
        self.clock = clock
        self.pause = pause
        self.filler = filler
        self.requests: list[str] = []

    async def complete(self, messages: Sequence[Message], tools: Sequence[ToolSpec], on_event: Listen) -> Message:
        said = next(message.text for message in reversed(messages) if message.role == "user")
        self.requests.append(said)
        words = ["answer", "to", *TOKEN.findall(said), *(f"word{number}" for number in range(self.filler))]
        for word in words:
            await on_event(TextDelta(f"{word} "))
            await self.clock.sleep(self.pause)
        return Message("assistant", " ".join(words))


@dataclass
class Day:
    """What outlives the process."""

    world: TelegramWorld
    mara: Person
    server: TelegramServer
    disk: SimDisk
    clock: QuickClock
    model: Any
    house: House | None = None
    telegram: Telegram | None = None

    @asynccontextmanager
    async def life(
        self, *, killed: bool = False, worker: ChatModel | None = None, **options: Any
    ) -> AsyncIterator[House]:
        """One process, which ends in order, or is `killed` in the middle of whatever it does."""
        storage = LocalStorage(self.disk)
        given = Given(self.disk, storage, self.clock, self.model, WORDS, "UTC", worker=worker or Worker())
        house = self.house = build(replace(given, sweep=storage.sweeping))
        telegram = self.telegram = adapter(
            self.server,
            Named(),
            self.clock,
            house.queues.stop,
            commands=COMMANDS,
            welcome=lambda person, words: welcome_page("telegram", person, words),
            sayings=house.sayings,
            back=lambda chat: house.queues.back("telegram", chat),
            spoken=lambda: house.parts.config.spoken,
            **options,
        )
        house.queues.join({"telegram": telegram})
        async with asyncio.TaskGroup() as group:
            await house.recover()
            serving = [group.create_task(house.queues.serve()), group.create_task(telegram.serve(house.door))]
            yield house
            for task in serving:
                task.cancel()
        if not killed:
            house.shut()

    async def idle(self) -> None:
        """Wait until everything has been dealt with."""
        house = self.house
        assert house
        await until(lambda: not self.world.queue and house.parts.journal.state.idle)

    def turns(self) -> list[Turn]:
        """All turns on the disk, oldest first."""
        tree = self.disk.tree()
        slices = [decode(tree[path], path) for path in sorted(tree) if path.endswith("/core.md")]
        return [turn for piece in slices for turn in piece.turns]

    def stored(self, token: str) -> int:
        """How often the person said it, as the slices have it."""
        return sum(turn.role == "user" and token in turn.text for turn in self.turns())

    def answered(self, token: str) -> int:
        """How many messages in the chat answer it, folds below the answer aside."""
        firsts = (text.partition("\n")[0] for text in self.world.shown(MARA))
        return sum(text.startswith("answer to") and token in text for text in firsts)


@asynccontextmanager
async def day(speed: float = 60.0, *, zone: str = "UTC", clock: QuickClock | None = None) -> AsyncIterator[Day]:
    """Telegram and a disk, and nobody between them yet; the person's zone is on file unless it is empty."""
    clock = clock or QuickClock("2026-03-09T09:00:00+00:00", speed)
    world = TelegramWorld(clock)
    world.answer_tap = TAPPED
    async with TelegramServer(world).running() as server:
        one = Day(world, Person(world, MARA), server, SimDisk(), clock, Teller(clock))
        if zone:
            one.disk.plant(BOT_PATH, json.dumps({"timezone": zone}).encode())
        yield one
