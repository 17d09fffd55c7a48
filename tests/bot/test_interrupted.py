"""A message that comes while a close runs lands in exactly one slice and is answered, at whatever point it comes."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from core.llm.base import Message, ToolCall
from core.slices.model import CARD_PATH
from tests.bot.living import Living, living
from tests.core.carded import CARD
from tests.doubles.echo_model import EchoModel
from tests.doubles.model import calls
from tests.doubles.sim_disk import SimDisk

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.llm.base import Listen, ToolSpec

SILENCE = 15 * 60
MOST = 400
MARKS = {"focus": "Bread", "summary": "Bread was spoken of.", "tags": ["bread"], "tone": "neutral"}


class Busy:
    """A worker that gives way before it answers: marks, an empty pass over the card, nothing noticed."""

    name = "worker"

    async def complete(self, messages: Sequence[Message], tools: Sequence[ToolSpec], on_event: Listen) -> Message:
        await breathe(2)
        forced = next((tool.name for tool in tools if tool.forced), "")
        if forced == "mark_slice":
            return calls((forced, MARKS))
        return Message("assistant", "", (ToolCall("x", forced or tools[0].name, "{}"),), finish="tools")


async def breathe(count: int) -> None:
    for _ in range(count):
        await asyncio.sleep(0)  # noqa: TID251 - giving way, not waiting


def settled(home: Living) -> bool:
    rounds = home.house.rounds
    return home.house.parts.journal.state.idle and rounds.resting and not home.house.maintenance.due


async def interrupted(after: int) -> bool:
    """Talk, fall silent, tick, and say something that many steps later; whether the close was over by then."""
    disk = SimDisk()
    disk.plant(CARD_PATH, CARD.encode())
    async with living(EchoModel(), worker=Busy(), disk=disk) as home:
        await home.say("bread")
        home.world.clock.shift(SILENCE)
        before = home.house.rounds.done["look"]
        await home.house.schedule.tick(home.world.clock.now())
        await breathe(after)
        over = home.house.rounds.done["look"] > before and settled(home)
        home.world.say("boats")
        await home.idle()
        await home.until(lambda: settled(home) and bool(home.slices()[0].focus))

        talked = [[(turn.role, turn.text) for turn in piece.turns] for piece in home.slices()]
        assert talked == [
            [("user", "bread"), ("agent", "answer to «bread»")],
            [("user", "boats"), ("agent", "answer to «boats»")],
        ], after
        first, second = home.slices()
        assert (first.closed_by, first.end, first.focus) == ("time_silence", first.turns[-1].at, "Bread"), after
        assert not second.closed
        assert home.world.finals()[-1] == "answer to «boats»"
        assert len(home.world.finals()) == 3, (after, home.world.finals())  # two answers and a briefing between them
    return over


@pytest.mark.parametrize("stride", [11, pytest.param(1, marks=pytest.mark.long)])
async def test_at_every_point_of_a_close_a_message_lands_in_one_slice_and_is_answered(stride: int) -> None:
    for after in range(0, MOST, stride):
        if await interrupted(after):
            assert after > 100  # so many steps a close takes at least
            return
    raise AssertionError(f"the close was never over within {MOST} steps")
