from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from core.conversation import ToolChanged
from core.llm.base import Message, TextDelta, ToolSpec, ignore
from core.llm.offline.model import OfflineModel
from core.slices.codec import encode
from core.slices.model import CARD_PATH, CLOSED, Slice, Turn, core_path
from core.slices.store import Slices
from core.storage.memory import MemoryStorage
from tests.core.llm.demo import WORDS, Person
from tests.doubles.clock import ManualClock

if TYPE_CHECKING:
    from core.i18n import Words
    from core.llm.base import ModelEvent

EN, ZH = WORDS["en"], WORDS["zh"]


def talk(slice_id: str, *said: str, focus: str = "", summary: str = "", zone: str = "Europe/Paris") -> Slice:
    """A closed slice in which the two sides take turns."""
    at = f"{slice_id[:10]}T{slice_id[11:13]}:{slice_id[13:]}"
    turns = tuple(
        Turn(f"turn{n // 2:02}", f"{at}:{n:02}.000Z", "agent" if n % 2 else "user", text) for n, text in enumerate(said)
    )
    return Slice(
        slice_id, CLOSED, f"{at}:00.000Z", f"{at}:59.000Z", zone, focus, summary, turns=turns, closed_by="time_silence"
    )


def person(*slices: Slice, now: str = "2026-03-20T12:00:00+00:00") -> Person:
    files = {core_path(one.id): encode(one).encode() for one in slices}
    return Person(Slices(MemoryStorage(files)), ManualClock(now), zone="Europe/Paris")


YEAST = talk(
    "2026-03-09-1842",
    "The yeast order goes to Remi from now on, 12 kilos a week.",
    "Noted: Remi, 12 kilos.",
    focus="Yeast order",
    summary="Remi delivers yeast.",
)
ROOF = talk("2026-03-15-2330", "屋顶漏水，王师傅修好了，花了八百块。", "好的。", zone="Asia/Shanghai")
ASKED = talk("2026-03-16-0900", "Who delivers the yeast?", "I find nothing about that in your memory.")


async def test_a_question_is_answered_with_the_words_their_date_and_their_slice() -> None:
    found = await person(YEAST, ROOF).say("Who delivers the yeast?")

    assert found.text.startswith(EN("offline.intro"))
    assert "On 9 March 2026 (2026-03-09-1842) you said:" in found.text
    assert "> The yeast order goes to Remi from now on, 12 kilos a week." in found.text


async def test_the_tools_are_called_as_any_model_would_and_shown_in_human_words() -> None:
    someone = person(YEAST)

    found = await someone.say("Who delivers the yeast?")

    shown = [event.label for event in someone.events if isinstance(event, ToolChanged) and event.state == "completed"]
    assert [step.call.name for step in found.steps] == ["recall", "readSlice", "readSliceSummary"]
    assert shown[0] == "Recalled “Who delivers the yeast?”"
    assert shown[1] == "Viewed the talk of 09 Mar 2026, 19:42"


async def test_a_chinese_question_is_answered_in_chinese() -> None:
    found = await person(YEAST, ROOF).say("修屋顶花了多少钱？")

    assert found.text.startswith(ZH("offline.intro"))
    assert "2026年3月16日（2026-03-15-2330），你说：" in found.text
    assert "> 屋顶漏水，王师傅修好了，花了八百块。" in found.text


async def test_an_earlier_question_or_an_earlier_offline_answer_is_never_the_answer() -> None:
    found = await person(YEAST, ASKED).say("Who delivers the yeast?")

    assert "2026-03-16-0900" not in found.text
    assert "> The yeast order goes to Remi" in found.text


@pytest.mark.parametrize(
    "question", ["When is my wedding anniversary?", "What did Heidi say about Berlin?", "我的驾照什么时候到期？"]
)
async def test_what_was_never_said_is_not_found(question: str) -> None:
    found = await person(YEAST, ROOF).say(question)

    assert found.text.endswith((EN("offline.nothing"), ZH("offline.nothing")))
    assert ">" not in found.text


async def test_memory_that_only_asked_the_same_holds_nothing() -> None:
    found = await person(ASKED).say("Who delivers the yeast?")

    assert found.text.endswith(EN("offline.nothing"))


async def test_the_conversation_at_hand_is_searched_too() -> None:
    someone = person(YEAST)
    await someone.say("I parked on level 3, row B.")
    await someone.say("Where did I park?")

    found = await someone.say("where did I park?")

    assert found.text == f"{EN('offline.found')}\n\n{EN('offline.earlier')}\n\n> I parked on level 3, row B."


async def test_it_says_once_per_conversation_what_it_is() -> None:
    someone = person(YEAST)

    first, second = await someone.say("Who delivers the yeast?"), await someone.say("How many kilos of yeast?")

    assert first.text.startswith(EN("offline.intro"))
    assert second.text.startswith(EN("offline.found"))


@pytest.mark.parametrize(("tongue", "said"), [(EN, "I parked on level 3."), (ZH, "我把车停在三层。")])
async def test_where_nothing_is_kept_it_says_that_it_heard(tongue: Words, said: str) -> None:
    model = OfflineModel(WORDS, keeps=False)
    first = await model.complete([Message("user", said)], [], ignore)
    again = await model.complete([Message("user", said), first, Message("user", said)], [], ignore)

    assert (first.text, again.text) == (tongue("offline.intro.heard"), tongue("offline.heard"))


@pytest.mark.parametrize(
    ("words", "first", "later"),
    [
        ("hello", "offline.intro.kept", "offline.kept"),
        ("I parked on level 3.", "offline.intro.kept", "offline.kept"),
        ("今天好累，什么都不想做。", "offline.intro.kept", "offline.kept"),
        ("🎉", "offline.intro.kept", "offline.kept"),
        ("Who are you?", "offline.intro.about", "offline.intro.about"),
    ],
)
async def test_what_asks_nothing_of_memory_is_acknowledged_without_a_tool(words: str, first: str, later: str) -> None:
    someone = person(YEAST)
    tongue = ZH if "今" in words else EN

    found, again = await someone.say(words), await someone.say(words)

    assert (found.text, again.text) == (tongue(first), tongue(later))
    assert found.steps == again.steps == ()


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("What did we talk about last week?", "- 9 March 2026 (2026-03-09-1842): Yeast order"),
        ("what did we talk about on 9 March", "- 9 March 2026 (2026-03-09-1842): Yeast order"),
        ("上周我们聊了什么？", "- 2026年3月9日（2026-03-09-1842）：Yeast order"),
        ("3月9号聊了什么", "- 2026年3月9日（2026-03-09-1842）：Yeast order"),
    ],
)
async def test_a_time_alone_lists_the_talks_of_it(question: str, line: str) -> None:
    found = await person(YEAST, talk("2025-01-01-1000", "Happy new year!")).say(question)

    assert [step.call.name for step in found.steps] == ["readTimelineWindow"]
    assert line in found.text
    assert "2025-01-01" not in found.text


async def test_a_time_without_talk_says_so() -> None:
    found = await person(YEAST).say("What did we talk about in May 2024?")

    assert found.text.endswith(EN("offline.nothing.then"))


async def test_forwarded_text_in_a_question_is_not_what_is_asked() -> None:
    found = await person(YEAST).say("> [forwarded: Anna]\n> The yeast is for Remi.\n\nWhen is my wedding anniversary?")

    assert found.text.endswith(EN("offline.nothing"))


async def test_the_assistants_words_are_quoted_when_they_are_asked_for() -> None:
    advice = talk("2026-03-01-1000", "My bread sinks.", "Try a cooler oven for the bread and a longer proof.")

    found = await person(advice).say("What did you suggest about the bread?")

    assert EN("offline.said.me", day="1 March 2026", slice="2026-03-01-1000") in found.text
    assert "> Try a cooler oven for the bread and a longer proof." in found.text


async def test_a_long_turn_is_quoted_by_whole_sentences() -> None:
    filler = "The weather was mild and nothing much happened at all. " * 12
    long = talk("2026-03-02-1000", f"{filler}The yeast supplier is Remi. {filler}")

    found = await person(long).say("Who is the yeast supplier?")

    quoted = next(line for line in found.text.splitlines() if line.startswith(">"))
    assert "The yeast supplier is Remi." in quoted
    assert quoted.endswith(".")
    assert len(quoted) < 400


async def test_the_same_messages_always_give_the_same_answer() -> None:
    first = await person(YEAST, ROOF).say("Who delivers the yeast?")
    second = await person(YEAST, ROOF).say("Who delivers the yeast?")

    assert (first.text, first.steps) == (second.text, second.steps)


async def test_the_answer_is_streamed_as_it_is() -> None:
    heard: list[str] = []

    async def listen(event: ModelEvent) -> None:
        if isinstance(event, TextDelta):
            heard.append(event.text)

    message = await OfflineModel(WORDS).complete([Message("user", "hello  there\nyou")], [], listen)

    assert "".join(heard) == message.text
    assert len(heard) > 3


async def test_trouble_of_memory_is_not_called_nothing() -> None:
    model = OfflineModel(WORDS)
    recall = ToolSpec("recall", "", {})

    async def listen(_: ModelEvent) -> None:
        return None

    asked = [Message("user", "Who delivers the yeast?")]
    step = await model.complete(asked, [recall], listen)
    told = Message("tool", "ERROR: slices: I/O error", call_id=step.calls[0].id, name="recall")
    found = await model.complete([*asked, step, told], [recall], listen)

    assert found.text.endswith(EN("offline.unreadable"))


AUGUST = talk("2024-08-10-0900", "我在修阳台的栏杆。", "好。", focus="修阳台的栏杆", zone="Asia/Shanghai")
LAST_SUMMER = talk("2025-07-10-0900", "我在学游泳，很忙。", "好。", focus="学游泳", zone="Asia/Shanghai")
THIS_YEAR = talk("2026-03-01-0900", "我在做蛋糕，忙了一天。", "好。", focus="做蛋糕", zone="Asia/Shanghai")


@pytest.mark.parametrize(
    ("asked", "about"),
    [
        ("2024年8月我在做什么？", "修阳台的栏杆"),
        ("What was I doing in August 2024?", "修阳台的栏杆"),
        ("去年夏天我在忙什么？", "学游泳"),
        ("What was I busy with last summer?", "学游泳"),
    ],
)
async def test_a_question_about_a_time_is_answered_by_the_talks_of_that_time_alone(asked: str, about: str) -> None:
    found = await person(AUGUST, LAST_SUMMER, THIS_YEAR).say(asked)

    assert about in found.text
    assert [other for other in ("修阳台的栏杆", "学游泳", "做蛋糕") if other in found.text] == [about]


@pytest.mark.parametrize(
    ("tongue", "asked"), [(ZH, "2024年10月我在做什么？"), (EN, "What was I doing in October 2024?")]
)
async def test_a_time_without_talk_is_said_to_have_none(tongue: Words, asked: str) -> None:
    found = await person(AUGUST, LAST_SUMMER, THIS_YEAR).say(asked)

    assert found.text.endswith(tongue("offline.nothing.then"))


async def test_a_topic_at_a_time_is_quoted_from_that_time_where_it_was_spoken_of_then() -> None:
    older = talk("2024-08-10-0900", "The harbour cranes are blue.", "Good.")
    newer = talk("2025-08-10-0900", "The harbour cranes are yellow, the harbour is closed.", "Good.")

    found = await person(older, newer).say("What did I say about the harbour in August 2024?")

    assert "blue" in found.text
    assert "yellow" not in found.text


@pytest.mark.parametrize(("tongue", "asked"), [(EN, "What is my name?"), (ZH, "我叫什么名字？")])
async def test_who_the_person_is_stands_on_the_card(tongue: Words, asked: str) -> None:
    card = "# PREVIOUSLY ON\n\n## Identity\n\n- Name: Ada Tarn\n"
    memory = MemoryStorage({core_path(AUGUST.id): encode(AUGUST).encode(), CARD_PATH: card.encode()})

    found = await Person(Slices(memory), ManualClock("2026-03-20T12:00:00+00:00"), storage=memory).say(asked)

    assert tongue("offline.card") in found.text
    assert "Ada Tarn" in found.text


@pytest.mark.parametrize(("tongue", "asked"), [(EN, "What did I decide?"), (ZH, "我决定了什么？")])
async def test_decisions_come_from_the_marks(tongue: Words, asked: str) -> None:
    decided = replace(AUGUST, decisions=("栏杆漆成绿色。",))

    found = await person(decided, THIS_YEAR).say(asked)
    none = await person(THIS_YEAR).say(asked)

    assert tongue("offline.decided") in found.text
    assert "栏杆漆成绿色。" in found.text
    assert none.text.endswith(tongue("offline.undecided"))


@pytest.mark.parametrize(
    ("asked", "said"),
    [("What did I decide?", "I decided to paint the shed green."), ("我决定了什么？", "我决定把棚子漆成绿色。")],
)
async def test_what_was_decided_in_the_conversation_at_hand_is_told_too(asked: str, said: str) -> None:
    someone = person(THIS_YEAR)
    await someone.say(said)

    assert f"> {said}" in (await someone.say(asked)).text
