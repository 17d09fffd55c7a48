"""Being called instead of asking: a call with the right secret is answered 200 once it has been taken."""

from __future__ import annotations

import asyncio
import hmac
import json
import logging
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from adapters.telegram.api import Json

PATH: Final = "/telegram"
HEADER: Final = "x-telegram-bot-api-secret-token"
DONE: Final = 200
BAD: Final = 400
REFUSED: Final = 403
LATER: Final = 503

_log = logging.getLogger("previously.telegram")


class Routes(Protocol):
    """The server of the process: POST calls of a path are answered with a status; `StorageError` becomes 503."""

    def add(self, path: str, answer: Callable[[Mapping[str, str], bytes], Awaitable[int]]) -> None:
        """Let calls of that path be answered."""


class Hook:
    """Answers Telegram's calls, one at a time, in their order. Until it is `open`, Telegram is told to come again."""

    def __init__(self, routes: Routes, secret: str) -> None:
        self._secret = secret
        self._take: Callable[[Sequence[Json]], Awaitable[None]] | None = None
        self._one = asyncio.Lock()
        routes.add(PATH, self.answer)

    def open(self, take: Callable[[Sequence[Json]], Awaitable[None]]) -> None:
        """From now on updates are taken."""
        self._take = take

    def close(self) -> None:
        """Telegram keeps what comes, and calls again."""
        self._take = None

    async def answer(self, headers: Mapping[str, str], body: bytes) -> int:
        """The status for a call. Raises `StorageError` when the update could not be kept."""
        if not hmac.compare_digest(headers.get(HEADER, "").encode(errors="replace"), self._secret.encode()):
            return REFUSED
        if self._take is None:
            return LATER
        try:
            update = json.loads(body)
        except (ValueError, RecursionError):
            return BAD
        if not isinstance(update, dict):
            return BAD
        async with self._one:
            await self._take([update])
        return DONE
