"""A model that answers with the question, so that every answer can be told from every other."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from core.llm.base import Message, TextDelta, ToolCall

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.llm.base import Listen, ToolSpec


class EchoModel:
    """Marks a slice when it must, looks something up when the question holds "recall", and else echoes."""

    name = "echo"

    def __init__(self, effect: Callable[[str], None] | None = None) -> None:
        self.calls = 0
        self._effect = effect or (lambda name: None)

    async def complete(self, messages: Sequence[Message], tools: Sequence[ToolSpec], on_event: Listen) -> Message:
        self._effect("model")
        self.calls += 1
        forced = next((tool for tool in tools if tool.forced), None)
        if forced:
            marks = {"focus": "A marked talk", "summary": "What was said.", "tags": ["talk"], "tone": "neutral"}
            return Message("assistant", "", (ToolCall("m", forced.name, json.dumps(marks)),), finish="tools")
        question = next(message.text for message in reversed(messages) if message.role == "user")
        if "recall" in question and messages[-1].role == "user":
            call = ToolCall("r", "readTimelineWindow", "{}")
            return Message("assistant", "", (call,), finish="tools")
        answer = f"answer to «{question}»"
        for part in (answer[:9], answer[9:]):
            await on_event(TextDelta(part))
        return Message("assistant", answer)
