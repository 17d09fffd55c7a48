from __future__ import annotations

import asyncio
import errno
import io
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from adapters.terminal.client import Terminal
from core.conversation import Finished, Paged, TextAdded
from core.document import Address, Choice, Choices, Document, Fold, Text
from core.errors import DiskTrouble, Held, StorageError
from core.i18n import load_words
from tests.adapters.terminal.glass import BrokenPipe
from tests.doubles.clock import ManualClock, settle
from tests.doubles.echo_inbox import EchoInbox, Notes, page

if TYPE_CHECKING:
    from core.conversation import Incoming, Presenter

ROOT = Path(__file__).parents[3]
WORDS = load_words(ROOT / "locales")
HOST = [sys.executable, "-m", "tests.adapters.terminal.host"]
FULL = DiskTrouble("state/journal.jsonl", errno.ENOSPC, "no space left on device")


async def nothing(command: str) -> list[str]:
    return []


class Pipe:
    """A terminal without a terminal: what is piped in, and what comes out."""

    def __init__(self, piped: str, inbox: EchoInbox | None = None, *, locale: str = "en") -> None:
        self.output = io.StringIO()
        self.inbox = inbox or EchoInbox()
        self.terminal = self.make(io.StringIO(piped), self.output, locale)

    def make(self, piped: io.StringIO, output: io.StringIO, locale: str) -> Terminal:
        return Terminal(
            input=piped,
            output=output,
            words=WORDS[locale],
            clock=ManualClock(instant=True),
            stop=self.inbox.stop,
            known=nothing,
            zone="Asia/Singapore",
        )

    async def run(self) -> str:
        async with asyncio.timeout(20), asyncio.TaskGroup() as group:
            answering = group.create_task(self.inbox.run(self.terminal))
            await self.terminal.serve(self.inbox)
            answering.cancel()
        return self.output.getvalue()


async def test_each_line_is_answered_before_the_next_is_handed_over() -> None:
    pipe = Pipe("hello\n\n   \n/timeline\n再见")

    shown = await pipe.run()

    assert shown == "echo: hello\n\npage of /timeline\n\necho: 再见\n\n"
    assert pipe.inbox.log == [
        f"{step} {text}" for text in ("hello", "/timeline", "再见") for step in ("kept", "answering")
    ]
    assert pipe.terminal.exit_code == 0


async def test_a_message_is_handed_over_as_it_was_typed_with_all_that_tells_it_apart() -> None:
    pipe = Pipe("  hello\r\nagain\n", locale="zh")

    await pipe.run()

    first, second = pipe.inbox.kept
    assert (first.key, second.key) == ("tm:20260309T184200000:0", "tm:20260309T184200000:1")
    assert (first.surface, first.chat, first.text, first.locale, first.zone) == (
        "terminal",
        "terminal",
        "  hello",
        "zh",
        "Asia/Singapore",
    )


async def test_quit_leaves_at_once_and_is_nobody_elses_business() -> None:
    pipe = Pipe("hello\n /quit \nnever said\n")

    await pipe.run()

    assert [incoming.text for incoming in pipe.inbox.kept] == ["hello"]


async def test_an_unknown_command_goes_to_the_inbox() -> None:
    pipe = Pipe("/nonsense\n/7\n")

    await pipe.run()

    assert [incoming.text for incoming in pipe.inbox.kept] == ["/nonsense", "/7"]


async def offer(presenter: Presenter, incoming: Incoming) -> None:
    choices = Choices((Choice("9 March", Address("timeline", "2026-03-09", 1)), Choice("Go on", say="Let's go on.")))
    await presenter.show(Paged(Document((choices, Fold("Recall", "the **fold**")), Address("timeline"))))


@pytest.mark.parametrize(
    ("typed", "handed"),
    [
        ("1", "/timeline 2026-03-09 2"),
        ("２", "Let's go on."),
        ("3", "3"),
        ("0", "0"),
        ("1 or 2", "1 or 2"),
    ],
)
async def test_a_number_picks_a_choice_and_one_that_is_not_on_offer_is_talk(typed: str, handed: str) -> None:
    pipe = Pipe(f"/timeline\n{typed}\n", EchoInbox({"/timeline": offer}))

    await pipe.run()

    assert [incoming.text for incoming in pipe.inbox.kept] == ["/timeline", handed]


@pytest.mark.parametrize("locale", ["en", "zh"])
async def test_choices_are_gone_with_the_next_answer_and_their_numbers_are_no_talk(locale: str) -> None:
    pipe = Pipe("/timeline\nhello\n1\n3\n", EchoInbox({"/timeline": offer}), locale=locale)

    shown = await pipe.run()

    assert [one.text for one in pipe.inbox.kept] == ["/timeline", "hello", "3"]
    assert WORDS[locale]("terminal.stale", n="1") in shown


async def test_a_fold_is_opened_here_and_may_be_opened_again() -> None:
    pipe = Pipe("/timeline\n/1\n/1\n", EchoInbox({"/timeline": offer}))

    shown = await pipe.run()

    assert shown.count("▾ Recall\nthe **fold**\n") == 2
    assert len(pipe.inbox.kept) == 1


async def test_a_briefing_before_the_answer_does_not_let_the_next_line_through() -> None:
    async def brief_first(presenter: Presenter, incoming: Incoming) -> None:
        await presenter.show(Paged(Document((Text("previously"),), Address("briefing"))))
        await settle()
        inbox.log.append("briefed")
        await presenter.show(Finished(page("hello to you")))

    inbox = EchoInbox({"hello": brief_first})
    pipe = Pipe("hello\nagain\n", inbox)

    shown = await pipe.run()

    assert inbox.log[:4] == ["kept hello", "answering hello", "briefed", "kept again"]
    assert shown == "previously\n\nhello to you\n\necho: again\n\n"


async def test_a_turn_of_an_earlier_process_is_not_taken_for_the_answer() -> None:
    async def recovered_first(presenter: Presenter, incoming: Incoming) -> None:
        old = pipe.terminal.presenter("terminal", "turn99", Notes({("turn99", 0): "printed"}))
        await old.show(Finished(page("the old answer")))
        await presenter.show(Finished(page("the new answer")))

    pipe = Pipe("hello\n", EchoInbox({"hello": recovered_first}))

    shown = await pipe.run()

    assert shown.endswith("the old answer\n\nthe new answer\n\n")


async def test_a_line_that_could_not_be_kept_is_tried_again_under_the_same_key() -> None:
    inbox = EchoInbox()
    inbox.refusals = [FULL, FULL]
    pipe = Pipe("hello\nagain\n", inbox)

    shown = await pipe.run()

    assert shown == "echo: hello\n\necho: again\n\n"
    assert [incoming.key[-2:] for incoming in inbox.kept] == [":0", ":1"]
    assert pipe.terminal.exit_code == 0


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (FULL, "The disk is full. This line was not kept: hello"),
        (
            DiskTrouble("state", errno.EROFS, "read-only"),
            "The memory folder may not be written to. This line was not kept: hello",
        ),
        (Held("state/lock", "pid 7"), "Another process is using this memory: pid 7. This line was not kept: hello"),
        (
            StorageError("state", "odd\x1b[2J"),
            "The memory could not be written (state: odd␛[2J). This line was not kept: hello",
        ),
    ],
)
async def test_a_line_that_cannot_be_kept_is_named_in_a_sentence_and_the_exit_code_says_so(
    error: StorageError, sentence: str
) -> None:
    inbox = EchoInbox()
    inbox.refusals = [error] * 3
    pipe = Pipe("hello\nagain\n", inbox)

    shown = await pipe.run()

    assert shown == f"{sentence}\n\necho: again\n\n"
    assert pipe.terminal.exit_code == 1


async def test_without_a_reader_the_terminal_leaves() -> None:
    pipe = Pipe("")
    pipe.terminal = pipe.make(io.StringIO("hello\nagain\n"), BrokenPipe(), "en")

    with pytest.raises(ExceptionGroup) as caught:
        await pipe.run()

    assert caught.group_contains(BrokenPipeError)
    assert pipe.terminal.exit_code == 1


async def test_without_a_reader_even_a_refusal_ends_quietly() -> None:
    pipe = Pipe("")
    pipe.inbox.refusals = [FULL] * 3
    pipe.terminal = pipe.make(io.StringIO("hello\nagain\n"), BrokenPipe(), "en")

    await pipe.run()

    assert (pipe.terminal.exit_code, pipe.inbox.kept) == (1, [])


async def test_an_announcement_is_printed_before_all_else() -> None:
    pipe = Pipe("hello\n")

    await pipe.terminal.announce("The memory is in ~/previously.\x07")

    assert await pipe.run() == "The memory is in ~/previously.␇\n\necho: hello\n\n"


async def test_a_cancelled_terminal_ends_while_it_waits_for_an_answer() -> None:
    async def never(presenter: Presenter, incoming: Incoming) -> None:
        await presenter.show(TextAdded("hm"))
        serving.cancel()
        await asyncio.Event().wait()

    pipe = Pipe("hello\n", EchoInbox({"hello": never}))
    async with asyncio.timeout(20), asyncio.TaskGroup() as group:
        answering = group.create_task(pipe.inbox.run(pipe.terminal))
        serving = group.create_task(pipe.terminal.serve(pipe.inbox))
        await asyncio.wait([serving])
        answering.cancel()

    assert serving.cancelled()


def test_a_process_with_a_pipe_answers_all_and_exits_with_0() -> None:
    done = subprocess.run(
        HOST, input="\ufeffhello\r\n/timeline\n你好 \n".encode(), capture_output=True, cwd=ROOT, timeout=60, check=False
    )

    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode() == "echo: hello\n\npage of /timeline\n\necho: 你好\n\n"


def test_bytes_that_are_no_text_stop_nothing() -> None:
    done = subprocess.run(HOST, input=b"caf\xe9\n\x1b[2J\x00\n", capture_output=True, cwd=ROOT, timeout=60, check=False)

    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode() == "echo: caf�\n\necho: ␛[2J␀\n\n"


def test_a_process_ends_while_its_input_stays_open() -> None:
    with subprocess.Popen(
        HOST, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT
    ) as host:
        assert host.stdin
        assert host.stderr
        host.stdin.write(b"hello\n/quit\n")
        host.stdin.flush()

        code = host.wait(timeout=60)

        assert (code, host.stderr.read()) == (0, b"")


def test_an_output_that_knows_no_chinese_stops_nothing() -> None:
    done = subprocess.run(
        HOST,
        input="你好\n".encode(),
        capture_output=True,
        cwd=ROOT,
        timeout=60,
        check=False,
        env={"PYTHONIOENCODING": "ascii", "PATH": os.defpath},
    )

    assert (done.returncode, done.stdout) == (0, b"echo: ??\n\n")
