from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.prose import split, untapped

CODE = "\n".join(f"x{number} = {number}" for number in range(600))


def bare(text: str) -> str:
    return re.sub(r"(?m)^(```|~~~).*$|\s", "", text)


def test_a_long_text_is_parted_at_its_paragraphs() -> None:
    paragraphs = [f"{number} " + "word " * 80 for number in range(12)]

    parts = split("\n\n".join(paragraphs), 2000)

    assert all(len(part) <= 2000 for part in parts)
    assert [part.split("\n\n")[0][:2] for part in parts] == ["0 ", "4 ", "8 "]


def test_a_fence_across_parts_is_closed_and_opened_again_with_its_language() -> None:
    parts = split(f"Before.\n\n```python\n{CODE}\n```\n\nAfter.", 2000)

    assert len(parts) > 3
    assert all(part.count("```") == 2 for part in parts)
    assert all(part.startswith("```python\n") for part in parts[1:])
    assert bare("".join(parts)) == bare(f"Before.{CODE}After.")


def test_a_code_block_that_fits_a_part_of_its_own_stays_whole_where_a_paragraph_allows_it() -> None:
    text = "word " * 220 + "\n\n```\n" + "y\n" * 450 + "```"

    assert [part.count("```") for part in split(text, 2000)] == [0, 2]


def test_no_sign_is_cut_in_two() -> None:
    family = "👩‍👩‍👧"

    parts = split(family * 300, 200)

    assert "".join(parts) == family * 300
    assert all(part.startswith("👩") and part.endswith("👧") for part in parts)


def test_chinese_is_parted_behind_a_sentence() -> None:
    parts = split("今天我们去看了外婆的菜谱。" * 300, 2000)

    assert all(part.endswith("。") and len(part) <= 2000 for part in parts)


def test_the_parts_of_a_growing_text_stay_where_they_are() -> None:
    whole = "\n\n".join(f"{number} " + "word " * 60 for number in range(20))

    assert split(whole[:3000], 1900)[0] == split(whole, 1900)[0]


@given(
    st.lists(st.sampled_from(["```", "```py", "word word word", "字。" * 9, "", "é\u0301👩\u200d👩" * 8]), max_size=60),
    st.integers(60, 120),
)
def test_nothing_is_lost_and_nothing_is_over_the_limit(lines: list[str], limit: int) -> None:
    text = "\n".join(lines)

    parts = split(text, limit)

    assert all(len(part) <= limit for part in parts)
    assert bare("\n".join(parts)) == bare(text)


def test_an_address_that_nobody_gave_is_shown_as_code_and_others_are_left() -> None:
    text = "See https://bad.example/x, [this](https://bad.example/x), https://good.example and `https://bad.example/x`."

    shown = untapped(text, {"https://bad.example/x"})

    code = "`https://bad.example/x`"
    assert shown == f"See {code}, this ({code}), https://good.example and {code}."


def test_a_limit_without_room_is_refused() -> None:
    with pytest.raises(ValueError, match="no room"):
        split("```python\n" + "x" * 50, 12)


@pytest.mark.parametrize(
    "text",
    [
        "`" * 9000,
        "~" * 9000,
        "```" + "x" * 9000,
        "```" + "word " * 2000,
        "~~~" + "é" * 9000 + "\nbody\n~~~",
        "`" * 3000 + "\nbody",
        "e" + "\u0301" * 9000,
        "👩" + "\u200d👩" * 4000,
        "🇩🇪" * 4000,
    ],
    ids=range(9),
)
def test_no_text_is_too_odd_to_be_parted_or_becomes_a_flood_of_parts(text: str) -> None:
    parts = split(text, 2000)

    assert all(0 < len(part) <= 2000 for part in parts)
    assert len(parts) <= 2 * (len(text) // 2000 + 1)
    assert bare("".join(parts)).replace("`", "").replace("~", "") == bare(text).replace("`", "").replace("~", "")
