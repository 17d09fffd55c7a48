"""One try of an answer as it comes in: what is shown of it at once, and what it amounts to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from core.llm.base import TextDelta, ThinkingDelta, ToolCall, Usage
from core.llm.driver.joint import Joint
from core.llm.driver.notice import is_notice, may_be
from core.llm.driver.think import Splitter
from core.llm.driver.wire import Trouble

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from core.llm.base import Listen
    from core.llm.driver.think import Part
    from core.llm.driver.wire import CallPart, Chunk, End


@dataclass(slots=True)
class _Call:
    id: str = ""
    name: str = ""
    arguments: list[str] = field(default_factory=list)


class Take:
    """`said` and `thought` are what was passed on; `held` is what could still be a notice of the provider."""

    def __init__(self, listen: Listen, before: str, most: int) -> None:
        """`before` is what earlier takes of the same answer said, `most` how many characters are taken."""
        self._listen = listen
        self._splitter = Splitter()
        self._joint = Joint(before)
        self._gate = not before
        self._most = most
        self._calls: dict[int, _Call] = {}
        self._held = ""
        self._size = 0
        self.said = ""
        self.thought = ""
        self.end: End = ""
        self.usage = Usage()
        self.signed: tuple[Mapping[str, object], ...] = ()

    @property
    def full(self) -> bool:
        """Whether it is longer than may be taken."""
        return self._size > self._most

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """The tool calls in their order, arguments as they came."""
        calls = (call for _, call in sorted(self._calls.items()))
        return tuple(ToolCall(call.id, call.name, "".join(call.arguments)) for call in calls)

    async def feed(self, chunk: Chunk) -> None:
        """Take a chunk and pass on what is certain."""
        self._size += len(chunk.text) + len(chunk.reasoning) + sum(len(part.arguments) for part in chunk.calls)
        if chunk.reasoning:
            await self._muse(chunk.reasoning)
        if chunk.text:
            await self._part(self._splitter.feed(chunk.text))
        for part in chunk.calls:
            self._call(part)
        self.signed = chunk.signed or self.signed
        self.usage = chunk.usage or self.usage
        self.end = chunk.end or self.end

    async def close(self) -> None:
        """Pass on what was held back. Raises `Trouble` when all of it is a notice of the provider."""
        await self._part(self._splitter.end())
        if self._gate and self._held.strip() and not self._calls and is_notice(self._held, self.usage.completion):
            raise Trouble("notice")
        if self._held.strip():
            await self._release()
        await self._say(self._joint.end())

    async def break_off(self) -> None:
        """Pass on what belongs to a partial answer; what could be a notice is dropped, and calls are not complete."""
        await self._part(self._splitter.end())
        if not self._gate:
            await self._say(self._joint.end())
        self._calls.clear()

    async def _part(self, parts: Iterable[Part]) -> None:
        for kind, text in parts:
            if kind == "thought":
                await self._muse(text)
            elif self._gate:
                self._held += text
                if not may_be(self._held):
                    await self._release()
            else:
                await self._say(self._joint.feed(text))

    async def _release(self) -> None:
        self._gate = False
        held, self._held = self._held, ""
        await self._say(self._joint.feed(held))

    async def _say(self, text: str) -> None:
        if text:
            self.said += text
            await self._listen(TextDelta(text))

    async def _muse(self, text: str) -> None:
        self.thought += text
        await self._listen(ThinkingDelta(text))

    def _call(self, part: CallPart) -> None:
        call = self._calls.setdefault(part.place, _Call())
        call.id = call.id or part.id
        call.name = call.name or part.name
        call.arguments.append(part.arguments)
