"""SIGKILL at random moments of a conversation on Telegram: every update stored once and answered once."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import time
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING

from core.slices.codec import decode
from tests.adapters.telegram.lives import SPEED, Mother
from tests.adapters.telegram.stand import MARA, WORDS
from tests.adapters.telegram.waiting import until
from tests.doubles.quick_clock import QuickClock
from tests.doubles.telegram.people import Person
from tests.doubles.telegram.server import TelegramServer
from tests.doubles.telegram.world import Fault, TelegramWorld

if TYPE_CHECKING:
    from pathlib import Path

SHORTEST, LONGEST = 0.02, 0.6
"""Seconds from the first poll of a life to its end."""

MARK = "…"
TOKEN = re.compile(r"<m\d+>")


@dataclass
class Outcome:
    """What it came to."""

    seed: int
    kills: int = 0
    updates: int = 0
    orphans: int = 0
    leaving: float = 0.0
    seconds: float = 0.0
    faults: list[str] = field(default_factory=list)

    def line(self) -> str:
        return (
            f"telegram storm (seed {self.seed}): {self.kills} kills in {self.updates} updates, "
            f"{len(self.faults)} faults, {self.orphans} orphan marks, "
            f"{self.leaving:.2f} s from SIGTERM to the end, {self.seconds:.0f} s"
        )


class Storm:
    """The person, Telegram, and the one who kills. Made before the event loop runs."""

    def __init__(self, home: Path, seed: int) -> None:
        self._home = home
        self._random = Random(seed)
        self._mother = Mother(home)
        self.outcome = Outcome(seed)
        self._tokens: list[str] = []
        self._pages = 0

    def run(self, updates: int, kills: int) -> Outcome:
        began = time.perf_counter()
        try:
            asyncio.run(self._run(updates, kills))
        finally:
            self._mother.end()
        self.outcome.seconds = time.perf_counter() - began
        return self.outcome

    async def _run(self, updates: int, kills: int) -> None:
        world = TelegramWorld(QuickClock("2026-03-09T09:00:00+00:00", SPEED))
        mara = Person(world, MARA)
        async with TelegramServer(world).running() as server, asyncio.TaskGroup() as group:
            talking = group.create_task(self._talk(world, mara, updates))
            while self.outcome.kills < kills:
                await self._life(server, killed=True)
            pid = await self._start(server)
            await talking
            await until(lambda: not world.queue and not self._unanswered(world), 0.02)
            await asyncio.sleep(0.2)  # noqa: TID251 - what would come twice has come
            os.kill(pid, signal.SIGTERM)
            ending = time.perf_counter()
            if await self._mother.buried():
                self.outcome.faults.append("the last life did not end in order")
            self.outcome.leaving = time.perf_counter() - ending
        self._judge(world)

    async def _start(self, server: TelegramServer) -> int:
        server.calls.clear()
        pid = await self._mother.bear(server.port, server.world.clock.now().isoformat())
        await until(lambda: "getUpdates" in server.calls)
        return pid

    async def _life(self, server: TelegramServer, *, killed: bool) -> None:
        pid = await self._start(server)
        await asyncio.sleep(self._random.uniform(SHORTEST, LONGEST))  # noqa: TID251 - another process works meanwhile
        os.kill(pid, signal.SIGKILL)
        await self._mother.buried()
        self.outcome.kills += killed

    async def _talk(self, world: TelegramWorld, mara: Person, updates: int) -> None:
        """Speak while it is answered as a rule; now and then in bursts, with commands, over a bad line."""
        while self.outcome.updates < updates:
            await asyncio.sleep(0.01)  # noqa: TID251 - another process works meanwhile
            if self._unanswered(world) and self._random.random() > 0.02:
                continue
            if self._random.random() < 0.1:
                world.fault("getUpdates", Fault(lose="after"))
            if self._random.random() < 0.05:
                world.fault(self._random.choice(("editMessageText", "sendMessage")), Fault(lose="after"))
            for _ in range(self._random.choice((1, 1, 1, 2, 3))):
                self._tokens.append(f"<m{len(self._tokens)}>")
                mara.say(f"message {self._tokens[-1]}")
                self.outcome.updates += 1
            if self._random.random() < 0.2:
                mara.say("/status")
                self._pages += 1
                self.outcome.updates += 1

    def _unanswered(self, world: TelegramWorld) -> bool:
        answered = self._answered(world)
        return any(token not in answered for token in self._tokens) or self._shown(world) < self._pages

    def _answered(self, world: TelegramWorld) -> list[str]:
        firsts = (text.partition("\n")[0] for text in world.shown(MARA))
        return [token for text in firsts if text.startswith("answer to") for token in TOKEN.findall(text)]

    def _shown(self, world: TelegramWorld) -> int:
        return sum(text.startswith("Status") for text in world.shown(MARA))

    def _judge(self, world: TelegramWorld) -> None:
        pieces = [decode(path.read_bytes(), str(path)) for path in sorted(self._home.rglob("core.md"))]
        said = [turn.text for piece in pieces for turn in piece.turns if turn.role == "user"]
        stored = [token for text in said for token in TOKEN.findall(text)]
        answered = self._answered(world)
        for token in self._tokens:
            if (stored.count(token), answered.count(token)) != (1, 1):
                counts = f"{stored.count(token)} times stored, {answered.count(token)} times answered"
                self.outcome.faults.append(f"{token}: {counts}")
        if self._shown(world) != self._pages:
            self.outcome.faults.append(f"{self._pages} pages asked for, {self._shown(world)} shown")
        crashed = WORDS["en"]("turn.crashed")
        self.outcome.faults += [text for text in world.shown(MARA) if text == crashed]
        self.outcome.orphans = world.shown(MARA).count(MARK)
