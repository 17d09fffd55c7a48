from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.llm.driver.joint import Joint


def joined(before: str, *chunks: str) -> str:
    joint = Joint(before)
    return before + "".join(joint.feed(chunk) for chunk in chunks) + joint.end()


@pytest.mark.parametrize(
    ("before", "after", "whole"),
    [
        ("It is ", "blue.", "It is blue."),
        ("The flute is of", "The flute is of wood.", "The flute is of wood."),
        ("It was in March that the flute", " that the flute was found.", "It was in March that the flute was found."),
        ("那支笛子是在三月找到的，当时", "是在三月找到的，当时下雨。", "那支笛子是在三月找到的，当时下雨。"),
        ("ha ", "ha ha", "ha ha ha"),
        ("one two three", "one two four", "one two threeone two four"),
        ("", "Hello.", "Hello."),
        ("It is blue.", "", "It is blue."),
    ],
)
def test_a_continuation_says_nothing_twice(before: str, after: str, whole: str) -> None:
    assert joined(before, after) == whole
    assert joined(before, *after) == whole


@given(st.text(), st.text(min_size=0), st.data())
def test_a_continuation_gives_the_same_in_any_chunks(before: str, after: str, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(after)))

    assert joined(before, after) == joined(before, after[:cut], after[cut:])


@given(st.text(alphabet="ab", max_size=8), st.text(alphabet="cd", max_size=8))
def test_what_shares_nothing_is_kept_whole(before: str, after: str) -> None:
    assert joined(before, after) == before + after
