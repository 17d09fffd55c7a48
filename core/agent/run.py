"""Running the tools that a model asked for, all of one step at once."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from core.agent.tool import Watched
from core.conversation import ToolChanged
from core.errors import DiskLost, PreviouslyError, Refused, TryAgain

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from core.agent.calls import Asked
    from core.agent.tool import Tool
    from core.conversation import ToolState, TurnEvent
    from core.i18n import Words
    from core.llm.base import ToolCall, ToolSpec

    Show = Callable[[TurnEvent], Awaitable[None]]
    KeepStep = Callable[["Step"], Awaitable[None]]

Outcome = Literal["completed", "error", "denied"]

_CUT: Final = "\n[cut: {left} more characters]"
_HUNG: Final = "it took longer than {seconds} seconds and was broken off; go on without it, or ask for less"


@dataclass(frozen=True, slots=True)
class Step:
    """A tool call that has run in step `n` of an answer (from 0): what the model was told, and how it ended."""

    n: int
    call: ToolCall
    result: str
    outcome: Outcome = "completed"


@dataclass(frozen=True, slots=True)
class Bounds:
    """What one call may give and take: `characters` of its result, `seconds` of the wall clock (pains P009)."""

    characters: int
    seconds: float


class Bench:
    """The tools of one answer, and the person who watches them work."""

    def __init__(self, tools: Sequence[Tool], show: Show, words: Words, keep: KeepStep | None, bounds: Bounds) -> None:
        self._tools = {tool.spec.name: tool for tool in tools}
        self._show = show
        self._words = words
        self._keep = keep
        self._bounds = bounds

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        """The tools as the model sees them."""
        return tuple(tool.spec for tool in self._tools.values())

    async def run(self, asked: Sequence[Asked], n: int) -> tuple[Step, ...]:
        """The steps that came of the calls, in their order. Raises only what a tool did not raise on purpose."""
        task = asyncio.current_task()
        before = task.cancelling() if task else 0
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(self._one(one, n)) for one in asked]
        except BaseExceptionGroup as several:
            if task and task.cancelling() > before:
                task.uncancel()  # a group of Python 3.11 and 3.12 leaves its own wish to end behind
            raise several.exceptions[0] from None
        return tuple(task.result() for task in tasks)

    async def _one(self, asked: Asked, n: int) -> Step:
        tool = self._tools.get(asked.call.name)
        if tool is None or asked.trouble:
            return await self._failed(asked, n, asked.trouble or self._unknown())
        await self._change(asked, "running", tool.running(asked.arguments, self._words))
        try:
            result = await self._result(tool, asked)
        except asyncio.CancelledError:
            await self._change(asked, "interrupted", tool.running(asked.arguments, self._words))
            raise
        except DiskLost:
            raise
        except PreviouslyError as error:
            outcome: Outcome = "denied" if isinstance(error, Refused) else "error"
            step = Step(n, asked.call, f"ERROR: {error}", outcome)
            await self._kept(step)
            await self._change(asked, outcome, tool.done(asked.arguments, self._words), str(error))
            return step
        step = Step(n, asked.call, self._bounded(result))
        await self._kept(step)
        label, detail = tool.done(asked.arguments, self._words), tool.detail(result, self._words)
        await self._change(asked, "completed", label, detail)
        return step

    async def _result(self, tool: Tool, asked: Asked) -> str:
        """What the tool returns; what it says on the way is shown as a state of the same call."""

        async def progress(label: str) -> None:
            await self._change(asked, "running", label)

        try:
            async with asyncio.timeout(self._bounds.seconds) as limit:
                return await (
                    tool.watched(asked.arguments, progress) if isinstance(tool, Watched) else tool.run(asked.arguments)
                )
        except TimeoutError:
            if not limit.expired():
                raise
            raise TryAgain(_HUNG.format(seconds=round(self._bounds.seconds))) from None

    async def _failed(self, asked: Asked, n: int, trouble: str) -> Step:
        step = Step(n, asked.call, f"ERROR: {trouble}", "error")
        await self._kept(step)
        await self._change(asked, "error", self._words("tool.misunderstood"))
        return step

    async def _kept(self, step: Step) -> None:
        if self._keep is not None:
            await self._keep(step)

    async def _change(self, asked: Asked, state: ToolState, label: str, detail: str = "") -> None:
        await self._show(ToolChanged(asked.call.id, state, label, detail))

    def _unknown(self) -> str:
        return f"there is no such tool; there are: {', '.join(self._tools) or 'none'}"

    def _bounded(self, result: str) -> str:
        left = len(result) - self._bounds.characters
        return result if left <= 0 else result[: self._bounds.characters] + _CUT.format(left=left)
