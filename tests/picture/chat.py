"""A short chat of the demo person Mara, over the double of Telegram: a briefing, a scripted answer, the timeline."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from adapters.pictures import drawn
from bot.house import Given, build
from core.storage.demo import DemoStorage
from core.storage.persona import PersonaStorage
from core.storage.ram_disk import RamDisk
from tests.adapters.telegram.stand import MARA, WORDS, Named, adapter
from tests.adapters.telegram.waiting import until
from tests.adapters.telegram.week import Friend, StepClock
from tests.bot.living import Worker
from tests.doubles.telegram.people import Person
from tests.doubles.telegram.server import TelegramServer
from tests.doubles.telegram.world import TelegramWorld
from tests.tree import ROOT

if TYPE_CHECKING:
    from collections.abc import Sequence

ANSWER: Final = """\
**380 a month**, electricity shared, for half of Leonor's hall: Armazém 7, with a concrete floor and a real gate. \
She offered it on 2 October 2024 (2024-10-02-1205), and you moved in on Saturday, 7 December (2024-12-14-1046).
"""
SAID: Final = ("How much is the rent at Marvila?", "/timeline")
START: Final = "2026-11-30T09:12:00"


async def chat(said: Sequence[str] = SAID, start: str = START) -> TelegramWorld:
    """What stands in the chat after that was said."""
    clock = StepClock(f"{start}+00:00")
    world = TelegramWorld(clock)
    disk = RamDisk()
    disk.make_folder("state")
    storage = DemoStorage(PersonaStorage(ROOT / "identity" / "personas" / "mara"))
    model = Friend(clock, {"": ANSWER}, {"rent": "rent Marvila hall"})
    given = Given(disk, storage, clock, model, WORDS, "Europe/Lisbon", worker=Worker(), demo=True)
    house = build(given)
    mara = Person(world, MARA)
    async with TelegramServer(world).running() as server:
        telegram = adapter(server, Named(), clock, house.queues.stop, draw=drawn, sayings=house.sayings)
        house.queues.join({"telegram": telegram})
        async with asyncio.TaskGroup() as group:
            await house.recover()
            serving = [group.create_task(house.queues.serve()), group.create_task(telegram.serve(house.door))]
            for text in said:
                mara.say(text)
                await until(lambda: not world.queue and house.parts.journal.state.idle)
            for task in serving:
                task.cancel()
        house.shut()
    return world
