"""Pages on loopback under names of the public internet: the guard judges the names' addresses, the last hop is ours."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from aiohttp import web

from core.web.http import HttpClient

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    Answer = Callable[[web.Request], Awaitable[web.StreamResponse]]

PUBLIC = "93.184.216.34"


@dataclass
class Pages:
    """Serves `pages` by host and path; `names` say which addresses a host has, one list a look-up, the last for ever.

    `asked` are the requests that arrived, `looked` the hosts that were looked up, `dialled` the judged addresses that
    were connected to.
    """

    pages: dict[str, str | Answer] = field(default_factory=dict)
    names: dict[str, list[list[str]]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    looked: list[str] = field(default_factory=list)
    dialled: list[str] = field(default_factory=list)
    port: int = 0
    _runner: web.AppRunner | None = None

    async def start(self) -> None:
        app = web.Application()
        app.router.add_route("*", "/{any:.*}", self._serve)
        self._runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.2)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.port = self._runner.addresses[0][1]

    async def stop(self) -> None:
        if self._runner:
            await self._runner.cleanup()

    def client(self, seconds: float = 20.0) -> HttpClient:
        """The real client over this network."""
        return HttpClient(self, seconds)

    async def resolve(self, host: str, port: int) -> list[str]:
        self.looked.append(host)
        answers = self.names.get(host, [[PUBLIC]])
        found = answers.pop(0) if len(answers) > 1 else answers[0]
        if not found:
            raise OSError("unknown host")
        return found

    def dial(self, address: str, port: int) -> tuple[str, int]:
        self.dialled.append(address)
        return "127.0.0.1", self.port

    async def _serve(self, request: web.Request) -> web.StreamResponse:
        self.asked.append(f"http://{request.host}{request.path_qs}")
        page = self.pages.get(f"{request.host}{request.path}")
        if page is None:
            return web.Response(status=404, text="gone")
        if isinstance(page, str):
            return web.Response(text=page, content_type="text/html")
        return await page(request)


def sends_to(location: str, status: int = 302) -> Answer:
    """A page that sends on."""

    async def answer(_request: web.Request) -> web.StreamResponse:
        return web.Response(status=status, headers={"Location": location})

    return answer


def says(body: bytes, media: str, **headers: str) -> Answer:
    """A page of another kind."""

    async def answer(_request: web.Request) -> web.StreamResponse:
        return web.Response(body=body, headers={"Content-Type": media, **headers})

    return answer


def endless(piece: bytes, pause: float = 0.0) -> Answer:
    """A page without an end."""

    async def answer(request: web.Request) -> web.StreamResponse:
        stream = web.StreamResponse(headers={"Content-Type": "text/html"})
        await stream.prepare(request)
        while True:
            await stream.write(piece)
            await asyncio.sleep(pause)  # noqa: TID251 - a slow server

    return answer
