"""Every way in which a provider fails, at every place where it is asked (reliability T10): nothing is lost, the person
gets a sentence, and the next message is answered."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.doubles.model_server import SECRET_TEXT
from tests.matrix.cells import KINDS, PLACES, WHENS
from tests.matrix.run import AFTER, ASKED, BEFORE, EN, Cell, is_sentence, lived

if TYPE_CHECKING:
    from core.llm.litellm import LiteLLM

# The library keeps a client for each of two hundred addresses and lets go of the oldest unclosed; a cell has its own.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

CELLS = [Cell(kind, place, when) for kind in KINDS for place in PLACES for when in WHENS]
NEWER = [Cell(kind, place, "first", "responses") for kind in KINDS for place in PLACES]
"""The same in the protocol of OpenAI's newer models."""


def short(cell: Cell) -> bool:
    """Which cells run every time: each kind where it answers, and at one other place or moment, by turns."""
    if cell.kind.slow:
        return False
    others = [(place, when) for place in PLACES for when in WHENS if (place, when) != ("main", "first")]
    number = KINDS.index(cell.kind)
    chosen = {("main", "first"), others[number % len(others)], others[(number + 5) % len(others)]}
    return (cell.place, cell.when) in chosen


QUICK = [cell for at, cell in enumerate(NEWER) if not cell.kind.slow and at % 15 == 0]
SHORT = [*(cell for cell in CELLS if short(cell)), *QUICK]
LONG = [cell for cell in (*CELLS, *NEWER) if cell not in SHORT]


def test_the_matrix_is_as_large_as_it_should_be_and_every_run_sees_a_hundred_cells() -> None:
    assert len(CELLS) == len(KINDS) * 10 >= 380
    assert len(SHORT) >= 100
    assert {(cell.place, cell.when) for cell in SHORT} == {(place, when) for place in PLACES for when in WHENS}


@pytest.mark.parametrize("cell", SHORT, ids=lambda cell: cell.name)
async def test_a_failure_costs_no_word_and_the_talk_goes_on(cell: Cell, wire: LiteLLM) -> None:
    await check(cell, wire)


@pytest.mark.long
@pytest.mark.parametrize("cell", LONG, ids=lambda cell: cell.name)
async def test_a_failure_anywhere_else_costs_no_word_either(cell: Cell, wire: LiteLLM) -> None:
    await check(cell, wire)


async def check(cell: Cell, wire: LiteLLM) -> None:
    seen = await lived(cell, wire)

    assert seen.said == [BEFORE, ASKED[cell.place][0], AFTER]
    assert seen.struck > 0, "the failure was never met"
    assert seen.refused == []
    assert "It is blue." in seen.after
    assert SECRET_TEXT not in seen.shown
    assert "<html" not in seen.shown
    assert "Traceback" not in seen.shown
    if cell.shown == "answer":
        assert seen.shown.startswith("It is ")
        assert seen.stored.startswith("It is ")
    elif cell.shown == "memory":
        refused = cell.kind.name in {"wrong key", "forbidden"}
        assert EN("offline.key" if refused else "offline.down", variable="OPENAI_API_KEY")[:30] in seen.shown
        assert seen.stored.strip()
    elif cell.shown == "part":
        assert EN("turn.broken") in seen.shown
        assert seen.stored.startswith("[partial] ")
    else:
        assert is_sentence(seen.shown)
        assert seen.stored == ""
