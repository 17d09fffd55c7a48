"""The Bot API on 127.0.0.1: what the unmodified client talks to. It can lose, delay and refuse as the real one does."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import aiohttp
from aiohttp import web

from tests.doubles.telegram.methods import TAKES, Methods
from tests.doubles.telegram.refusals import HOOKED, TERMINATED, Refusal, bad, flood

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.doubles.telegram.entities import Json
    from tests.doubles.telegram.world import Fault, TelegramWorld

LONGEST_POLL = 50
BACKOFF = (1, 2, 4, 8, 16)
_NAMES = {name.lower(): name for name in TAKES}
"""Methods are case-insensitive (Bot API, "Making requests")."""


class TelegramServer:
    """One server over one world. `base_url` and `file_url` are what the client is given; a token is added to both.

    `proxy` maps a public https address to where its webhook really listens.
    """

    def __init__(self, world: TelegramWorld) -> None:
        self.world = world
        self.methods = Methods(world)
        self.port = 0
        self.proxy: dict[str, str] = {}
        self.calls: list[str] = []
        self.pushed: list[int] = []
        self._poll: asyncio.Event | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def base_url(self) -> str:
        return f"{self.url}/bot"

    @property
    def file_url(self) -> str:
        return f"{self.url}/file/bot"

    @asynccontextmanager
    async def running(self) -> AsyncIterator[TelegramServer]:
        """Listen until the block ends."""
        app = web.Application(client_max_size=64 << 20)
        app.router.add_route("*", "/bot{token}/{method}", self._call)
        app.router.add_get("/file/bot{token}/{path:.+}", self._download)
        runner = web.AppRunner(app, handler_cancellation=True, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", self.port)
        await site.start()
        self.port = runner.addresses[0][1]
        try:
            async with asyncio.TaskGroup() as group:
                pushing = group.create_task(self._push())
                yield self
                pushing.cancel()
        finally:
            await runner.cleanup()

    async def _call(self, request: web.Request) -> web.StreamResponse:
        name = _NAMES.get(request.match_info["method"].lower())
        given = await _given(request)
        self.calls.append(name or request.match_info["method"])
        fault = self.world.next_fault(name.lower()) if name else None
        if fault and fault.lose == "before":
            return _cut(request)
        if fault and fault.wait:
            await fault.wait.wait()
        if fault and fault.status:
            return web.Response(status=fault.status, text="<html>Bad Gateway</html>", content_type="text/html")
        try:
            self._admit(request, name, fault)
            result = await self._updates(given) if name == "getUpdates" else self.methods.call(name or "", given)
        except Refusal as refusal:
            return web.json_response(refusal.body(), status=refusal.code)
        if fault and fault.lose == "after":
            return _cut(request)
        return web.json_response({"ok": True, "result": result})

    def _admit(self, request: web.Request, name: str | None, fault: Fault | None) -> None:
        """Refuse what is not for this bot, not known, or not now."""
        if request.match_info["token"] != self.world.token or self.world.revoked:
            raise Refusal(401, "Unauthorized")
        if name is None:
            raise Refusal(404, "Not Found")
        if fault and fault.refuse:
            raise fault.refuse
        self._flood(name)

    def _flood(self, name: str) -> None:
        now = self.world.clock.monotonic()
        self.world.penalties = [one for one in self.world.penalties if one.until > now]
        for one in self.world.penalties:
            if not one.methods or name.lower() in one.methods:
                raise flood(max(1, round(one.until - now)))

    async def _updates(self, given: Json) -> list[Json]:
        """Long polling: waits until there is something, and wakes at once. A second poller ends the first."""
        if set(given) - TAKES["getUpdates"]:
            raise bad(f"getUpdates takes no {sorted(set(given) - TAKES['getUpdates'])}")
        if self.world.hook:
            raise HOOKED
        self.methods.allow(given)
        if self._poll:
            self._poll.set()
        mine = self._poll = asyncio.Event()
        offset = int(given["offset"]) if given.get("offset") else None
        limit = min(max(int(given.get("limit") or 100), 1), 100)
        patience = min(int(given.get("timeout") or 0), LONGEST_POLL)
        try:
            found = self.world.waiting(offset, limit)
            if not found and patience:
                await self._wait(mine, patience)
                if mine.is_set():
                    raise TERMINATED
                found = self.world.waiting(offset, limit)
        finally:
            if self._poll is mine:
                self._poll = None
        return found

    async def _wait(self, ended: asyncio.Event, patience: float) -> None:
        self.world.arrived.clear()
        async with asyncio.TaskGroup() as group:
            waits = [
                group.create_task(self.world.clock.sleep(patience)),
                group.create_task(_set(self.world.arrived)),
                group.create_task(_set(ended)),
            ]
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
            for one in waits:
                one.cancel()

    async def _download(self, request: web.Request) -> web.StreamResponse:
        self.calls.append("download")
        if request.match_info["token"] != self.world.token:
            raise web.HTTPUnauthorized
        fault = self.world.next_fault("download")
        if fault and fault.lose:
            return _cut(request)
        for path, data, _ in self.world.files.values():
            if path == request.match_info["path"]:
                return web.Response(body=data)
        raise web.HTTPNotFound

    async def _push(self) -> None:
        """Deliver to the webhook one after another, again and again until it answers 2xx."""
        failures = 0
        async with aiohttp.ClientSession() as session:
            while True:
                if not self.world.hook or not self.world.queue:
                    self.world.arrived.clear()
                    await self.world.arrived.wait()
                    await asyncio.sleep(0)  # noqa: TID251 - a poll may have been woken by the same event
                    continue
                update = self.world.queue[0]
                status = await self._deliver(session, update.json())
                self.pushed.append(status)
                if 200 <= status < 300:
                    failures = 0
                    self.world.confirm(update.id)
                else:
                    failures += 1
                    await self.world.clock.sleep(BACKOFF[min(failures, len(BACKOFF)) - 1])

    async def _deliver(self, session: aiohttp.ClientSession, update: Json) -> int:
        hook = self.world.hook
        assert hook
        url = hook.url
        for public, real in self.proxy.items():
            url = url.replace(public, real)
        headers = {"X-Telegram-Bot-Api-Secret-Token": hook.secret} if hook.secret else {}
        try:
            async with session.post(url, json=update, headers=headers) as answer:
                return answer.status
        except aiohttp.ClientError:
            return 0


async def _given(request: web.Request) -> Json:
    """The parameters of a call; a file is (name, bytes)."""
    given: Json = dict(request.query)
    if request.content_type == "application/json":
        return given | dict(await request.json())
    files: Json = {}
    for name, value in (await request.post()).items():
        if isinstance(value, web.FileField):
            files[name] = given[name] = (value.filename, value.file.read())
        else:
            given[name] = value
    if "media" in given:
        given = {name: value for name, value in given.items() if name not in files} | {"_files": files}
    for name, value in list(given.items()):  # a file named by attach://
        if isinstance(value, str) and value.removeprefix("attach://") in files and name != "media":
            given[name] = files[value.removeprefix("attach://")]
            given.pop(value.removeprefix("attach://"), None)
    return given


def _cut(request: web.Request) -> web.Response:
    """End the connection without an answer."""
    if request.transport:
        request.transport.abort()
    return web.Response()


async def _set(event: asyncio.Event) -> None:
    await event.wait()
