"""SIGKILL at random moments while somebody talks on Discord: every message stored once, answered once."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sys
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from core.slices.codec import decode
from core.slices.model import USER
from tests.adapters.discord.life import SPEED
from tests.doubles.discord.gateway import Server
from tests.doubles.discord.world import World
from tests.doubles.quick_clock import QuickClock
from tests.tree import ROOT

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

LIVES = (0.05, 0.7)
"""Seconds from the fork to the kill; a life is connected after some 0.2."""


@dataclass
class Zygote:
    """The process that forks lives."""

    process: asyncio.subprocess.Process
    pid: int = 0

    async def start(self) -> None:
        assert self.process.stdin
        self.process.stdin.write(b"\n")
        self.pid = int(await self._line())

    async def kill(self) -> None:
        os.kill(self.pid, signal.SIGKILL)
        assert await self._line() == b"dead"

    async def _line(self) -> bytes:
        assert self.process.stdout
        async with asyncio.timeout(30):
            return (await self.process.stdout.readline()).strip()


@asynccontextmanager
async def zygote(home: Path, server: Server, clock: QuickClock) -> AsyncIterator[Zygote]:
    command = (sys.executable, "-m", "tests.adapters.discord.life", str(home), server.api_url, server.gateway_url)
    process = await asyncio.create_subprocess_exec(
        *command,
        str(clock._began),
        cwd=ROOT,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        yield Zygote(process)
    finally:
        assert process.stdin
        process.stdin.close()
        await process.wait()


def stored(home: Path) -> str:
    texts = [(path, path.read_text(encoding="utf-8")) for path in sorted(home.rglob("core.md"))]
    slices = [decode(text.encode(), str(path)) for path, text in texts]
    return "\n".join(turn.text for piece in slices for turn in piece.turns if turn.role == USER)


async def storm(home: Path, kills: int, messages: int, seed: int) -> None:
    dice, clock = random.Random(seed), QuickClock(speed=SPEED)
    (home / "state").mkdir()
    world = World(clock)
    said = [f"<{number:03d}>" for number in range(messages)]
    left = list(said)
    async with Server(world) as server, zygote(home, server, clock) as lives:
        for number in range(kills):
            await lives.start()
            end = asyncio.get_running_loop().time() + dice.uniform(*LIVES)
            share = len(left) // (kills - number)
            for text in left[:share]:
                await asyncio.sleep(dice.uniform(0, 0.15))  # noqa: TID251 - the person takes her time
                world.say(text)
            left = left[share:]
            await asyncio.sleep(max(0, end - asyncio.get_running_loop().time()))  # noqa: TID251 - so does death
            await lives.kill()
            await server.drop()
        await lives.start()
        for text in left:
            world.say(text)
        async with asyncio.timeout(60):
            while not all(text in "".join(world.texts()) for text in said):  # noqa: ASYNC110 - in another process
                await asyncio.sleep(0.05)  # noqa: TID251
        await asyncio.sleep(0.3)  # noqa: TID251 - time for a second copy, if there is one
        await lives.kill()
        await server.drop()

    kept, shown = stored(home), "\n".join(world.texts())
    assert {text: kept.count(text) for text in said} == dict.fromkeys(said, 1)
    assert {text: shown.count(text) for text in said} == dict.fromkeys(said, 1)
    assert [text for text in world.texts() if "answer to" not in text] == []


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2))
async def test_fifty_kills_during_two_hundred_messages(tmp_path: Path, seed: int) -> None:
    await storm(tmp_path, 50, 200, seed)


async def test_some_kills_lose_and_double_nothing(tmp_path: Path) -> None:
    await storm(tmp_path, 4, 12, 0)
