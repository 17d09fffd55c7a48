"""How the process is told to end: the first signal ends it in order, and it is gone within five seconds in any case."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

LIMIT: Final = 4.6
"""Seconds after a signal at which the process ends whatever still runs: hosts kill soon after, and what is kept is kept
at every moment (docs/reliability.md)."""

_log = logging.getLogger("previously")


@contextmanager
def ended_by_signals(*, keyboard: bool) -> Iterator[None]:
    """While inside, SIGTERM cancels the running task; SIGINT too, unless a `keyboard` is read, which has Ctrl-C.

    Where there are no such signals (Windows) nothing is done.
    """
    task = asyncio.current_task()
    loop = asyncio.get_running_loop()
    timer = threading.Timer(LIMIT, _give_up)
    timer.daemon = True

    def end() -> None:
        if task:
            task.cancel()
        if timer.ident is None:
            timer.start()

    taken = [signal.SIGTERM] if keyboard else [signal.SIGTERM, signal.SIGINT]
    if sys.platform == "win32":
        taken = []
    for one in taken:
        loop.add_signal_handler(one, end)
    try:
        yield
    finally:
        for one in taken:
            loop.remove_signal_handler(one)


def _give_up() -> None:
    """End without waiting for threads: nothing that counts lives in this process alone."""
    _log.warning("ended at once: something did not stop in %s seconds", LIMIT)
    os._exit(0)
