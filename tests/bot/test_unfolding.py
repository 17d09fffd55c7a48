from __future__ import annotations

from bot.unfolding import Unfolding
from core.journal.ids import turn_id
from tests.bot.living import living
from tests.doubles.model import ScriptedModel, says


async def test_what_was_thought_in_an_older_turn_is_found_again() -> None:
    async with living(
        ScriptedModel([says("Yes.", reasoning="first this"), says("No.", reasoning="then that")])
    ) as life:
        first = await life.say("one")
        second = await life.say("two")
        unfolding = Unfolding(life.house.parts)

        found = [await unfolding.folds(turn_id(one.key)) for one in (first, second)]
        unknown = await unfolding.folds("nobody")

    assert [[fold.markdown for fold in folds] for folds in found] == [["first this"], ["then that"]]
    assert unknown == []
