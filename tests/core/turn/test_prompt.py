"""The prompt's bytes: what stays within a slice, what may change, and what is never in it."""

from __future__ import annotations

from itertools import pairwise

from core.slices.model import CARD_PATH
from core.turn.prompt import BRIEF
from tests.bot.living import living
from tests.doubles.chat import World
from tests.doubles.clock import ManualClock
from tests.doubles.model import ScriptedModel, says
from tests.doubles.sim_disk import SimDisk

CARD = """---
card: v5
---

# Previously On

## Now

- Looks for a bakery | since: 2026-03-08 — refs: 2026-03-08-0900
"""


def carded() -> SimDisk:
    disk = SimDisk()
    disk.plant(CARD_PATH, CARD.encode())
    return disk


async def test_the_system_prompt_keeps_its_bytes_within_a_slice_over_midnight() -> None:
    model = ScriptedModel([says(str(number)) for number in range(4)])
    world = World(ManualClock("2026-03-09T23:50:00+00:00", instant=True))
    async with living(model, disk=carded(), world=world) as home:
        for _ in range(4):
            await home.say("next", pause=10 * 60)

        assert len(home.slices()) == 1

    assert len({messages[0].text for messages, _ in model.asked}) == 1


async def test_earlier_messages_of_a_slice_keep_their_bytes_too() -> None:
    model = ScriptedModel([says(str(number)) for number in range(4)])
    async with living(model) as home:
        for number in range(4):
            await home.say(f"question {number}")

    prompts = [[message.text for message in messages if BRIEF not in message.text] for messages, _ in model.asked]
    for before, behind in pairwise(prompts):
        assert behind[: len(before)] == before


async def test_the_card_is_annotated_as_of_the_slices_start() -> None:
    model = ScriptedModel([says("a"), says("b")])
    world = World(ManualClock("2026-03-09T23:55:00+00:00", instant=True))
    async with living(model, disk=carded(), world=world) as home:
        await home.say("before midnight")
        await home.say("after midnight", pause=600)

    assert all("since: 2026-03-08 (yesterday)" in messages[0].text for messages, _ in model.asked)


async def test_a_card_that_is_no_utf8_costs_no_answer() -> None:
    disk = SimDisk()
    disk.plant(CARD_PATH, b"\xff\xfe broken")
    async with living(ScriptedModel([says("still here")]), disk=disk) as home:
        await home.say("hello")

    assert home.texts()[-1] == ("agent", "still here")


async def test_what_changes_each_turn_stands_beside_the_newest_words() -> None:
    model = ScriptedModel([says("a"), says("b")])
    async with living(model) as home:
        await home.say("one")
        await home.say("two")

    messages, _ = model.asked[-1]
    assert [message.role for message in messages] == ["system", "user", "assistant", "user", "user"]
    assert messages[-2].text.startswith(BRIEF)
    assert messages[-1].text == "two"


async def test_the_briefing_that_was_shown_opens_the_window_as_our_own_words() -> None:
    model = ScriptedModel([says("first answer"), says("{}"), says("{}"), says("second answer")])
    async with living(model) as home:
        await home.say("we talked of the kiln")
        await home.say("the second one, please", pause=86_400)

    messages, _ = model.asked[-1]
    briefing = home.file("timeline/briefing.md")
    assert briefing.startswith("PREVIOUSLY ON")
    assert (messages[1].role, messages[1].text) == ("assistant", briefing)
