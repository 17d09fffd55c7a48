from __future__ import annotations

import subprocess
import sys

import pytest

from core.slices import model

SAID = "⋯ 你好 🎩"


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("2026-03-09-1842", True), ("2026-99-99-9999", True), ("2026-03-09", False), ("2026-3-09-1842", False),
        ("2026-03-09-1842\n", False), ("٢٠٢٦-03-09-1842", False), ("../2026-03-09-1842", False), ("", False),
    ],
)  # fmt: skip
def test_an_id_is_four_groups_of_digits_and_nothing_else(text: str, known: bool) -> None:
    assert model.is_slice_id(text) is known


def test_the_files_of_a_slice_follow_from_its_id() -> None:
    folder = "memory/episodic/slices/2026/07/10/1430"

    assert model.rel_of("2026-07-10-1430") == "2026/07/10/1430"
    assert model.core_path("2026-07-10-1430") == f"{folder}/timeline/core.md"
    assert model.agent_path("2026-07-10-1430") == f"{folder}/timeline/agent.md"
    assert model.messages_path("2026-07-10-1430") == f"{folder}/timeline/messages.jsonl"
    assert model.briefing_path("2026-07-10-1430") == f"{folder}/timeline/briefing.md"
    assert model.snapshot_path("2026-07-10-1430") == f"{folder}/previously.md"
    with pytest.raises(ValueError, match="not a slice id"):
        model.rel_of("2026-07-10")


def test_slices_are_the_same_bytes_under_any_locale() -> None:
    script = (
        "import sys; from core.slices.codec import decode, encode; from core.slices.model import Slice, Turn;"
        f"said = {SAID!a}; "
        "one = Slice('2026-03-09-1842', start='s', focus=said, turns=(Turn('a', 't', 'user', said),));"
        "data = encode(one).encode(); assert decode(data, 'x') == one; sys.stdout.buffer.write(data)"
    )
    written = {
        subprocess.run(
            [sys.executable, "-X", "utf8=0", "-c", script],
            env={"LC_ALL": locale, "PYTHONPATH": "."},
            capture_output=True,
            check=True,
        ).stdout
        for locale in ("C", "C.UTF-8")
    }

    assert len(written) == 1
    assert SAID.encode() in written.pop()
