"""When the card changes in a living house, what is shown of it, and what becomes of it when something goes wrong."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from core.conversation import Finished
from core.errors import Unavailable
from core.evolving import Reason
from core.llm.offline.model import OfflineModel
from core.slices.model import CARD_PATH
from tests.bot.living import WORDS, living
from tests.core.carded import (
    CARD,
    DAY,
    LEGACY,
    NO_WORTH,
    WORTH,
    adding,
    card,
    carded,
    here,
    records,
    watched,
    wish,
)
from tests.doubles.echo_model import EchoModel
from tests.doubles.scripted_model import QUIET, ScriptedWorker, edits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.llm.base import Message


# -- triggers ----------------------------------------------------------------------------------------------------------


async def test_a_closed_slice_that_is_worth_it_changes_the_card_before_the_answer() -> None:
    worker = ScriptedWorker([QUIET, WORTH], passes=[adding("Starts at the mill", "You start at the mill.")])
    async with watched(worker, carded()) as (home, chat):
        await home.say("I start at the mill on Monday")
        await home.say("hello", pause=DAY)

    assert "- Starts at the mill" in card(home)
    assert chat.labels() == ["Going over your card", "Card changed: You start at the mill."]


async def test_what_changed_is_folded_below_the_answer() -> None:
    worker = ScriptedWorker([QUIET, WORTH], passes=[adding("Starts at the mill")])
    async with watched(worker, carded()) as (home, chat):
        await home.say("I start at the mill on Monday")
        await home.say("hello", pause=DAY)

    (finished,) = [one for one in chat.events if isinstance(one, Finished)][1:]
    folds = [block for block in finished.document.blocks if "Card changed" in getattr(block, "label", "")]
    assert len(folds) == 1
    assert "+ - Starts at the mill" in folds[0].markdown  # type: ignore[union-attr]


async def test_a_slice_that_is_not_worth_it_says_why_once() -> None:
    worker = ScriptedWorker([QUIET, NO_WORTH])
    async with watched(worker, carded()) as (home, chat):
        await home.say("nice weather")
        await home.say("hello", pause=DAY)

    assert chat.labels() == ["Card not looked over: only small talk"]
    assert "card" not in worker.asked


async def test_a_pass_that_was_owed_for_a_silence_is_forgone_when_the_slice_is_judged_not_worth_it() -> None:
    worker = ScriptedWorker([QUIET, NO_WORTH])
    async with watched(worker, carded()) as (home, _):
        await home.say("nice weather")
        await home.house.parts.evolving.owe(Reason("slice_closed", home.slices()[-1].id))
        await home.say("hello", pause=DAY)
        await home.house.maintain()

    assert "card" not in worker.asked


async def test_a_slice_that_nobody_judged_is_looked_at() -> None:
    worker = ScriptedWorker([QUIET, Unavailable("down")])
    async with watched(worker, carded()) as (home, chat):
        await home.say("nice weather")
        await home.say("hello", pause=DAY)

    assert chat.labels() == ["Going over your card", "Card looked over, nothing to change"]


async def test_an_explicit_wish_is_carried_out_at_once() -> None:
    worker = ScriptedWorker(
        [wish("Never call me before noon")], passes=[adding("Not before noon", tool="addPastAnchor")]
    )
    async with watched(worker, carded()) as (home, chat):
        await home.say("remember: never call me before noon")

    assert "- Not before noon" in card(home)
    assert "carry it out: Never call me before noon" in worker.requests("card")[0]
    assert chat.labels()[-1] == "Card changed: noted"


@pytest.mark.parametrize("judged", [WORTH, NO_WORTH], ids=["worth", "no worth"])
async def test_a_wish_on_a_boundary_is_carried_out_whatever_the_closed_slice_is_worth(
    judged: dict[str, object],
) -> None:
    worker = ScriptedWorker([QUIET, judged | wish("Call me Mo")], passes=[adding("Wants to be called Mo")])
    async with watched(worker, carded()) as (home, _):
        await home.say("I start at the mill on Monday")
        await home.say("from now on call me Mo", pause=DAY)

    (request,) = worker.requests("card")
    assert "- Wants to be called Mo" in card(home)
    assert "from now on call me Mo" in request
    assert ("I start at the mill" in request) is (judged is WORTH)


async def test_a_correction_is_carried_out_at_once() -> None:
    update = {"memory_update": {"content": "Shorter answers", "section": "self_model"}}
    worker = ScriptedWorker([update], passes=[adding("Answers in three lines", tool="addSelfModel")])
    async with watched(worker, carded()) as (home, _):
        await home.say("you talk too much, from now on three lines")

    assert "## Self-model\n\n- Answers in three lines" in card(home)


async def test_talk_within_a_slice_leaves_the_card_alone() -> None:
    worker = ScriptedWorker([WORTH, WORTH, WORTH])
    async with watched(worker, carded()) as (home, chat):
        for _ in range(3):
            await home.say("still talking")

    assert "card" not in worker.asked
    assert chat.labels() == []


async def test_a_card_of_an_old_format_is_evolved_at_a_close_until_it_has_its_stamp() -> None:
    worker = ScriptedWorker([QUIET, NO_WORTH, NO_WORTH])
    disk = carded(LEGACY)
    async with watched(worker, disk) as (home, chat):
        await home.say("nice weather")
        disk.plant(CARD_PATH, LEGACY.encode())
        await home.say("hello", pause=DAY)
        await home.say("hello again", pause=DAY)

    assert len(worker.requests("card")) == 1
    assert "Format: user card v2" in card(home)
    assert "- Looks for an oven" in card(home)
    assert chat.labels() == [
        "Going over your card",
        "Card looked over, nothing to change",
        "Card not looked over: only small talk",
    ]


async def test_without_a_model_a_pass_is_skipped_and_says_so() -> None:
    async with watched(OfflineModel(WORDS), carded()) as (home, chat):
        await home.say("The oven came today.")
        await home.say("hello", pause=DAY)

    assert chat.labels() == ["Card not looked over: no model"]
    assert card(home) == CARD


async def test_a_wish_without_a_model_waits_for_one() -> None:
    disk = carded()
    async with watched(OfflineModel(WORDS), disk) as (home, _):
        await home.say("Remember that I am allergic to nuts.")
        await home.house.maintain()
    world = home.world
    worker = ScriptedWorker(passes=[adding("Allergic to nuts")])
    async with living(EchoModel(), worker=worker, disk=disk, world=world) as later:
        await later.house.maintain()
        await later.house.maintain()

    assert "I am allergic to nuts." in worker.requests("card")[0]
    assert card(later).count("- Allergic to nuts") == 1
    assert len(worker.requests("card")) == 1


# -- outcomes ----------------------------------------------------------------------------------------------------------


async def test_a_refused_pass_keeps_the_card_and_is_not_tried_again() -> None:
    anchors = "\n".join(f"- Anchor {n} — refs: [2026/03/01/0900]" for n in range(6))
    full = CARD.replace("- Opened the bakery — refs: [2026/03/01/0900]", anchors)
    drops = [("removePastAnchor", {"match": f"Anchor {n}"}) for n in range(6)]
    worker = ScriptedWorker([QUIET, WORTH], passes=[edits(*drops)])
    async with watched(worker, carded(full)) as (home, chat):
        await home.say("hm")
        await home.say("hello", pause=DAY)
        await home.house.maintain()

    assert card(home) == full
    assert chat.labels()[-1] == "The card could not be gone over this time; it stays as it was"
    assert len(worker.requests("card")) == 1


async def test_a_pass_without_an_end_keeps_what_was_valid() -> None:
    worker = ScriptedWorker([QUIET, WORTH], passes=[[*adding("Starts at the mill")[:1], Unavailable("gone")]])
    async with watched(worker, carded()) as (home, chat):
        await home.say("I start at the mill")
        await home.say("hello", pause=DAY)

    assert "- Starts at the mill" in card(home)
    assert chat.labels()[-1] == "Card changed as far as the pass came: something in it was brought up to date"


@pytest.mark.parametrize("error", [Unavailable("down"), ValueError("a bug")])
async def test_a_pass_that_no_worker_could_do_is_done_between_turns_and_told_at_the_next(error: Exception) -> None:
    worker = ScriptedWorker([QUIET, WORTH], passes=[[error], [error], adding("Starts at the mill", "The mill.")])
    async with watched(worker, carded()) as (home, chat):
        await home.say("I start at the mill")
        await home.say("hello", pause=DAY)
        assert "mill" not in card(home)
        await home.until(lambda: not home.house.maintenance.due)
        await home.house.maintain()
        await home.until(lambda: "mill" in card(home))
        await home.say("and now?")

    assert "- Starts at the mill" in card(home)
    assert chat.labels()[1] == "The card could not be gone over this time; it stays as it was"
    assert chat.labels()[-1] == "Card changed: The mill."


async def test_a_pass_that_is_too_slow_is_owed_and_the_answer_comes() -> None:
    class Slow(ScriptedWorker):
        slow = True

        async def complete(self, *given: object) -> Message:
            tools = given[1]
            if self.slow and not any(tool.forced for tool in tools):  # type: ignore[attr-defined]
                await asyncio.Event().wait()
            return await super().complete(*given)  # type: ignore[arg-type]

    worker = Slow([QUIET, WORTH], passes=[adding("Starts at the mill")])
    disk = carded()
    async with watched(worker, disk) as (home, chat):
        home.house.queues._turns._attending._limit = 0.05
        await home.say("I start at the mill")
        home.world.clock.shift(DAY)
        home.world.say("hello")
        async with asyncio.timeout(10):
            while home.texts()[-1] != ("agent", "answer to «hello»"):  # noqa: ASYNC110 - real time passes for the limit
                await asyncio.sleep(0.01)  # noqa: TID251 - likewise
        await home.idle()
        worker.slow = False
        home.house.parts.closing.boundary = True
        await home.say("next")
        await home.until(lambda: "Starts at the mill" in card(home))

    assert "Card not looked over: no time before the answer; it is done afterwards" in chat.labels()


async def test_a_hand_edit_during_a_pass_wins_and_ours_is_kept_beside_it() -> None:
    disk = carded()
    mine = CARD.replace("Mara", "Mara Lind")

    def meanwhile(messages: Sequence[Message]) -> object:
        disk.plant(CARD_PATH, mine.encode())
        return [("addNow", {"text": "Starts at the mill", "refs": [here(messages)]})]

    worker = ScriptedWorker([QUIET, WORTH], passes=[[meanwhile, [("finish", {"summary": "the mill"})]]])
    async with watched(worker, disk) as (home, chat):
        await home.say("I start at the mill")
        await home.say("hello", pause=DAY)
        await home.say("next")

    beside = {p: d.decode() for p, d in disk.tree().items() if "current-previously.conflict-" in p}
    assert card(home) == mine
    assert len(beside) == 1
    assert "- Starts at the mill" in next(iter(beside.values()))
    assert records(home) == {}
    assert chat.labels()[-1].startswith("The card was edited by hand meanwhile")
    assert any("current-previously.conflict-" in text for text in home.world.finals())


async def test_lines_that_a_person_wrote_survive_a_pass_that_does_not_address_them() -> None:
    own = CARD + "\n## My own section\n\n* a star bullet\nplain words — refs: and | since: kept\n"
    worker = ScriptedWorker([QUIET, WORTH], passes=[adding("Starts at the mill")])
    async with watched(worker, carded(own)) as (home, _):
        await home.say("I start at the mill")
        await home.say("hello", pause=DAY)

    for line in own.splitlines():
        assert line.startswith("_Active slice") or line in card(home)
    assert "- Starts at the mill" in card(home)


@pytest.mark.parametrize("ref", ["2026/03/08/0900", "2026/03/09/1842-zzzzzz", "2026/13/01/0900", "yesterday"])
async def test_a_ref_that_points_nowhere_is_refused(ref: str) -> None:
    worker = ScriptedWorker([QUIET, WORTH], passes=[edits(("addNow", {"text": "Made up", "refs": [ref]}))])
    async with watched(worker, carded()) as (home, _):
        await home.say("hm")
        await home.say("hello", pause=DAY)

    assert card(home) == CARD
    assert "REJECTED" in worker.asked["card"][1][-1].text


async def test_a_card_in_chinese_is_evolved_and_told_in_chinese() -> None:
    chinese = CARD.replace("Bakes bread for a living.", "开了一家面包店。").replace(
        "Looks for a new oven", "在找新烤箱"
    )
    worker = ScriptedWorker([QUIET, WORTH], passes=[adding("周一去磨坊上班", "记下了新工作。")])
    async with watched(worker, carded(chinese)) as (home, chat):
        await home.say("我周一去磨坊上班")
        await home.say("你好", pause=DAY)

    assert "- 周一去磨坊上班" in card(home)
    assert "- 在找新烤箱" in card(home)
    assert "Chinese" in worker.requests("card")[0]
    assert chat.labels()[-1] == "Card changed: 记下了新工作。"
