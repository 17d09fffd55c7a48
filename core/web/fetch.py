"""Fetching one page: every hop is judged anew, and the page becomes readable text with its links."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from core.errors import Refused, TryAgain
from core.web.extract import Page, page_of
from core.web.reply import SECONDS
from core.web.urls import joined, sound

if TYPE_CHECKING:
    from core.web.client import Client

HOPS: Final = 3
"""Redirects that are followed."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """A page, where it was found in the end, and whether it was longer than what is read."""

    url: str
    page: Page
    cut: bool = False


async def fetch(client: Client, url: str, seconds: float = SECONDS) -> Fetched:
    """The page at an address, after at most 3 redirects, within 20 seconds in all.

    Raises `Refused` for what is not fetched, `TryAgain` when the page cannot be had.
    """
    try:
        async with asyncio.timeout(seconds):
            return await _fetch(client, sound(url))
    except TimeoutError:
        raise TryAgain("the page did not come in time") from None


async def _fetch(client: Client, url: str) -> Fetched:
    for _ in range(HOPS + 1):
        reply = await client.get(url)
        if reply.location:
            url = joined(url, reply.location)
            continue
        if not reply.media:
            raise TryAgain(f"the page says status {reply.status}")
        text = _decoded(reply.body, reply.charset)
        return Fetched(url, await page_of(text, url, html="html" in reply.media), reply.cut)
    raise Refused(f"the page sends on and on; at most {HOPS} redirects are followed")


def _decoded(body: bytes, charset: str) -> str:
    try:
        return body.decode(charset or "utf-8", "replace")
    except LookupError:
        return body.decode("utf-8", "replace")
