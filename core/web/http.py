"""The one module that speaks HTTP to the world: pages behind the guard, and the services that the operator has set.

A page's host is resolved once, every address must be public, and the connection goes to those very addresses: there is
no second look-up that could say something else (reliability 4.3). Redirects are not followed here.
"""

from __future__ import annotations

import asyncio
import json
import socket
from contextlib import asynccontextmanager, suppress
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, Final

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from yarl import URL

from core.errors import Refused, TryAgain, Unavailable
from core.web.addresses import is_public
from core.web.reply import BYTES, SECONDS, Reply

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from core.web.reply import Network

AGENT: Final = "Previously/0.1 (a personal assistant; fetches single pages on request)"
_TYPES: Final = ("text/", "application/xhtml+xml", "application/json", "application/xml")
_SUFFIXES: Final = ("+json", "+xml")
_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_OK: Final = 200
_CHUNK: Final = 64 * 1024
_PRIVATE: Final = "that host is not on the public internet, so it is not fetched"


class Internet:
    """The network as it is."""

    async def resolve(self, host: str, port: int) -> list[str]:
        """What the system's resolver says."""
        infos = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
        return list(dict.fromkeys(str(info[4][0]) for info in infos))

    def dial(self, address: str, port: int) -> tuple[str, int]:
        """The address itself."""
        return address, port


class _Judged(AbstractResolver):
    """Resolves a host once and lets only public addresses pass."""

    def __init__(self, network: Network) -> None:
        self._network = network

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        del family
        addresses = await self._network.resolve(host, port)
        if not addresses or not all(map(is_public, addresses)):
            raise Refused(_PRIVATE)
        return [self._result(host, *self._network.dial(address, port)) for address in addresses]

    async def close(self) -> None:
        return

    def _result(self, host: str, address: str, port: int) -> ResolveResult:
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        flags = socket.AI_NUMERICHOST | socket.AI_NUMERICSERV
        return ResolveResult(hostname=host, host=address, port=port, family=family, proto=0, flags=flags)


def _check_number(host: str) -> None:
    """A host that is an address already is no name to resolve; raises `Refused` unless it is public."""
    with suppress(ValueError):
        ip_address(host)
        if not is_public(host):
            raise Refused(_PRIVATE)


class HttpClient:
    """Speaks HTTP. Nothing is read from the environment: no proxies, no passwords."""

    def __init__(self, network: Network | None = None, seconds: float = SECONDS) -> None:
        self._network = network or Internet()
        self._seconds = seconds

    async def get(self, url: str) -> Reply:
        """What one address says, judged before it is connected to, within 20 seconds.

        Raises `Refused` for what is not fetched, `TryAgain` when the page cannot be had.
        """
        page = URL(url, encoded=True)
        _check_number(page.host or "")
        try:
            async with (
                asyncio.timeout(self._seconds),
                self._session() as session,
                session.get(page, allow_redirects=False) as response,
            ):
                return await _read(response)
        except TimeoutError:
            raise TryAgain("the page did not come in time") from None
        except aiohttp.InvalidURL:
            raise Refused("that is no address of a page") from None
        except (aiohttp.ClientError, OSError, ValueError) as error:
            if isinstance(error.__cause__, Refused) or isinstance(error.__context__, Refused):
                raise Refused(_PRIVATE) from None
            raise TryAgain(f"the page cannot be had ({type(error).__name__})") from None

    async def call(
        self, url: str, headers: Mapping[str, str], body: Mapping[str, Any] | None = None, seconds: float = 60.0
    ) -> dict[str, Any]:
        """The JSON object that a service of the operator's answers, wherever it is.

        Raises `Unavailable`; what the service says of its trouble is not passed on.
        """
        method, given = ("GET", None) if body is None else ("POST", dict(body))
        timeout = aiohttp.ClientTimeout(total=seconds, connect=10)
        try:
            async with (
                aiohttp.ClientSession(timeout=timeout, trust_env=False) as session,
                session.request(method, url, headers=dict(headers), json=given, allow_redirects=False) as response,
            ):
                data = await _limited(response)
                found = json.loads(data[0]) if response.status == _OK else None
        except (aiohttp.ClientError, OSError, ValueError, RecursionError) as error:
            raise Unavailable(f"the search service failed ({type(error).__name__})") from None
        if not isinstance(found, dict):
            raise Unavailable(f"the search service failed (status {response.status})")
        return found

    @asynccontextmanager
    async def _session(self) -> AsyncIterator[aiohttp.ClientSession]:
        connector = aiohttp.TCPConnector(resolver=_Judged(self._network), use_dns_cache=False, force_close=True)
        headers = {"User-Agent": AGENT, "Accept-Encoding": "identity", "Accept": "text/html,text/*;q=0.9,*/*;q=0.5"}
        timeout = aiohttp.ClientTimeout(total=self._seconds, connect=self._seconds / 2)
        async with aiohttp.ClientSession(
            connector=connector, headers=headers, timeout=timeout, trust_env=False, auto_decompress=False,
            cookie_jar=aiohttp.DummyCookieJar(),
        ) as session:  # fmt: skip
            yield session


async def _read(response: aiohttp.ClientResponse) -> Reply:
    if response.status in _REDIRECTS:
        return Reply(response.status, location=response.headers.get("Location", ""))
    if response.status != _OK:
        return Reply(response.status)
    if response.headers.get("Content-Encoding", "identity").lower() != "identity":
        raise Refused("the page comes compressed although it was asked not to; it is not unpacked")
    media = response.content_type.lower()
    if not media.startswith(_TYPES) and not media.endswith(_SUFFIXES):
        raise Refused(f"only text is fetched, and this is {media[:60]}")
    body, cut = await _limited(response)
    return Reply(response.status, body, media, response.charset or "", cut=cut)


async def _limited(response: aiohttp.ClientResponse) -> tuple[bytes, bool]:
    """The body up to the limit, and whether there was more."""
    data = bytearray()
    async for chunk in response.content.iter_chunked(_CHUNK):
        data += chunk
        if len(data) > BYTES:
            return bytes(data[:BYTES]), True
    return bytes(data), False
