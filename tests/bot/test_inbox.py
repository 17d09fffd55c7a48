"""The door: durable before a platform may forget, once each, commands told from talk."""

from __future__ import annotations

import errno
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from bot.inbox import Door, Journalled, is_command
from core.conversation import Attachment, Incoming
from core.errors import DiskTrouble
from core.journal.journal import Journal
from core.journal.records import Try
from tests.bot.living import living
from tests.doubles.clock import ManualClock
from tests.doubles.echo_model import EchoModel
from tests.doubles.fault_disk import refuse
from tests.doubles.sim_disk import SimDisk

NOW = datetime(2026, 3, 9, 18, 42, tzinfo=UTC)


def incoming(number: int, text: str = "hi", **more: object) -> Incoming:
    return replace(Incoming(f"db:1:{number}", "double", "1", NOW, text), **more)  # type: ignore[arg-type]


def door_on(disk: SimDisk) -> tuple[Door, Journal]:
    clock = ManualClock()
    journal = Journal.open(disk, clock)
    return Door(journal, clock), journal


async def test_what_was_accepted_is_there_after_a_power_cut() -> None:
    disk = SimDisk()
    door, _ = door_on(disk)

    await door.accept([incoming(1), incoming(2)])

    for image in disk.images():
        _, journal = door_on(image)
        assert list(journal.state.waiting) == ["db:1:1", "db:1:2"]


async def test_a_batch_is_one_write_and_one_fsync() -> None:
    disk = SimDisk()
    door, _ = door_on(disk)
    before = disk.operations

    await door.accept([incoming(number) for number in range(100)])

    assert disk.operations - before <= 4


async def test_the_same_update_twice_is_one_message_also_within_a_batch() -> None:
    door, journal = door_on(SimDisk())

    await door.accept([incoming(1), incoming(1)])
    await door.accept([incoming(1)])

    assert list(journal.state.waiting) == ["db:1:1"]


async def test_an_update_that_the_disk_refused_is_not_taken_and_may_come_again() -> None:
    disk = SimDisk()
    door, journal = door_on(disk)
    disk.fail_at(disk.operations + 1, refuse(errno.ENOSPC, forever=True))

    with pytest.raises(DiskTrouble):
        await door.accept([incoming(1)])
    assert not door.talk.is_set()
    disk.fail_at(0)
    await door.accept([incoming(1)])

    assert list(journal.state.waiting) == ["db:1:1"]
    assert door.talk.is_set()


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("/timeline", True),
        (" /timeline 2026-03 ", True),
        ("/find two\nlines", True),
        ("/close@previously_bot", True),
        ("/nosuchthing", True),
        ("/home/user/file", False),
        ("/Timeline", True),
        ("/", False),
        ("//", False),
        ("/123", True),
        ("please /close", False),
        ("/你好", True),
        ("1/2", False),
        ("", False),
    ],
)
def test_a_command_begins_with_a_slash_and_a_name(text: str, command: bool) -> None:
    assert is_command(incoming(1, text)) is command


@pytest.mark.parametrize("change", ["edit", "deletion"])
def test_an_edit_into_a_command_is_none(change: str) -> None:
    assert not is_command(incoming(1, "/close", kind=change))


def test_a_forwarded_command_is_none() -> None:
    assert not is_command(incoming(1, "/close", forwarded="Ann"))


async def test_a_forwarded_close_closes_nothing() -> None:
    async with living(EchoModel()) as home:
        await home.say("hello")
        home.world.clock.shift(30)
        home.world.say("", forwarded="Ann", foreign="/close")
        await home.idle()

    assert [piece.closed for piece in home.slices()] == [False]
    assert home.turns()[2].text == "> [forwarded: Ann]\n> /close"


async def test_a_quoted_command_is_not_obeyed_but_ones_own_beside_a_quote_is() -> None:
    async with living(EchoModel()) as home:
        await home.say("hello")
        home.world.clock.shift(30)
        home.world.say("what does that do?", quoted="Ann", foreign="/close")
        await home.idle()
        assert [piece.closed for piece in home.slices()] == [False]

        home.world.say("/close", quoted="Ann", foreign="hello")
        await home.idle()

    assert [piece.closed for piece in home.slices()] == [True]


async def test_the_outbox_remembers_what_was_sent() -> None:
    _, journal = door_on(SimDisk())
    outbox = Journalled(journal)
    journal.append(Try("abcdef", 1))

    assert outbox.sent("abcdef", 0) is None
    await outbox.note("abcdef", 0, "77")

    assert outbox.sent("abcdef", 0) == "77"


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("half\ud800.txt", "half\ufffd.txt"),
        ("cod\u202etxt.exe", "cod txt.exe"),
        ("a\x00b\r\nc\u2028d.txt", "a b c d.txt"),
        ("sk-" + "aB3" * 10 + ".txt", "‹secret: key"),
        ("n" * 100_000 + ".txt", "n" * 200),
        ("plain 👨‍👩‍👧 名字.txt", "plain 👨‍👩‍👧 名字.txt"),
    ],
    ids=range(6),
)
async def test_no_name_of_a_file_or_a_stranger_costs_a_message_or_misleads(name: str, kept: str) -> None:
    async with living(EchoModel()) as home:
        home.world.files["ref"] = b"words"
        await home.say("see", attachments=(Attachment(name, "text/plain", 5, "ref"),))
        home.world.clock.shift(60)
        home.world.say("", forwarded=name, foreign="what they said")
        await home.idle()
        said = [text for role, text in home.texts() if role == "user"]
    assert [len(text) < 600 and kept in text for text in said] == [True, True]
