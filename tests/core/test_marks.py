"""Marks of a closed slice: the worker's, and the plain ones in the language of the talk (original.md 98-101)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.errors import Unavailable, Unusable
from core.marks import mark, plain, talk
from core.slices.model import Slice, Turn
from tests.bot.living import WORDS
from tests.doubles.model import ScriptedModel, calls, says

AT = "2026-03-09T18:42:07.113Z"


def slice_of(*said: tuple[str, str], tags: tuple[str, ...] = ()) -> Slice:
    turns = tuple(Turn(f"turn{n:02d}", AT, role, text) for n, (role, text) in enumerate(said))
    return Slice("2026-03-09-1842", "closed", AT, AT, turns=turns, tags=tags)


def marked(*said: tuple[str, str], tags: tuple[str, ...] = ()) -> tuple[str, str]:
    marks = plain(slice_of(*said, tags=tags), WORDS)
    return marks.focus, marks.summary


def test_chinese_talk_has_chinese_marks_with_count_and_tags() -> None:
    said = (("user", "公司注册的地址\n怎么选"), ("agent", "看成本。"))

    assert marked(*said, tags=("公司注册", "地址选择")) == (
        "“公司注册的地址”",
        "共 2 轮，涉及 公司注册、地址选择。",
    )


def test_a_very_short_chinese_message_is_chinese() -> None:
    assert marked(("user", "你好")) == ("“你好”", "共 1 轮，未标记话题。")


def test_english_talk_has_english_marks() -> None:
    assert marked(("user", "Where is   the bakery?"), ("agent", "On the corner.")) == (
        "“Where is the bakery?”",
        "2 turns, no topic marked.",
    )


@pytest.mark.parametrize(
    ("length", "focus"),
    [(59, "字" * 59), (60, "字" * 60 + "…"), (100, "字" * 60 + "…")],
)
def test_the_opening_is_cut_at_sixty_characters(length: int, focus: str) -> None:
    assert marked(("user", "字" * length))[0] == f"“{focus}”"


def test_a_slice_with_only_an_answer_is_called_after_its_tags() -> None:
    assert marked(("agent", "我在。"), tags=("问候", "早晨"))[0] == "会话（问候、早晨）"


@pytest.mark.parametrize(
    ("text", "focus"), [("我在。", "会话（未标记话题）"), ("I am here.", "A talk (no topic marked)")]
)
def test_a_slice_with_only_an_answer_and_no_tags_still_has_a_focus(text: str, focus: str) -> None:
    assert marked(("agent", text))[0] == focus


def test_what_was_forwarded_or_deleted_names_no_slice() -> None:
    forwarded = "> [forwarded: Ann]\n> 请看这个\n\nmy own remark"

    assert marked(("user", "[deleted] a secret"), ("user", forwarded))[0] == "“my own remark”"


def test_a_summary_is_never_longer_than_a_hundred_characters() -> None:
    assert len(marked(("user", "hi"), tags=tuple("topic" * 5 + str(n) for n in range(20)))[1]) == 100


@pytest.mark.parametrize("text", ["👩‍👩‍👧‍👦" * 40, "שלום עולם", "\u202eabc", "e\u0301" * 100])
def test_hostile_text_gives_one_line(text: str) -> None:
    focus, summary = marked(("user", f"{text}\nmore"))

    assert "\n" not in focus + summary
    assert focus


async def test_a_workers_marks_are_taken_over() -> None:
    said = {
        "focus": "The  kiln\nis cold",
        "summary": "A new element was ordered.",
        "tags": ["kiln"],
        "tone": "mixed",
        "open_loops": ["Call the shop on 2026-03-12"],
        "decisions": ["Fire again in April"],
    }
    marks = await mark(ScriptedModel([calls(("mark_slice", said))]), slice_of(("user", "the kiln is cold")))

    assert (marks.focus, marks.tags, marks.tone) == ("The kiln is cold", ("kiln",), "mixed")
    assert (marks.open_loops, marks.decisions) == (("Call the shop on 2026-03-12",), ("Fire again in April",))


@pytest.mark.parametrize("reply", [says("I would say: a talk."), says('{"error": "rate limited"}'), says("")])
async def test_prose_an_error_object_and_nothing_are_no_marks(reply: object) -> None:
    with pytest.raises(Unusable):
        await mark(ScriptedModel([reply, reply]), slice_of(("user", "hi")))  # type: ignore[list-item]


@pytest.mark.parametrize(
    ("talk", "foreign", "own"),
    [
        ("屋顶又漏水了，王师傅说要换瓦片。", "The roof leaks", "屋顶漏水"),
        ("The roof leaks again.", "屋顶漏水", "The roof leaks"),
    ],
)
async def test_marks_in_another_language_than_the_talks_are_asked_for_again(talk: str, foreign: str, own: str) -> None:
    """P075."""
    model = ScriptedModel([calls(("mark_slice", {"focus": focus, "summary": focus})) for focus in (foreign, own)])

    marks = await mark(model, slice_of(("user", talk)))

    assert (marks.focus, marks.summary) == (own, own)
    assert len(model.asked) == 2


async def test_german_talk_keeps_its_german_marks() -> None:
    """P075."""
    said = {"focus": "Das Dach ist undicht", "summary": "Der Dachdecker kommt am Montag."}

    marks = await mark(ScriptedModel([calls(("mark_slice", said))]), slice_of(("user", "Das Dach ist wieder undicht.")))

    assert marks.focus == "Das Dach ist undicht"


async def test_a_worker_that_is_down_is_not_asked_twice() -> None:
    model = ScriptedModel([Unavailable("down")])

    with pytest.raises(Unavailable):
        await mark(model, slice_of(("user", "hi")))

    assert len(model.asked) == 1


def test_the_worker_sees_no_deleted_words_and_the_end_of_a_long_talk() -> None:
    piece = slice_of(("user", "[deleted] a secret"), ("user", "x" * 20_000), ("agent", "the end"))

    shown = talk(piece)

    assert "secret" not in shown
    assert shown.endswith("the end")
    assert len(shown) <= 12_000


def test_a_slice_without_turns_is_marked_too() -> None:
    assert plain(replace(slice_of(), turns=()), WORDS).focus == "A talk (no topic marked)"
