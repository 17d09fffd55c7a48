"""A model that says what a test has written down."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from core.llm.base import Message, TextDelta, ThinkingDelta, ToolCall

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.llm.base import Listen, ToolSpec

    Turn = Message | Exception | Callable[[Sequence[Message]], Message]


@dataclass
class ScriptedModel:
    """Plays its script, one entry a call; an exception is raised, a function is asked. `asked` is what it was sent."""

    script: list[Turn]
    name: str = "scripted"
    asked: list[tuple[Sequence[Message], Sequence[ToolSpec]]] = field(default_factory=list)

    async def complete(self, messages: Sequence[Message], tools: Sequence[ToolSpec], on_event: Listen) -> Message:
        self.asked.append((tuple(messages), tuple(tools)))
        turn = self.script.pop(0)
        if isinstance(turn, Exception):
            raise turn
        message = turn if isinstance(turn, Message) else turn(messages)
        if message.reasoning:
            await on_event(ThinkingDelta(message.reasoning))
        for part in message.text.splitlines(keepends=True):
            await on_event(TextDelta(part))
        return message


@dataclass
class EndlessModel:
    """Says a few words and then thinks for ever; `silent` is set when it has nothing more to say."""

    text: str
    name: str = "endless"
    silent: asyncio.Event = field(default_factory=asyncio.Event)

    async def complete(self, messages: Sequence[Message], tools: Sequence[ToolSpec], on_event: Listen) -> Message:
        await on_event(TextDelta(self.text))
        self.silent.set()
        await asyncio.Event().wait()
        return Message("assistant", self.text)


def says(text: str, reasoning: str = "") -> Message:
    """A final answer."""
    return Message("assistant", text, reasoning=reasoning)


def calls(*wanted: tuple[str, object], text: str = "") -> Message:
    """A step that asks for tools, by name and arguments (an object, or raw text as it stands)."""
    return Message(
        "assistant",
        text,
        calls=tuple(
            ToolCall(f"c{at}", tool, arguments if isinstance(arguments, str) else json.dumps(arguments))
            for at, (tool, arguments) in enumerate(wanted)
        ),
        finish="tools",
    )
