"""The process as a service: no terminal, a platform on loopback, a port; claimed, asked, told to end, started again."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import socket
import sys
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import aiohttp

from core.clock import SystemClock
from tests.adapters.telegram.stand import MARA
from tests.bot.test_app import ROOT, environment, stored
from tests.doubles.telegram.people import Person
from tests.doubles.telegram.server import TelegramServer
from tests.doubles.telegram.world import TOKEN, TelegramWorld

if TYPE_CHECKING:
    from asyncio.subprocess import Process
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

LIMIT = 60
SECRET = "a-long-enough-secret"


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


class Service:
    """One process, and what it has logged so far."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.log = ""

    async def read(self) -> None:
        assert self.process.stderr
        while line := await self.process.stderr.readline():
            self.log += line.decode()

    async def end(self) -> float:
        loop = asyncio.get_running_loop()
        began = loop.time()
        self.process.send_signal(signal.SIGTERM)
        await self.process.wait()
        return loop.time() - began


@asynccontextmanager
async def service(home: Path, **more: str) -> AsyncIterator[Service]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", "--home", str(home),
        stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE, cwd=ROOT,
        env=environment(**more),
    )  # fmt: skip
    running = Service(process)
    async with asyncio.timeout(LIMIT), asyncio.TaskGroup() as group:
        group.create_task(running.read())
        try:
            yield running
        finally:
            if process.returncode is None:
                process.kill()


async def until(true: Callable[[], object]) -> None:
    """Wait for another process, within the limit of its service."""
    while not true():  # noqa: ASYNC110 - what it does sets no event here
        await asyncio.sleep(0.05)  # noqa: TID251


async def test_a_bot_is_claimed_by_the_code_in_its_log_answers_and_is_its_owners_after_a_restart(
    tmp_path: Path,
) -> None:
    world = TelegramWorld(SystemClock())
    mara, eve = Person(world, MARA), Person(world, 4711, "Eve")
    port = free_port()
    async with TelegramServer(world).running() as server, aiohttp.ClientSession() as session:
        given = {
            "TELEGRAM_BOT_TOKEN": TOKEN, "TELEGRAM_BASE_URL": server.url, "PORT": str(port),
            "PREVIOUSLY_BIND": "127.0.0.1", "ACCESS_SECRET": SECRET,
        }  # fmt: skip

        async def ask(path: str, **headers: str) -> tuple[int, str]:
            async with session.get(f"http://127.0.0.1:{port}{path}", headers=headers) as answer:
                return answer.status, await answer.text()

        async with service(tmp_path, **given) as first:
            await until(lambda: "?start=" in first.log)
            code = re.findall(r"\?start=([\w-]{22})", first.log)[-1]
            eve.say("/start " + code[:-1] + "x")
            mara.say(f"/start {code}")
            await until((tmp_path / "state/owners.json").exists)
            mara.say("My bakery is called Sete.")
            await until(lambda: len(stored(tmp_path)) > 1)

            assert await ask("/healthz") == (200, "ok")
            assert await ask("/readyz") == (200, "ok")
            assert json.loads((await ask("/healthz", **{"x-access-key": SECRET}))[1])["platforms"]["telegram"]

            took = await first.end()
            assert (first.process.returncode, took < 5) == (0, True)

        async with service(tmp_path, **given) as second:
            mara.say("It opens at six.")
            eve.say("hello?")
            await until(lambda: "It opens at six." in stored(tmp_path))
            await until(lambda: not world.queue)
            await second.end()
            assert "?start=" not in second.log

    assert json.loads((tmp_path / "state/owners.json").read_bytes()) == {"telegram": str(MARA)}
    texts = stored(tmp_path)
    assert texts.count("My bakery is called Sete.") == texts.count("It opens at six.") == 1
    assert "hello?" not in texts
    for log in (first.log, second.log):
        assert TOKEN not in log
        assert TOKEN.partition(":")[2] not in log
        assert "bakery" not in log
        assert "Traceback" not in log


async def test_a_token_that_the_platform_refuses_ends_with_two_and_a_sentence(tmp_path: Path) -> None:
    world = TelegramWorld(SystemClock())
    wrong = "987654321:AAE-abcdefghijklmnopqrstuvwxyz_12345"
    async with (
        TelegramServer(world).running() as server,
        service(tmp_path, TELEGRAM_BOT_TOKEN=wrong, TELEGRAM_BASE_URL=server.url) as running,
    ):
        await running.process.wait()

    assert running.process.returncode == 2
    assert "previously: TELEGRAM_BOT_TOKEN: " in running.log
    assert wrong not in running.log
    assert "Traceback" not in running.log


async def test_with_nobody_to_talk_to_it_says_what_to_set(tmp_path: Path) -> None:
    async with service(tmp_path) as running:
        await running.process.wait()

    assert running.process.returncode == 2
    assert running.log.startswith("previously: TELEGRAM_BOT_TOKEN: there is nobody to talk to")
