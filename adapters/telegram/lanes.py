"""Two lanes to the API: what is cosmetic is dropped when Telegram asks for patience, what must arrive waits.

A penalty belongs to one chat and one method, so that one on edits blocks neither a new message nor an answered button
(ux.md 0.3).
"""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final, Generic, Literal, TypeVar

from telegram.error import BadRequest, Forbidden, NetworkError, RetryAfter, TelegramError

from core.errors import PlatformTrouble

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from core.clock import Clock

Result = TypeVar("Result")
Outcome = Literal["done", "gone", "wordless", "misformed", "blocked"]
"""How a call ended for good: its message is `gone`, has no text to edit (`wordless`), what was given is not taken
(`misformed`), or the person has `blocked` the bot."""

PAUSES: Final = (1.0, 2.0, 4.0)
"""Seconds before a durable call is made again when the network fails."""

LONGEST: Final = 60.0
"""Seconds that a durable call waits for the end of a penalty; a longer one is given back, to be tried later."""

FLOODS: Final = 5
_MARGIN: Final = 0.1
_GONE: Final = re.compile(r"not\sfound|can't\sbe\sedited|message_id_invalid")
_WORDLESS: Final = re.compile(r"there\sis\sno\s(?:text|caption|media)")

_log = logging.getLogger("previously.telegram")


@dataclass(frozen=True, slots=True)
class Answer(Generic[Result]):
    """What a durable call came to; `value` only when it is done by this very call."""

    outcome: Outcome
    value: Result | None = None


class Lanes:
    """Makes calls, and knows which method rests in which chat until when."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._until: dict[tuple[str, str], float] = {}

    def rests(self, chat: str, method: str) -> float:
        """Seconds until that method may be called again in that chat; 0 when it may be now."""
        return max(self._until.get((chat, method), 0.0) - self._clock.monotonic(), 0.0)

    async def cosmetic(self, chat: str, method: str, call: Callable[[], Awaitable[object]]) -> bool:
        """Make a call that may as well not happen; whether it did. It waits for nothing and raises nothing of the API.

        An edit to what a message reads already counts as made.
        """
        if self.rests(chat, method):
            return False
        try:
            await call()
        except RetryAfter as error:
            self._rest(chat, method, error)
            return False
        except BadRequest as error:
            return outcome_of(error) == "done"
        except TelegramError:
            return False
        return True

    async def durable(
        self, chat: str, method: str, call: Callable[[], Awaitable[Result]], *, repeat: bool = True
    ) -> Answer[Result]:
        """Make a call that must arrive, again if need be; `repeat` False when doing it twice would show.

        Raises `PlatformTrouble` when Telegram cannot be reached or asks for long patience, or when nobody knows whether
        a call that may not be repeated arrived.
        """
        pauses, floods = list(PAUSES), 0
        while True:
            await self._patience(chat, method)
            try:
                return Answer("done", await call())
            except RetryAfter as error:
                self._rest(chat, method, error)
                floods += 1
                if floods >= FLOODS:
                    raise PlatformTrouble(f"{method}: Telegram asks for patience again and again") from None
            except Forbidden:
                return Answer("blocked")
            except BadRequest as error:
                found = outcome_of(error)
                if found == "misformed":
                    _log.warning("%s was refused: %s", method, error.message)
                return Answer(found)
            except NetworkError as error:
                if not pauses or not (repeat or unsent(error)):
                    raise PlatformTrouble(f"{method}: {type(error).__name__}") from None
                await self._clock.sleep(pauses.pop(0))
            except TelegramError as error:
                raise PlatformTrouble(f"{method}: {type(error).__name__}") from None

    def _rest(self, chat: str, method: str, error: RetryAfter) -> None:
        self._until[chat, method] = self._clock.monotonic() + patience_of(error) + _MARGIN

    async def _patience(self, chat: str, method: str) -> None:
        rest = self.rests(chat, method)
        if rest > LONGEST:
            raise PlatformTrouble(f"{method}: Telegram asks for {rest:.0f} s of patience")
        if rest:
            await self._clock.sleep(rest)


def patience_of(error: RetryAfter) -> float:
    """The seconds that Telegram asks to wait; the library is about to change what it gives."""
    asked = error._retry_after  # noqa: SLF001 - the public attribute warns of its own change
    return asked.total_seconds() if isinstance(asked, timedelta) else float(asked)


def outcome_of(error: BadRequest) -> Outcome:
    """What a refusal means. Nothing to modify is success (reliability 2.8)."""
    said = error.message.lower()
    if "not modified" in said:
        return "done"
    if _GONE.search(said):
        return "gone"
    if _WORDLESS.search(said):
        return "wordless"
    return "misformed"


def unsent(error: NetworkError) -> bool:
    """Whether a call that failed so cannot have reached Telegram."""
    return "ConnectError" in error.message or "ConnectTimeout" in error.message or "*not* sent" in error.message
