"""The way to HTTP for whoever needs it: the library behind it takes a while to load, so it is loaded on first use."""

from __future__ import annotations

import asyncio
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from core.web.reply import Reply


class Client(Protocol):
    """Speaks HTTP."""

    async def get(self, url: str) -> Reply:
        """What one address of the public internet says. Raises `Refused` and `TryAgain`."""

    async def call(
        self, url: str, headers: Mapping[str, str], body: Mapping[str, Any] | None = None, seconds: float = 60.0
    ) -> dict[str, Any]:
        """The JSON object that a service of the operator's answers. Raises `Unavailable`."""


class LateClient:
    """The real client, loaded in a thread when it is first needed."""

    def __init__(self) -> None:
        self._made: Client | None = None

    async def get(self, url: str) -> Reply:
        """As `Client.get`."""
        return await (await self._client()).get(url)

    async def call(
        self, url: str, headers: Mapping[str, str], body: Mapping[str, Any] | None = None, seconds: float = 60.0
    ) -> dict[str, Any]:
        """As `Client.call`."""
        return await (await self._client()).call(url, headers, body, seconds)

    async def _client(self) -> Client:
        if self._made is None:
            module = await asyncio.to_thread(import_module, "core.web.http")
            self._made = module.HttpClient()
        return self._made
