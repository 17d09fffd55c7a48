"""What the messages of a request say: the newest words, what was said before, and what the tools returned."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.llm.base import Message

_REMARK: Final = re.compile(r"\A\[[^\]\n]*not said by the person[^\]\n]*\]")
UNKEPT: Final = "Off the record: nothing of this talk is kept. Do not say that you will remember it."
"""The line of a remark by which whoever answers knows it."""

_QUOTE: Final = re.compile(r"^>[^\n]*(?:\n|\Z)", re.MULTILINE)
_FOREIGN: Final = re.compile(r"^> \[(?:forwarded|quoted): [^\n]*\]\n(?:>[^\n]*(?:\n|\Z))*", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Result:
    """What one call of a tool returned."""

    tool: str
    arguments: dict[str, object]
    text: str


@dataclass(frozen=True, slots=True)
class Scene:
    """A request as the offline model understands it.

    `asked` is the newest message without quoted text, `earlier` what the person said before in this conversation,
    oldest first, `answers` what the assistant said, `results` what the tools returned since the newest message,
    `unkept` whether the talk is off the record.
    """

    asked: str
    earlier: tuple[str, ...]
    answers: tuple[str, ...]
    results: tuple[Result, ...]
    unkept: bool = False

    def of(self, tool: str) -> tuple[Result, ...]:
        """The results of one tool."""
        return tuple(result for result in self.results if result.tool == tool)


def read(messages: Sequence[Message]) -> Scene:
    """The scene of a request; remarks that the program puts among the messages are nobody's words."""
    people = [at for at, message in enumerate(messages) if message.role == "user" and not _REMARK.match(message.text)]
    newest = people[-1] if people else len(messages)
    return Scene(
        own(messages[newest].text) if people else "",
        tuple(own(messages[at].text) for at in people[:-1]),
        tuple(message.text for message in messages[:newest] if message.role == "assistant" and message.text),
        tuple(_results(messages[newest + 1 :])),
        any(_REMARK.match(message.text) and f"\n{UNKEPT}" in message.text for message in messages),
    )


def own(text: str, *, every: bool = False) -> str:
    """The text without blocks that are headed as forwarded or quoted (DESIGN 5.7), or without any block quote."""
    return (_QUOTE if every else _FOREIGN).sub("", text).strip()


def _results(messages: Sequence[Message]) -> list[Result]:
    asked = {call.id: call for message in messages for call in message.calls}
    return [
        Result(call.name, _arguments(call.arguments), message.text)
        for message in messages
        if message.role == "tool" and (call := asked.get(message.call_id))
    ]


def _arguments(raw: str) -> dict[str, object]:
    try:
        value = json.loads(raw)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
