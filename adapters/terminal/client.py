"""The terminal as a platform: what is typed or piped in goes to the inbox, one message after another."""

from __future__ import annotations

import asyncio
import re
from contextlib import nullcontext, suppress
from errno import EACCES, EDQUOT, ENOSPC, EPERM, EROFS
from typing import TYPE_CHECKING, Final

from prompt_toolkit.input import create_input
from prompt_toolkit.output import create_output
from prompt_toolkit.utils import is_dumb_terminal

from adapters.terminal.handover import Waiting
from adapters.terminal.lines import Lines
from adapters.terminal.neutral import neutral_line
from adapters.terminal.presenter import TerminalPresenter
from adapters.terminal.prompt import Command, CommandCompleter, Interrupted, Keyboard, Left, above_prompt
from adapters.terminal.render import Look, render_aside
from adapters.terminal.screen import Screen
from core.conversation import Incoming
from core.errors import DiskTrouble, Held, StorageError, TooLarge

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from pathlib import Path
    from typing import TextIO

    from core.clock import Clock
    from core.conversation import Attachment, Inbox, Outbox, Presenter, Surface
    from core.i18n import Words

_CHAT: Final = "terminal"
_QUIT: Final = "/quit"
_RETRY_SECONDS: Final = (0.5, 2.0)
_REFUSALS: Final = {
    ENOSPC: "terminal.disk_full",
    EDQUOT: "terminal.disk_full",
    EACCES: "terminal.no_permission",
    EPERM: "terminal.no_permission",
    EROFS: "terminal.no_permission",
}
_SURROGATES: Final = re.compile("[\ud800-\udfff]")


class Terminal:
    """The platform for one person at one terminal; without one (piped), a line is a message and output is plain.

    `commands` and `known` (the arguments of a command that exist) serve completion; `stop` stops the answer that is
    running and says whether there was one; `history` is a file for the prompt's history, which otherwise lasts as long
    as the process. `stamp` tells the messages of this process from those of others, by default from its first instant.
    `exit_code` is 0, or 1 after `serve` could not keep a piped line or lost its output.
    """

    def __init__(  # noqa: PLR0913 - the composition root names every part
        self,
        *,
        input: TextIO,  # noqa: A002 - what it is
        output: TextIO,
        words: Words,
        clock: Clock,
        stop: Callable[[], Awaitable[bool]],
        known: Callable[[str], Awaitable[Sequence[str]]],
        commands: Sequence[Command] = (),
        zone: str = "",
        history: Path | None = None,
        stamp: str = "",
        interactive: bool | None = None,
    ) -> None:
        self.exit_code = 0
        self._words = words
        self._clock = clock
        self._stop = stop
        self._zone = zone
        now = clock.now()
        self._stamp = stamp or f"{now:%Y%m%dT%H%M%S}{now.microsecond // 1000:03d}"
        self._count = 0
        self._unkept: Incoming | None = None
        self._waiting: Waiting | None = None
        self._gone = False
        self._lines = Lines(input)
        if interactive is None:
            interactive = input.isatty() and output.isatty() and not is_dumb_terminal()
        self._keyboard: Keyboard | None = None
        if interactive:
            leave = Command(_QUIT[1:], description=words("terminal.quit"))
            completer = CommandCompleter((*commands, leave), known)
            self._keyboard = Keyboard(create_input(input), create_output(output), completer, history)
        above = above_prompt if interactive else _at_once
        self._screen = Screen(output, clock, colour=interactive, above=above, lost=self._lose)

    @property
    def surface(self) -> Surface:
        """The terminal."""
        return "terminal"

    def presenter(self, chat: str, turn: str, outbox: Outbox, replaces: str = "") -> Presenter:
        """A presenter for one turn; made while a message waits, it may answer that message (there is one chat)."""
        del chat, replaces
        waiting = self._waiting if outbox.sent(turn, 0) is None else None
        return TerminalPresenter(self._screen, self._words, self._clock, outbox, turn, waiting)

    async def fetch(self, chat: str, attachment: Attachment) -> bytes:
        """Nothing: no file comes with a typed line."""
        raise TooLarge(f"{chat}: a terminal has no file {attachment.name!r}")

    async def announce(self, text: str) -> None:
        """Say something about the process itself: the home folder, the demo, what was recovered."""
        await self._screen.aside(text)

    async def serve(self, inbox: Inbox) -> None:
        """Receive until cancelled, until the person leaves, or until the piped input ends and is answered."""
        if self._keyboard is None:
            with suppress(BrokenPipeError):  # `_lose` has seen it: nobody reads any more
                await self._read(inbox)
            return
        async with asyncio.TaskGroup() as group:
            painter = group.create_task(self._screen.run())
            try:
                with suppress(BrokenPipeError):
                    await self._converse(inbox, self._keyboard)
            finally:
                painter.cancel()

    async def _converse(self, inbox: Inbox, keyboard: Keyboard) -> None:
        draft = ""
        while not self._gone:
            try:
                text = await keyboard.ask(draft)
            except Interrupted:
                draft = ""
                await self._screen.aside(self._words("terminal.leave_hint"))
                continue
            except Left:
                return
            draft = ""
            try:
                if not await self._take(inbox, text):
                    return
            except StorageError as error:
                draft = text
                await self._screen.aside(self._words("terminal.put_back", why=self._why(error)))

    async def _read(self, inbox: Inbox) -> None:
        while not self._gone and (line := await self._lines.next()) is not None:
            try:
                if not await self._take(inbox, line):
                    return
            except StorageError as error:
                self.exit_code = 1
                await self._screen.aside(self._words("terminal.line_lost", why=self._why(error), text=line))

    async def _take(self, inbox: Inbox, text: str) -> bool:
        """Do what a message asks for; False when it asks to leave. Raises `StorageError` when it was not kept."""
        bare = text.strip()
        if bare == _QUIT:
            return False
        fold, choice = self._screen.offers.fold(bare), self._screen.offers.choice(bare)
        if fold:
            await self._screen.open(fold)
        elif choice:
            await self._screen.aside(f"› {neutral_line(choice.label)}")
            await self._hand_over(inbox, choice.address.command if choice.address else choice.say or choice.label)
        elif self._screen.stale(bare):
            await self._screen.aside(self._words("terminal.stale", n=bare))
        elif bare:
            await self._hand_over(inbox, _SURROGATES.sub("\ufffd", text))
        return True

    async def _hand_over(self, inbox: Inbox, text: str) -> None:
        """Give it to the inbox and wait for the answer. Raises `StorageError` when the inbox could not keep it."""
        self._waiting = waiting = Waiting(text)
        self._screen.stage(self._working(), at_once=False)
        listening = self._keyboard.listening(self._interrupt, self._lose) if self._keyboard else nullcontext()
        try:
            with listening:
                await self._accept(inbox, self._incoming(text))
                await self._until_answered(waiting)
        finally:
            self._screen.unstage()
            waiting.open = False
            self._waiting = None

    async def _accept(self, inbox: Inbox, incoming: Incoming) -> None:
        """Have it kept; a piped line, which nobody would type again, is tried a few times."""
        self._unkept = incoming
        for pause in () if self._keyboard else _RETRY_SECONDS:
            try:
                await inbox.accept([incoming])
                break
            except StorageError:
                await self._clock.sleep(pause)
        else:
            await inbox.accept([incoming])
        self._unkept = None
        self._count += 1

    async def _until_answered(self, waiting: Waiting) -> None:
        """Ctrl-C stops the answer, and its part comes as the end; again, or when nothing runs, it waits no more."""
        stopping = False
        while (signal := await waiting.next()) == "interrupt":
            if stopping or not await self._stop():
                await self._screen.clear()
                return
            stopping = True
        self._gone = self._gone or signal == "gone"

    def _incoming(self, text: str) -> Incoming:
        """The message; one that could not be kept before has its old key, so that it cannot be kept twice."""
        if self._unkept and self._unkept.text == text:
            return self._unkept
        if self._unkept:
            self._count += 1
        return Incoming(
            key=f"tm:{self._stamp}:{self._count}",
            surface="terminal",
            chat=_CHAT,
            sent=self._clock.now(),
            text=text,
            locale=self._words.locale,
            zone=self._zone,
        )

    def _working(self) -> Callable[[Look], str]:
        """What is drawn until the first event comes."""
        began = self._clock.monotonic()

        def frame(look: Look) -> str:
            return render_aside(self._words("terminal.working", n=round(self._clock.monotonic() - began)), look)

        return frame

    def _interrupt(self) -> None:
        if self._waiting:
            self._waiting.tell("interrupt")

    def _lose(self) -> None:
        """The terminal or pipe is gone: leave."""
        self._gone = True
        self.exit_code = 1
        self._lines.end()
        if self._waiting:
            self._waiting.tell("gone")

    def _why(self, error: StorageError) -> str:
        """What is wrong with the memory, in a human sentence."""
        if isinstance(error, DiskTrouble) and error.errno in _REFUSALS:
            return self._words(_REFUSALS[error.errno])
        if isinstance(error, Held):
            return self._words("terminal.held", holder=error.holder)
        return self._words("terminal.trouble", detail=neutral_line(str(error)))


async def _at_once(write: Callable[[], None]) -> None:
    write()
