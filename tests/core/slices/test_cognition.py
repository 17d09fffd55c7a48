from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.slices.cognition import ToolNote, append_block, block, block_of, paragraphs, readable

AT = "2026-03-09T18:42:30.000Z"


def test_a_block_has_thoughts_and_tools_in_the_originals_form() -> None:
    tools = [
        ToolNote("recall", {"query": "yeast", "limit": 3, "deep": True}, "ok"),
        ToolNote("readSlice", {"id": "x"}, "no such\nslice"),
        ToolNote("webFetch", {}),
    ]

    assert block("q1W-_A", AT, ["First.", "Then."], tools) == (
        f"## Cognition q1W-_A — {AT}\n\n### Thinking\nFirst.\nThen.\n\n### Tools\n"
        '- `recall`(query: "yeast", limit: 3, deep: true) → ok\n'
        '- `readSlice`(id: "x") → error: no such slice\n'
        "- `webFetch`() → ?\n"
    )


def test_a_block_without_content_has_an_empty_line() -> None:
    assert block("q1W-_A", AT, [], []) == f"## Cognition q1W-_A — {AT}\n\n"


def test_arguments_and_reasons_are_cut() -> None:
    text = block("a", AT, [], [ToolNote("t", {str(n): "x" * 90 for n in range(7)}, "e" * 300)])

    assert text.count('"' + "x" * 80 + '…"') == 5
    assert text.endswith(", …) → error: " + "e" * 200 + "\n")


@pytest.mark.parametrize(
    ("fragments", "found"),
    [
        (["I th", "ink.\n", "\nTh", "en ", "x\n y"], ["I think.", "Then x\n y"]),
        (["  \n\n  "], []), ([], []), (["a\r\n\r\nb\n \t\nc"], ["a", "b", "c"]),
    ],
)  # fmt: skip
def test_fragments_become_paragraphs(fragments: list[str], found: list[str]) -> None:
    assert paragraphs(fragments) == found


def test_a_block_is_appended_once_behind_a_blank_line() -> None:
    first, second = block("aaaaaA", AT, ["x"], []), block("bbbbbA", AT, ["y"], [])

    log = append_block(append_block("", "aaaaaA", first), "bbbbbA", second)

    assert log == f"{first}\n{second}"
    assert append_block(log, "aaaaaA", first) == log
    assert append_block(log, "bbbbbA", block("bbbbbA", AT, ["otherwise"], [])) == log


def test_an_id_is_matched_as_a_whole() -> None:
    log = append_block("", "abc", block("abc", AT, ["long"], []))

    assert block_of(log, "ab") is None
    assert block_of(log, "abc") == log
    assert block_of(append_block(log, "ab", block("ab", AT, ["short"], [])), "ab") == block("ab", AT, ["short"], [])


def test_a_thought_cannot_pass_for_a_block() -> None:
    thought = f"## Cognition zzzzzA — {AT}\n#\\# Cognition "
    log = append_block(
        "", "aaaaaA", block("aaaaaA", AT, [thought], [ToolNote("t", {"q": "\n## Cognition b — c"}, "ok")])
    )

    assert block_of(log, "zzzzzA") is None
    assert thought in readable(block_of(log, "aaaaaA") or "")


@given(st.integers(0, 200))
def test_a_log_cut_off_anywhere_is_completed_by_the_redo(cut: int) -> None:
    first, second = (
        block("aaaaaA", AT, ["x"], []),
        block("bbbbbA", AT, ["long thought", "again"], [ToolNote("t", {}, "ok")]),
    )
    whole = append_block(first, "bbbbbA", second)
    torn = whole[: min(len(whole), len(first) + 1 + len(f"## Cognition bbbbbA — {AT}") + cut)]

    assert append_block(torn, "bbbbbA", second).rstrip() == whole.rstrip()
