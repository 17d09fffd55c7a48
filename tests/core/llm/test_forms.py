from __future__ import annotations

import json

import pytest

from core.errors import Unusable
from core.llm.base import Message, ToolSpec, ignore
from core.llm.offline.model import OfflineModel
from core.llm.structured import ask
from core.marks import ABOUT, TOOL, Marks, mark
from core.slices.model import Slice, Turn
from tests.core.llm.demo import WORDS, memory_of

ENGLISH = """Slice 2026-03-09-1842, zone Europe/Paris

user (2026-03-09T18:42:07.113Z): The yeast from the old supplier is weak again. The dough did not rise.

agent (2026-03-09T18:42:30.000Z): Which supplier is it?

user (2026-03-09T18:44:00.000Z): Hartmann. I have decided to change the yeast supplier.
I need to call Remi by Friday about yeast."""
CHINESE = """user (2026-03-09T18:42:07.113Z): 屋顶又漏水了，王师傅说要换瓦片。

agent (2026-03-09T18:42:30.000Z): 换瓦片要多少钱？

user (2026-03-09T18:44:00.000Z): 王师傅说八百块。我决定换瓦片，下周要去买瓦片。"""


async def marks_of(text: str) -> Marks:
    messages = [Message("system", "Mark it."), Message("user", text)]
    return await ask(OfflineModel(WORDS), messages, Marks, TOOL, ABOUT)


async def test_a_talk_is_marked_with_its_own_words() -> None:
    marks = await marks_of(ENGLISH)

    assert marks.focus in ENGLISH
    assert "yeast" in marks.focus
    assert len(marks.summary) <= 100
    assert marks.tags[:2] == ["yeast", "supplier"]
    assert marks.decisions == ["I have decided to change the yeast supplier."]
    assert marks.open_loops == ["I need to call Remi by Friday about yeast."]


async def test_a_chinese_talk_is_marked_in_chinese() -> None:
    marks = await marks_of(CHINESE)

    assert "瓦片" in marks.focus
    assert any("瓦片" in tag for tag in marks.tags)
    assert marks.decisions == ["我决定换瓦片，下周要去买瓦片。"]
    assert len(marks.summary) <= 100


@pytest.mark.parametrize(
    ("said", "tone"),
    [
        ("I am so happy, it worked!", "positive"),
        ("I'm worried about Dad.", "negative"),
        ("Happy and tired.", "mixed"),
        ("The train leaves at ten.", "neutral"),
        ("太好了，终于过了！", "positive"),
    ],
)
async def test_the_tone_is_told_by_plain_words(said: str, tone: str) -> None:
    assert (await marks_of(f"user: {said}")).tone == tone


@pytest.mark.parametrize("text", ["user: 🎉", "user: ?", "user: " + "x" * 5_000, "user: What now?"])
async def test_a_talk_without_sentences_is_marked_all_the_same(text: str) -> None:
    assert (await marks_of(text)).focus


async def test_every_slice_of_the_demo_people_can_be_marked() -> None:
    for persona in ("mara", "lin"):
        slices = memory_of(persona)
        for slice_id in await slices.ids():
            entry = (await slices.load(slice_id)).slice
            marked = await mark(OfflineModel(WORDS), entry)

            assert marked.focus
            assert len(marked.summary) <= 100
            assert len(marked.tags) <= 6


async def test_what_the_assistant_said_is_no_focus() -> None:
    turns = (Turn("a", "2026-03-09T18:42:07.113Z", "user", "Good."), Turn("a", "", "agent", "Tell me about the oven."))

    assert (await mark(OfflineModel(WORDS), Slice("2026-03-09-1842", turns=turns))).focus == "Good."


async def test_a_notice_is_filled_with_sensible_defaults() -> None:
    schema = {
        "type": "object",
        "properties": {
            "message_tags": {"type": "array"},
            "intent": {"type": "string"},
            "emotional_signal": {"type": "string"},
            "worth": {"type": "boolean"},
            "register": {"enum": ["plain", "warm"]},
            "memory_update": {"type": "object"},
        },
        "required": ["message_tags", "intent", "worth", "register"],
    }

    message = await OfflineModel(WORDS).complete(
        [Message("user", "The yeast is weak. Yeast again!")], [ToolSpec("notice", "", schema, forced=True)], ignore
    )

    assert json.loads(message.calls[0].arguments) == {
        "message_tags": ["yeast"],
        "intent": "chat",
        "emotional_signal": "neutral",
        "worth": False,
        "register": "plain",
    }


async def test_an_empty_talk_cannot_be_marked() -> None:
    with pytest.raises(Unusable):
        await marks_of("")


async def test_topics_come_from_the_persons_own_words_alone() -> None:
    marks = await marks_of(
        "user (2026-03-09T18:42:07.113Z): The kiln is cold in November. I said the kiln said nothing.\n\n"
        "agent (2026-03-09T18:42:30.000Z): Kept. In your memory: memory of November, kept.\n\n> The pottery, pottery."
        "\n\nuser (2026-03-09T18:44:00.000Z): > pottery and pottery\n\nIn November it was cold."
    )

    assert marks.tags == ["kiln", "cold"]
