"""A house whose models are chosen by settings and catalog, over any wire: a script, or the real libraries."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from bot.house import Given, build
from core.config import Config
from core.llm.ceiling import Spending
from core.llm.driver.limits import Patience
from core.llm.models import build_models
from core.llm.providers import Access
from core.storage.local import LocalStorage
from tests.bot.living import WORDS, Living
from tests.core.llm.test_catalog import Lists
from tests.doubles.chat import Chat, World
from tests.doubles.clock import ManualClock
from tests.doubles.sim_disk import SimDisk

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from core.llm.base import ChatModel
    from core.llm.ceiling import Ceiling
    from core.llm.driver.wire import Wire

ENDED = 90.0
"""Seconds of the real clock after which a test that waits for the house has failed."""


@dataclass
class Routed(Living):
    """The house; real libraries work in a thread aside, so idling waits by the real clock."""

    async def idle(self) -> None:
        """Wait until nothing is open and nothing is on its way."""
        state = self.house.parts.journal.state
        async with asyncio.timeout(ENDED):
            while self.world.queue or not state.idle:  # noqa: ASYNC110 - the journal is no event
                await asyncio.sleep(0.001)  # noqa: TID251 - the libraries' thread needs the processor

    def last(self) -> str:
        """What the bot's newest message reads now."""
        return self.world.finals()[-1]

    async def ask(self, text: str, pause: float = 30) -> str:
        """What a message or command is answered with."""
        await self.say(text, pause)
        return self.last()


@dataclass
class Plan:
    """How models are reached: keys and addresses by provider, lists, the cost of a day, how long one waits."""

    keys: Mapping[str, str] = field(default_factory=lambda: {"deepseek": "k1", "anthropic": "k2"})
    bases: Mapping[str, str] = field(default_factory=dict)
    lists: Lists = field(default_factory=Lists)
    ceiling: Ceiling | None = None
    patience: Patience = field(default_factory=Patience)
    worker: ChatModel | None = None


@asynccontextmanager
async def routed(
    wire: Wire, plan: Plan | None = None, disk: SimDisk | None = None, world: World | None = None
) -> AsyncIterator[Routed]:
    """Open the house over this wire, serve, and shut it at the end; disk and world may be those of an earlier one."""
    plan, disk = plan or Plan(), disk or SimDisk()
    world = world or World(ManualClock(instant=True))
    world.reopen()
    storage = LocalStorage(disk)
    config = Config(storage, world.clock)
    models = build_models(
        Access(dict(plan.keys), dict(plan.bases)), world.clock, WORDS, config, wire=wire, lister=plan.lists,
        spending=Spending(world.clock), ceiling=plan.ceiling, patience=plan.patience,
    )  # fmt: skip
    given = Given(disk, storage, world.clock, models.main, WORDS, config=config, models=models)
    house = build(replace(given, worker=plan.worker or models.worker, sweep=storage.sweeping))
    chat = Chat(world)
    house.queues.join({"double": chat})
    async with asyncio.TaskGroup() as group:
        await house.recover()
        serving = [group.create_task(house.queues.serve()), group.create_task(chat.serve(house.door))]
        yield Routed(house, world, disk)
        for task in serving:
            task.cancel()
    house.shut()
