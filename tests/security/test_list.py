"""The whole list of bad inputs, line by line: `pytest tests/security -rP` prints what was done to each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.security import keeping, paths, people, texts, updates, web
from tests.security.lines import ALL, ASIDE, LINES, OPEN

if TYPE_CHECKING:
    from pathlib import Path

PARTS = (paths, people, updates, texts, web, keeping)


def test_every_number_is_there_and_what_does_not_apply_has_its_reason() -> None:
    assert len(PARTS) == 6
    assert sorted(LINES) == list(ALL)
    assert {number for number, line in LINES.items() if line.ours} == OPEN
    assert set(ASIDE) <= set(ALL)
    assert all(len(reason) > 20 for reason in ASIDE.values())
    assert len({line.hostile for line in LINES.values()}) == len(LINES)


@pytest.mark.timeout(60)
@pytest.mark.parametrize("number", sorted(LINES))
async def test_a_bad_input_has_the_right_end(number: int, tmp_path: Path) -> None:
    one = LINES[number]

    done = await one.check(tmp_path)

    assert done
    aside = f" [{ASIDE[number]}]" if number in ASIDE else ""
    print(f"{number:2}{'*' if one.ours else ' '} {one.hostile} -> {done}{aside}")  # noqa: T201 - the list, on request
