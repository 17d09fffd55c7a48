from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.language.numbers import number
from core.language.questions import asks_for_present, asks_what_was_answered, is_question, suits
from core.language.sentences import cut, sentences


@pytest.mark.parametrize(
    "text",
    [
        "Where did I park?",
        "where did i park",
        "Do you remember my dentist",
        "tell me about Anna",
        "remind me what the wifi password is",
        "Find the recipe",
        "So, what's the name of the cat",
        "I forgot. Who delivers the yeast?",
        "我上次说车停哪了",
        "屋顶花了多少钱",
        "你还记得吗",
        "上周聊了什么",
    ],
)
def test_what_asks_is_a_question(text: str) -> None:
    assert is_question(text)


@pytest.mark.parametrize(
    "text",
    [
        "I parked on level 3.",
        "hello",
        "What a day!",
        "remind me to call mum tomorrow",
        "I asked when she comes. She said Tuesday.",
        "你好",
        "今天好累，什么都不想做",
        "记得提醒我明天买牛奶",
        "我想换工作",
        "",
        "🎉",
    ],
)
def test_what_states_is_no_question(text: str) -> None:
    assert not is_question(text)


def test_the_present_and_the_assistants_words_are_asked_for() -> None:
    assert asks_for_present("Where do I work now?")
    assert asks_for_present("我目前住在哪里")
    assert not asks_for_present("Where did I work in 2020?")
    assert asks_what_was_answered("What did you recommend?")
    assert asks_what_was_answered("你给我推荐了哪本书")
    assert not asks_what_was_answered("Do you remember my dentist?")


@pytest.mark.parametrize(
    ("question", "passage", "fits"),
    [
        ("When is the check?", "On 14 May at the health centre", True),
        ("When is the check?", "At the health centre", False),
        ("How much was it?", "1,900 because you listen", True),
        ("花了多少钱", "八百块吧", True),
        ("花了多少钱", "很贵", False),
        ("Who is it?", "14 May", False),
    ],
)
def test_a_passage_suits_a_question_that_asks_for_what_it_holds(question: str, passage: str, fits: bool) -> None:
    assert suits(question, passage) is fits


def test_sentences_are_parted_in_any_script_and_not_at_abbreviations() -> None:
    text = 'I met Dr. Weiss. He said "come back." Then 3.5 km! 好的。我们走吧！\nnew line'

    assert sentences(text) == [
        "I met Dr. Weiss.", 'He said "come back."', "Then 3.5 km!", "好的。", "我们走吧！", "new line",
    ]  # fmt: skip


@given(st.text())
def test_sentences_are_parts_of_the_text_in_order(text: str) -> None:
    at = 0
    for part in sentences(text):
        at = text.index(part, at) + len(part)
        assert part == part.strip()


@given(st.text(), st.integers(2, 50))
def test_what_is_cut_is_short_enough_and_on_one_line(text: str, most: int) -> None:
    short = cut(text, most)

    assert len(short) <= most
    assert "\n" not in short


@pytest.mark.parametrize(
    ("text", "value"),
    [("12", 12), ("three", 3), ("a couple of", 2), ("二十三", 23), ("十", 10), ("两", 2), ("二〇二五", 2025)],
)
def test_small_numbers_are_read(text: str, value: int) -> None:
    assert number(text) == value


@pytest.mark.parametrize("text", ["", "many", "二十三十", "百", "-1", "1.5"])
def test_what_is_no_small_number_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a number"):
        number(text)
