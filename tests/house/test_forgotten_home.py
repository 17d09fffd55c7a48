"""Forget "now" on a real folder: no byte of it is left that grep finds, wherever in the home."""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING

from core.llm.base import Message, ToolCall
from core.slices.model import CARD_PATH
from tests.bot.living import Worker
from tests.house.homely import homely

if TYPE_CHECKING:
    from pathlib import Path

SECRET = "Zanzibarine"


def grep(root: Path, word: str) -> list[str]:
    """Every file below the folder whose bytes hold the word: plain, as JSON escapes it, or in base64."""
    shapes = {word.encode(), word.lower().encode(), b64encode(word.encode())[:-4]}
    shapes |= {word.encode("unicode_escape"), b64encode(f"..{word}".encode())[4:-4]}
    files = [path for path in root.rglob("*") if path.is_file()]
    return [str(path.relative_to(root)) for path in files if any(one in path.read_bytes() for one in shapes)]


async def test_after_forgetting_for_good_grep_finds_nothing_in_the_home(tmp_path: Path) -> None:
    marks = Message(
        "assistant",
        "",
        (
            ToolCall(
                "1",
                "mark_slice",
                f'{{"focus":"Where the {SECRET} is kept","summary":"About the {SECRET}","tags":["{SECRET.lower()}"],'
                f'"open_loops":["Move the {SECRET} on 2026-03-12"]}}',
            ),
        ),
    )
    async with homely(tmp_path) as home:
        worker = home.house.parts.closing._worker
        assert isinstance(worker, Worker)
        worker.marks.append(marks)
        await home.say("The tulips are up.")
        await home.say(f"I keep the {SECRET} in the shed behind the house, on the left.")
        await home.say("/close")
        card = f"# Previously On\n\n_Active slice: x | Format: user card v2 | Updated: x_\n\n## Now\n\n- Has a {SECRET}"
        rel = home.readable()[0].id.replace("-", "/")
        (tmp_path / CARD_PATH).write_text(f"{card} — refs: [{rel}] | since: 2026-03-09\n", encoding="utf-8")
        await home.say("Hello again.", pause=7 * 3600)
        await home.say(f"/find {SECRET}")
        assert len(grep(tmp_path, SECRET)) >= 6

        await home.say(f"/forget {SECRET}")
        await home.say("/forget yes")
        assert {path.split("/")[0] for path in grep(tmp_path, SECRET)} <= {"state"}
        assert all(path.startswith("state/bin/") for path in grep(tmp_path, SECRET))
        await home.say("/forget empty")
        await home.say("/status")

        assert grep(tmp_path, SECRET) == []
        assert home.kept("Hello again.") == 1
    assert grep(tmp_path, SECRET) == []


async def test_the_tick_empties_the_bin_after_thirty_days(tmp_path: Path) -> None:
    async with homely(tmp_path) as home:
        await home.say(f"I keep the {SECRET} in the shed.")
        await home.say(f"/forget {SECRET}")
        await home.say("/forget yes")
        clock, schedule = home.world.clock, home.house.schedule

        await schedule.tick(clock.now())
        assert len(list((tmp_path / "state" / "bin").iterdir())) == 1
        clock.shift(30 * 24 * 3600)
        await schedule.tick(clock.now())

        assert list((tmp_path / "state" / "bin").iterdir()) == []
        assert "FORGOTTEN" in "\n".join(home.world.finals())
