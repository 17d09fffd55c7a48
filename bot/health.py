"""What listens on PORT: `/healthz`, `/readyz`, and the webhooks of platforms. Behind it stands aiohttp, nowhere else.

A stranger is told `ok` or nothing (reliability 4.6, 88). With ACCESS_SECRET, whoever sends it as `x-access-key` is told
the facts too.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import logging
from typing import TYPE_CHECKING, Final

from aiohttp import web

from bot import VERSION
from core.clock import iso
from core.errors import DiskLost, SettingsError, StorageError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from bot.house import House
    from bot.platforms import Answer
    from bot.pulse import Pulse

BODY: Final = 1024 * 1024
"""Bytes that the body of a call may have (reliability 2.6)."""

SLOW: Final = 20.0
"""Seconds within which a call must be read and answered."""

KEY: Final = "x-access-key"

_log = logging.getLogger("previously.health")


class Server:
    """The server (implements `bot.platforms.Routes`).

    `ready` says whether messages are taken in, `facts` what is told to whoever sends the `secret`; "" means nobody.
    Once `up` is set, it listens on `port`.
    """

    def __init__(
        self,
        ready: Callable[[], bool],
        facts: Callable[[], Awaitable[Mapping[str, object]]],
        secret: str = "",
    ) -> None:
        self._ready = ready
        self._facts = facts
        self._secret = secret
        self._answers: dict[str, Answer] = {}
        self._lost: asyncio.Future[None] | None = None
        self.up = asyncio.Event()
        self.port = 0

    def add(self, path: str, answer: Answer) -> None:
        """Let POST calls of that path be answered; what is added later replaces what was there."""
        self._answers[path] = answer

    async def serve(self, host: str, port: int) -> None:
        """Listen until cancelled. Raises SettingsError when that address and port cannot be had, and `DiskLost`."""
        application = web.Application(client_max_size=BODY)
        application.router.add_route("*", "/{rest:.*}", self._handle)
        application.on_response_prepare.append(_unnamed)
        self._lost = asyncio.get_running_loop().create_future()
        runner = web.AppRunner(application, access_log=None, handle_signals=False, shutdown_timeout=1.0)
        await runner.setup()
        try:
            site = web.TCPSite(runner, host, port)
            try:
                await site.start()
            except OSError as error:
                raise SettingsError("PORT", f"{host} port {port} cannot be listened on ({error.strerror})") from error
            self.port = int(runner.addresses[0][1])
            self.up.set()
            _log.info("listening on %s port %d", host, self.port)
            await self._lost
        finally:
            await runner.cleanup()

    async def _handle(self, request: web.Request) -> web.Response:
        if request.path in {"/healthz", "/readyz"} and request.method in {"GET", "HEAD"}:
            return await self._tell(request)
        answer = self._answers.get(request.path)
        if answer is None:
            return web.Response(status=404)
        if request.method != "POST":
            return web.Response(status=405, headers={"Allow": "POST"})
        return web.Response(status=await self._answered(answer, request))

    async def _tell(self, request: web.Request) -> web.Response:
        well = request.path == "/healthz" or self._ready()
        status = 200 if well else 503
        if not self._trusted(request.headers.get(KEY, "")):
            return web.Response(status=status, text="ok" if well else "")
        facts = {"ok": well, **await self._facts()}
        return web.Response(status=status, text=json.dumps(facts, default=str), content_type="application/json")

    def _trusted(self, key: str) -> bool:
        return bool(self._secret) and hmac.compare_digest(self._secret.encode(), key.encode(errors="replace"))

    async def _answered(self, answer: Answer, request: web.Request) -> int:
        """The status of the call; nothing of what it said is logged."""
        try:
            async with asyncio.timeout(SLOW):
                body = await request.read()
                return await answer({name.lower(): value for name, value in request.headers.items()}, body)
        except web.HTTPRequestEntityTooLarge:
            return 413
        except TimeoutError:
            return 503
        except StorageError as error:
            _log.warning("a call could not be kept: %s", error)
            return 503
        except DiskLost as error:
            if self._lost and not self._lost.done():
                self._lost.set_exception(error)
            return 503


async def _unnamed(request: web.Request, response: web.StreamResponse) -> None:
    """Do not tell strangers what runs here."""
    del request
    response.headers["Server"] = ""


async def facts(house: House, pulse: Pulse) -> dict[str, object]:
    """What whoever has the key is told: counts and instants, nothing that was said."""
    state = house.parts.journal.state
    return {
        "version": VERSION,
        "now": iso(house.parts.clock.now()),
        "platforms": {surface: iso(at) if at else None for surface, at in pulse.last.items()},
        "waiting": len(state.waiting),
        "open": len(state.turns),
        "parked": len(state.parked),
        "journal": house.parts.journal.size,
    }
