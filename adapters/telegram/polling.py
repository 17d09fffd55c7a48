"""Long polling that loses nothing: Telegram may forget an update only after it has been taken (reliability 2.6).

The offset lives in memory alone: after a quiet week Telegram's ids begin anew anywhere, and an old higher offset would
confirm what nobody has seen. A start without one gets all that is unconfirmed; keys keep it from being taken twice.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final

from telegram.error import Conflict, NetworkError, RetryAfter, TelegramError

from adapters.telegram.api import POLL
from adapters.telegram.lanes import patience_of
from core.errors import PlatformTrouble, PreviouslyError, StorageError, Unsettled

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from adapters.telegram.api import Api, Json
    from core.clock import Clock

WATCHDOG: Final = POLL + 25.0
"""Seconds after which a poll that has not ended is dead, whatever the connection says."""

QUIET: Final = 6 * 24 * 3600.0
"""Seconds without an update after which the offset is forgotten, a day before ids may begin anew."""

REST: Final = (1.0, 2.0, 4.0, 8.0, 16.0, 30.0)
"""Seconds before the next poll after so many failures in a row."""

HASTY: Final = 1.0
"""Seconds that a poll which brings nothing lasts at least: a server that does not hold it is not asked all the time."""

OTHER: Final = (3.0, 6.0, 12.0, 30.0, 60.0)
"""The same while another process polls with our token."""

UNSETTLED: Final = 1.0
"""Seconds before the next poll while what was said is not yet where it lasts: it comes again, with what is new."""

_log = logging.getLogger("previously.telegram")


class Polling:
    """Asks for updates. `take` makes them durable; `rival` is told once when somebody else polls with our token.

    `beat` is called whenever Telegram has answered.
    """

    def __init__(
        self,
        api: Api,
        clock: Clock,
        take: Callable[[Sequence[Json]], Awaitable[None]],
        rival: Callable[[], Awaitable[None]],
        unkept: Callable[[StorageError], Awaitable[None]],
        beat: Callable[[], None] | None = None,
    ) -> None:
        self._beat = beat
        self._api = api
        self._clock = clock
        self._take = take
        self._rival = rival
        self._unkept = unkept
        self._offset: int | None = None
        self._newest = clock.monotonic()
        self._failures = 0
        self._conflicts = 0

    async def run(self) -> None:
        """Receive until cancelled. Raises `SettingsError` when the token is refused, and `DiskLost`."""
        await self._api.forget_hook()
        while True:
            if self._clock.monotonic() - self._newest > QUIET:
                self._offset = None
            rest = await self._poll()
            if rest:
                await self._clock.sleep(rest)

    async def _poll(self) -> float:
        """Poll once; the seconds to rest before the next time."""
        began = self._clock.monotonic()
        try:
            updates = await self._watched()
        except Conflict:
            return await self._conflict()
        except RetryAfter as error:
            return patience_of(error)
        except (NetworkError, PlatformTrouble) as error:
            return self._failed(error)
        except TelegramError as error:
            _log.warning("a poll was refused: %s", type(error).__name__)
            return self._failed(error)
        if self._beat:
            self._beat()
        if updates:
            try:
                await self._take(updates)
            except StorageError as error:
                return await self._refused(error)
            self._offset = int(updates[-1]["update_id"]) + 1
            self._newest = self._clock.monotonic()
        self._failures = self._conflicts = 0
        hasty = not updates and self._clock.monotonic() - began < HASTY
        return HASTY if hasty else 0.0

    async def _refused(self, error: StorageError) -> float:
        """What was said was not taken, or is not yet where it lasts: it comes again; the seconds until then."""
        if isinstance(error, Unsettled):
            return UNSETTLED
        await self._unkept(error)
        return self._failed(error)

    async def _watched(self) -> Sequence[Json]:
        """A poll that ends, even on a connection that has died without a word. Raises `PlatformTrouble` for that."""
        async with asyncio.TaskGroup() as group:
            polling = group.create_task(self._outcome())
            alarm = group.create_task(self._clock.sleep(WATCHDOG))
            await asyncio.wait((polling, alarm), return_when=asyncio.FIRST_COMPLETED)
            alarm.cancel()
            if not polling.done():
                polling.cancel()
        if polling.cancelled():
            raise PlatformTrouble("a poll did not end")
        found = polling.result()
        if isinstance(found, Exception):
            raise found
        return found

    async def _outcome(self) -> Sequence[Json] | PreviouslyError | TelegramError:
        """The updates, or what went wrong: raised in a group, it would come out as one."""
        try:
            return await self._api.updates(self._offset)
        except (PreviouslyError, TelegramError) as error:
            return error

    def _failed(self, error: Exception) -> float:
        rest = REST[min(self._failures, len(REST) - 1)]
        if self._failures in {0, len(REST)}:
            _log.warning("Telegram cannot be asked (%s); trying again", type(error).__name__)
        self._failures += 1
        return rest

    async def _conflict(self) -> float:
        """Somebody else polls with our token: said once, and asked for less and less often."""
        if not self._conflicts:
            _log.warning("another process receives with this token: only one of them gets each message; end the other")
            await self._rival()
        rest = OTHER[min(self._conflicts, len(OTHER) - 1)]
        self._conflicts += 1
        return rest
