"""A slice that has fallen silent is closed while nobody talks."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from core.slices.policy import Thresholds
from tests.bot.living import Living, Worker, living
from tests.doubles.echo_model import EchoModel
from tests.doubles.model import calls

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.llm.base import Listen, Message, ToolSpec

SILENCE = Thresholds().silence.total_seconds()


def marks() -> Message:
    return calls(("mark_slice", {"focus": "Bread and boats", "open_loops": ["Buy rye"]}))


async def pause(home: Living, seconds: float) -> None:
    """Let time go by, and the house look around."""
    home.world.clock.shift(seconds)
    home.house.door.wake()
    await home.idle()
    await home.until(lambda: not home.house.door.talk.is_set() and not home.house.maintenance.due)


async def test_talk_that_has_fallen_silent_is_closed_and_marked_with_nobody_there() -> None:
    async with living(EchoModel(), worker=Worker([marks()])) as home:
        await home.say("bread")
        await pause(home, SILENCE)
        await home.until(lambda: home.slices()[0].closed and bool(home.slices()[0].focus))

    (piece,) = home.slices()
    assert (piece.closed_by, piece.focus, piece.open_loops) == ("time_silence", "Bread and boats", ("Buy rye",))
    assert piece.end == piece.turns[-1].at


async def test_who_comes_back_is_told_what_it_was_about() -> None:
    async with living(EchoModel(), worker=Worker([marks()])) as home:
        await home.say("bread")
        await pause(home, SILENCE)
        await home.until(lambda: bool(home.slices()[0].focus))
        await home.say("boats", pause=7 * 3600)

    shown = "\n".join(home.world.finals())
    assert "Bread and boats" in shown
    assert "↗ Buy rye" in shown
    assert [len(piece.turns) for piece in home.slices()] == [2, 2]


async def test_talk_a_second_before_its_silence_is_over_stays_open() -> None:
    async with living(EchoModel(), worker=Worker([marks()])) as home:
        await home.say("bread")
        await pause(home, SILENCE - 1)

        assert not home.slices()[0].closed


async def test_a_message_while_it_is_marked_is_answered_in_a_slice_of_its_own_and_the_marks_follow() -> None:
    marking = asyncio.Event()

    class Slow(Worker):
        slow = True

        async def complete(self, messages: Sequence[Message], tools: Sequence[ToolSpec], on_event: Listen) -> Message:
            if self.slow and tools[0].name == "mark_slice":
                marking.set()
                await asyncio.Event().wait()
            return await super().complete(messages, tools, on_event)

    worker = Slow([marks()])
    async with living(EchoModel(), worker=worker) as home:
        await home.say("bread")
        home.world.clock.shift(SILENCE)
        home.house.door.wake()
        await marking.wait()
        worker.slow = False
        await home.say("boats")
        await home.until(lambda: bool(home.slices()[0].focus))

    assert [(piece.turns[0].text, piece.focus) for piece in home.slices()] == [
        ("bread", "Bread and boats"),
        ("boats", ""),
    ]
    assert home.texts()[-1] == ("agent", "answer to «boats»")
