"""The prompt: line editing, history and completion; and the keyboard while an answer is being written."""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from prompt_toolkit import PromptSession
from prompt_toolkit.application import run_in_terminal
from prompt_toolkit.completion import Completer, Completion
from prompt_toolkit.history import FileHistory, InMemoryHistory
from prompt_toolkit.input.typeahead import store_typeahead
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.keys import Keys

from adapters.terminal.neutral import neutral_line
from core.errors import StorageError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from prompt_toolkit.completion import CompleteEvent
    from prompt_toolkit.document import Document
    from prompt_toolkit.history import History
    from prompt_toolkit.input import Input
    from prompt_toolkit.key_binding import KeyPress, KeyPressEvent
    from prompt_toolkit.output import Output

_PROMPT: Final = "› "


class Interrupted(Exception):
    """Ctrl-C at an empty prompt."""


class Left(Exception):
    """Ctrl-D at an empty prompt, or the terminal hung up."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command to complete: its name without the stroke, a hint of its argument, and what it does."""

    name: str
    argument: str = ""
    description: str = ""


class Keyboard:
    """What the person types, on the given prompt_toolkit input and output."""

    def __init__(self, keys: Input, output: Output, completer: Completer, history: Path | None) -> None:
        self._keys = keys
        self._output = output
        self._session: PromptSession[str] = PromptSession(
            _PROMPT,
            input=keys,
            output=output,
            completer=completer,
            history=_history(history),
            key_bindings=_bindings(),
            interrupt_exception=Interrupted,
            eof_exception=Left,
        )

    async def ask(self, draft: str) -> str:
        """One message, several lines if they were pasted or set with Alt-Enter; `draft` stands in the line already.

        Raises `Interrupted` and `Left`. Trouble in the loop is the loop's own to report: the library's handler would
        stop the talk until Enter is pressed, and what fails while it waits comes to it again, for ever.
        """
        return await self._session.prompt_async(default=draft, handle_sigint=False, set_exception_handler=False)

    @contextmanager
    def listening(self, interrupt: Callable[[], None], gone: Callable[[], None]) -> Iterator[None]:
        """Without a prompt: nothing is echoed, Ctrl-C calls `interrupt`, all else waits for the next prompt."""
        held: list[KeyPress] = []

        def read() -> None:
            for press in self._keys.read_keys():
                if press.key == Keys.ControlC:
                    interrupt()
                else:
                    held.append(press)
            if self._keys.closed:
                gone()

        with self._keys.raw_mode(), self._keys.attach(read):
            self._output.enable_bracketed_paste()
            self._output.flush()
            try:
                yield
            finally:
                self._output.disable_bracketed_paste()
                self._output.flush()
                store_typeahead(self._keys, held)


async def above_prompt(write: Callable[[], None]) -> None:
    """Run `write` with the prompt, if one is shown, out of the way; it is drawn again below."""
    await run_in_terminal(write)


class CommandCompleter(Completer):
    """Completes the names of commands, and their arguments from `known` (dates, slice ids)."""

    def __init__(self, commands: Sequence[Command], known: Callable[[str], Awaitable[Sequence[str]]]) -> None:
        self._commands = commands
        self._known = known

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:  # noqa: ARG002 - the library's signature
        """The commands that begin with what was typed."""
        typed = document.text_before_cursor
        if not typed.startswith("/") or any(mark in typed for mark in " \n"):
            return
        for command in self._commands:
            if command.name.startswith(typed[1:]):
                yield Completion(
                    f"/{command.name}",
                    start_position=-len(typed),
                    display=f"/{command.name} {command.argument}".rstrip(),
                    display_meta=command.description,
                )

    async def get_completions_async(
        self, document: Document, complete_event: CompleteEvent
    ) -> AsyncGenerator[Completion, None]:
        """Those, and after the name the arguments that begin with what was typed."""
        for completion in self.get_completions(document, complete_event):
            yield completion
        name, space, argument = document.text_before_cursor.partition(" ")
        if not space or not name.startswith("/") or "\n" in argument:
            return
        values: Sequence[str] = ()
        with suppress(StorageError):  # nothing to offer while memory cannot be read
            values = await self._known(name[1:])
        for value in values:
            if value.startswith(argument):
                yield Completion(neutral_line(value), start_position=-len(argument))


class _PrivateHistory(FileHistory):
    """History in a file that only the person may read; without a disk it lasts as long as the process."""

    def __init__(self, path: Path) -> None:
        with suppress(OSError):
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o600))
        super().__init__(path)

    def load_history_strings(self) -> Iterable[str]:
        """The messages of earlier, newest first."""
        with suppress(OSError):
            return list(super().load_history_strings())
        return []

    def store_string(self, string: str) -> None:
        """Add a message."""
        with suppress(OSError, UnicodeEncodeError):
            super().store_string(string)


def _history(path: Path | None) -> History:
    return _PrivateHistory(path) if path else InMemoryHistory()


def _bindings() -> KeyBindings:
    bindings = KeyBindings()

    @bindings.add("escape", "enter")
    def _(event: KeyPressEvent) -> None:
        event.current_buffer.insert_text("\n")

    @bindings.add("c-c")
    def _(event: KeyPressEvent) -> None:
        """Put the line away (the arrow up brings it back); on an empty line leave the prompt."""
        buffer = event.current_buffer
        if not buffer.text:
            event.app.exit(exception=Interrupted())
            return
        buffer.append_to_history()
        buffer.reset()

    return bindings
