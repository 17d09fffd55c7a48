"""The gateway half: HELLO, IDENTIFY, READY, heartbeats, RESUME with replay, and what goes wrong with them."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

from aiohttp import WSMsgType, web

from tests.doubles.discord.rest import Rest
from tests.doubles.discord.world import BOT, GUILD, MESSAGE_CONTENT, OTHER_ROOM, ROOM, TOKEN, person

if TYPE_CHECKING:
    from tests.doubles.discord.world import Json, World


@dataclass
class Session:
    """One session of the bot: what it asked to hear, what it was told, and the socket that it has just now."""

    id: str
    intents: int
    socket: web.WebSocketResponse | None
    told: list[Json] = field(default_factory=list)
    outgoing: asyncio.Queue[Json] = field(default_factory=asyncio.Queue)


class Server:
    """Both halves on a loopback port: `async with Server(world) as server`."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.rest = Rest(world)
        self.sessions: dict[str, Session] = {}
        self.identified: list[Json] = []
        self.resumed = 0
        self.beats = 0
        self.interval = 41_250
        self.acknowledges = True
        self.refuses = False
        self.refused = 0
        self.ready = asyncio.Event()
        self._runner: web.AppRunner | None = None

    async def __aenter__(self) -> Self:
        app = self.rest.app(self.connect)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        port = self._runner.addresses[0][1]
        self.world.base = f"http://127.0.0.1:{port}"
        self.world.listeners.append(self._tell)
        return self

    async def __aexit__(self, *_: object) -> None:
        self.world.listeners.remove(self._tell)
        for session in self.sessions.values():
            if session.socket and not session.socket.closed:
                await session.socket.close()
        if self._runner:
            await self._runner.cleanup()
        assert self.rest.unknown == []

    @property
    def api_url(self) -> str:
        return f"{self.world.base}/api/v10"

    @property
    def gateway_url(self) -> str:
        return f"ws{self.world.base.removeprefix('http')}/gateway/"

    async def reconnect(self) -> None:
        """Ask every client to connect anew (op 7)."""
        await self._send_all({"op": 7, "d": None})

    async def invalidate(self, *, resumable: bool = False) -> None:
        """Tell every client that its session is over (op 9)."""
        await self._send_all({"op": 9, "d": resumable})
        if not resumable:
            self.sessions.clear()

    async def drop(self, code: int = 1006, *, forget: bool = False) -> None:
        """Lose every connection; with `forget` the sessions cannot be resumed."""
        self.ready.clear()
        for session in list(self.sessions.values()):
            socket, session.socket = session.socket, None
            if socket and code == 1006 and socket._req and socket._req.transport:
                socket._req.transport.abort()
            elif socket:
                await socket.close(code=code)
        if forget:
            self.sessions.clear()

    async def connect(self, request: web.Request) -> web.WebSocketResponse:
        if self.refuses:
            self.refused += 1
            raise web.HTTPServiceUnavailable
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_json({"op": 10, "d": {"heartbeat_interval": self.interval}})
        session: Session | None = None
        sender: asyncio.Task[None] | None = None
        try:
            async for message in socket:
                if message.type is not WSMsgType.TEXT:
                    break
                given = json.loads(message.data)
                if given["op"] == 1:
                    self.beats += 1
                    if self.acknowledges:
                        await socket.send_json({"op": 11})
                elif given["op"] in {2, 6}:
                    session = await (self._identify if given["op"] == 2 else self._resume)(socket, given["d"])
                    if session:
                        sender = asyncio.create_task(self._deliver(session, socket))  # noqa: TID251
        finally:
            if sender:
                sender.cancel()
        return socket

    async def _identify(self, socket: web.WebSocketResponse, given: Json) -> Session | None:
        self.identified.append(given)
        if given["token"] != TOKEN:
            await socket.close(code=4004, message=b"Authentication failed.")
            return None
        if given["intents"] & MESSAGE_CONTENT & ~self.world.approved:
            await socket.close(code=4014, message=b"Disallowed intent(s).")
            return None
        session = Session(f"session-{len(self.identified)}", given["intents"], socket)
        self.sessions = {session.id: session}
        guilds = [{"id": str(GUILD), "unavailable": True}] if given["intents"] & 1 else []
        ready = {"v": 10, "user": person(BOT), "guilds": guilds, "session_id": session.id}
        ready |= {"resume_gateway_url": self.gateway_url, "application": {"id": str(BOT), "flags": 0}}
        self._enqueue(session, "READY", ready)
        if guilds:
            self._enqueue(session, "GUILD_CREATE", _guild(self.world.public))
        self.ready.set()
        return session

    async def _resume(self, socket: web.WebSocketResponse, given: Json) -> Session | None:
        session = self.sessions.get(given["session_id"])
        if session is None or given["token"] != TOKEN:
            await socket.send_json({"op": 9, "d": False})
            return None
        self.resumed += 1
        session.socket = socket
        session.outgoing = asyncio.Queue()
        for event in session.told:
            if event["s"] > given["seq"]:
                session.outgoing.put_nowait(event)
        self._enqueue(session, "RESUMED", {"_trace": []})
        self.ready.set()
        return session

    def _tell(self, event: str, data: Json, intent: int, private: bool) -> None:
        for session in self.sessions.values():
            if intent and not session.intents & intent:
                continue
            told = json.loads(json.dumps(data))
            hidden = not private and not session.intents & MESSAGE_CONTENT and "content" in told
            if hidden and told["author"]["id"] != str(BOT):
                told |= {"content": "", "attachments": [], "components": [], "embeds": []}
            self._enqueue(session, event, told)

    def _enqueue(self, session: Session, event: str, data: Any) -> None:
        number = session.told[-1]["s"] + 1 if session.told else 1
        session.told.append({"op": 0, "t": event, "s": number, "d": data})
        session.outgoing.put_nowait(session.told[-1])

    async def _deliver(self, session: Session, socket: web.WebSocketResponse) -> None:
        outgoing = session.outgoing
        while not socket.closed:
            event = await outgoing.get()
            await socket.send_json(event)

    async def _send_all(self, data: Json) -> None:
        self.ready.clear()
        for session in self.sessions.values():
            if session.socket and not session.socket.closed:
                await session.socket.send_json(data)


def _guild(public: bool) -> Json:
    room = {"id": str(ROOM), "type": 0, "name": "room", "position": 0, "permission_overwrites": [], "nsfw": False}
    guild: Json = {
        "id": str(GUILD),
        "name": "ours",
        "owner_id": "1001",
        "channels": [room, room | {"id": str(OTHER_ROOM)}],
    }
    everyone = {
        "id": str(GUILD),
        "name": "@everyone",
        "color": 0,
        "hoist": False,
        "position": 0,
        "permissions": str(1 << 10 if public else 0),
    }
    everyone |= {"managed": False, "mentionable": False, "flags": 0, "colors": {"primary_color": 0}}
    empty: Json = {"emojis": [], "stickers": [], "members": [], "threads": [], "voice_states": [], "presences": []}
    levels = {"verification_level": 0, "explicit_content_filter": 0, "default_message_notifications": 0}
    return {**guild, **empty, **levels, "roles": [everyone], "features": [], "mfa_level": 0, "nsfw_level": 0}
