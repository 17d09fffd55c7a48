"""The queues: one turn at a time in order, pages at once, failures that harm nothing else (original.md 108-111)."""

from __future__ import annotations

import asyncio
import errno
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from bot.rests import PAUSES, Rests
from core.journal.ids import turn_id
from core.llm.base import Message
from tests.bot.living import Living, living
from tests.doubles.chat import World
from tests.doubles.clock import ManualClock
from tests.doubles.echo_model import EchoModel
from tests.doubles.fault_disk import refuse
from tests.doubles.model import EndlessModel, ScriptedModel, says
from tests.doubles.sim_disk import SimDisk

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.helping import Asked
    from core.document import Document
    from core.llm.base import Listen, ToolSpec


class Gated:
    """Answers with the question as soon as the gate is open; notes when it began and ended."""

    name = "gated"

    def __init__(self) -> None:
        self.gate = asyncio.Event()
        self.events: list[str] = []

    async def complete(self, messages: Sequence[Message], tools: Sequence[ToolSpec], on_event: Listen) -> Message:
        if any(tool.forced for tool in tools):
            return await EchoModel().complete(messages, tools, on_event)
        text = messages[-1].text
        self.events.append(f"begin {text}")
        await self.gate.wait()
        self.events.append(f"end {text}")
        return Message("assistant", f"answer to {text}")


async def begun(home: Living, model: Gated, text: str) -> None:
    home.world.clock.shift(30)
    home.world.say(text)
    await home.until(lambda: f"begin {text}" in model.events)


async def test_turns_run_in_the_order_of_arrival_and_the_second_waits() -> None:
    model = Gated()
    async with living(model) as home:
        await begun(home, model, "one")
        home.world.clock.shift(30)
        home.world.say("two")
        await home.until(lambda: not home.world.queue)
        waiting = list(model.events)
        model.gate.set()
        await home.idle()

    assert waiting == ["begin one"]
    assert model.events == ["begin one", "end one", "begin two", "end two"]


async def test_two_chats_never_answer_at_once() -> None:
    model = Gated()
    async with living(model) as home:
        await begun(home, model, "one")
        other = replace(home.world.say("two"), key="db:2:1", chat="2")
        home.world.queue[:] = [other]
        await home.until(lambda: not home.world.queue)
        assert model.events == ["begin one"]
        model.gate.set()
        await home.idle()

    assert model.events == ["begin one", "end one", "begin two", "end two"]


@pytest.mark.parametrize("command", ["/timeline", "/card", "/help", "/find one", "/briefing", "/slice 2026-03-09-1842"])
async def test_a_page_is_shown_while_an_answer_is_written(command: str) -> None:
    model = Gated()
    async with living(model) as home:
        await begun(home, model, "one")
        before = len(home.world.history)
        home.world.say(command)
        await home.until(lambda: len(home.world.history) > before)

        assert "end one" not in model.events
        model.gate.set()
        await home.idle()


async def test_a_command_that_writes_waits_for_the_answer_and_holds_no_page_up() -> None:
    model = Gated()
    async with living(model) as home:
        await begun(home, model, "one")
        home.world.say("/close")
        home.world.say("/help")
        await home.until(lambda: any("/timeline" in text for text in home.world.finals()))
        assert [piece.closed for piece in home.slices()] == [False]
        model.gate.set()
        await home.idle()

    assert [(piece.closed, len(piece.turns)) for piece in home.slices()] == [(True, 2)]


async def test_close_sent_right_behind_a_message_closes_the_slice_of_that_message() -> None:
    async with living(EchoModel()) as home:
        home.world.say("one last thing")
        home.world.say("/close")
        await home.idle()

    (piece,) = home.slices()
    assert (piece.closed, len(piece.turns)) == (True, 2)


async def test_a_message_sent_right_behind_close_opens_the_next_slice() -> None:
    async with living(EchoModel()) as home:
        await home.say("before")
        home.world.say("/close")
        home.world.say("after")
        await home.idle()

    assert [[turn.text for turn in piece.turns if turn.role == "user"] for piece in home.slices()] == [
        ["before"],
        ["after"],
    ]


async def test_close_parts_a_burst() -> None:
    async with living(EchoModel()) as home:
        for text in ("one", "/close", "two"):
            home.world.say(text)
        await home.idle()

    assert [piece.turns[0].text for piece in home.slices()] == ["one", "two"]


async def test_a_turn_that_fails_frees_the_queue_and_the_result_of_the_next_is_shown() -> None:
    model = ScriptedModel([ValueError("bug"), ValueError("bug"), ValueError("bug"), says("fine")])
    async with living(model) as home:
        home.world.say("poison")
        home.world.clock.shift(30)
        home.world.say("next")
        await home.idle()

    assert home.world.finals()[-1] == "fine"


async def test_a_full_disk_is_told_once_and_the_turn_is_done_when_there_is_room() -> None:
    clock = ManualClock()
    async with living(EchoModel(), world=World(clock)) as home:
        home.world.say("keep me")
        await clock.advance(0.1)
        full = DiskFull(home.disk)
        full.begin()
        for _ in range(6):
            await clock.advance(70)
        told = [text for text in home.world.finals() if "cannot be written" in text]
        full.end()
        await clock.advance(70)
        await home.idle()

    assert len(told) == 1
    assert home.texts() == [("user", "keep me"), ("agent", "answer to «keep me»")]
    assert home.world.finals()[-1] == "answer to «keep me»"


async def test_a_platform_that_is_down_for_long_gets_the_one_answer_in_the_end() -> None:
    clock = ManualClock()
    async with living(EchoModel(), world=World(clock)) as home:
        home.world.down = 8
        home.world.say("are you there?")
        for _ in range(20):
            await clock.advance(70)
        await home.idle()

    assert home.texts() == [("user", "are you there?"), ("agent", "answer to «are you there?»")]
    assert home.world.finals() == ["answer to «are you there?»"]


async def test_a_command_that_crashes_is_given_up_and_the_next_one_is_answered() -> None:
    async with living(EchoModel()) as home:
        home.house.commands._answers["card"] = crashing
        await home.say("/card")
        told = home.world.finals()[-1]
        await home.say("/help")

    assert "kept aside" in told
    assert "/timeline" in home.world.finals()[-1]


async def crashing(asked: Asked) -> Document:
    raise ValueError(asked.argument)


async def test_leaving_keeps_the_part_of_what_is_being_written() -> None:
    model = EndlessModel("as far as ")
    async with living(model) as home:
        home.world.say("go on")
        await model.silent.wait()

        await home.house.queues.leave()

        assert home.texts() == [("user", "go on"), ("agent", "[partial] as far as")]


async def test_a_part_that_the_end_of_the_process_left_says_how_to_go_on() -> None:
    model = EndlessModel("as far as ")
    async with living(model) as home:
        home.world.say("go on")
        await model.silent.wait()

        await home.house.queues.leave()

        assert home.world.finals()[-1] == "as far as\n\n*(Previously was stopped here. /retry answers again.)*"


async def test_a_part_that_the_person_has_stopped_is_not_blamed_on_the_end() -> None:
    model = EndlessModel("as far as ")
    async with living(model) as home:
        home.world.say("go on")
        await model.silent.wait()

        await home.house.queues.stop()
        await home.house.queues.leave()

        assert home.world.finals()[-1] == "as far as\n\n*(stopped)*"


async def test_an_answer_that_had_no_word_yet_is_left_to_the_next_start() -> None:
    disk, world = SimDisk(), World(ManualClock(instant=True))
    model = EndlessModel("")
    async with living(model, disk=disk, world=world) as home:
        home.world.say("go on")
        await model.silent.wait()
        await home.house.queues.leave()

        assert home.texts() == [("user", "go on")]
        assert home.world.finals() == []

    async with living(EchoModel(), disk=disk, world=world) as home:
        await home.idle()

    assert home.texts() == [("user", "go on"), ("agent", "answer to «go on»")]
    assert home.world.finals() == ["answer to «go on»"]


async def test_leaving_begins_nothing_more_and_loses_nothing() -> None:
    disk, world = SimDisk(), World(ManualClock(instant=True))
    model = EndlessModel("half")
    async with living(model, disk=disk, world=world) as home:
        home.world.say("one")
        await model.silent.wait()
        home.world.say("two")
        home.world.say("/status")
        await home.until(lambda: not world.queue)
        await home.house.queues.leave()
        for _ in range(200):
            await asyncio.sleep(0)  # noqa: TID251 - giving way

        assert home.texts() == [("user", "one"), ("agent", "[partial] half")]

    async with living(EchoModel(), disk=disk, world=world) as home:
        await home.idle()

    assert home.texts()[2:] == [("user", "two"), ("agent", "answer to «two»")]


async def test_leaving_does_not_wait_for_ever() -> None:
    model = Gated()
    async with living(model) as home:
        await begun(home, model, "one")
        lock = home.house.queues._writing
        assert lock.locked()
        async with asyncio.timeout(5):
            await home.house.queues.leave(0.01)


async def test_what_an_earlier_process_left_open_comes_first() -> None:
    disk, world = SimDisk(), World(ManualClock(instant=True))
    model = EndlessModel("half")
    async with living(model, disk=disk, world=world) as home:
        first = world.say("one")
        await model.silent.wait()
    async with living(EchoModel(), disk=disk, world=world) as home:
        await home.idle()

    assert home.texts() == [("user", "one"), ("agent", "answer to «one»")]
    assert home.turns()[0].label == turn_id(first.key)


async def test_an_orderly_end_in_the_middle_of_an_answer_does_not_count_as_a_crash() -> None:
    disk, world = SimDisk(), World(ManualClock(instant=True))
    for number in range(6):
        model = EndlessModel("half")
        async with living(model, disk=disk, world=world):
            if not number:
                world.say("one")
            await model.silent.wait()
    async with living(EchoModel(), disk=disk, world=world) as home:
        await home.idle()

    assert home.texts()[-1] == ("agent", "answer to «one»")


async def test_the_answer_of_a_platform_that_is_not_connected_is_on_the_timeline() -> None:
    async with living(EchoModel()) as home:
        home.house.queues.join({})
        home.world.say("hello")
        await home.idle()

    assert home.texts()[-1] == ("agent", "answer to «hello»")
    assert home.world.finals() == []


def test_a_chat_rests_longer_each_time_until_something_succeeds() -> None:
    clock = ManualClock()
    rests = Rests(clock)

    assert [rests.begin(None) for _ in range(4)] == [*PAUSES, PAUSES[-1]]
    assert rests.now(None)
    rests.end(None)

    assert not rests.now(None)
    assert rests.begin(None) == PAUSES[0]


class DiskFull:
    """Nothing on the disk succeeds between `begin` and `end`."""

    def __init__(self, disk: SimDisk) -> None:
        self._disk = disk

    def begin(self) -> None:
        self._disk.fail_at(self._disk.operations + 1, refuse(errno.ENOSPC, forever=True))

    def end(self) -> None:
        self._disk.fail_at(0)
