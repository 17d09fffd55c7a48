"""An answer as a pydantic model: by a forced tool call, or by a JSON object in the text, with one repair."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, TypeVar

from pydantic import BaseModel, ValidationError

from core.errors import Unusable
from core.llm.base import Message, ToolSpec, ignore

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from core.llm.base import ChatModel

Shape = TypeVar("Shape", bound=BaseModel)

_FENCE: Final = re.compile(r"\A```[A-Za-z]*\s*\n(.*?)\n?\s*```\s*\Z", re.DOTALL)
_MOST: Final = 200_000
"""How many characters of an answer are looked at; more is no answer to a small question."""
_QUOTED: Final = 4_000


@lru_cache(maxsize=64)
def _form(schema: type[BaseModel]) -> Mapping[str, Any]:
    """The JSON schema of a class, made once: making it costs more than all else in a question that a double answers."""
    return schema.model_json_schema()


def taken(value: BaseModel) -> str:
    """No objection: what fits the schema is taken."""
    del value
    return ""


async def ask(
    model: ChatModel,
    messages: Sequence[Message],
    schema: type[Shape],
    name: str,
    description: str,
    objection: Callable[[Shape], str] = taken,
) -> Shape:
    """What the model says, in the form of `schema`.

    The tool `name` is forced; a model that answers with a JSON object in its text (a code fence around it is fine) is
    understood too. What does not fit, or meets an `objection` (a sentence; "" for none), is told to the model once.
    Raises `Unusable` when that did not help, and what the model raises. Prose, HTML, truncated JSON, the call of
    another tool and an error object of a provider never pass.
    """
    tool = ToolSpec(name, description, _form(schema), forced=True)
    first = await model.complete(messages, [tool], ignore)
    try:
        return _unobjected(read(first, schema, name), objection)
    except Unusable as trouble:
        said = _raw(first, name)[:_QUOTED] or "(nothing)"
        repair = [*messages, Message("assistant", said), Message("user", _repair(name, str(trouble)))]
    return _unobjected(read(await model.complete(repair, [tool], ignore), schema, name), objection)


def _unobjected(value: Shape, objection: Callable[[Shape], str]) -> Shape:
    trouble = objection(value)
    if trouble:
        raise Unusable(trouble)
    return value


def read(message: Message, schema: type[Shape], name: str) -> Shape:
    """The answer in a message; raises `Unusable` with a sentence that the model can work with."""
    value = _object(_raw(message, name))
    known = {key for field, info in schema.model_fields.items() for key in (field, info.alias)}
    if known and not known & value.keys():
        raise Unusable("none of the fields of the schema is there")
    try:
        return schema.model_validate(value)
    except ValidationError as error:
        faults = (f"{'.'.join(map(str, fault['loc'])) or 'it'}: {fault['msg']}" for fault in error.errors()[:8])
        raise Unusable("; ".join(faults)) from error


def _raw(message: Message, name: str) -> str:
    """The JSON as the model gave it: of the call of that name, else the text."""
    return next((call.arguments for call in message.calls if call.name == name), message.text)


def _object(raw: str) -> dict[str, object]:
    text = raw[: _MOST + 1].strip()
    if len(text) > _MOST:
        raise Unusable("the answer is far too long")
    fenced = _FENCE.match(text)
    try:
        value = json.loads(fenced[1] if fenced else text)
    except (ValueError, RecursionError) as error:
        raise Unusable("the answer is not one complete JSON object") from error
    if not isinstance(value, dict):
        raise Unusable("the answer is JSON, but not an object")
    return value


def _repair(name: str, trouble: str) -> str:
    return f"That could not be used: {trouble}. Call `{name}` again with corrected arguments and say nothing else."
