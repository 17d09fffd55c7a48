"""One life of the bot in a forked child: a whole house on a real folder, serving until it is killed."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import traceback
from typing import TYPE_CHECKING, cast

from bot.house import Given, House, build
from core.storage.hold import Hold
from core.storage.local import LocalStorage
from core.storage.os_disk import OsDisk
from tests.doubles.chat import Chat
from tests.doubles.echo_model import EchoModel
from tests.storm.wire import SPEED, QuickClock, Remote

if TYPE_CHECKING:
    import socket
    from collections.abc import Mapping
    from datetime import datetime
    from pathlib import Path

    from core.i18n import Words
    from tests.doubles.chat import World


def fork(home: Path, wires: tuple[socket.socket, socket.socket], start: datetime, words: Mapping[str, Words]) -> int:
    """Start a life with the second end of the wire; the child's pid. The child never returns."""
    pid = os.fork()
    if pid:
        wires[1].close()
        return pid
    try:
        wires[0].close()
        logging.disable(logging.WARNING)
        asyncio.run(_live(home, wires[1], start, words))
    except BaseException:  # noqa: BLE001 - nothing of the parent's may run in the child
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


async def _live(home: Path, wire: socket.socket, start: datetime, words: Mapping[str, Words]) -> None:
    clock = QuickClock(start)
    remote = Remote(wire, clock)
    with Hold(home):
        disk = OsDisk(home)
        storage = LocalStorage(disk)
        model = EchoModel(lambda name: remote.tell(op=name))
        house = build(Given(disk, storage, clock, model, words, sweep=storage.sweeping))
        chat = Chat(cast("World", remote))
        house.queues.join({"double": chat})
        await house.recover()
        remote.tell(op="ready")
        leave = asyncio.Event()
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, leave.set)
        async with asyncio.TaskGroup() as group:
            serving = [
                group.create_task(house.queues.serve()),
                group.create_task(chat.serve(house.door)),
                group.create_task(house.tidy()),
                group.create_task(_report(house, remote, clock)),
            ]
            await leave.wait()
            for task in serving:
                task.cancel()
        house.shut()
        disk.shut()


async def _report(house: House, remote: Remote, clock: QuickClock) -> None:
    """Say now and then whether anything is open."""
    while True:
        remote.tell(op="idle", idle=house.parts.journal.state.idle)
        await clock.sleep(0.02 * SPEED)
