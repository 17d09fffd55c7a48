"""Shows the events of one turn in the terminal: a moving picture while it is written, one page when it is done."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final, assert_never

from adapters.pacing import Thinking
from adapters.terminal.neutral import neutral_line
from adapters.terminal.render import render, render_aside
from core.conversation import Failed, Finished, Noted, Paged, TextAdded, ThinkingAdded, ToolChanged
from core.document import Choices, Document, Fold, Text
from core.errors import StorageError

if TYPE_CHECKING:
    from adapters.terminal.handover import Waiting
    from adapters.terminal.render import Look
    from adapters.terminal.screen import Screen
    from core.clock import Clock
    from core.conversation import Outbox, ToolState, TurnEvent
    from core.i18n import Words

_PART: Final = 0
_PRINTED: Final = "printed"
_SIGNS: Final[dict[ToolState, str]] = {
    "running": "·",
    "completed": "✓",
    "error": "✗",
    "interrupted": "✗",
    "denied": "✗",
}


class TerminalPresenter:
    """Presents one turn; `waiting` is the message it may answer, None for a turn of an earlier process.

    A terminal cannot edit what has scrolled by: the outbox learns that output began, and a turn that is taken up again
    after a crash prints its whole answer once more (reliability R8).
    """

    def __init__(
        self, screen: Screen, words: Words, clock: Clock, outbox: Outbox, turn: str, waiting: Waiting | None
    ) -> None:
        self._screen = screen
        self._words = words
        self._clock = clock
        self._outbox = outbox
        self._turn = turn
        self._waiting = waiting
        self._resumed = outbox.sent(turn, _PART) is not None
        self._noted = self._resumed
        self._text = ""
        self._thinking = Thinking(clock)
        self._tools: dict[str, ToolChanged] = {}
        self._began = clock.monotonic()

    async def show(self, event: TurnEvent) -> None:
        """Show the event; raises OSError when the terminal is gone."""
        answered = self._waiting is not None and self._waiting.is_answered_by(event)
        if answered:
            self._screen.unstage()
        await self._show(event)
        if answered and self._waiting:
            self._waiting.close()

    async def _show(self, event: TurnEvent) -> None:
        match event:
            case TextAdded():
                self._thinking.pause()
                self._text += event.text
                await self._stream()
            case ThinkingAdded():
                self._thinking.add(event.text)
                await self._stream()
            case ToolChanged():
                self._thinking.pause()
                self._tools[event.call] = event
                await self._stream()
            case Noted():
                await self._screen.aside(f"· {neutral_line(event.text)}")
            case Paged():
                await self._screen.show(event.document)
            case Finished():
                await self._end(self._with_folds(_without_choices(event.document)), failed=False)
            case Failed():
                await self._end(event.document, failed=True)
            case _:
                assert_never(event)

    async def _stream(self) -> None:
        if self._screen.colour and self._waiting and self._waiting.open:
            await self._note()
            self._screen.stage(self._frame)

    async def _end(self, document: Document, *, failed: bool) -> None:
        await self._note()
        if self._resumed:
            await self._screen.aside(self._words("terminal.continued"))
        await self._screen.show(document, failed=failed)

    async def _note(self) -> None:
        """Tell the outbox once that output begins; that it could not be written must not hide the answer."""
        if not self._noted:
            self._noted = True
            with suppress(StorageError):
                await self._outbox.note(self._turn, _PART, _PRINTED)

    def _frame(self, look: Look) -> str:
        """The answer so far, and what is going on."""
        written = [render(Document((Text(self._text),)), look), ""] if self._text else []
        running = [self._line(tool) for tool in self._tools.values() if tool.state == "running"]
        seconds = round(self._clock.monotonic() - self._began)
        doing = running or ([] if self._text else [self._words("terminal.working", n=seconds)])
        return "\n".join((*written, *(render_aside(line, look) for line in doing)))

    def _line(self, tool: ToolChanged) -> str:
        """A tool call in one line of human words."""
        label = f"{_SIGNS[tool.state]} {neutral_line(tool.label)}"
        unhappy = tool.state in {"error", "interrupted", "denied"}
        return f"{label} ({self._words(f'terminal.tool.{tool.state}')})" if unhappy else label

    def _with_folds(self, document: Document) -> Document:
        """The document, with what was thought and done folded below unless it brings folds of its own."""
        if not self._screen.colour or any(isinstance(block, Fold) for block in document.blocks):
            return document
        folds: list[Fold] = []
        if self._tools:
            steps = "\n\n".join(f"{self._line(tool)}\n\n{tool.detail}".strip() for tool in self._tools.values())
            folds.append(Fold(self._words("terminal.steps", n=len(self._tools)), steps))
        if self._thinking.text:
            seconds = round(self._thinking.pause())
            folds.append(Fold(self._words("terminal.thought", n=seconds), self._thinking.text))
        return Document((*document.blocks, *folds), document.address)


def _without_choices(document: Document) -> Document:
    """An answer as it is read here: a bare number after it stays talk, so it numbers nothing to choose."""
    return replace(document, blocks=tuple(block for block in document.blocks if not isinstance(block, Choices)))
