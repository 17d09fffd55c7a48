"""Passing the events of an answer on to the person: masked, and remembered for what is folded below it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from core.conversation import TextAdded, ThinkingAdded, ToolChanged

if TYPE_CHECKING:
    from core.agent.loop import Answer
    from core.clock import Clock
    from core.conversation import Presenter, TurnEvent
    from core.i18n import Words
    from core.turn.veil import Stream, Veil


@dataclass(slots=True)
class Watch:
    """What was shown of one answer; `started` is the clock's monotonic time at its beginning."""

    presenter: Presenter
    clock: Clock
    veil: Veil
    started: float
    said: str = ""
    thoughts: str = ""
    thought: float = 0.0
    tools: dict[str, tuple[str, str]] = field(default_factory=dict)
    _text: Stream = field(init=False)
    _musing: Stream = field(init=False)

    def __post_init__(self) -> None:
        self._text, self._musing = self.veil.stream(), self.veil.stream()

    async def show(self, event: TurnEvent) -> None:
        """Show the event. Raises what the presenter raises."""
        if isinstance(event, TextAdded):
            await self._say(self._text.feed(event.text))
        elif isinstance(event, ThinkingAdded):
            await self._muse(self._musing.feed(event.text))
        else:
            await self._tell(event)

    async def end(self) -> None:
        """Show what was held back: nothing more comes."""
        await self._muse(self._musing.rest())
        await self._say(self._text.rest())

    def folds(self, answer: Answer, words: Words) -> tuple[tuple[str, str], ...]:
        """What is folded below the answer: its thoughts, and what its tools found, as label and Markdown."""
        folds = [pair for pair in self.tools.values() if pair[1]]
        if answer.reasoning.strip():
            folds.insert(0, (words("turn.thought", n=max(1, round(self.thought))), answer.reasoning))
        return tuple(folds)

    async def _say(self, text: str) -> None:
        if text:
            self.said += text
            await self.presenter.show(TextAdded(text))

    async def _muse(self, text: str) -> None:
        if text:
            self.thoughts += text
            self.thought = self.clock.monotonic() - self.started
            await self.presenter.show(ThinkingAdded(text))

    async def _tell(self, event: TurnEvent) -> None:
        if isinstance(event, ToolChanged):
            event = replace(event, label=self.veil.text(event.label), detail=self.veil.text(event.detail))
            if event.state != "running":
                self.tools[event.call] = (event.label, event.detail)
        await self.presenter.show(event)
