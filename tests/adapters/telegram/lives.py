"""Lives of the bot in processes of their own: a mother that is forked before any event loop runs forks each of them."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
import traceback
from dataclasses import replace
from typing import TYPE_CHECKING

from bot.house import Given, build
from bot.owners import welcome_page
from core.storage.hold import Hold
from core.storage.local import LocalStorage
from core.storage.os_disk import OsDisk
from tests.adapters.telegram.day import Teller
from tests.adapters.telegram.stand import COMMANDS, WORDS, Named, adapter
from tests.bot.living import Worker
from tests.doubles.quick_clock import QuickClock
from tests.doubles.telegram.server import TelegramServer
from tests.doubles.telegram.world import TelegramWorld

if TYPE_CHECKING:
    from pathlib import Path

SPEED = 40.0
PAUSE = 0.3
WORDS_SAID = 8


class Mother:
    """Bears one life at a time. Made before the event loop; `end` when all is over."""

    def __init__(self, home: Path) -> None:
        ours, theirs = os.pipe(), os.pipe()
        self._pid = os.fork()
        if not self._pid:
            os.close(ours[1])
            os.close(theirs[0])
            _bear(home, ours[0], theirs[1])
        os.close(ours[0])
        os.close(theirs[1])
        self._ask, self._hear = ours[1], os.fdopen(theirs[0], "r")

    async def bear(self, port: int, now: str) -> int:
        """A new life, whose Telegram listens on that port; its pid."""
        os.write(self._ask, f"{port} {now}\n".encode())
        return int(await asyncio.to_thread(self._hear.readline))

    async def buried(self) -> int:
        """The status with which the life ended."""
        return int(await asyncio.to_thread(self._hear.readline))

    def end(self) -> None:
        os.close(self._ask)
        os.waitpid(self._pid, 0)
        self._hear.close()


def _bear(home: Path, ask: int, tell: int) -> None:
    with os.fdopen(ask) as asked:
        for line in asked:
            port, now = line.split()
            pid = os.fork()
            if not pid:
                os.close(tell)
                _live(home, int(port), now)
            os.write(tell, f"{pid}\n".encode())
            _, status = os.waitpid(pid, 0)
            os.write(tell, f"{status}\n".encode())
    os._exit(0)


def _live(home: Path, port: int, now: str) -> None:
    logging.disable(logging.WARNING)
    try:
        asyncio.run(_serve(home, port, now))
    except BaseException:  # noqa: BLE001 - nothing of the parent's may run in the child
        traceback.print_exc(file=sys.__stderr__)
        os._exit(1)
    os._exit(0)


async def _serve(home: Path, port: int, now: str) -> None:
    clock = QuickClock(now, SPEED)
    server = TelegramServer(TelegramWorld(clock))
    server.port = port
    with Hold(home):
        disk = OsDisk(home)
        storage = LocalStorage(disk)
        model = Teller(clock, PAUSE, WORDS_SAID)
        given = Given(disk, storage, clock, model, WORDS, "UTC", worker=Worker())
        house = build(replace(given, sweep=storage.sweeping))
        telegram = adapter(
            server,
            Named(),
            clock,
            house.queues.stop,
            commands=COMMANDS,
            welcome=lambda person, words: welcome_page("telegram", person, words),
            sayings=house.sayings,
            back=lambda chat: house.queues.back("telegram", chat),
        )
        house.queues.join({"telegram": telegram})
        await house.recover()
        leave = asyncio.Event()
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, leave.set)
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(house.queues.serve()), group.create_task(telegram.serve(house.door))]
            await leave.wait()
            await house.queues.leave()
            for one in tasks:
                one.cancel()
        house.shut()
