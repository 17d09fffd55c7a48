from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.terminal.fences import pieces


@pytest.mark.parametrize(
    ("markdown", "bodies"),
    [
        ("a\n```\nx\n```\nb", ["x"]),
        ("````md\n```\nx\n```\n````", ["```\nx\n```"]),
        ("~~~\n```\n~~~", ["```"]),
        ("```\nx\n    ```\ny", ["x\n    ```\ny"]),
        ("``` a`b\nx", []),
        ("    ```\nx", []),
        ("```\nx\n``\n```` \n", ["x\n``"]),
        ("```", [""]),
    ],
)
def test_a_fence_ends_where_commonmark_ends_it(markdown: str, bodies: list[str]) -> None:
    found = [piece.body for piece in pieces(markdown) if piece.code]

    assert found == bodies


def test_the_first_word_beside_the_fence_is_its_language() -> None:
    found = pieces("```python title=x\npass\n```")

    assert [piece.language for piece in found] == ["python"]


@given(st.text(st.sampled_from("`~ab \n"), max_size=60))
def test_no_line_that_holds_anything_is_lost(markdown: str) -> None:
    kept = [line for piece in pieces(markdown) for line in piece.lines if line.strip()]

    assert kept == [line for line in markdown.split("\n") if line.strip()]
