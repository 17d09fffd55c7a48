"""The turn notice: every field of original.md 2.6, every default on failure, the gate; and without a model."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from core.errors import OverBudget, Unavailable, Unusable
from core.llm.offline.model import OfflineModel
from core.llm.size import size
from core.turn.notice import Notice, notice, unnoticed
from tests.bot.living import WORDS
from tests.doubles.model import ScriptedModel, calls, says

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.llm.base import Listen, Message, ToolSpec

FULL: dict[str, object] = {
    "message_tags": {
        "reuse": ["Bakery", " kiln ", "", "  "],
        "create": [{"tag": "rye bread", "reason": "a lasting\ntheme"}, {"tag": " ", "reason": "blank"}],
    },
    "semantic_hint": {"strands": ["Bakery"], "reason": "asks about\nthe oven"},
    "intent": {"type": "review", "reason": "wants a look"},
    "memory_worthy": False,
    "memory_update": {"content": "Likes short answers.", "section": "self_model"},
    "evolve_card": {"worth": False, "reason": "only thanks"},
    "emotional_signal": {"intensity": "strong", "register": "frustrated", "note": "third failed loaf"},
}


def noted(arguments: object) -> ScriptedModel:
    return ScriptedModel([calls(("notice_turn", arguments))] * 2)


async def test_every_field_is_taken_over() -> None:
    found = await notice(noted(FULL), "the oven again", ["Bakery", "kiln"], closing="user: bye")

    assert found.message_tags.reuse == ["Bakery", "kiln"]
    assert [(one.tag, one.reason) for one in found.message_tags.create] == [("rye bread", "a lasting theme")]
    assert (found.semantic_hint.strands, found.semantic_hint.reason) == (["Bakery"], "asks about the oven")
    assert found.intent
    assert (found.intent.type, found.intent.reason) == ("review", "wants a look")
    assert found.memory_worthy is False
    assert found.memory_update
    assert (found.memory_update.content, found.memory_update.section) == ("Likes short answers.", "self_model")
    assert found.evolve_card
    assert (found.evolve_card.worth, found.evolve_card.reason) == (False, "only thanks")
    signal = found.emotional_signal
    assert (signal.intensity, signal.register_, signal.note) == ("strong", "frustrated", "third failed loaf")


@pytest.mark.parametrize("section", ["identity", "past", "now", "horizon", "self_model"])
async def test_an_explicit_wish_keeps_its_section(section: str) -> None:
    found = await notice(noted({"memory_update": {"content": "I moved.", "section": section}}), "I moved", [])

    assert found.memory_update
    assert found.memory_update.section == section


@pytest.mark.parametrize("kind", ["code_debug", "code_write", "explain", "chat", "review", "clarify"])
async def test_every_kind_of_intent_is_known(kind: str) -> None:
    found = await notice(noted({"intent": {"type": kind}}), "hm", [])

    assert found.intent
    assert found.intent.type == kind


async def test_without_a_wish_there_is_no_update() -> None:
    assert (await notice(noted({"memory_worthy": True}), "hello", [])).memory_update is None


@pytest.mark.parametrize("content", ["", "  \n "])
async def test_a_wish_that_says_nothing_is_none(content: str) -> None:
    assert (await notice(noted({"memory_update": {"content": content}}), "hello", [])).memory_update is None


async def test_a_missing_register_is_neutral() -> None:
    found = await notice(noted({"emotional_signal": {"intensity": "light"}}), "hm", [])

    assert (found.emotional_signal.intensity, found.emotional_signal.register_) == ("light", "neutral")


async def test_fields_that_are_null_count_as_missing() -> None:
    given = dict.fromkeys(FULL) | {"emotional_signal": {"intensity": "light", "register": None, "note": None}}

    found = await notice(noted(given), "hm", [])

    assert found == Notice.model_validate({"emotional_signal": {"intensity": "light"}})


async def test_judging_a_slice_counts_only_while_one_closes() -> None:
    assert (await notice(noted(FULL), "hm", [])).evolve_card is None


async def test_a_closing_slice_that_nobody_judged_is_worth_a_pass() -> None:
    found = await notice(noted({"memory_worthy": True}), "hm", [], closing="user: x")

    assert found.evolve_card
    assert found.evolve_card.worth


VIOLATIONS = {
    "wrong tool": calls(("other_tool", {"memory_worthy": False, "intent": {"type": "chat"}})),
    "no call": says("I noticed that it is late."),
    "html": says("<html>502</html>"),
    "truncated": calls(("notice_turn", '{"memory_worthy": fal')),
    "six topics": calls(("notice_turn", {"memory_worthy": False, "message_tags": {"reuse": list("abcdef")}})),
    "four new": calls(
        ("notice_turn", {"memory_worthy": False, "message_tags": {"create": [{"tag": c} for c in "abcd"]}})
    ),
    "unknown intent": calls(("notice_turn", {"memory_worthy": False, "intent": {"type": "sing"}})),
    "unknown register": calls(
        ("notice_turn", {"memory_worthy": False, "emotional_signal": {"intensity": "light", "register": "odd"}})
    ),
    "unknown section": calls(
        ("notice_turn", {"memory_worthy": False, "memory_update": {"content": "x", "section": "future"}})
    ),
    "text for object": calls(("notice_turn", {"memory_worthy": False, "semantic_hint": "bakery"})),
    "word for truth": calls(("notice_turn", {"memory_worthy": "perhaps"})),
}


@pytest.mark.parametrize("reply", list(VIOLATIONS.values()), ids=list(VIOLATIONS))
@pytest.mark.parametrize("closing", ["", "user: bye"])
async def test_any_violation_gives_every_default(reply: Message, closing: str) -> None:
    found = await notice(ScriptedModel([reply, reply]), "remember that I moved", ["bakery"], closing)

    assert found.model_copy(update={"evolve_card": None}) == Notice()
    assert (found.evolve_card.worth if found.evolve_card else None) is (True if closing else None)


@pytest.mark.parametrize("error", [Unavailable("down"), OverBudget("spent"), Unusable("odd"), ValueError("a bug")])
async def test_any_failure_gives_every_default(error: Exception) -> None:
    assert await notice(ScriptedModel([error]), "hm", []) == Notice()
    assert (await notice(ScriptedModel([error]), "hm", [], closing="user: x")).evolve_card


class Sleeper:
    """Never answers."""

    name = "sleeper"

    async def complete(self, messages: Sequence[Message], tools: Sequence[ToolSpec], on_event: Listen) -> Message:
        await asyncio.Event().wait()
        raise AssertionError("it was woken")


async def test_a_worker_that_never_answers_is_given_up() -> None:
    found = await notice(Sleeper(), "hm", [], closing="user: x", limit=0.01)

    assert found == unnoticed(closing=True)


async def test_one_repair_is_enough() -> None:
    model = ScriptedModel([says("It is late."), calls(("notice_turn", {"memory_worthy": False}))])

    assert (await notice(model, "hm", [])).memory_worthy is False


async def test_the_task_never_changes_and_the_message_and_topics_stand_in_the_question() -> None:
    one, other = noted({"memory_worthy": True}), noted({"memory_worthy": True})
    await notice(one, "first words", ["bakery"])
    await notice(other, "other words", ["kiln"], closing="user: bye")

    first, second = one.asked[0][0], other.asked[0][0]
    assert first[0] == second[0]
    assert "first words" in first[1].text
    assert "- bakery" in first[1].text
    assert "user: bye" in second[1].text


async def test_a_message_is_looked_at_for_a_thousand_characters() -> None:
    model = noted({"memory_worthy": True})
    await notice(model, "a" * 1_000 + "b" * 50_000, [])

    assert "ab" not in model.asked[0][0][1].text
    assert "a" * 1_000 in model.asked[0][0][1].text


@pytest.mark.parametrize("sign", ["x", "花"])
async def test_a_request_stays_within_the_workers_budget_whatever_memory_holds(sign: str) -> None:
    topics = [f"{sign * 12} {number}" for number in range(20_000)]
    for most in (16_000, 8_000, 4_000):
        model = noted({"memory_worthy": True})
        await notice(model, sign * 5_000, topics, closing=sign * 400_000, most=most)

        assert size(model.asked[0][0]) <= most


async def test_topics_seen_last_go_along_first() -> None:
    model = noted({"memory_worthy": True})
    await notice(model, "hm", [f"topic number {number} with a long name" for number in range(5_000)])

    text = model.asked[0][0][1].text
    assert "- topic number 0 " in text
    assert "topic number 4999" not in text


async def offline(message: str, topics: Sequence[str] = (), closing: str = "") -> Notice:
    return await notice(OfflineModel(WORDS), message, topics, closing)


@pytest.mark.parametrize(
    ("message", "content"),
    [
        ("Remember that my sister is called Ida.", "my sister is called Ida."),
        ("please remember: no meetings on Fridays", "no meetings on Fridays"),
        ("Please don't forget that I am allergic to nuts!", "I am allergic to nuts!"),
        ("Keep in mind that I moved to Lisbon. The old flat is gone.", "I moved to Lisbon. The old flat is gone."),
        ("The bread was good.\nRemember I like it dark.", "I like it dark."),
        ("记住我不吃花生", "我不吃花生"),
        ("请记住：我妹妹叫小雨。", "我妹妹叫小雨。"),
        ("帮我记一下，下周三要交报告", "下周三要交报告"),
        ("今天很忙。别忘了我不喝咖啡。", "我不喝咖啡。"),
    ],
)
async def test_without_a_model_a_plain_wish_to_remember_is_noticed(message: str, content: str) -> None:
    found = await offline(message)

    assert found.memory_update
    assert found.memory_update.content == content


@pytest.mark.parametrize(
    "message",
    [
        "Do you remember my sister's name?",
        "I remembered the keys today.",
        "I can't remember her name.",
        "Remember when we talked about bread?",
        "Remember the time in Lisbon.",
        "你还记得我妹妹吗？",
        "我记住了。",
        "The bread was good.",
        "",
    ],
)
async def test_without_a_model_talk_of_remembering_is_no_wish(message: str) -> None:
    assert (await offline(message)).memory_update is None


async def test_without_a_model_known_topics_are_recognised_in_both_languages() -> None:
    found = await offline("屋顶漏水了, and the rye bread fell", ["rye bread", "屋顶", "kiln", "bread oven"])

    assert found.message_tags.reuse == ["rye bread", "屋顶"]
    assert found.semantic_hint.strands == ["rye bread", "屋顶"]
    assert found.message_tags.create == []


@pytest.mark.parametrize("message", ["thanks!", "ok", "Go on", "谢谢", "好的", "hi", "👍"])
async def test_without_a_model_thanks_and_greetings_are_not_worth_remembering(message: str) -> None:
    assert not (await offline(message)).memory_worthy


@pytest.mark.parametrize("message", ["I start the new job on Monday", "我下周一入职", "thanks, but the oven is broken"])
async def test_without_a_model_talk_is_worth_remembering(message: str) -> None:
    assert (await offline(message)).memory_worthy


@pytest.mark.parametrize(
    ("message", "intensity", "register"),
    [
        ("My father died last night.", "strong", "emotional"),
        ("I am fed up with this oven", "light", "frustrated"),
        ("太好了，终于成了", "light", "excited"),
        ("哈哈哈", "light", "humorous"),
        ("我有点担心", "light", "emotional"),
        ("The train leaves at ten.", "none", "neutral"),
    ],
)
async def test_without_a_model_plain_feeling_is_told(message: str, intensity: str, register: str) -> None:
    signal = (await offline(message)).emotional_signal

    assert (signal.intensity, signal.register_) == (intensity, register)


async def test_without_a_model_a_closing_slice_is_worth_a_pass() -> None:
    found = await offline("hello again", closing="user (2026-03-09T18:42:07.113Z): remember the kiln")

    assert found.evolve_card
    assert found.evolve_card.worth
    assert found.memory_update is None
