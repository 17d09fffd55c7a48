"""The terminal driven through a real pseudo-terminal: bytes that a keyboard sends, bytes that a window shows."""

from __future__ import annotations

import asyncio
import errno
import os
import re
import termios
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from adapters.terminal.client import Terminal
from adapters.terminal.prompt import Command
from core.clock import SystemClock
from core.conversation import Finished, Paged, TextAdded
from core.document import Address, Choice, Choices, Document, Fold
from core.errors import DiskTrouble, StorageError
from core.i18n import load_words
from tests.doubles.echo_inbox import EchoInbox, Notes, page

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from core.conversation import Incoming, Presenter

WORDS = load_words(Path(__file__).parents[3] / "locales")["en"]
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\r")
WHERE_IS_THE_CURSOR = "\x1b[6n"
CTRL_C, CTRL_D, CTRL_U, ENTER, UP, TAB = "\x03", "\x04", "\x15", "\r", "\x1b[A", "\t"


class Window:
    """The person's side of a pseudo-terminal of 80 x 24 cells."""

    def __init__(self) -> None:
        self._master, self._slave = os.openpty()
        termios.tcsetwinsize(self._slave, (24, 80))
        self.input = os.fdopen(os.dup(self._slave), encoding="utf-8")
        self.output = os.fdopen(os.dup(self._slave), "w", encoding="utf-8")
        self._written = ""
        self._news = asyncio.Event()
        self._read_to = 0

    def type(self, text: str) -> None:
        os.write(self._master, text.encode())

    async def until(self, text: str) -> None:
        """Wait until it is shown, later than what was waited for before."""
        async with asyncio.timeout(20):
            while (found := self.shown.find(text, self._read_to)) < 0:
                self._news.clear()
                await self._news.wait()
        self._read_to = found + len(text)

    @property
    def shown(self) -> str:
        return ESCAPES.sub("", self._written)

    @property
    def echoes(self) -> bool:
        return bool(termios.tcgetattr(self._slave)[3] & termios.ECHO)

    def open(self) -> None:
        asyncio.get_running_loop().add_reader(self._master, self._read)

    def close(self) -> None:
        asyncio.get_running_loop().remove_reader(self._master)
        self.input.close()
        self.output.close()
        os.close(self._slave)
        os.close(self._master)

    def _read(self) -> None:
        text = os.read(self._master, 65536).decode("utf-8", "replace")
        for _ in range(text.count(WHERE_IS_THE_CURSOR)):
            self.type("\x1b[1;1R")
        self._written += text
        self._news.set()


class Session:
    """A window, a terminal in it and an inbox behind it."""

    def __init__(self, window: Window, inbox: EchoInbox, history: Path | None = None) -> None:
        self.window = window
        self.inbox = inbox
        self.asked: list[str] = []
        self.left = False
        self.terminal = Terminal(
            input=window.input,
            output=window.output,
            words=WORDS,
            clock=SystemClock(),
            stop=inbox.stop,
            known=self.known,
            commands=(Command("timeline", "[month]", "browse"), Command("slice", "ID", "read one")),
            history=history,
            interactive=True,
        )

    async def known(self, command: str) -> list[str]:
        self.asked.append(command)
        if command == "slice":
            raise StorageError("memory", "cannot be read")
        return ["2026-03", "2027-01"]

    async def serve(self) -> None:
        await self.terminal.serve(self.inbox)
        self.left = True


@asynccontextmanager
async def session(inbox: EchoInbox | None = None, history: Path | None = None) -> AsyncIterator[Session]:
    """A session at its first prompt; the test must leave it within 20 seconds."""
    window = Window()
    window.open()
    try:
        it = Session(window, inbox or EchoInbox(), history)
        async with asyncio.TaskGroup() as group:
            answering = group.create_task(it.inbox.run(it.terminal))
            serving = group.create_task(it.serve())
            await window.until("›")
            yield it
            async with asyncio.timeout(20):
                await asyncio.wait([serving])
            answering.cancel()
    finally:
        window.close()


async def test_what_is_typed_is_answered_and_ctrl_d_leaves() -> None:
    async with session() as it:
        it.window.type("hello\r")
        await it.window.until("echo: hello")
        await it.window.until("›")
        it.window.type("你好\r")
        await it.window.until("echo: 你好")
        await it.window.until("›")
        it.window.type(CTRL_D)

    assert [incoming.text for incoming in it.inbox.kept] == ["hello", "你好"]
    assert (it.left, it.terminal.exit_code) == (True, 0)


async def test_quit_leaves_and_the_window_is_as_it_was() -> None:
    async with session() as it:
        before = it.window.echoes
        it.window.type("/quit\r")
        async with asyncio.timeout(20):
            while not it.left:
                await SystemClock().sleep(0.01)
        after = it.window.echoes

    assert (before, after) == (False, True)
    assert it.inbox.kept == []


async def test_a_line_is_edited_before_it_is_sent() -> None:
    async with session() as it:
        it.window.type("helo\x1b[Dl\r")
        await it.window.until("echo: hello")
        await it.window.until("›")
        it.window.type(CTRL_D)

    assert it.inbox.kept[0].text == "hello"


async def test_a_paste_of_several_lines_is_one_message() -> None:
    async with session() as it:
        it.window.type("\x1b[200~first\r\nsecond\rthird\x1b[201~")
        await it.window.until("third")
        it.window.type(ENTER)
        await it.window.until("echo: first")
        await it.window.until("›")
        it.window.type(CTRL_D)

    assert [incoming.text for incoming in it.inbox.kept] == ["first\nsecond\nthird"]


async def test_ctrl_c_at_an_empty_prompt_says_how_to_leave_and_on_a_line_puts_it_away() -> None:
    async with session() as it:
        it.window.type(CTRL_C)
        await it.window.until(WORDS("terminal.leave_hint"))
        await it.window.until("›")
        it.window.type("half a thought")
        await it.window.until("half a thought")
        it.window.type(CTRL_C + "zebra")
        await it.window.until("zebra")
        it.window.type(CTRL_U + UP + "!" + ENTER)
        await it.window.until("echo: half a thought!")
        await it.window.until("›")
        it.window.type(CTRL_D)

    assert [incoming.text for incoming in it.inbox.kept] == ["half a thought!"]


async def endless(presenter: Presenter, incoming: Incoming) -> None:
    await presenter.show(TextAdded("once upon a time"))
    await asyncio.Event().wait()


async def test_ctrl_c_stops_the_answer_and_its_part_stays() -> None:
    async with session(EchoInbox({"tell": endless})) as it:
        it.window.type("tell\r")
        await it.window.until("once upon a time")
        it.window.type(CTRL_C)
        await it.window.until("the part that was written")
        await it.window.until("›")
        it.window.type(CTRL_D)

    assert it.left


async def test_what_is_typed_during_an_answer_is_not_echoed_into_it_and_waits_for_the_prompt() -> None:
    release = asyncio.Event()

    async def slow(presenter: Presenter, incoming: Incoming) -> None:
        await presenter.show(TextAdded("thinking about it"))
        await release.wait()
        await presenter.show(Finished(page("thought about it")))

    async with session(EchoInbox({"slow": slow})) as it:
        it.window.type("slow\r")
        await it.window.until("thinking about it")
        echoed = it.window.echoes
        it.window.type("typed ahead")
        release.set()
        await it.window.until("thought about it")
        await it.window.until("typed ahead")
        it.window.type(ENTER)
        await it.window.until("echo: typed ahead")
        await it.window.until("›")
        it.window.type(CTRL_D)

    assert not echoed
    assert [incoming.text for incoming in it.inbox.kept] == ["slow", "typed ahead"]


async def test_ctrl_c_before_anything_runs_gives_the_prompt_back_and_the_answer_comes_above_it() -> None:
    release = asyncio.Event()

    async def late(presenter: Presenter, incoming: Incoming) -> None:
        it.inbox.running = None
        await release.wait()
        await presenter.show(Finished(page("the late answer")))

    async with session(EchoInbox({"late": late})) as it:
        it.window.type("late\r")
        async with asyncio.timeout(20):
            while "answering late" not in it.inbox.log:
                await SystemClock().sleep(0.01)
        await SystemClock().sleep(0.05)
        it.window.type(CTRL_C)
        await it.window.until("›")
        it.window.type("meanwhile")
        await it.window.until("meanwhile")
        release.set()
        await it.window.until("the late answer")
        await it.window.until("›")
        await it.window.until("meanwhile")
        it.window.type(ENTER)
        await it.window.until("echo: meanwhile")
        await it.window.until("›")
        it.window.type(CTRL_D)

    assert [incoming.text for incoming in it.inbox.kept] == ["late", "meanwhile"]


async def test_a_page_that_nobody_asked_for_appears_above_the_line_being_typed() -> None:
    async with session() as it:
        it.window.type("half a")
        await it.window.until("half a")
        await it.terminal.presenter("terminal", "", Notes()).show(Paged(page("Previously on"), quiet=True))
        await it.window.until("Previously on")
        await it.window.until("›")
        await it.window.until("half a")
        it.window.type(" line\r")
        await it.window.until("echo: half a line")
        await it.window.until("›")
        it.window.type(CTRL_D)

    assert it.inbox.kept[0].text == "half a line"


async def test_words_that_could_not_be_kept_are_back_in_the_line() -> None:
    inbox = EchoInbox()
    inbox.refusals = [DiskTrouble("state/journal.jsonl", errno.ENOSPC, "no space left on device")]

    async with session(inbox) as it:
        it.window.type("precious words\r")
        await it.window.until("The disk is full. Your words are back in the line")
        await it.window.until("›")
        await it.window.until("precious words")
        it.window.type(ENTER)
        await it.window.until("echo: precious words")
        await it.window.until("›")
        it.window.type(CTRL_D)

    assert [(incoming.text, incoming.key[-2:]) for incoming in inbox.kept] == [("precious words", ":0")]


async def test_words_changed_after_a_refusal_are_another_message() -> None:
    inbox = EchoInbox()
    inbox.refusals = [DiskTrouble("state/journal.jsonl", errno.EIO, "trouble")]

    async with session(inbox) as it:
        it.window.type("precious\r")
        await it.window.until("›")
        await it.window.until("precious")
        await it.window.until("›")
        await it.window.until("precious")
        it.window.type(" words\r")
        await it.window.until("echo: precious words")
        await it.window.until("›")
        it.window.type(CTRL_D)

    assert [(incoming.text, incoming.key[-2:]) for incoming in inbox.kept] == [("precious words", ":1")]


async def test_a_number_picks_a_choice_and_a_stroke_opens_a_fold() -> None:
    async def offer(presenter: Presenter, incoming: Incoming) -> None:
        choices = Choices((Choice("March 2026", Address("timeline", "2026-03")),))
        await presenter.show(Paged(Document((choices, Fold("Recall", "behind the fold")))))

    async with session(EchoInbox({"/timeline": offer})) as it:
        it.window.type("/timeline\r")
        await it.window.until("[1] March 2026")
        await it.window.until("›")
        it.window.type("/1\r")
        await it.window.until("behind the fold")
        await it.window.until("›")
        it.window.type("1\r")
        await it.window.until("page of /timeline 2026-03")
        await it.window.until("›")
        it.window.type(CTRL_D)

    assert [incoming.text for incoming in it.inbox.kept] == ["/timeline", "/timeline 2026-03"]


async def test_commands_and_their_arguments_are_completed() -> None:
    async with session() as it:
        it.window.type("/ti")
        await it.window.until("browse")
        it.window.type(TAB + " 2027")
        await it.window.until("2027-01")
        it.window.type(TAB + ENTER)
        await it.window.until("page of /timeline 2027-01")
        await it.window.until("›")
        it.window.type(CTRL_D)

    assert set(it.asked) == {"timeline"}


async def test_memory_that_cannot_be_read_offers_nothing_and_breaks_nothing() -> None:
    async with session() as it:
        it.window.type("/slice 2")
        await it.window.until("/slice 2")
        async with asyncio.timeout(20):
            while "slice" not in it.asked:
                await SystemClock().sleep(0.01)
        it.window.type(ENTER)
        await it.window.until("page of /slice 2")
        await it.window.until("›")
        it.window.type(CTRL_D)

    assert it.inbox.kept[0].text == "/slice 2"


async def test_history_is_private_and_survives_the_process(tmp_path: Path) -> None:
    history = tmp_path / "history"
    async with session(history=history) as first:
        first.window.type("remember this\r")
        await first.window.until("echo: remember this")
        await first.window.until("›")
        first.window.type(CTRL_D)

    async with session(history=history) as second:
        second.window.type(UP)
        await second.window.until("remember this")
        second.window.type(ENTER)
        await second.window.until("echo: remember this")
        await second.window.until("›")
        second.window.type(CTRL_D)

    assert history.stat().st_mode & 0o777 == 0o600
    assert second.inbox.kept[0].text == "remember this"
