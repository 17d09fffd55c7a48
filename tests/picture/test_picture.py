"""The picture in the README is drawn from a chat that really takes place."""

from __future__ import annotations

from io import BytesIO

from tests.adapters.telegram.stand import MARA
from tests.picture.bubbles import phones
from tests.picture.chat import chat
from tests.tree import ROOT

LARGEST = 200 << 10


async def test_the_chat_has_a_briefing_an_answer_with_recall_and_the_timeline_and_can_be_drawn() -> None:
    world = await chat()
    briefing, answer, timeline = world.shown(MARA)
    assert briefing.startswith("PREVIOUSLY ON\nMara Sequeira")
    assert answer.startswith("380 a month")
    assert "Recalled “rent Marvila hall”" in answer
    assert timeline.startswith("[photo]Timeline")
    output = BytesIO()
    phones(world).save(output, "PNG", optimize=True)
    assert 20 << 10 < len(output.getvalue()) < LARGEST


def test_the_picture_that_the_readme_shows_is_there() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "](docs/telegram.png)" in readme
    assert (ROOT / "docs" / "telegram.png").stat().st_size < LARGEST
