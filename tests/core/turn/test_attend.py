"""Between the words and the answer, in a living house: tags, events, limits, and that none of it costs the answer."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from core.conversation import Finished, ToolChanged
from core.errors import Unavailable
from core.llm.offline.model import OfflineModel
from core.slices.codec import encode
from core.slices.model import Slice, core_path
from tests.bot.living import WORDS, Living
from tests.core.carded import DAY, NO_WORTH, WORTH, adding, carded, watched
from tests.doubles.scripted_model import QUIET, ScriptedWorker

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.llm.base import Listen, Message, ToolSpec
    from tests.doubles.sim_disk import SimDisk


def tagged(*reuse: str, create: Sequence[str] = (), worthy: bool = True) -> dict[str, object]:
    tags = {"reuse": list(reuse), "create": [{"tag": tag, "reason": "lasting"} for tag in create]}
    return {"message_tags": tags, "memory_worthy": worthy}


def remembering() -> SimDisk:
    """A memory with the strands `Rye bread` and `花园`."""
    disk = carded()
    at = "2026-03-08T09:00:00.000Z"
    piece = Slice("2026-03-08-0900", "closed", at, at, focus="f", tags=("Rye bread", "花园"))
    disk.plant(core_path(piece.id), encode(piece).encode())
    return disk


async def tags_after(*notices: dict[str, object]) -> tuple[str, ...]:
    async with watched(ScriptedWorker(list(notices)), remembering()) as (home, _):
        await home.house.tidy()
        for number in range(len(notices)):
            await home.say(f"message {number}")
    return home.slices()[-1].tags


async def test_known_topics_join_in_their_own_spelling_and_unknown_ones_are_dropped() -> None:
    assert await tags_after(tagged("RYE  bread", "kiln", "花园")) == ("rye bread", "花园")


async def test_new_topics_join_as_they_are_written_and_known_ones_in_their_spelling() -> None:
    assert await tags_after(tagged(create=["Kiln firing", "Rye Bread", " "])) == ("Kiln firing", "rye bread")


async def test_a_message_that_is_not_worth_remembering_leaves_no_topic() -> None:
    assert await tags_after(tagged("rye bread", create=["kiln"], worthy=False)) == ()


async def test_topics_of_several_turns_add_up_once_each() -> None:
    assert await tags_after(tagged("rye bread"), tagged("rye bread", create=["kiln"]), tagged("kiln")) == (
        "rye bread",
        "kiln",
    )


async def test_the_worker_is_told_the_topics_seen_last_first() -> None:
    worker = ScriptedWorker([tagged(create=["kiln"]), QUIET])
    async with watched(worker, remembering()) as (home, _):
        await home.house.tidy()
        await home.say("one")
        await home.say("two")

    listed = worker.requests("notice_turn")[1]
    assert listed.index("- kiln") < listed.index("- rye bread")


async def test_a_strand_is_woven_in_the_turn_that_names_it() -> None:
    async with watched(ScriptedWorker([tagged(create=["kiln"])]), remembering()) as (home, _):
        await home.house.tidy()
        await home.say("the kiln")
        index = await home.house.parts.projections.index()

    assert index["kiln"] == (home.slices()[-1].id.replace("-", "/"),)


def said(home: Living, chat: object, call: str) -> list[str]:
    del home
    return [e.label for e in chat.events if isinstance(e, ToolChanged) and e.call == call]  # type: ignore[attr-defined]


async def test_the_close_of_a_slice_is_told_before_the_answer() -> None:
    async with watched(ScriptedWorker([QUIET, NO_WORTH]), carded()) as (home, chat):
        await home.say("the kiln is cold")
        await home.say("hello", pause=DAY)

    assert said(home, chat, "marks") == [
        "Noting what the talk before was about",
        "The talk before has closed: A marked talk",
    ]
    kinds = [type(event) for event in chat.events]
    assert kinds[-1] is Finished


async def test_a_turn_that_closes_nothing_tells_nothing() -> None:
    async with watched(ScriptedWorker(), carded()) as (home, chat):
        await home.say("one")
        await home.say("two")

    assert [event for event in chat.events if isinstance(event, ToolChanged)] == []


async def test_notice_marks_and_pass_come_in_this_order_and_before_the_answer() -> None:
    worker = ScriptedWorker([QUIET, WORTH], passes=[adding("The mill")])
    async with watched(worker, carded()) as (home, _):
        await home.say("I start at the mill")
        await home.say("hello", pause=DAY)

    assert list(worker.asked) == ["notice_turn", "mark_slice", "card"]


@pytest.mark.parametrize("error", [Unavailable("down"), ValueError("a bug"), KeyError("a bug")])
async def test_no_fault_of_the_worker_costs_the_answer(error: Exception) -> None:
    worker = ScriptedWorker([error] * 4, marks=[error] * 4, passes=[[error]] * 4)
    async with watched(worker, carded()) as (home, _):
        await home.say("I start at the mill")
        await home.say("hello", pause=DAY)
        await home.say("again", pause=DAY)

    assert [text for role, text in home.texts() if role == "agent"] == [
        "answer to «I start at the mill»",
        "answer to «hello»",
        "answer to «again»",
    ]


class Hanging(ScriptedWorker):
    """Hangs at one task; `reached` is set then."""

    def __init__(self, task: str) -> None:
        super().__init__([QUIET, WORTH])
        self.task = task
        self.reached = asyncio.Event()

    async def complete(self, messages: Sequence[Message], tools: Sequence[ToolSpec], on_event: Listen) -> Message:
        task = next((tool.name for tool in tools if tool.forced), "card")
        if task == self.task and len(self.asked.get("notice_turn", ())) >= (2 if task != "notice_turn" else 1):
            self.reached.set()
            await asyncio.Event().wait()
        return await super().complete(messages, tools, on_event)


@pytest.mark.parametrize("task", ["notice_turn", "mark_slice", "card"])
async def test_a_stop_ends_whatever_is_done_before_the_answer(task: str) -> None:
    worker = Hanging(task)
    async with watched(worker, carded()) as (home, _):
        await home.say("I start at the mill")
        home.world.clock.shift(DAY)
        home.world.say("hello")
        async with asyncio.timeout(20):
            await worker.reached.wait()
            assert await home.house.queues.stop()
            await home.idle()

    first = home.slices()[1]
    assert first.closed
    assert first.focus
    assert home.texts()[-1] == ("user", "hello")


async def test_marks_and_a_pass_share_one_limit() -> None:
    worker = Hanging("card")
    async with watched(worker, carded()) as (home, chat):
        home.house.queues._turns._attending._limit = 0.05
        await home.say("I start at the mill")
        home.world.clock.shift(DAY)
        home.world.say("hello")
        async with asyncio.timeout(20):
            await worker.reached.wait()
            while home.texts()[-1] != ("agent", "answer to «hello»"):  # noqa: ASYNC110 - real time passes for the limit
                await asyncio.sleep(0.01)  # noqa: TID251 - likewise
        await home.idle()
        owed = await home.house.parts.evolving.owed()

    assert [(one.why, one.slice) for one in owed] == [("slice_closed", home.slices()[1].id)]
    assert chat.labels()[-1] == "Card not looked over: no time before the answer; it is done afterwards"


async def test_without_a_model_every_turn_is_noticed_and_answered() -> None:
    async with watched(OfflineModel(WORDS), remembering(), OfflineModel(WORDS)) as (home, _):
        await home.house.tidy()
        await home.say("The rye bread fell.")
        await home.say("记住我不吃花生")

    assert home.slices()[-1].tags == ("rye bread",)
    assert len([role for role, _ in home.texts() if role == "agent"]) == 2
