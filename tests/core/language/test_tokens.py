from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.language.stems import stem
from core.language.tokens import TELLING, is_cjk, keys, terms
from core.language.tongue import tongue_of


@pytest.mark.parametrize(
    "forms",
    [
        ("park", "parked", "parking", "parks"),
        ("decide", "decided", "deciding", "decision"),
        ("buy", "bought", "buying", "buys"),
        ("story", "stories"),
        ("child", "children", "children's"),
        ("Termin", "Termine", "Terminen"),
        ("libro", "libri", "libros"),
        ("amigo", "amiga", "amigos", "amigas"),
        ("Café", "cafe", "CAFÉ", "cafés"),
        ("ｆｕｌｌ", "full"),
        ("бабушка", "бабушку", "бабушкой"),
        ("3rd", "3"),
        ("don’t-ask", "ask"),
    ],
)
def test_forms_of_one_word_share_a_key(forms: tuple[str, ...]) -> None:
    assert len({tuple(keys(form)) for form in forms}) == 1


@pytest.mark.parametrize(
    ("one", "other"), [("bus", "bu"), ("glass", "glas"), ("ring", "r"), ("bed", "b"), ("sing", "s")]
)
def test_short_words_are_not_cut_to_nothing(one: str, other: str) -> None:
    assert stem(one) != other


def test_stop_words_have_no_key() -> None:
    assert keys("What is the thing that I've got, and don’t you?") == keys("thing")


def test_scripts_without_spaces_give_pairs_and_single_characters() -> None:
    assert keys("咖啡店") == ["咖啡", "啡店", "咖", "啡", "店"]
    assert "しり" in keys("今日は成語しりとりをした")
    assert "กา" in keys("กาแฟ")


def test_mixed_text_keeps_both() -> None:
    assert {"hsk", "四级"} <= set(keys("我HSK四级一共考了多少分"))


def test_words_that_ask_weigh_little_and_names_much() -> None:
    weights = {term.surface: term.weight for term in terms("Remind me what Heidi told us about the yeast")}

    assert weights["heidi"] > weights["yeast"] > TELLING > weights["told"]
    assert "the" not in weights


def test_a_capital_at_the_beginning_makes_no_name() -> None:
    assert {term.weight for term in terms("Yeast? Yeast: “Yeast")} == {1.0}


def test_a_chinese_question_is_cut_at_the_words_that_ask() -> None:
    telling = [term.key for term in terms("我上次说的那家咖啡店叫什么名字？") if term.weight >= TELLING]

    assert telling == ["咖啡", "啡店"]


@pytest.mark.parametrize(
    ("text", "tongue"),
    [
        ("Where did I park?", "en"),
        ("我把车停在哪里了？", "zh"),
        ("Montemor的尾款是哪天收到的？", "zh"),
        ("今日は何をした？", "en"),
        ("What does 花园 mean in this long sentence?", "en"),
        ("", "en"),
        ("🎉 42", "en"),
    ],
)
def test_the_language_to_answer_in_is_told_by_the_script(text: str, tongue: str) -> None:
    assert tongue_of(text) == tongue


def test_a_text_is_cjk_when_most_of_it_is() -> None:
    assert is_cjk("今天好累 ok")
    assert not is_cjk("ok 好")


@given(st.text(max_size=200))
def test_any_text_has_keys_and_terms(text: str) -> None:
    assert all(keys(text)) or keys(text) == []
    assert all(term.weight > 0 for term in terms(text))


@given(st.text(max_size=100))
def test_a_text_has_the_same_keys_in_capitals_as_far_as_unicode_agrees(text: str) -> None:
    shouted = text.upper()

    assert keys(shouted) == keys(shouted.casefold())
