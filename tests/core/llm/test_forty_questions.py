"""Questions over the demo people, written before the offline model."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest
import yaml

from tests.core.llm.demo import ROOT, WORDS, Person, memory_of
from tests.doubles.clock import ManualClock

if TYPE_CHECKING:
    from collections.abc import Sequence


class Question(NamedTuple):
    id: str
    language: str
    question: str
    answer: Sequence[str]
    quote: Sequence[str]


class Result(NamedTuple):
    question: Question
    text: str

    @property
    def right(self) -> bool:
        """The right slice is named, and its own words are quoted; or it is said that there is nothing."""
        if not self.question.answer:
            return self.text.endswith(WORDS[self.question.language]("offline.nothing"))
        quoted = "\n".join(line for line in self.text.splitlines() if line.startswith(">"))
        named = any(f"({slice_id})" in self.text or f"（{slice_id}）" in self.text for slice_id in self.question.answer)
        return named and any(part in quoted for part in self.question.quote)


async def asked(name: str) -> list[Result]:
    data = yaml.safe_load((ROOT / "tests" / "data" / name).read_text(encoding="utf-8"))
    clock = ManualClock(data["asked_at"].replace("Z", "+00:00"))
    slices = memory_of(data["persona"])
    questions = [Question(**one) for one in data["questions"]]
    return [Result(one, (await Person(slices, clock, one.language).say(one.question)).text) for one in questions]


def score(results: Sequence[Result]) -> tuple[int, int, int, int]:
    said = [one.right for one in results if one.question.answer]
    never = [one.right for one in results if not one.question.answer]
    return sum(said), len(said), sum(never), len(never)


@pytest.mark.parametrize(("name", "least"), [("questions.yaml", 28), ("questions_zh.yaml", 8)])
async def test_the_right_slices_are_quoted_and_dated_and_what_was_never_said_is_not_found(
    name: str, least: int, capsys: pytest.CaptureFixture[str]
) -> None:
    results = await asked(name)

    right, said, nothing, never = score(results)
    with capsys.disabled():
        print(f"\n{name}: {right} of {said} quoted and dated, nothing found on {nothing} of {never}")  # noqa: T201
    assert right >= least, [one.question.id for one in results if not one.right]
    assert nothing == never
    assert right + nothing >= 0.85 * len(results)


@pytest.mark.parametrize("name", ["questions.yaml", "questions_zh.yaml"])
async def test_no_answer_comes_from_the_question_itself(name: str) -> None:
    results = await asked(name)

    assert results
    assert [one.question.id for one in results if one.question.question in one.text] == []
