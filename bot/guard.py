"""What happens when something fails: it stays open, is tried again, and is given up in the end; the queue goes on."""

from __future__ import annotations

import logging
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from bot.logs import about
from core.config import Preferences
from core.conversation import Failed, Noted
from core.document import Document, Text
from core.errors import DiskLost, PlatformTrouble, StorageError

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Awaitable, Callable, Coroutine

    from bot.inbox import Door
    from bot.rests import Rests
    from core.conversation import Incoming, Presenter, Surface
    from core.turn.parts import Parts

    Show = Callable[[Surface, str, str], Presenter]
    GiveUp = Callable[[str, Incoming | None], Awaitable[None]]

CRASHES: Final = 3
"""How often one thing may fail for no known reason before it is given up."""

_log = logging.getLogger("previously.queues")


class Guard:
    """Runs work so that its failure harms nothing else. `give_up` lets go of what failed again and again."""

    def __init__(self, parts: Parts, door: Door, rests: Rests, show: Show, give_up: GiveUp) -> None:
        self._parts = parts
        self._door = door
        self._rests = rests
        self._show = show
        self._give_up = give_up
        self._crashes: dict[str, int] = {}

    def crashed(self, name: str) -> bool:
        """Whether that work has failed before for no known reason."""
        return name in self._crashes

    async def run(
        self, group: asyncio.TaskGroup, name: str, update: Incoming | None, work: Coroutine[object, object, None]
    ) -> None:
        """Do the work; `update` says in which chat (none: in no chat). Raises `DiskLost`."""
        with about(name):
            await self._run(group, name, update, work)

    async def _run(
        self, group: asyncio.TaskGroup, name: str, update: Incoming | None, work: Coroutine[object, object, None]
    ) -> None:
        try:
            await work
        except DiskLost:
            raise
        except (StorageError, PlatformTrouble) as error:
            await self._wait(group, name, update, error)
        except Exception:  # noqa: BLE001 - one bad message must not stop the queue; logged with its traceback
            _log.exception("%s failed", name)
            await self._count(group, name, update)
        else:
            self._crashes.pop(name, None)
            self._rests.end(update)

    async def _wait(self, group: asyncio.TaskGroup, name: str, update: Incoming | None, error: Exception) -> None:
        """Let the chat rest, which the disk or its platform has refused."""
        _log.warning("%s waits: %s", name, error)
        tell = isinstance(error, StorageError) and self._rests.first(update)
        group.create_task(self._wake_after(self._rests.begin(update, error)))
        if tell:
            await self._tell(update, name, "turn.disk")

    async def _count(self, group: asyncio.TaskGroup, name: str, update: Incoming | None) -> None:
        self._crashes[name] = self._crashes.get(name, 0) + 1
        if self._crashes[name] <= CRASHES:
            return
        del self._crashes[name]
        try:
            await self._give_up(name, update)
        except StorageError as error:
            await self._wait(group, name, update, error)
        else:
            await self._tell(update, name, "turn.given_up")

    async def _wake_after(self, seconds: float) -> None:
        await self._parts.clock.sleep(seconds)
        self._door.wake()

    async def _tell(self, update: Incoming | None, name: str, key: str) -> None:
        """Tell the person, as far as the platform lets us."""
        if update is None:
            return
        sentence = self._parts.words_for(update, Preferences())(key)
        try:
            await _said(self._show(update.surface, update.chat, name), sentence)
        except PlatformTrouble as error:
            _log.warning("%s could not be told: %s", name, error)
        except DiskLost:
            raise
        except Exception:  # noqa: BLE001 - what failed may be the showing itself; logged with its traceback
            _log.exception("%s could not be told", name)


async def _said(presenter: Presenter, sentence: str) -> None:
    """Show the sentence in the answer's place, or as a line, which needs no record of what was sent."""
    try:
        await presenter.show(Failed(Document((Text(sentence),))))
    except StorageError:
        with suppress(PlatformTrouble, StorageError):
            await presenter.show(Noted(sentence))
