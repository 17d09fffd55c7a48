"""Whoever owned the bot before sees nothing more of it: no briefing, no nudge, no answer, no word about memory."""

from __future__ import annotations

import json

import pytest

from bot.reaching import reaches
from tests.adapters.telegram.stand import MARA, Named, standing
from tests.bot.living import Living, living
from tests.doubles.chat import Chat, World
from tests.doubles.clock import ManualClock
from tests.doubles.echo_model import EchoModel
from tests.doubles.sim_disk import SimDisk

MINUTE = 60


class Owned(Chat):
    """A platform whose owner's chat is known."""

    def __init__(self, world: World, owner: str) -> None:
        super().__init__(world)
        self._owner = owner

    def writes_to(self, chat: str) -> bool:
        return chat == self._owner


async def tick(home: Living, seconds: float) -> None:
    home.world.clock.shift(seconds)
    before = home.house.rounds.done["look"]
    await home.house.schedule.tick(home.world.clock.now())
    await home.until(lambda: home.house.rounds.done["look"] > before and home.house.rounds.resting)


@pytest.mark.parametrize(("owner", "posts"), [("1", 1), ("2", 0)])
async def test_a_briefing_waits_only_in_the_chat_of_the_owner_of_today(owner: str, posts: int) -> None:
    disk, world = SimDisk(), World(ManualClock(instant=True))
    disk.plant("memory/user/bot.json", json.dumps({"briefing": {"mode": "waiting", "nudge": True}}).encode())
    async with living(EchoModel(), disk=disk, world=world) as home:
        await home.say("the kiln is cold")
    before = len(world.finals())
    async with living(EchoModel(), disk=disk, world=world, accept=False) as home:
        home.house.queues.join({"double": Owned(world, owner)})
        await tick(home, 20 * MINUTE)
        await tick(home, MINUTE)
    assert len(world.finals()) - before == posts


async def test_the_answer_to_an_owner_of_before_is_kept_and_shown_to_nobody() -> None:
    world = World(ManualClock(instant=True))
    async with living(EchoModel(), world=world, accept=False) as home:
        home.house.queues.join({"double": Owned(world, "2")})
        said = world.say("hello")
        await home.house.door.accept([said])
        await home.until(lambda: home.house.parts.journal.state.idle)
        assert home.texts() == [("user", "hello"), ("agent", "answer to «hello»")]
    assert world.finals() == []


async def test_telegram_writes_to_the_private_chat_of_its_owner_alone() -> None:
    owners = Named()
    async with standing(owners=owners, serve=False) as stand:
        assert reaches(stand.telegram, str(MARA))
        owners.person = "77"
        assert not reaches(stand.telegram, str(MARA))
        assert reaches(stand.telegram, "77")
        owners.person = None
        assert not reaches(stand.telegram, "77")
