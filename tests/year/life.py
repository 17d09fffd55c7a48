"""The year, lived: every line goes through the real terminal into the real house, on a clock that a script moves."""

from __future__ import annotations

import asyncio
import io
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from queue import SimpleQueue
from typing import TYPE_CHECKING

from adapters.terminal.client import Terminal
from bot.house import Given, House, build
from bot.inbox import Journalled
from core.conversation import Incoming
from core.storage.memory import MemoryStorage
from core.storage.ram_disk import RamDisk
from tests.bot.living import WORDS
from tests.doubles.clock import ManualClock
from tests.year.people import Scribe, Talker
from tests.year.story import HOME, Scene, minutes, year

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

CONFIG_PATH = "memory/user/config.json"
CONFIG = b'{"slicing": {"maxTurnsPerSlice": 8, "timeSilenceMinutes": 15}}'
ROUNDS = 3_000
RESTED = 20
SILENCE = minutes(16)
AWAY = 3
"""Before every so many slices, and before a wish, the process was asleep: the next message closes what was open."""

EVENING = "2027-02-03T18:40:00+00:00"
"""When the pages are looked at."""

GAPS = {
    "2026-05-05-1722": "20-minutes",
    "2026-12-17-1515": "7-hours",
    "2026-05-17-1830": "3-days",
    "2026-08-20-0545": "40-days",
}
"""The slices that begin after a gap worth a look."""

PAGES = {
    "timeline": "/timeline",
    "month": "/timeline 2026-10",
    "day": "/timeline 2026-08-20",
    "slice": "/slice 2026-12-17-1515",
    "recall": "/slice 2027-01-27-1140",
    "strands": "/strands",
    "strand-trees": "/strand karl-heine limes",
    "strand-grandmother": "/strand 外婆",
    "card": "/card",
    "card-summer": "/card 2026-06-30",
    "card-history": "/card history",
    "loops": "/loops",
    "find": "/find 坛子",
}
LOCALES = ("en", "zh")


class Keys(io.StringIO):
    """What somebody types, line by line, for as long as they like."""

    def __init__(self) -> None:
        super().__init__()
        self._typed: SimpleQueue[str | None] = SimpleQueue()

    def type(self, line: str | None) -> None:
        self._typed.put(line)

    def __next__(self) -> str:  # type: ignore[override]  # of text, although the stub of its base says bytes
        line = self._typed.get()
        if line is None:
            raise StopIteration
        return line


@dataclass
class Desk:
    """A terminal on somebody's desk, with what it has shown and what it has handed over."""

    house: House
    terminal: Terminal
    keys: Keys
    screen: io.StringIO
    sent: list[Incoming] = field(default_factory=list)
    _taken: asyncio.Event = field(default_factory=asyncio.Event)

    @classmethod
    def at(cls, house: House, locale: str, zone: str = HOME) -> Desk:
        async def known(command: str) -> Sequence[str]:
            return await house.commands.known(command)

        keys, screen = Keys(), io.StringIO()
        terminal = Terminal(
            input=keys,
            output=screen,
            words=WORDS[locale],
            clock=house.parts.clock,
            stop=house.queues.stop,
            known=known,
            zone=zone,
            stamp=f"{locale}-{zone}-{house.parts.clock.now():%Y%m%d}",
        )
        return cls(house, terminal, keys, screen)

    async def accept(self, updates: Sequence[Incoming]) -> None:
        await self.house.door.accept(updates)
        self.sent += updates
        self._taken.set()

    async def type(self, line: str) -> str:
        """Type a line; what is shown until all is quiet again."""
        before = len(self.screen.getvalue())
        self._taken.clear()
        self.keys.type(f"{line}\n")
        await self._taken.wait()
        await self.quiet()
        return self.screen.getvalue()[before:]

    async def quiet(self) -> None:
        """Wait until nothing is open, nothing is left to do between turns, and the house has sat down to rest."""
        still = 0
        for _ in range(ROUNDS):
            await asyncio.sleep(0)  # noqa: TID251 - giving way, not waiting
            idle = self.house.parts.journal.state.idle and not self.house.maintenance.due
            still = still + 1 if idle and self.terminal._waiting is None else 0
            if still == RESTED:
                return
        raise AssertionError(f"nothing moves any more: {self.house.parts.journal.state}")

    async def sit(self, group: asyncio.TaskGroup) -> None:
        """Have this terminal show what happens."""
        self.house.queues.join({"terminal": self.terminal})
        group.create_task(self.terminal.serve(self))


@dataclass
class Year:
    """What there is when the year is over: memory, every page that was looked at, and who took part."""

    scenes: list[Scene]
    memory: MemoryStorage
    clock: ManualClock
    talker: Talker
    scribe: Scribe
    pages: dict[str, str] = field(default_factory=dict)
    sent: list[Incoming] = field(default_factory=list)


async def live() -> Year:
    """Live through the year."""
    scenes = year()
    clock, memory = ManualClock(scenes[0].start.isoformat(), instant=True), MemoryStorage({CONFIG_PATH: CONFIG})
    lived = Year(scenes, memory, clock, Talker(scenes, clock), Scribe(scenes))
    async with _open(lived, memory, clock) as (house, group):
        desk = Desk.at(house, "en")
        await desk.sit(group)
        for number, scene in enumerate(scenes):
            if (number % AWAY and not scene.exchanges[0].wish) or scene.id in GAPS:
                await _fall_silent(lived, desk, scene.start)
            if scene.zone != desk.terminal._zone:
                desk.keys.type(None)
                lived.sent += desk.sent
                desk = Desk.at(house, "en", scene.zone)
                await desk.sit(group)
            await _scene(lived, scene, desk)
        _wait_until(clock, datetime.fromisoformat(EVENING))
        await _look(lived, desk, "en")
        lived.sent += desk.sent
        desk.keys.type(None)
        desk = Desk.at(house, "zh")
        await desk.sit(group)
        await _look(lived, desk, "zh")
        desk.keys.type(None)
        await house.parts.projections.weave(force=True)
    return lived


async def _fall_silent(lived: Year, desk: Desk, until: datetime) -> None:
    """Let the house find out that nobody talks any more, if it has so much time."""
    moment = lived.clock.now() + SILENCE
    if moment >= until:
        return
    _wait_until(lived.clock, moment)
    desk.house.door.wake()
    for _ in range(ROUNDS):
        await desk.quiet()
        latest = await desk.house.parts.slices.latest()
        if latest is None or (latest.slice.closed and latest.slice.focus and not desk.house.maintenance.due):
            return
    raise AssertionError(f"never closed before {until}")


async def _scene(lived: Year, scene: Scene, desk: Desk) -> None:
    at = scene.start
    for number, exchange in enumerate(scene.exchanges):
        at += minutes(exchange.pause)
        _wait_until(lived.clock, at)
        gap = GAPS.get(scene.id, "") if not number else ""
        if gap:
            lived.pages[f"gap-{gap}-zh"] = await _greeting(lived)
        shown = await desk.type(exchange.text)
        if gap:
            lived.pages[f"gap-{gap}-en"] = f"› {exchange.text}\n\n{shown}"
        if exchange.change:
            lived.clock.shift(20)
            kind = "edit" if exchange.change == "edit" else "deletion"
            said = desk.sent[-1]
            await desk.accept([_changed(said, kind, exchange.edited, lived.clock.now())])
            await desk.quiet()
    if scene.closes:
        lived.clock.shift(30)
        await desk.type("/close")


def _changed(said: Incoming, kind: str, text: str, now: datetime) -> Incoming:
    """The change of a message, as a platform that knows such would deliver it."""
    return Incoming(
        said.key, said.surface, said.chat, now, text,
        kind="edit" if kind == "edit" else "deletion", edited="1", locale=said.locale, zone=said.zone,
    )  # fmt: skip


async def _greeting(lived: Year) -> str:
    """What a process that is started at this moment would show in Chinese, with a memory like this one."""
    clock = ManualClock(lived.clock.now().isoformat(), instant=True)
    async with _open(lived, MemoryStorage(lived.memory.files), clock) as (house, _):
        desk = Desk.at(house, "zh")
        house.queues.join({"terminal": desk.terminal})
        await house.arrivals.greet(desk.terminal.presenter("terminal", "hello", Journalled(house.parts.journal)), "zh")
    return desk.screen.getvalue()


async def _look(lived: Year, desk: Desk, locale: str) -> None:
    """Look at every page."""
    for name, command in PAGES.items():
        lived.pages[f"{name}-{locale}"] = f"› {command}\n\n{await desk.type(command)}"


@asynccontextmanager
async def _open(
    lived: Year, memory: MemoryStorage, clock: ManualClock
) -> AsyncIterator[tuple[House, asyncio.TaskGroup]]:
    """A process over that memory; what it serves ends with it."""
    house = build(Given(RamDisk(), memory, clock, lived.talker, WORDS, HOME, worker=lived.scribe))
    async with asyncio.TaskGroup() as group:
        serving = group.create_task(house.queues.serve())
        yield house, group
        serving.cancel()
    house.shut()


def _wait_until(clock: ManualClock, moment: datetime) -> None:
    seconds = (moment - clock.now()).total_seconds()
    assert seconds >= 0, moment
    clock.shift(seconds)
