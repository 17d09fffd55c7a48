"""Shows the events of one turn on Telegram: a sign of life, an answer that grows, and the whole of it in its place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, assert_never

from adapters.pacing import Thinking
from adapters.telegram.delivery import PAGE, Delivery
from adapters.telegram.growing import Frame, Growing
from adapters.telegram.safely import safely
from core.conversation import Failed, Finished, Noted, Paged, TextAdded, ThinkingAdded, ToolChanged
from core.document import Document, Fold, Text
from core.errors import Shut

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Coroutine

    from adapters.telegram.api import Api
    from adapters.telegram.working import Working
    from core.clock import Clock
    from core.conversation import Outbox, ToolState, TurnEvent
    from core.document import Picture
    from core.i18n import Words

    Begin = Callable[[Coroutine[object, object, None]], asyncio.Task[None] | None]

LINE: Final = 200
"""Code points of a line about what is being done."""

_SIGNS: Final[dict[ToolState, str]] = {
    "running": "·",
    "completed": "✓",
    "error": "✗",
    "interrupted": "✗",
    "denied": "✗",
}


class TelegramPresenter:
    """Presents one turn. `begin` starts work beside it, while the platform is served; `draw` makes a picture."""

    def __init__(  # noqa: PLR0913 - the client names every part
        self,
        *,
        api: Api,
        clock: Clock,
        words: Words,
        working: Working,
        begin: Begin,
        draw: Callable[[Picture], bytes],
        chat: str,
        turn: str,
        outbox: Outbox,
        replaces: str = "",
    ) -> None:
        self._api = api
        self._clock = clock
        self._words = words
        self._working = working
        self._begin = begin
        self._draw = draw
        self._chat = chat
        self._delivery = Delivery(api, chat, turn, outbox)
        self._replaces = replaces
        self._pages = 0
        self._text = ""
        self._tools: dict[str, ToolChanged] = {}
        self._thinking = Thinking(clock)
        self._growing: Growing | None = None
        self._task: asyncio.Task[None] | None = None

    def leave(self) -> None:
        """Another presenter takes this turn over: nothing of this one may show any more."""
        if self._task:
            self._task.cancel()
            self._task = None

    async def show(self, event: TurnEvent) -> None:
        """Show the event; raises `PlatformTrouble` and `StorageError` when what must arrive has not."""
        match event:
            case TextAdded():
                self._thinking.pause()
                self._text += event.text
                await self._grow()
            case ThinkingAdded():
                self._thinking.add(event.text)
                self._working.tell(self._chat, self._doing())
            case ToolChanged():
                self._thinking.pause()
                self._tools[event.call] = event
                self._working.tell(self._chat, self._doing())
                await self._grow()
            case Noted():
                await self._note(event.text)
            case Paged():
                await self._page(event)
            case Finished():
                await self._end(self._with_folds(event.document))
            case Failed():
                await self._end(event.document)
            case _:
                assert_never(event)

    async def _note(self, text: str) -> None:
        """A line of its own, without a sound."""
        for part in safely(Document((Text(text),)), self._words).parts:
            await self._api.send(self._chat, part, silent=True)
        self._working.redraw(self._chat)

    async def _grow(self) -> None:
        """Let the answer so far be seen, once there is some."""
        if not self._text:
            return
        if self._growing is None:
            self._growing = Growing(self._delivery, self._clock, self._words("telegram.stop"), self._seen)
        self._task = self._task or self._begin(self._growing.run())
        running = [self._line(tool) for tool in self._tools.values() if tool.state == "running"]
        self._growing.offer(Frame(self._text, running[-1] if running else ""))
        self._working.tell(self._chat, self._doing())

    async def _seen(self) -> None:
        """The answer can be seen: no other sign is needed."""
        await self._working.rest(self._chat)

    async def _end(self, document: Document) -> None:
        await self._settle()
        await self._working.end(self._chat)
        await self._delivery.deliver(safely(document, self._words))
        self._arrived()

    async def _settle(self) -> None:
        if self._growing and self._task:
            await self._growing.settle()
            self._task.cancel()
            self._task = None

    async def _page(self, event: Paged) -> None:
        """A page in place of the message whose button asked for it, of the answer that grew, or of its own."""
        page = safely(event.document, self._words)
        image = self._draw(page.picture) if page.picture else b""
        grown = bool(self._text)
        if grown:
            await self._settle()
            await self._working.end(self._chat)
        reply = _answered(event.reply_to, self._chat)
        if self._replaces and not grown and not reply:
            message, self._replaces = self._replaces, ""
            if await self._delivery.replace(message, page, image):
                self._arrived()
                return
        self._pages += 1
        first = 0 if grown or self._continued() else PAGE * self._pages
        await self._delivery.deliver(page, first, silent=event.quiet, image=image, reply=reply)
        self._arrived()
        self._working.redraw(self._chat)

    def _arrived(self) -> None:
        """Raises `Shut` when nothing arrives because the person has blocked the bot."""
        if self._delivery.blocked:
            raise Shut("the person has blocked the bot")

    def _continued(self) -> bool:
        """Whether an earlier process let this page's answer grow (`/retry`), and has shown no other page."""
        return self._pages == 1 and self._delivery.known(0) is not None and self._delivery.known(PAGE) is None

    def _doing(self) -> str:
        """What is being done, in a line or two; "" for Telegram's own "Thinking"."""
        running = [self._line(tool) for tool in self._tools.values()]
        return "\n".join(line[:LINE] for line in running[-3:])

    def _line(self, tool: ToolChanged) -> str:
        """A tool call in one line of human words."""
        label = f"{_SIGNS[tool.state]} {' '.join(tool.label.split())}"
        unhappy = tool.state in {"error", "interrupted", "denied"}
        return f"{label} ({self._words(f'telegram.tool.{tool.state}')})" if unhappy else label

    def _with_folds(self, document: Document) -> Document:
        """The document, with what was thought and done folded below unless it brings folds of its own."""
        if any(isinstance(block, Fold) for block in document.blocks):
            return document
        folds: list[Fold] = []
        if self._tools:
            steps = "\n\n".join(f"{self._line(tool)}\n\n{tool.detail}".strip() for tool in self._tools.values())
            folds.append(Fold(self._words("telegram.steps", n=len(self._tools)), steps))
        if self._thinking.text:
            seconds = round(self._thinking.pause())
            folds.append(Fold(self._words("telegram.thought", n=seconds), self._thinking.text))
        return Document((*document.blocks, *folds), document.address)


def _answered(key: str, chat: str) -> int:
    """The message of this chat that a key names, 0 for any other."""
    number = key.removeprefix(f"tg:{chat}:")
    return int(number) if number != key and number.isdecimal() else 0
