from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from adapters.terminal.handover import Waiting
from adapters.terminal.presenter import TerminalPresenter
from adapters.terminal.screen import Screen
from core.conversation import Failed, Finished, Noted, Paged, TextAdded, ThinkingAdded, ToolChanged
from core.document import Address, Choice, Choices, Document, Fold, Text
from core.errors import StorageError
from core.i18n import load_words
from tests.adapters.terminal.glass import BrokenPipe, Glass
from tests.doubles.clock import ManualClock, settle
from tests.doubles.echo_inbox import Notes, page

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from core.conversation import TurnEvent

WORDS = load_words(Path(__file__).parents[3] / "locales")


class FullDisk(Notes):
    """An outbox that cannot write."""

    async def note(self, turn: str, part: int, message: str) -> None:
        raise StorageError("state/journal.jsonl", "no space left")


class Room:
    """A screen, and presenters on it."""

    def __init__(self, *, colour: bool = True, locale: str = "en") -> None:
        self.glass = Glass()
        self.clock = ManualClock()
        self.words = WORDS[locale]
        self.lost = 0
        self.screen = Screen(self.glass, self.clock, colour=colour, above=at_once, lost=self.lose)

    def lose(self) -> None:
        self.lost += 1

    def presenter(self, outbox: Notes | None = None, asked: str | None = "hello") -> TerminalPresenter:
        self.waiting = None if asked is None else Waiting(asked)
        return TerminalPresenter(self.screen, self.words, self.clock, outbox or Notes(), "turn01", self.waiting)

    @asynccontextmanager
    async def lit(self) -> AsyncIterator[None]:
        async with asyncio.TaskGroup() as group:
            task = group.create_task(self.screen.run())
            yield
            task.cancel()


async def at_once(write: Callable[[], None]) -> None:
    write()


async def test_text_grows_on_the_screen_and_the_page_takes_its_place() -> None:
    room = Room()
    presenter = room.presenter()

    async with room.lit():
        await presenter.show(TextAdded("The attic "))
        await settle()
        growing = room.glass.seen()
        await presenter.show(TextAdded("flat."))
        await room.clock.advance(1)
        grown = room.glass.seen()
        await presenter.show(Finished(page("The attic flat.")))

    assert growing == ["The attic", ""]
    assert grown == ["The attic flat.", ""]
    assert room.glass.seen() == ["The attic flat.", "", ""]


async def test_an_answer_longer_than_the_screen_is_printed_once_and_leaves_nothing_behind() -> None:
    room = Room()
    presenter = room.presenter()
    lines = [f"line {number}" for number in range(100)]

    async with room.lit():
        for line in lines:
            await presenter.show(TextAdded(f"{line}\n"))
            await room.clock.advance(0.2)
        await presenter.show(Finished(page("\n".join(lines))))

    assert room.glass.seen() == [*lines, "", ""]


async def test_frames_are_at_least_an_eighth_of_a_second_apart() -> None:
    room = Room()
    presenter = room.presenter()

    async with room.lit():
        for _ in range(100):
            await presenter.show(TextAdded("word "))
            await room.clock.advance(0.01)
        frames = room.glass.getvalue().count("\x1b[J")

    assert 6 <= frames <= 9


async def test_while_the_model_is_silent_the_seconds_go_on() -> None:
    room = Room()
    presenter = room.presenter()

    async with room.lit():
        await presenter.show(ThinkingAdded("hm"))
        await room.clock.advance(7.5)
        seen = room.glass.seen()

    assert seen == ["Thinking… 7 s", ""]


async def test_a_running_tool_is_a_line_in_human_words_and_gone_with_the_answer() -> None:
    room = Room()
    presenter = room.presenter()

    async with room.lit():
        await presenter.show(ToolChanged("1", "running", "looking through March"))
        await settle()
        seen = room.glass.seen()
        await presenter.show(ToolChanged("1", "completed", "looked through March"))
        await presenter.show(Finished(Document((Text("Found."), Fold("Recall · 1 slice", "...")))))

    assert seen == ["· looking through March", ""]
    assert room.glass.seen() == ["Found.", "", "▸ Recall · 1 slice  /1", "", ""]


@pytest.mark.parametrize(
    ("locale", "labels"),
    [
        ("en", ["▸ 2 steps  /1", "▸ Thought · 14 s  /2"]),
        ("zh", ["▸ 2 个步骤  /1", "▸ 思考了 14 秒  /2"]),
    ],
)
async def test_steps_and_thoughts_stand_folded_below_an_answer_without_folds(locale: str, labels: list[str]) -> None:
    room = Room(locale=locale)
    presenter = room.presenter()

    async with room.lit():
        await presenter.show(ThinkingAdded("Let me "))
        await room.clock.advance(10)
        await presenter.show(ThinkingAdded("see."))
        await room.clock.advance(4)
        await presenter.show(ToolChanged("1", "completed", "looked", "three hits"))
        await presenter.show(ToolChanged("2", "error", "read"))
        await room.clock.advance(30)
        await presenter.show(Finished(page("Found.")))

    assert [line for line in room.glass.seen() if line.startswith("▸")] == labels
    assert room.screen.offers.folds[1].markdown == "Let me see."
    assert "three hits" in room.screen.offers.folds[0].markdown
    assert f"✗ read ({room.words('terminal.tool.error')})" in room.screen.offers.folds[0].markdown


async def test_a_note_appears_above_the_answer_that_is_being_written() -> None:
    room = Room()
    presenter = room.presenter()

    async with room.lit():
        await presenter.show(TextAdded("The attic"))
        await settle()
        await presenter.show(Noted("the slice of Monday is closed"))
        await room.clock.advance(1)
        seen = room.glass.seen()

    assert seen == ["· the slice of Monday is closed", "", "The attic", ""]


async def test_a_briefing_comes_before_the_answer_and_is_not_the_answer() -> None:
    room = Room()
    presenter = room.presenter()
    briefing = Document((Text("Previously"), Choices((Choice("go on"),))), Address("briefing"))

    async with room.lit():
        await presenter.show(Paged(briefing))
        open_after_briefing = room.waiting is not None and room.waiting.open
        await presenter.show(Finished(page("Hello.")))

    assert open_after_briefing
    assert room.waiting is not None
    assert not room.waiting.open
    assert room.glass.seen() == ["Previously", "", "[1] go on", "", "Hello.", "", ""]


@pytest.mark.parametrize(
    ("asked", "event", "answers"),
    [
        ("hello", Paged(Document(address=Address("briefing"))), False),
        ("/briefing", Paged(Document(address=Address("briefing"))), True),
        ("/start", Paged(Document(address=Address("briefing"))), True),
        ("/timeline", Paged(Document(address=Address("briefing"))), False),
        ("/timeline", Paged(Document(address=Address("timeline"))), True),
        ("/close", Paged(page("closed")), True),
        ("hello", Finished(page("")), True),
        ("hello", Failed(page("")), True),
        ("/timeline", Failed(page("")), True),
        ("hello", TextAdded("x"), False),
        ("hello", Noted("x"), False),
    ],
)
def test_what_counts_as_the_answer(asked: str, event: TurnEvent, answers: bool) -> None:
    assert Waiting(asked).is_answered_by(event) is answers


async def test_plain_output_is_the_page_alone_and_holds_no_escape() -> None:
    room = Room(colour=False)
    presenter = room.presenter()

    await presenter.show(ThinkingAdded("hm"))
    await presenter.show(ToolChanged("1", "running", "looking"))
    await presenter.show(TextAdded("The **attic"))
    await presenter.show(Finished(page("The **attic** flat.")))

    assert room.glass.getvalue() == "The **attic** flat.\n\n"


@pytest.mark.parametrize("colour", [False, True])
async def test_the_outbox_learns_once_that_output_began(colour: bool) -> None:
    room = Room(colour=colour)
    outbox = Notes()
    presenter = room.presenter(outbox)

    async with room.lit():
        await presenter.show(TextAdded("a"))
        early = outbox.sent("turn01", 0)
        await presenter.show(Finished(page("a")))

    assert early == ("printed" if colour else None)
    assert outbox.notes == {("turn01", 0): "printed"}


async def test_a_page_is_not_part_of_a_turn_and_the_outbox_hears_nothing() -> None:
    room = Room()
    outbox = Notes()

    await room.presenter(outbox, "/timeline").show(Paged(page("March")))

    assert outbox.notes == {}


async def test_a_disk_without_space_does_not_hide_the_answer() -> None:
    room = Room(colour=False)

    await room.presenter(FullDisk()).show(Finished(page("still here")))

    assert room.glass.seen()[0] == "still here"


async def test_a_turn_taken_up_again_prints_its_whole_answer_once_and_says_so() -> None:
    room = Room()
    presenter = room.presenter(Notes({("turn01", 0): "printed"}), asked=None)

    async with room.lit():
        await presenter.show(TextAdded("The attic"))
        await presenter.show(Finished(page("The attic flat.")))

    assert room.glass.seen() == [room.words("terminal.continued"), "", "The attic flat.", "", ""]


async def test_a_failure_is_a_sentence_in_place_of_the_picture() -> None:
    room = Room()
    presenter = room.presenter()

    async with room.lit():
        await presenter.show(TextAdded("The att"))
        await settle()
        await presenter.show(Failed(page("The model does not answer. Your words are kept.")))

    assert room.glass.seen() == ["The model does not answer. Your words are kept.", "", ""]


async def test_showing_raises_when_the_terminal_is_gone_and_the_owner_hears_of_it() -> None:
    room = Room()
    screen = Screen(BrokenPipe(), room.clock, colour=False, above=at_once, lost=room.lose)
    presenter = TerminalPresenter(screen, room.words, room.clock, Notes(), "turn01", None)

    with pytest.raises(OSError, match="gone"):
        await presenter.show(Finished(page("nobody reads this")))

    assert room.lost == 1


@pytest.mark.parametrize(
    "event", [TextAdded("\x1b[2J\x07"), Noted("\x1b[2J\n\x07"), ToolChanged("1", "running", "\x1b[2J")]
)
async def test_what_streams_is_made_harmless_too(event: TurnEvent) -> None:
    room = Room()
    presenter = room.presenter()

    async with room.lit():
        await presenter.show(event)
        await room.clock.advance(1)

    assert "\x1b[2J" not in room.glass.getvalue()
    assert "␛[2J" in room.glass.getvalue()
