"""The REST half of the double: exactly the routes that are known here; any other is refused loudly."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from aiohttp import web

from tests.doubles.discord.rules import command_faults, faults
from tests.doubles.discord.world import BOT, DM, EPHEMERAL, HOUR, LOADING, OWNER, ROOM, TOKEN, V2, moment, person

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from tests.doubles.discord.world import Asked, Fault, Json, World

VIA = {"Via": "1.1 google"}


class Refused(Exception):
    def __init__(self, status: int, code: int, message: str, details: Any = None) -> None:
        super().__init__(message)
        self.status, self.body = status, {"code": code, "message": message, "errors": details or {}}


class Rest:
    """Answers requests about one world."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.unknown: list[str] = []

    def app(self, gateway: Callable[[web.Request], Awaitable[web.StreamResponse]]) -> web.Application:
        app = web.Application(client_max_size=30 << 20)
        api = "/api/v10"
        app.router.add_get(api + "/users/@me", self._me)
        app.router.add_get(api + "/oauth2/applications/@me", self._application)
        app.router.add_post(api + "/users/@me/channels", self._open)
        app.router.add_get(api + "/channels/{channel}/messages", self._history)
        app.router.add_post(api + "/channels/{channel}/messages", self._send)
        app.router.add_get(api + "/channels/{channel}/messages/{message}", self._message)
        app.router.add_patch(api + "/channels/{channel}/messages/{message}", self._edit)
        app.router.add_delete(api + "/channels/{channel}/messages/{message}", self._delete)
        app.router.add_post(api + "/channels/{channel}/typing", self._typing)
        app.router.add_get(api + "/applications/{app}/commands", self._commands)
        app.router.add_put(api + "/applications/{app}/commands", self._sync)
        app.router.add_post(api + "/interactions/{id}/{token}/callback", self._answer)
        app.router.add_post(api + "/webhooks/{app}/{token}", self._follow)
        app.router.add_patch(api + "/webhooks/{app}/{token}/messages/{message}", self._edit_original)
        app.router.add_get("/gateway", gateway)
        app.router.add_get("/gateway/", gateway)
        app.router.add_get("/attachments/{channel}/{id}/{name}", self._file)
        app.router.add_route("*", "/{any:.*}", self._nowhere)
        app.middlewares.append(self._guard)
        return app

    @web.middleware
    async def _guard(self, request: web.Request, handler: Any) -> web.StreamResponse:
        path = request.path.removeprefix("/api/v10")
        if not request.path.startswith("/gateway"):
            self.world.requests.append((request.method, path))
        fault = self._fault(request.method, path)
        if fault and (fault.reset == "before" or fault.status):
            return _reset(request) if fault.reset else reply(fault.body, fault.status, {**VIA, **fault.headers})
        open_to_all = not request.path.startswith("/api") or path.startswith(("/interactions/", "/webhooks/"))
        if not open_to_all and request.headers.get("Authorization") != f"Bot {TOKEN}":
            return reply({"message": "401: Unauthorized", "code": 0}, 401)
        try:
            answer: web.StreamResponse = await handler(request)
        except Refused as error:
            return reply(error.body, error.status)
        return _reset(request) if fault and fault.reset == "after" else answer

    def _fault(self, method: str, path: str) -> Fault | None:
        for fault in self.world.faults:
            if fault.method == method and re.search(fault.path, path):
                fault.times -= 1
                if not fault.times:
                    self.world.faults.remove(fault)
                return fault
        return None

    async def _nowhere(self, request: web.Request) -> web.Response:
        self.unknown.append(f"{request.method} {request.path}")
        raise Refused(404, 0, f"the double has no route {request.method} {request.path}")

    async def _me(self, request: web.Request) -> web.Response:
        return reply(person(BOT))

    async def _application(self, request: web.Request) -> web.Response:
        about: Json = {"id": str(BOT), "name": "previously", "description": "", "icon": None, "flags": 0, "summary": ""}
        about |= {"bot_public": False, "bot_require_code_grant": False, "verify_key": "00", "owner": person(OWNER)}
        return reply(about | {"rpc_origins": [], "team": None, "approximate_guild_count": 1})

    async def _open(self, request: web.Request) -> web.Response:
        who = int((await request.json())["recipient_id"])
        if who != OWNER:
            raise Refused(400, 50033, "Invalid Recipient(s)")
        return reply({"id": str(DM), "type": 1, "last_message_id": None, "recipients": [person(who)]})

    async def _history(self, request: web.Request) -> web.Response:
        channel, asked = self._channel(request), request.query
        limit = int(asked.get("limit", "50"))
        if not 1 <= limit <= 100:
            raise Refused(400, 50035, "limit", {"limit": "1 to 100"})
        known = sorted(self.world.messages[channel])
        if "after" in asked:
            chosen = [one for one in known if one > int(asked["after"])][:limit]
        elif "before" in asked:
            chosen = [one for one in known if one < int(asked["before"])][-limit:]
        else:
            chosen = known[-limit:]
        return reply([self._fresh(channel, one) for one in reversed(chosen)])

    async def _message(self, request: web.Request) -> web.Response:
        return reply(self._fresh(self._channel(request), self._number(request)))

    async def _send(self, request: web.Request) -> web.Response:
        channel = self._channel(request)
        given, files = await self._given(request)
        if self.world.closed and channel == DM:
            raise Refused(403, 50007, "Cannot send messages to this user")
        self._check(given, None, tuple(files))
        nonce = str(given.get("nonce") or "")
        if nonce and given.get("enforce_nonce") and (known := self.world.known(channel, nonce)):
            return reply(known)
        message = self.world.shape(self.world.snowflake(), channel, BOT, given)
        message["attachments"] = [self.world.attach(channel, name, data) for name, data in files.items()]
        message["nonce"] = nonce
        if "message_reference" in given:
            message["message_reference"] = given["message_reference"]
        self.world.keep(channel, message, nonce)
        return reply(message)

    async def _edit(self, request: web.Request) -> web.Response:
        channel, number = self._channel(request), self._number(request)
        message = self.world.messages[channel].get(number)
        if message is None:
            raise Refused(404, 10008, "Unknown Message")
        if message["author"]["id"] != str(BOT):
            raise Refused(403, 50005, "Cannot edit a message authored by another user")
        if message["flags"] & LOADING:
            raise Refused(403, 50005, "This message is still a deferred response")
        given, files = await self._given(request)
        if self.world.age(number) > HOUR and self._old_edits(number) >= 3:
            raise Refused(429, 30046, "Maximum number of edits to messages older than 1 hour reached")
        return reply(self._change(message, given, files))

    async def _delete(self, request: web.Request) -> web.Response:
        channel, number = self._channel(request), self._number(request)
        if self.world.messages[channel].pop(number, None) is None:
            raise Refused(404, 10008, "Unknown Message")
        self.world.tell("MESSAGE_DELETE", {"id": str(number), "channel_id": str(channel)}, channel)
        return web.Response(status=204)

    async def _typing(self, request: web.Request) -> web.Response:
        self._channel(request)
        self.world.typing += 1
        return web.Response(status=204)

    async def _commands(self, request: web.Request) -> web.Response:
        asked = request.query.get("with_localizations", "").lower() in {"true", "1"}
        bare = {"name_localizations", "description_localizations"}
        return reply(self.world.commands if asked else [_without(one, bare) for one in self.world.commands])

    async def _sync(self, request: web.Request) -> web.Response:
        commands = await request.json()
        if len(commands) > 100 or (found := [fault for one in commands for fault in command_faults(one)]):
            raise Refused(400, 50035, "Invalid Form Body", {"_errors": found})
        more = {"application_id": str(BOT), "version": "1", "default_member_permissions": None, "nsfw": False}
        self.world.commands = [{**more, "id": str(self.world.snowflake()), **one} for one in commands]
        self.world.syncs += 1
        return reply(self.world.commands)

    async def _answer(self, request: web.Request) -> web.Response:
        asked = self._asked(request)
        if asked.answered:
            raise Refused(400, 40060, "Interaction has already been acknowledged.")
        if self.world.clock.monotonic() - asked.born > self.world.patience:
            raise Refused(404, 10062, "Unknown interaction")
        given, _ = await self._given(request)
        kind, data = given["type"], given.get("data") or {}
        asked.answered, asked.response = kind, data
        resource: Json = {"type": kind}
        if kind == 8:
            if len(data["choices"]) > 25:
                raise Refused(400, 50035, "Invalid Form Body", {"choices": "25 or fewer"})
            self.world.choices[asked.id] = data["choices"]
        elif kind in {4, 5}:
            resource["message"] = self._respond(asked, data, loading=kind == 5)
        elif kind == 6 and asked.kind != 3:
            raise Refused(400, 50035, "a command cannot be answered by type 6")
        elif kind == 9:
            if asked.kind == 5 or not 1 <= len(data["title"]) <= 45 or not 1 <= len(data["components"]) <= 5:
                raise Refused(400, 50035, "Invalid Form Body", {"modal": data})
        elif kind not in {6, 7}:
            raise Refused(400, 50035, f"the double knows no response {kind}")
        about: Json = {"id": str(asked.id), "type": asked.kind}
        if asked.original:
            about["response_message_id"] = str(asked.original)
        return reply({"interaction": about, "resource": resource})

    async def _follow(self, request: web.Request) -> web.Response:
        asked = self._asked(request)
        given, files = await self._given(request)
        if not asked.answered:
            raise Refused(404, 10015, "Unknown Webhook")
        self._check(given, None, tuple(files))
        return reply(self._respond(asked, given, loading=False))

    async def _edit_original(self, request: web.Request) -> web.Response:
        asked = self._asked(request)
        number = asked.original if request.match_info["message"] == "@original" else self._number(request)
        message = self.world.messages[asked.channel].get(number)
        if message is None:
            raise Refused(404, 10008, "Unknown Message")
        given, files = await self._given(request)
        return reply(self._change(message, given, files, response=True))

    async def _file(self, request: web.Request) -> web.Response:
        data = self.world.files.get(request.path)
        if data is None:
            return web.Response(status=404)
        if int(request.query["ex"], 16) < self.world.clock.now().timestamp():
            return web.Response(status=404, text="This content is no longer available.")
        return web.Response(body=data)

    # What the routes share.

    def _channel(self, request: web.Request) -> int:
        channel = int(request.match_info["channel"])
        if channel not in self.world.messages:
            raise Refused(404, 10003, "Unknown Channel")
        if channel in self.world.lost:
            raise Refused(403, 50001, "Missing Access")
        return channel

    def _number(self, request: web.Request) -> int:
        return int(request.match_info["message"])

    def _asked(self, request: web.Request) -> Asked:
        asked = self.world.asked.get(request.match_info["token"])
        if asked is None or not self.world.alive(asked):
            code = (10062, "Unknown interaction") if "callback" in request.path else (50027, "Invalid Webhook Token")
            raise Refused(404 if code[0] == 10062 else 401, *code)
        return asked

    def _fresh(self, channel: int, number: int) -> Json:
        message = self.world.messages[channel].get(number)
        if message is None or message["flags"] & EPHEMERAL:
            raise Refused(404, 10008, "Unknown Message")
        message = {**message, "attachments": [self.world.signed(one) for one in message["attachments"]]}
        if channel == ROOM and not self.world.approved and message["author"]["id"] != str(BOT):
            message |= {"content": "", "attachments": [], "components": [], "embeds": []}
        return message

    async def _given(self, request: web.Request) -> tuple[Json, dict[str, bytes]]:
        if request.content_type != "multipart/form-data":
            return await request.json(), {}
        form = await request.post()
        files = {one.filename: one.file.read() for one in form.values() if isinstance(one, web.FileField)}
        return json.loads(str(form["payload_json"])), files

    def _check(self, given: Json, before: Json | None, files: tuple[str, ...]) -> None:
        found = faults(given, before, files)
        if found == ["50006"]:
            raise Refused(400, 50006, "Cannot send an empty message")
        if found:
            raise Refused(400, 50035, "Invalid Form Body", {"_errors": found})

    def _respond(self, asked: Asked, data: Json, *, loading: bool) -> Json:
        if not loading:
            self._check(data, None, ())
        message = self.world.shape(self.world.snowflake(), asked.channel, BOT, data)
        message["flags"] |= LOADING if loading else 0
        message["interaction_metadata"] = {"id": str(asked.id), "type": asked.kind, "user": person(OWNER)}
        asked.original = asked.original or int(message["id"])
        self.world.keep(asked.channel, message)
        return message

    def _change(self, message: Json, given: Json, files: dict[str, bytes], *, response: bool = False) -> Json:
        self._check(given, message, tuple(files))
        channel, number = int(message["channel_id"]), int(message["id"])
        if "content" in given:
            message["content"] = given["content"] or ""
        if "components" in given:
            message["components"] = given["components"]
        if "flags" in given:
            message["flags"] = given["flags"] & (V2 | 1 << 2) | message["flags"] & (EPHEMERAL | V2)
        if "attachments" in given:
            message["attachments"] = [self.world.attach(channel, name, data) for name, data in files.items()]
        if response:
            message["flags"] &= ~LOADING
        message["edited_timestamp"] = self.world.now()
        self.world.edits.append((number, {**message}))
        self.world.tell("MESSAGE_UPDATE", message, channel)
        return message

    def _old_edits(self, number: int) -> int:
        now = self.world.clock.now()
        recent = [one for one in self.world.edits if one[0] == number]
        return sum((now - moment(one[1]["edited_timestamp"])).total_seconds() < 20 for one in recent)


def _without(one: Json, names: set[str]) -> Json:
    kept = {key: value for key, value in one.items() if key not in names}
    if "options" in kept:
        kept["options"] = [_without(option, names) for option in kept["options"]]
    return kept


def reply(body: Any, status: int = 200, headers: dict[str, str] | None = None) -> web.Response:
    # discord.py looks for exactly this content type, without a charset.
    more = {"Content-Type": "application/json", **(headers or {})}
    return web.Response(body=json.dumps(body).encode(), status=status, headers=more)


def _reset(request: web.Request) -> web.Response:
    if request.transport:
        request.transport.abort()
    return web.Response()
