"""P7: what crashes the process again and again is set aside with a note, and everything after it goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.journal.journal import Journal
from tests.doubles.clock import ManualClock
from tests.doubles.echo_model import EchoModel
from tests.doubles.fault_disk import Killed
from tests.doubles.sim_disk import SimDisk
from tests.house.check import TOKEN, faults, slices_of
from tests.house.life import WORDS, Ground, Kind, Lives, Story
from tests.house.stories import mend, say
from tests.house.tell import tell

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.llm.base import ChatModel, Listen, Message, ToolSpec

POISON = "poison"
MOST = 16
"""Deaths after which the queue must have gone on; three crashes are enough where the process lives (P7)."""


class Mortal(SimDisk):
    """A disk whose process dies of an effect called poison, and, with `spill`, of that text on its way to a slice."""

    def __init__(self, disk: SimDisk | None = None, spill: bytes = b"") -> None:
        super().__init__()
        self.spill = spill
        if disk:
            self._root, self._serial = disk._root, disk._serial

    def effect(self, name: str) -> None:
        super().effect(name)
        if name == POISON:
            self.die()

    def write(self, handle: int, data: bytes) -> None:
        if self.spill and self.spill in data and data.startswith(b"---\n"):
            self.die()
        super().write(handle, data)

    def die(self) -> None:
        self.fuse.dead = True
        raise Killed


class Poisoned(EchoModel):
    """Crashes the process over every question that holds poison."""

    async def complete(self, messages: Sequence[Message], tools: Sequence[ToolSpec], on_event: Listen) -> Message:
        if POISON in messages[-1].text:
            self._effect(POISON)
        return await super().complete(messages, tools, on_event)


class Faulty(EchoModel):
    """Fails over such a question in a way that nobody foresaw, and the process lives."""

    async def complete(self, messages: Sequence[Message], tools: Sequence[ToolSpec], on_event: Listen) -> Message:
        if POISON in messages[-1].text:
            self._effect("notice" if any(tool.forced for tool in tools) else "fail")
            raise LookupError("nobody foresaw this")
        return await super().complete(messages, tools, on_event)


STORY = (say("m1"), say("p1", "poison {}"), say("m2"), mend("m1", "e1"))


def lived(model: type[ChatModel], spill: bytes = b"") -> Lives:
    lives = Lives(Mortal(spill=spill), Story(STORY), kind=Kind(model=model))
    lives.person.hushed.add("p1")

    def reborn(dead: Ground) -> Ground:
        assert isinstance(dead, Mortal)
        return Mortal(dead.kill_image(), spill)

    lives.run(reborn, lives=MOST + 1)
    return lives


def shown(lives: Lives, key: str) -> int:
    return sum(WORDS["en"](key) == text for text in lives.person.finals())


def test_a_message_whose_answer_crashes_the_process_is_stored_with_a_note() -> None:
    lives = lived(Poisoned)

    tree = lives.disk.tree()
    logs = b"".join(data for path, data in tree.items() if path.endswith("agent.md"))
    tell(f"P7 the answer crashes the process: set aside after {len(lives.endings) - 1} deaths")
    assert set(lives.endings[:-1]) == {"killed"}
    assert faults(lives) == []
    assert logs.count(b"(no reply:") == 1
    assert shown(lives, "turn.crashed") == 1


def test_a_message_that_makes_answering_fail_in_unforeseen_ways_is_stored_with_a_note() -> None:
    lives = lived(Faulty)

    disk = lives.disk
    assert isinstance(disk, SimDisk)
    tell(f"P7 the answer fails, the process lives: set aside after {disk.fuse.names.count('fail')} tries")
    assert disk.fuse.names.count("fail") == 3
    assert lives.endings == ["told"]
    assert faults(lives) == []
    assert shown(lives, "turn.crashed") + shown(lives, "turn.failed") == 1


def test_a_message_that_cannot_even_be_stored_is_kept_in_the_journal_and_the_rest_goes_on() -> None:
    lives = lived(EchoModel, spill=b"<p1>")

    disk = lives.disk
    assert isinstance(disk, SimDisk)
    parked = Journal.open(disk.kill_image(), ManualClock()).state.parked
    turns = [turn for piece in slices_of(disk.tree()).values() for turn in piece.turns]
    said = [token for turn in turns if turn.role == "user" for token in TOKEN.findall(turn.text)]
    answered = [token for text in lives.person.finals() if text.startswith("answer") for token in TOKEN.findall(text)]
    tell(f"P7 storing crashes the process: set aside after {len(lives.endings) - 1} deaths")
    assert [one.message.update.text for one in parked.values()] == ["poison <p1>"]
    assert said == ["m1", "e1", "m2"]
    assert answered == ["m1", "m2"]
    assert shown(lives, "turn.given_up") == 1
