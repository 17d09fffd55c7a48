"""What can hit one person's bot at once, as reliability.md 5 has it: bursts, edits, a thousand messages, a stop."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from core.llm.base import Message
from tests.bot.living import living
from tests.doubles.chat import World
from tests.doubles.clock import ManualClock, settle
from tests.doubles.echo_model import EchoModel
from tests.doubles.model import EndlessModel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.llm.base import Listen, ToolSpec


@dataclass
class Terse:
    """A model that says little; `calls` counts how often it was asked."""

    calls: int = 0
    name: str = "terse"

    async def complete(self, messages: Sequence[Message], tools: Sequence[ToolSpec], on_event: Listen) -> Message:
        self.calls += 1
        return Message("assistant", "noted")


@pytest.mark.parametrize(("count", "turns"), [(120, 8), pytest.param(1_000, 67, marks=pytest.mark.long)])
async def test_long_messages_that_come_all_at_once_are_answered_fifteen_at_a_time_in_order_and_none_is_lost(
    count: int, turns: int
) -> None:
    model = Terse()
    async with living(model) as home:
        for number in range(count):
            home.world.say(f"{number:04d} ".ljust(4_000, "x"))
            home.world.clock.shift(0.001)
        await home.idle()
        said = [turn.text for turn in home.turns() if turn.role == "user"]

    numbers = [int(part[:4]) for text in said for part in text.split("\n\n")]
    assert numbers == list(range(count))
    assert (len(said), model.calls) == (turns, turns)
    told = f"{count - 15} messages wait behind this one. /skip stores them without an answer."
    assert home.world.finals() == [told, *["noted"] * turns]
    assert [turn.role for turn in home.turns()] == ["user", "agent"] * turns


class Slow(Terse):
    """A model that takes six seconds (measured, reliability 5)."""

    def __init__(self, clock: ManualClock) -> None:
        super().__init__()
        self.clock = clock

    async def complete(self, messages: Sequence[Message], tools: Sequence[ToolSpec], on_event: Listen) -> Message:
        await self.clock.sleep(6)
        return await super().complete(messages, tools, on_event)


async def test_short_lines_that_keep_coming_are_answered_every_eight_seconds() -> None:
    world = World(ManualClock())
    async with living(Slow(world.clock), world=world) as home:
        for number in range(40):
            world.say(f"line {number}")
            await world.clock.advance(0.9)
        for _ in range(20):
            await world.clock.advance(1)
            await settle()
        await home.idle()
        said = [turn.text for turn in home.turns() if turn.role == "user"]

    lines = [line for text in said for line in text.split("\n\n")]
    assert lines == [f"line {number}" for number in range(40)]
    assert len(said) == 6  # the first at once; then none waits longer than eight seconds and the answer before it
    assert all(len(text.split("\n\n")) <= 10 for text in said)


async def test_a_hundred_edits_after_the_answer_are_one_note_and_no_call_of_a_model() -> None:
    model = EchoModel()
    async with living(model) as home:
        message = await home.say("version 0")
        asked = model.calls
        for number in range(1, 101):
            home.world.edit(message, f"version {number}")
            home.world.clock.shift(0.01)
        await home.idle()

        assert model.calls == asked
        (said, _answer) = home.texts()

    assert said[1].startswith("version 0\n\n[edited ")
    assert said[1].endswith("] version 100")
    assert said[1].count("[edited") == 1


async def test_what_was_said_while_an_answer_is_stopped_gets_turns_of_its_own() -> None:
    class Once(EchoModel):
        """Never ends its first answer."""

        def __init__(self) -> None:
            super().__init__()
            self.endless = EndlessModel("half")

        async def complete(self, messages: Sequence[Message], tools: Sequence[ToolSpec], on_event: Listen) -> Message:
            if self.endless.silent.is_set():
                return await super().complete(messages, tools, on_event)
            return await self.endless.complete(messages, tools, on_event)

    model = Once()
    async with living(model) as home:
        home.world.say("tell me everything")
        await asyncio.wait_for(model.endless.silent.wait(), 10)
        for text in ("never mind", "what about bread?"):
            home.world.clock.shift(20)
            home.world.say(text)
        await home.until(lambda: not home.world.queue)
        assert await home.house.queues.stop()
        await home.idle()

    assert home.texts() == [
        ("user", "tell me everything"), ("agent", "[partial] half"),
        ("user", "never mind"), ("agent", "answer to «never mind»"),
        ("user", "what about bread?"), ("agent", "answer to «what about bread?»"),
    ]  # fmt: skip


async def test_messages_around_four_in_the_morning_and_midnight_stay_in_one_slice() -> None:
    """No hour of the day parts a talk (pains P099)."""
    for start in ("2026-03-09T03:59:00+00:00", "2026-03-09T23:59:00+00:00"):
        async with living(EchoModel(), world=World(ManualClock(start, instant=True))) as home:
            await home.say("one", pause=0)
            await home.say("two", pause=120)
            await home.house.schedule.tick(home.world.clock.now())
            await home.until(lambda: home.house.rounds.resting)
            await home.say("three", pause=120)

        assert [len(piece.turns) for piece in home.slices()] == [6]
