"""Asks a provider for its models over HTTP; the one module that speaks HTTP itself for models."""

from __future__ import annotations

import asyncio
import json
from contextlib import aclosing
from typing import TYPE_CHECKING, Any, Final

from core.llm.driver.aside import Aside
from core.llm.driver.wire import Trouble

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence

PATIENCE: Final = 5.0
"""Seconds for a whole list; the curated one stands in after them."""
_MOST_BYTES: Final = 4_000_000


class HttpLister:
    """Lists models by OpenAI's protocol, and by Anthropic's."""

    def __init__(self, patience: float = PATIENCE) -> None:
        self._aside = Aside("models")
        self._patience = patience

    async def ids(self, provider: str, address: str, key: str) -> Sequence[str]:
        """The ids as listed. Raises `Trouble`."""
        try:
            async with (
                asyncio.timeout(self._patience) as limit,
                aclosing(self._aside.run(lambda: _fetch(provider, address, key))) as pages,
            ):
                return [name async for names in pages for name in names]
        except TimeoutError:
            if limit.expired():
                raise Trouble("slow") from None
            raise

    def close(self) -> None:
        """End the thread."""
        self._aside.close()


async def _fetch(provider: str, address: str, key: str) -> AsyncGenerator[list[str], None]:
    try:
        import httpx  # noqa: PLC0415 - it comes with the optional packages
    except ImportError as error:
        raise Trouble("missing") from error
    headers = {"authorization": f"Bearer {key}"} if key else {}
    if provider == "anthropic":
        headers = {"x-api-key": key, "anthropic-version": "2023-06-01"}
    try:
        async with (
            httpx.AsyncClient(timeout=PATIENCE, headers=headers) as client,
            client.stream("GET", address, params={"limit": "1000"} if provider == "anthropic" else {}) as answer,
        ):
            if answer.status_code != httpx.codes.OK:
                raise Trouble("key" if answer.status_code in {401, 403} else "server", status=answer.status_code)
            body = b""
            async for part in answer.aiter_bytes():
                body += part
                if len(body) > _MOST_BYTES:
                    raise Trouble("broken")
    except httpx.HTTPError as error:
        raise Trouble("transport") from error
    yield _read(body)


def _read(body: bytes) -> list[str]:
    """The ids in a list of models. Raises `Trouble` for anything else, an empty list too."""
    try:
        raw: Any = json.loads(body)
    except ValueError as error:
        raise Trouble("broken") from error
    listed = raw.get("data") if isinstance(raw, dict) else raw
    items = listed if isinstance(listed, list) else []
    ids = [item["id"] for item in items if isinstance(item, dict) and isinstance(item.get("id"), str) and item["id"]]
    if not ids:
        raise Trouble("broken")
    return ids
