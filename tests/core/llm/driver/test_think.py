from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.llm.driver.think import Splitter


def split(*chunks: str) -> tuple[str, str]:
    """The text and the reasoning of a stream."""
    splitter = Splitter()
    parts = [part for chunk in chunks for part in splitter.feed(chunk)] + list(splitter.end())
    text, thought = ("".join(piece for kind, piece in parts if kind == wanted) for wanted in ("text", "thought"))
    return text, thought


FENCE = "Look:\n```html\n<think>kept</think>\n```\nDone."
TABLE = [
    ("<think>a</think>b", "b", "a"),
    ("\n <think>a</think>\n\nb", "\n \n\nb", "a"),
    ("<thinking>a</thinking>b", "b", "a"),
    ("<THINK>a</Think>b", "b", "a"),
    ("<think>a</think>b<think>c</think>d", "bd", "ac"),
    ("Well <think>a</think>so.", "Well so.", "a"),
    ("<think>never closed, and a lot of it", "", "never closed, and a lot of it"),
    ("b <think>never closed", "b ", "never closed"),
    ("lost start</think>b", "lost startb", ""),
    ("", "", ""),
    ("a < b and c > d", "a < b and c > d", ""),
    ("<thin ice", "<thin ice", ""),
    ("the end is <", "the end is <", ""),
    (FENCE, FENCE, ""),
    ("~~~\n<think>kept\n~~~\n<think>a</think>b", "~~~\n<think>kept\n~~~\nb", "a"),
    ("````\n```\n<think>kept\n````\nb", "````\n```\n<think>kept\n````\nb", ""),
    ("> ```\n> <think>kept\n> ```", "> ```\n> <think>kept\n> ```", ""),
    ("Use `<think>` for that.", "Use `<think>` for that.", ""),
    ("Use ``a ` <think>`` for that.", "Use ``a ` <think>`` for that.", ""),
    ("It's a `lone tick\n<think>a</think>b", "It's a `lone tick\nb", "a"),
    ("So:\n\n    <think>kept\n\nb", "So:\n\n    <think>kept\n\nb", ""),
    ("<think>```\nx\n</think>b", "b", "```\nx\n"),
    ("青い<think>考え</think>笛 👩‍👩‍👧", "青い笛 👩‍👩‍👧", "考え"),
]


@pytest.mark.parametrize(("stream", "text", "thought"), TABLE)
def test_reasoning_is_told_from_the_answer_and_code_is_left_alone(stream: str, text: str, thought: str) -> None:
    assert split(stream) == (text, thought)


@pytest.mark.parametrize(("stream", "text", "thought"), TABLE)
def test_it_does_not_matter_where_the_stream_is_cut(stream: str, text: str, thought: str) -> None:
    assert split(*stream) == (text, thought)
    for at in range(len(stream)):
        assert split(stream[:at], stream[at:]) == (text, thought)


PIECES = st.lists(st.sampled_from(["<think>", "</think>", "`", "```", "\n", "~~~", "<", "a", " ", "> ", "    ", "思"]))


@given(PIECES, st.data())
def test_any_stream_gives_the_same_in_any_chunks_and_loses_only_tags(pieces: list[str], data: st.DataObject) -> None:
    stream = "".join(pieces)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)))))
    chunks = [stream[start:end] for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True)]

    whole = split(stream)

    assert split(*chunks) == whole
    assert len(stream) - len("".join(whole)) == 7 * stream_tags(stream, whole, opening=True) + 8 * stream_tags(
        stream, whole, opening=False
    )


def stream_tags(stream: str, parts: tuple[str, str], *, opening: bool) -> int:
    """How many tags of a kind were taken out."""
    tag = "<think>" if opening else "</think>"
    return stream.count(tag) - sum(part.count(tag) for part in parts)


@given(st.text())
def test_text_without_tags_passes_whole(text: str) -> None:
    plain = text.replace("<", "")

    assert split(*plain) == (plain, "")
