"""What every platform owes the person, with the real house behind it and the unmodified client in front."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from core.errors import Unavailable
from core.llm.base import Message, TextDelta
from core.slices.model import AGENT, USER
from tests.adapters.contract.process import Home, until
from tests.adapters.contract.surfaces import PLACES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.llm.base import Listen, ToolSpec
    from tests.adapters.contract.surfaces import Place

CODE = "\n".join(f"x{number} = {number}" for number in range(700))
WORDS = " ".join(f"w{number}" for number in range(1800))


@dataclass
class Talker:
    """Answers what is asked for; the longest answers come in many pieces."""

    name: str = "talker"
    down: int = 0
    begun: asyncio.Event = field(default_factory=asyncio.Event)

    async def complete(self, messages: Sequence[Message], tools: Sequence[ToolSpec], on_event: Listen) -> Message:
        asked = next(message.text for message in reversed(messages) if message.role == "user")
        if self.down:
            self.down -= 1
            raise Unavailable("down", key="turn.failed")
        if "stop me" in asked:
            return await self._endless(on_event)
        text = f"answer to «{asked.strip().splitlines()[-1]}»"
        text = WORDS if "long" in asked else f"Code:\n\n```python\n{CODE}\n```" if "code" in asked else text
        for at in range(0, len(text), 500):
            await on_event(TextDelta(text[at : at + 500]))
        return Message("assistant", text)

    async def _endless(self, on_event: Listen) -> Message:
        await on_event(TextDelta("The part that was written before it was stopped.\n"))
        self.begun.set()
        while True:
            await asyncio.sleep(0.05)  # noqa: TID251 - a model that goes on and on
            await on_event(TextDelta("more "))


def having(*wanted: str) -> pytest.MarkDecorator:
    """For every platform that can do this."""
    able = [name for name, place in PLACES.items() if set(wanted) <= place().can]
    return pytest.mark.parametrize("name", able)


@pytest.fixture
def home() -> Home:
    return Home(Talker())


def place(name: str) -> Place:
    return PLACES[name]()


def all_shown(there: Place) -> str:
    return "\n".join(there.shown())


@having()
async def test_a_burst_is_kept_in_order_and_answered(name: str, home: Home) -> None:
    there = place(name)
    async with there.connected(home):
        for text in ("one", "two", "three"):
            there.say(text)
        await home.answered(1 if "joins" in there.can else 3)

    assert "\n\n".join(home.turns(USER)) == "one\n\ntwo\n\nthree"
    assert all_shown(there).count("answer to «") == len(home.turns(AGENT))


@having()
async def test_a_long_answer_arrives_whole_and_once(name: str, home: Home) -> None:
    there = place(name)
    async with there.connected(home):
        there.say("something long")
        await home.answered(1)

    assert [word for word in all_shown(there).split() if word.startswith("w")] == WORDS.split()
    if "parts" in there.can:
        assert len(there.shown()) > 1


@having()
async def test_code_across_parts_loses_no_line(name: str, home: Home) -> None:
    there = place(name)
    async with there.connected(home):
        there.say("some code")
        await home.answered(1)

    shown = [line.strip() for line in all_shown(there).split("\n")]
    lines = [line for line in shown if line.startswith("x")]
    assert lines[:70] == CODE.split("\n")[:70]
    assert lines == CODE.split("\n") or name == "telegram"  # there the rest of long code comes as a file
    assert all(part.count("```") % 2 == 0 for part in there.shown())


@having()
async def test_stopping_keeps_the_part_that_was_written(name: str, home: Home) -> None:
    there = place(name)
    assert isinstance(home.model, Talker)
    async with there.connected(home):
        there.say("stop me")
        await home.model.begun.wait()
        await until(lambda: name != "discord" or there.shown())
        there.stop()
        await home.answered(1)

    assert "The part that was written before it was stopped." in home.turns(AGENT)[0]
    assert "The part that was written" in all_shown(there)


@having()
async def test_a_failure_is_told_and_asking_again_answers(name: str, home: Home) -> None:
    there = place(name)
    assert isinstance(home.model, Talker)
    home.model.down = 1
    async with there.connected(home):
        there.say("hello")
        await until(there.shown)
        await home.idle()
        assert home.turns(USER) == ["hello"]
        assert "answer to" not in all_shown(there)
        if name == "discord":
            there.open("Answer again", "/retry")
        else:
            there.say("/retry")
        await until(lambda: "answer to «hello»" in all_shown(there))
        await home.idle()

    assert home.turns(USER) == ["hello"]


@having()
async def test_pages_are_found_again_after_a_restart(name: str, home: Home) -> None:
    there = place(name)
    async with there.connected(home):
        there.say("hello")
        await home.answered(1)
        there.say("/timeline 2026-03-09")
        await until(lambda: "2026-03-09" in all_shown(there) or "Mar 9" in all_shown(there))
        await home.idle()
    before = len(there.shown())

    async with there.connected(home):
        there.open("Mar 2026", "/timeline 2026-03")
        await until(lambda: "Mar 2026" in all_shown(there))
        await home.idle()

    assert home.turns(USER) == ["hello"]
    assert len(there.shown()) == before or name == "terminal"


@having()
async def test_what_is_said_while_the_process_is_down_is_answered_once_when_it_is_back(name: str, home: Home) -> None:
    there = place(name)
    async with there.connected(home):
        there.say("before")
        await home.answered(1)
    if "joins" in there.can:
        there.say("meanwhile")

    async with there.connected(home):
        if "joins" not in there.can:
            there.say("meanwhile")
        await home.answered(2)

    assert home.turns(USER) == ["before", "meanwhile"]
    assert all_shown(there).count("answer to «meanwhile»") == 1


@having("stranger")
async def test_a_stranger_is_neither_kept_nor_answered(name: str, home: Home) -> None:
    there = place(name)
    async with there.connected(home):
        there.stranger("let me in")
        there.say("hello")
        await home.answered(1)

    assert home.turns(USER) == ["hello"]
    assert not any("let me in" in text for text in there.shown())
    assert b"let me in" not in b"".join(home.disk.tree().values())


@having("quote")
async def test_a_quote_stands_in_the_turn_apart_from_the_persons_own_words(name: str, home: Home) -> None:
    there = place(name)
    async with there.connected(home):
        there.say("The hall costs 380.")
        await home.answered(1)
        there.quote("With heating?", of="The hall costs 380.")
        await home.answered(2)

    said = home.turns(USER)[1]
    assert said.startswith("> [quoted: ")
    assert "> The hall costs 380." in said
    assert said.endswith("\n\nWith heating?")


@having("attach")
async def test_a_file_is_named_in_the_turn_and_its_caption_is_not_lost(name: str, home: Home) -> None:
    there = place(name)
    async with there.connected(home):
        there.attach("rent.txt", b"380", "the contract")
        await home.answered(1)

    [said] = home.turns(USER)
    assert re.match(r"\[text/plain: rent\.txt\]\(files/[\w-]+-1\.txt\)\n", said)
    assert said.endswith("the contract")
    assert "http" not in said
    assert [data for path, data in home.disk.tree().items() if "/files/" in path] == [b"380"]


@having()
async def test_chinese_is_kept_and_shown_as_it_is(name: str, home: Home) -> None:
    there = place(name)
    async with there.connected(home):
        there.say("外婆的菜谱在哪里？🀄")
        await home.answered(1)

    assert home.turns(USER) == ["外婆的菜谱在哪里？🀄"]
    assert "answer to «外婆的菜谱在哪里？🀄»" in all_shown(there)


def test_the_suite_knows_every_platform() -> None:
    known: dict[str, Any] = dict(PLACES)

    assert set(known) == {"terminal", "telegram", "discord"}
