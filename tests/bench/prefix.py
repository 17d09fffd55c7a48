"""How many bytes of each request stand in the one before already, as a provider's prompt cache sees it."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING

from bot.house import Given, build
from core.i18n import load_words
from core.llm.base import Message
from core.storage.local import LocalStorage
from tests.bench.figure import Figure
from tests.doubles.chat import Chat, World
from tests.doubles.clock import ManualClock
from tests.doubles.echo_model import EchoModel
from tests.doubles.scripted_model import ScriptedWorker
from tests.doubles.sim_disk import SimDisk
from tests.tree import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from core.llm.base import Listen, ToolSpec
    from tests.bench.archive import Grounds

SAID = "What shall we bake with the apples of this week, and who comes to help on Saturday? 周六做苹果派。"
ANSWERED = "A tart, I would say: the dough rests overnight, and the apples are cut in the morning. " * 6
TURNS = 48


class Baker(EchoModel):
    """Answers at length, and keeps the requests as text."""

    def __init__(self) -> None:
        super().__init__()
        self.requests: list[str] = []

    async def complete(self, messages: Sequence[Message], tools: Sequence[ToolSpec], on_event: Listen) -> Message:
        self.requests.append("\0".join(f"{one.role}\0{one.text}" for one in messages))
        return Message("assistant", ANSWERED)


def figures(grounds: Grounds) -> Iterator[Figure]:
    del grounds
    for name, turns in (("10 turns, one slice", 10), (f"{TURNS} turns, closed by capacity on the way", TURNS)):
        shares = asyncio.run(talk(turns))
        told = f"least {min(shares):.0%}, median {median(shares):.0%}"
        yield Figure(f"reusable bytes of a request: {name}", told, sum(shares) / len(shares))


async def talk(turns: int) -> list[float]:
    """Talk for so many turns, with a topic now and then; for each request the share that the one before began with."""
    clock, disk, model = ManualClock(instant=True), SimDisk(), Baker()
    notices: list[object] = [{"message_tags": {"create": [{"tag": f"topic {n}"}]}} for n in range(turns)]
    given = Given(disk, LocalStorage(disk), clock, model, load_words(ROOT / "locales"), worker=ScriptedWorker(notices))
    house, world = build(given), World(clock)
    world.reopen()
    chat = Chat(world)
    house.queues.join({"double": chat})
    async with asyncio.TaskGroup() as group:
        await house.recover()
        await house.tidy()
        serving = [group.create_task(house.queues.serve()), group.create_task(chat.serve(house.door))]
        for number in range(turns):
            clock.shift(61)
            world.say(f"{number}: {SAID}")
            while world.queue or not house.parts.journal.state.idle:  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0)  # noqa: TID251 - giving way, not waiting
        for task in serving:
            task.cancel()
    house.shut()
    requests = [text.encode() for text in model.requests]
    return [_shared(one, other) / len(other) for one, other in pairwise(requests)]


def _shared(one: bytes, other: bytes) -> int:
    """How many bytes both begin with."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
