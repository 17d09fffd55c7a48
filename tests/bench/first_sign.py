"""On Telegram, through the real process: from a message to the first sign and words, and SIGTERM."""

from __future__ import annotations

import asyncio
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from core.clock import SystemClock
from tests.adapters.telegram.stand import MARA
from tests.bench.figure import Figure, ms
from tests.bot.test_ending import Provider
from tests.bot.test_service import service
from tests.doubles.model_server import KEY, Say
from tests.doubles.telegram.people import Person
from tests.doubles.telegram.server import TelegramServer
from tests.doubles.telegram.world import TOKEN, TelegramWorld

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.bench.archive import Grounds

APART = True
RUNS = 3
SIGNS = ("sendChatAction", "sendMessageDraft", "sendMessage")
LIMIT = 60.0
WORDS = [f"word{number} " for number in range(200)]
PAUSE = 0.1
"""Seconds between two words of the model: its answer takes twenty seconds, and the process is told to end in it."""


def figures(_: Grounds) -> Iterator[Figure]:
    runs = [asyncio.run(measure()) for _ in range(RUNS)]
    names = (
        "the first message to the first sign",
        "the first message to the first words, models loading",
        "a later message to the first sign",
        "a later message to the first words",
        "SIGTERM to exit, an answer running",
    )
    for at, name in enumerate(names):
        values = [run[at] for run in runs]
        yield Figure(name, ", ".join(ms(one) for one in values), median(values))


async def measure() -> tuple[float, ...]:
    """Seconds to the first sign and the first words, of the first message and of a later one; from SIGTERM to exit."""
    world = TelegramWorld(SystemClock())
    mara = Person(world, MARA)
    models = Provider(script=[Say("Hello, Mara."), Say(WORDS, pause=PAUSE)], models={"openai": ["double-1"]})
    await models.start()
    try:
        async with TelegramServer(world).running() as telegram:
            with TemporaryDirectory() as home:
                more = {
                    "TELEGRAM_BOT_TOKEN": TOKEN,
                    "TELEGRAM_BASE_URL": telegram.url,
                    "TELEGRAM_OWNER_ID": str(MARA),
                    "PREVIOUSLY_API_BASE": models.base("openai"),
                    "PREVIOUSLY_API_KEY": KEY,
                }
                async with service(Path(home), **more) as one:
                    await _until(lambda: "getUpdates" in telegram.calls)
                    first = await _answered(world, mara, "Good morning.", "Hello")
                    later = await _answered(world, mara, "What is there to do?", "word1")
                    return (*first, *later, await one.end())
    finally:
        await models.stop()


async def _answered(world: TelegramWorld, mara: Person, said: str, word: str) -> tuple[float, float]:
    """Seconds from a message to the first sign of life, and to the first words."""
    before, began = len(world.effects(*SIGNS)), asyncio.get_running_loop().time()
    mara.say(said)
    sign = await _until(lambda: len(world.effects(*SIGNS)) > before)
    words = await _until(lambda: any(word in text for text in world.shown(MARA)))
    return sign - began, words - began


async def _until(true: Callable[[], object]) -> float:
    """The moment at which it is so."""
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(LIMIT):
        while not true():  # noqa: ASYNC110 - in another process
            await asyncio.sleep(0.001)  # noqa: TID251 - another process is watched
    return loop.time()
