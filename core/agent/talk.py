"""The conversation of one answer as it grows, and what was streamed of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING

from core.conversation import TextAdded, ThinkingAdded
from core.llm.base import Message, TextDelta

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from core.agent.run import Step
    from core.conversation import TurnEvent
    from core.llm.base import ChatModel, ModelEvent, ToolSpec, Usage

    Show = Callable[[TurnEvent], Awaitable[None]]


@dataclass(slots=True)
class Talk:
    """What the model is told and what it said; `added` is what this answer put behind the messages given."""

    model: ChatModel
    messages: list[Message]
    show: Show
    added: list[Message] = field(default_factory=list)
    usage: list[Usage] = field(default_factory=list)
    _said: list[str] = field(default_factory=list)
    _thought: list[str] = field(default_factory=list)
    _current: str = ""
    _musing: str = ""

    @property
    def text(self) -> str:
        """All that was said, the texts of several steps parted by a blank line."""
        return "\n\n".join(part for part in (*self._said, self._current) if part)

    @property
    def reasoning(self) -> str:
        """All that was thought, likewise."""
        return "\n\n".join(part for part in (*self._thought, self._musing) if part.strip())

    async def ask(self, tools: Sequence[ToolSpec]) -> Message:
        """One call of the model; what it did not stream is shown now."""
        self._turn_page()
        message = await self.model.complete(tuple(self.messages), tools, self._hear)
        whole = message.text.lstrip()
        if whole.startswith(self._current):
            await self._say(whole[len(self._current) :])
        if not self._musing:
            await self._muse(message.reasoning)
        self.usage.append(message.usage)
        return message

    def add(self, *messages: Message) -> None:
        """Let the conversation go on with these."""
        self.messages.extend(messages)
        self.added.extend(messages)

    def resume(self, steps: Sequence[Step]) -> int:
        """Put finished steps of an earlier run behind the conversation; returns the number of the next step."""
        following = 0
        for n, together in groupby(sorted(steps, key=lambda step: step.n), key=lambda step: step.n):
            done = list(together)
            self.add(Message("assistant", "", calls=tuple(step.call for step in done), finish="tools"))
            self.add(*(told(step) for step in done))
            following = n + 1
        return following

    async def _hear(self, event: ModelEvent) -> None:
        await (self._say(event.text) if isinstance(event, TextDelta) else self._muse(event.text))

    async def _say(self, text: str) -> None:
        if not self._current:
            text = text.lstrip()
        if not text:
            return
        gap = "\n\n" if self._said and not self._current else ""
        self._current += text
        await self.show(TextAdded(gap + text))

    async def _muse(self, text: str) -> None:
        if not text:
            return
        gap = "\n\n" if self._thought and not self._musing else ""
        self._musing += text
        await self.show(ThinkingAdded(gap + text))

    def _turn_page(self) -> None:
        self._said += [self._current] if self._current else []
        self._thought += [self._musing] if self._musing else []
        self._current = self._musing = ""


def told(step: Step) -> Message:
    """What the model is told of a call that has run."""
    return Message("tool", step.result, call_id=step.call.id, name=step.call.name)
