"""An event loop in a thread of its own, for client libraries that keep a thread busy for seconds."""

from __future__ import annotations

import asyncio
import threading
from contextlib import aclosing, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

Item = TypeVar("Item")

PATIENCE: Final = 1.0
"""Seconds that the end of the process waits for the thread, which may be busy importing a library."""


@dataclass(frozen=True, slots=True)
class _Ended(Generic[Item]):
    error: BaseException | None = None


class Aside:
    """Runs asynchronous generators elsewhere, so that the loop of the process is never held up by them."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    async def run(self, make: Callable[[], AsyncGenerator[Item, None]]) -> AsyncGenerator[Item, None]:
        """What the generator yields and raises there; closing this one cancels that one and does not wait for it."""
        here = asyncio.get_running_loop()
        queue: asyncio.Queue[Item | _Ended[Item]] = asyncio.Queue()

        def hand(item: Item | _Ended[Item]) -> None:
            with suppress(RuntimeError):  # the loop that asked is closed: nobody listens any more
                here.call_soon_threadsafe(queue.put_nowait, item)

        async def pump() -> None:
            try:
                async with aclosing(make()) as items:
                    async for item in items:
                        hand(item)
            except Exception as error:  # noqa: BLE001 - it is raised again where it was asked for
                hand(_Ended(error))
            else:
                hand(_Ended())

        running = asyncio.run_coroutine_threadsafe(pump(), self._started())
        try:
            while True:
                item = await queue.get()
                if isinstance(item, _Ended):
                    if item.error is not None:
                        raise item.error
                    return
                yield item
        finally:
            running.cancel()

    def close(self) -> None:
        """Stop the thread; what runs there is cancelled."""
        with self._lock:
            loop, thread, self._loop, self._thread = self._loop, self._thread, None, None
        if loop is None or thread is None:
            return
        loop.call_soon_threadsafe(loop.stop)
        thread.join(timeout=PATIENCE)

    def _started(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=_serve, args=(self._loop,), name=self._name, daemon=True)
                self._thread.start()
            return self._loop


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    loop.run_forever()
    left = asyncio.all_tasks(loop)
    for task in left:
        task.cancel()
    if left:
        loop.run_until_complete(asyncio.wait(left, timeout=2))
    loop.run_until_complete(loop.shutdown_asyncgens())
    loop.close()
