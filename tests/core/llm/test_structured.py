from __future__ import annotations

from typing import Literal

import pytest
from pydantic import BaseModel, Field

from core.errors import Unavailable, Unusable
from core.llm.base import Message
from core.llm.structured import ask
from tests.doubles.model import ScriptedModel, calls, says


class Marks(BaseModel):
    focus: str = Field(min_length=1)
    tone: Literal["glad", "sad"] = "glad"
    tags: list[str] = Field(default_factory=list)


GOOD = '{"focus": "Yeast", "tone": "sad", "tags": ["bakery", "花园"]}'
WANTED = Marks(focus="Yeast", tone="sad", tags=["bakery", "花园"])


async def form(model: ScriptedModel) -> Marks:
    return await ask(model, [Message("user", "Mark it.")], Marks, "mark_slice", "Marks of a slice.")


async def test_the_tool_is_forced_with_the_schema_of_the_form() -> None:
    model = ScriptedModel([calls(("mark_slice", GOOD))])

    found = await form(model)

    tool = model.asked[0][1][0]
    assert found == WANTED
    assert (tool.name, tool.forced, tool.description) == ("mark_slice", True, "Marks of a slice.")
    assert tool.schema == Marks.model_json_schema()


@pytest.mark.parametrize(
    "text",
    [GOOD, f"```json\n{GOOD}\n```", f"\n```\n{GOOD}\n```\n", f"  {GOOD}  "],
    ids=["bare", "json", "fence", "space"],
)
async def test_a_json_object_in_the_text_is_understood(text: str) -> None:
    assert await form(ScriptedModel([says(text)])) == WANTED


@pytest.mark.parametrize(
    "bad",
    [
        says("The talk was about yeast."),
        says("<html><body>502 Bad Gateway</body></html>"),
        says("Error: rate limit exceeded, please try again later"),
        says('{"error": {"message": "overloaded", "type": "server_error"}}'),
        says('{"focus": "Yea'),
        says("[1, 2]"),
        says("null"),
        says(""),
        says(f"Here you are: {GOOD}"),
        says('{"focus": ["Yeast"]}'),
        says('{"focus": "Yeast", "tone": "angry"}'),
        says("{" * 90_000),
        says('{"focus": "' + "x" * 300_000 + '"}'),
        calls(("mark_slice", '{"focus": "Ye')),
        calls(("mark_slice", "[]")),
        calls(("mark_slice", "{}")),
        calls(("other", "{}")),
    ],
    ids=[
        "prose", "html", "error sentence", "error object", "truncated", "list", "null", "nothing", "chatty",
        "wrong type", "unknown choice", "deep", "huge", "truncated call", "list call", "empty call", "other call",
    ],
)  # fmt: skip
async def test_what_does_not_fit_is_refused_after_one_repair(bad: Message) -> None:
    model = ScriptedModel([bad, bad, calls(("mark_slice", GOOD))])

    with pytest.raises(Unusable):
        await form(model)

    assert len(model.asked) == 2


async def test_the_repair_tells_the_model_what_was_wrong_and_is_short() -> None:
    model = ScriptedModel([calls(("mark_slice", {"focus": "", "tone": "x" * 50_000})), calls(("mark_slice", GOOD))])

    found = await form(model)

    said, told = model.asked[1][0][-2:]
    assert found == WANTED
    assert (said.role, told.role) == ("assistant", "user")
    assert "focus" in told.text
    assert "tone" in told.text
    assert len(said.text) + len(told.text) < 6_000


async def test_trouble_of_the_model_goes_through() -> None:
    with pytest.raises(Unavailable):
        await form(ScriptedModel([Unavailable("down")]))
