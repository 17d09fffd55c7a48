"""Several platforms in one process: what one of them suffers harms no other, and the process ends in order."""

from __future__ import annotations

import asyncio
import os
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import pytest

from bot.house import Given, build
from bot.owners import Claims, OwnersFile
from bot.platforms import Surroundings, wanted
from bot.pulse import Pulse
from bot.running import Heralds, Running
from bot.settings import load
from core.errors import DiskLost, PlatformTrouble, SettingsError
from core.storage.local import LocalStorage
from tests.bot.living import WORDS, Worker
from tests.doubles.chat import Bubble, World
from tests.doubles.clock import ManualClock, settle
from tests.doubles.echo_model import EchoModel
from tests.doubles.model import EndlessModel
from tests.doubles.sim_disk import SimDisk

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from core.conversation import Attachment, Inbox, Incoming, Outbox, Presenter, Surface
    from core.llm.base import ChatModel

TOKEN = "123456789:AAE-abcdefghijklmnopqrstuvwxyz_12345"


@dataclass
class Line:
    """A platform whose serving goes as a test says: `acts` are errors to raise, one a call, before it serves."""

    surface: Surface
    world: World
    acts: list[Exception] = field(default_factory=list)
    served: int = 0
    ended: asyncio.Event = field(default_factory=asyncio.Event)

    def presenter(self, chat: str, turn: str, outbox: Outbox, replaces: str = "") -> Presenter:
        return Bubble(self.world, lambda name: None, turn, outbox)

    async def fetch(self, chat: str, attachment: Attachment) -> bytes:
        raise PlatformTrouble("no files here")

    async def serve(self, inbox: Inbox) -> None:
        self.served += 1
        if self.acts:
            raise self.acts.pop(0)
        try:
            while True:
                updates = await self.world.pending()
                await inbox.accept(updates)
                self.world.acknowledge(updates)
        finally:
            self.ended.set()


class Process:
    """The running part of a process, around platforms of the test's choice."""

    def __init__(
        self, *lines: Line, model: ChatModel | None = None, disk: SimDisk | None = None, locale: str = "en"
    ) -> None:
        self.clock = lines[0].world.clock
        if disk is None:
            disk = SimDisk()
            disk.make_folder("state")
        self.disk = disk
        given = Given(disk, LocalStorage(disk), self.clock, model or EchoModel(), WORDS, worker=Worker())
        self.house = build(given)
        self.pulse = Pulse(self.clock)
        self.told: list[str] = []
        heralds = Heralds()
        owners = Claims(OwnersFile(disk), self.clock, WORDS["en"], {}, heralds.tell)
        surroundings = Surroundings(self.house, load({}), owners, WORDS, locale, "UTC", self.pulse)
        made = {line.surface: line for line in lines}
        self.warmed = asyncio.Event()

        async def warm() -> None:
            self.warmed.set()

        self.running = Running(
            surroundings, tuple(made), heralds, last=warm, make=lambda surface, around: made[surface]
        )
        self.code: int | None = None

    async def live(self) -> None:
        self.code = await self.running.live()

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        async with asyncio.timeout(20), asyncio.TaskGroup() as group:
            living = group.create_task(self.live())
            yield
            living.cancel()

    async def until(self, true: Callable[[], bool]) -> None:
        for _ in range(600):
            if true():
                return
            await self.clock.advance(0.25)
        raise AssertionError("it never came to be")


def line(surface: Surface, *acts: Exception, clock: ManualClock | None = None) -> Line:
    return Line(surface, World(clock or ManualClock()), list(acts))


def said(world: World, surface: Surface, text: str) -> Incoming:
    incoming = world.say(text)
    world.queue[-1] = replace(incoming, surface=surface, key=f"{surface}:{incoming.key}")
    return world.queue[-1]


async def test_each_platform_is_answered_on_its_own() -> None:
    clock = ManualClock()
    telegram, discord = line("telegram", clock=clock), line("discord", clock=clock)
    process = Process(telegram, discord)
    async with process.open():
        said(telegram.world, "telegram", "from the phone")
        await process.until(lambda: bool(telegram.world.finals()))
        said(discord.world, "discord", "from the desk")
        await process.until(lambda: bool(discord.world.finals()))

    assert telegram.world.finals() == ["answer to «from the phone»"]
    assert discord.world.finals()[-1] == "answer to «from the desk»"


@pytest.mark.parametrize("locale", ["en", "zh"])
async def test_a_platform_that_does_not_answer_is_told_once_with_its_address(
    caplog: pytest.LogCaptureFixture, locale: str
) -> None:
    telegram = line("telegram", *(PlatformTrouble("getMe: NetworkError") for _ in range(3)))
    process = Process(telegram, locale=locale)
    async with process.open():
        await process.until(lambda: telegram.served == 4)

    told = WORDS[locale]("start.unreached", platform="Telegram", address="https://api.telegram.org")
    assert caplog.text.count(told) == 1


async def test_a_dead_token_is_said_in_a_sentence_and_the_other_platform_goes_on(
    caplog: pytest.LogCaptureFixture,
) -> None:
    telegram, discord = (
        line("telegram", SettingsError("TELEGRAM_BOT_TOKEN", "Telegram does not know it")),
        line("discord"),
    )
    process = Process(telegram, discord)
    async with process.open():
        said(discord.world, "discord", "hello")
        await process.until(lambda: bool(discord.world.finals()))
        await process.until(lambda: "TELEGRAM_BOT_TOKEN: Telegram does not know it" in caplog.text)

    assert telegram.served == 1


async def test_when_no_platform_can_be_served_the_process_ends_with_the_first_reason() -> None:
    process = Process(
        line("telegram", SettingsError("TELEGRAM_BOT_TOKEN", "one")),
        line("discord", SettingsError("DISCORD_BOT_TOKEN", "two")),
    )

    async with asyncio.timeout(10):
        with pytest.raises(SettingsError, match="TELEGRAM_BOT_TOKEN: one"):
            await process.live()


async def test_a_platform_that_cannot_be_reached_is_tried_again_later_and_later() -> None:
    clock = ManualClock()
    telegram = line("telegram", *(PlatformTrouble(f"no network {n}") for n in range(6)), clock=clock)
    process = Process(telegram)
    served: list[tuple[int, int]] = []
    async with process.open():
        for pause in (0, 4, 1, 14, 1, 59, 1):
            await clock.advance(pause)
            served.append((round(clock.monotonic()), telegram.served))

    assert served == [(0, 1), (4, 1), (5, 2), (19, 2), (20, 3), (79, 3), (80, 4)]


async def test_a_lost_disk_on_one_platform_ends_the_process() -> None:
    process = Process(line("telegram", DiskLost("flushing failed")), line("discord"))

    async with asyncio.timeout(10):
        with pytest.raises(DiskLost):
            await process.live()


async def test_being_told_to_end_keeps_the_part_and_shows_it_before_the_platforms_are_let_go() -> None:
    model = EndlessModel("as far as ")
    telegram = line("telegram")
    process = Process(telegram, model=model)
    async with process.open():
        said(telegram.world, "telegram", "go on")
        await process.until(model.silent.is_set)

    assert telegram.ended.is_set()
    assert telegram.world.finals()[-1].startswith("as far as\n\n*(Previously was stopped here.")


async def test_models_are_warmed_when_the_platforms_are_there() -> None:
    telegram = line("telegram")
    process = Process(telegram)
    async with process.open():
        await settle()
        assert not process.warmed.is_set()
        process.pulse.beat("telegram")
        await process.until(process.warmed.is_set)


async def test_what_is_wrong_with_memory_is_told_to_the_owner_where_they_talked_last() -> None:
    telegram = line("telegram")
    process = Process(telegram)
    async with process.open():
        said(telegram.world, "telegram", "hello")
        await process.until(lambda: bool(telegram.world.finals()))

    again = Process(telegram, disk=process.disk)
    again.house.parts.journal.notices.append(("turn.disk", {}))
    async with again.open():
        await settle()
        assert len(telegram.world.finals()) == 1
        again.pulse.beat("telegram")
        await again.until(lambda: len(telegram.world.finals()) > 1)

    assert telegram.world.finals()[-1].startswith("Your memory cannot be written to just now")


async def test_a_platform_that_cannot_be_made_does_not_keep_the_other_from_serving() -> None:
    telegram = line("telegram")
    process = Process(telegram, line("discord"))

    def made(surface: Surface, around: Surroundings) -> Line:
        if surface == "discord":
            raise SettingsError("DISCORD_BOT_TOKEN", "what discord needs is not installed")
        return telegram

    process.running = Running(process.running.surroundings, ("discord", "telegram"), Heralds(), make=made)
    async with process.open():
        said(telegram.world, "telegram", "hello")
        await process.until(lambda: bool(telegram.world.finals()))


@pytest.mark.parametrize(
    ("variables", "terminal", "surfaces"),
    [
        ({}, True, ("terminal",)),
        ({"TELEGRAM_BOT_TOKEN": TOKEN}, False, ("telegram",)),
        ({"TELEGRAM_BOT_TOKEN": TOKEN, "DISCORD_BOT_TOKEN": "abc"}, False, ("telegram", "discord")),
        ({"DISCORD_BOT_TOKEN": "abc"}, True, ("terminal", "discord")),
    ],
)
def test_which_platforms_are_served(variables: dict[str, str], terminal: bool, surfaces: tuple[str, ...]) -> None:
    assert wanted(load(variables), terminal) == surfaces


def test_without_a_token_or_anybody_at_the_other_end_the_fix_is_named(tmp_path: object) -> None:
    with open("/dev/null", encoding="utf-8") as nobody:  # noqa: PTH123 - a device
        with pytest.raises(SettingsError, match="TELEGRAM_BOT_TOKEN: there is nobody to talk to"):
            wanted(load({}), terminal=False, stdin=nobody)
        assert wanted(load({}), terminal=True, stdin=nobody) == ("terminal",)


def test_a_file_and_a_pipe_count_as_somebody() -> None:
    with open(__file__, encoding="utf-8") as file:  # noqa: PTH123
        assert wanted(load({}), terminal=False, stdin=file) == ("terminal",)
    end, other = os.pipe()
    os.close(other)
    with os.fdopen(end, encoding="utf-8") as pipe:
        assert wanted(load({}), terminal=False, stdin=pipe) == ("terminal",)


async def test_a_platform_that_breaks_off_for_no_known_reason_is_served_again_and_harms_no_other(
    caplog: pytest.LogCaptureFixture,
) -> None:
    clock = ManualClock()
    telegram = line("telegram", ValueError("a fault of ours"), ExceptionGroup("", [KeyError("another")]), clock=clock)
    discord = line("discord", clock=clock)
    process = Process(telegram, discord)
    async with process.open():
        said(discord.world, "discord", "from the desk")
        await process.until(lambda: bool(discord.world.finals()))
        said(telegram.world, "telegram", "from the phone")
        await process.until(lambda: bool(telegram.world.finals()))

    assert telegram.served == 3
    assert "a fault of ours" in caplog.text


async def test_a_disk_lost_inside_a_group_on_one_platform_ends_the_process() -> None:
    process = Process(line("telegram", ExceptionGroup("", [ValueError("x"), DiskLost("flushing failed")])))

    async with asyncio.timeout(10):
        with pytest.raises(DiskLost):
            await process.live()
