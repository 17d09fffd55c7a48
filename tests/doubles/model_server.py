"""Providers on loopback: OpenAI's two protocols, DeepSeek's and Anthropic's, strict, with faults by script."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from aiohttp import web

from tests.doubles.model_shapes import anthropic_events, openai_events
from tests.doubles.model_strict import fault_of, hearing_fault
from tests.doubles.responses_shape import responses_events

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Shape = Literal["openai", "responses", "deepseek", "anthropic"]
Act = Literal["hang", "cut", "stall", "trickle", "corrupt", "error", "event", "unfinished", "nothing", "invalid"]

KEY = "sk-double-0123456789"
SECRET_TEXT = "raw words of the provider"


@dataclass(frozen=True)
class Say:
    """An answer: text in parts, reasoning, tool calls as (name, arguments); `act` is what goes wrong after that."""

    text: str | Sequence[str] = ""
    reasoning: str = ""
    calls: Sequence[tuple[str, str]] = ()
    finish: str = ""
    usage: tuple[object, object] | None = (100, 20)
    cached: int = 0
    act: Act | None = None
    pause: float = 0.0
    refuses: bool = False
    """Whether the text is told as a refusal, which only the shape "responses" does."""

    @property
    def parts(self) -> Sequence[str]:
        return [self.text] if isinstance(self.text, str) else self.text


@dataclass(frozen=True)
class Fail:
    """A status with a body of the provider's kind, or with `body` as it stands."""

    status: int
    headers: dict[str, str] = field(default_factory=dict)
    body: str = ""
    media: str = "application/json"
    code: str = ""


@dataclass
class ModelServer:
    """Plays its script, one entry a request, the last one for ever; `asked` holds (shape, body) of sound requests.

    An unsound request is answered as the provider would, and noted in `refused`.
    """

    script: list[Say | Fail] = field(default_factory=list)
    models: dict[str, list[str]] = field(default_factory=dict)
    asked: list[tuple[Shape, dict[str, Any]]] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    listed: list[str] = field(default_factory=list)
    speech: str | Fail | None = None
    """What is said in every recording; None never answers."""
    listened: list[tuple[str, str, bytes]] = field(default_factory=list)
    """Model, file name and bytes of the recordings that came."""
    left: int = 0
    """How many clients hung up before the end."""
    port: int = 0
    _runner: web.AppRunner | None = None

    def base(self, shape: Shape) -> str:
        """What `api_base` is for a shape."""
        return f"http://127.0.0.1:{self.port}/{shape}" + ("/v1" if shape in {"openai", "responses"} else "")

    async def start(self) -> None:
        app = web.Application(client_max_size=64 * 1024 * 1024)
        app.router.add_post("/openai/v1/chat/completions", self._openai)
        app.router.add_post("/responses/v1/responses", self._responses)
        app.router.add_post("/deepseek/chat/completions", self._deepseek)
        app.router.add_post("/anthropic/v1/messages", self._anthropic)
        app.router.add_post("/openai/v1/audio/transcriptions", self._listen)
        app.router.add_get("/{shape}/models", self._list)
        app.router.add_get("/{shape}/v1/models", self._list)
        app.router.add_route("*", "/{any:.*}", self._unknown)
        self._runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.2)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.port = self._runner.addresses[0][1]

    async def stop(self) -> None:
        if self._runner:
            await self._runner.cleanup()

    async def _openai(self, request: web.Request) -> web.StreamResponse:
        return await self._play("openai", request)

    async def _responses(self, request: web.Request) -> web.StreamResponse:
        return await self._play("responses", request)

    async def _deepseek(self, request: web.Request) -> web.StreamResponse:
        return await self._play("deepseek", request)

    async def _anthropic(self, request: web.Request) -> web.StreamResponse:
        return await self._play("anthropic", request)

    async def _listen(self, request: web.Request) -> web.StreamResponse:
        form = await request.post()
        file, model = form.get("file"), form.get("model")
        unsound = hearing_fault(request.headers.get("authorization", "") == f"Bearer {KEY}", file, model)
        data = b""
        if isinstance(file, web.FileField):
            with file.file:
                data = file.file.read()
        if unsound:
            self.refused.append(unsound)
            return _failed("openai", Fail(401 if "key" in unsound else 400))
        self.listened.append((str(model), getattr(file, "filename", ""), data))
        if self.speech is None:
            await asyncio.sleep(3600)  # noqa: TID251 - a server that never answers
        if isinstance(self.speech, Fail):
            return _failed("openai", self.speech)
        return web.json_response({"text": self.speech})

    async def _unknown(self, request: web.Request) -> web.StreamResponse:
        self.refused.append(f"{request.method} {request.path}")
        return web.json_response({"error": {"message": SECRET_TEXT}}, status=404)

    async def _list(self, request: web.Request) -> web.StreamResponse:
        shape = request.match_info["shape"]
        key = request.headers.get("x-api-key") or request.headers.get("authorization", "").removeprefix("Bearer ")
        self.listed.append(f"{shape} {key}")
        if shape not in self.models:
            return web.json_response({"error": {"message": SECRET_TEXT}}, status=500)
        return web.json_response({"object": "list", "data": [{"id": one} for one in self.models[shape]]})

    async def _play(self, shape: Shape, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        key = request.headers.get("x-api-key") or request.headers.get("authorization", "").removeprefix("Bearer ")
        unsound = fault_of(shape, body, key == KEY)
        if unsound:
            self.refused.append(unsound)
            return _failed(shape, Fail(401 if "key" in unsound else 400))
        self.asked.append((shape, body))
        return await self.answered(shape, request, body)

    async def answered(self, shape: Shape, request: web.Request, body: dict[str, Any]) -> web.StreamResponse:
        """What a sound request gets: the next entry of the script."""
        turn = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        return await self.play(shape, request, body["model"], turn)

    async def play(self, shape: Shape, request: web.Request, model: str, turn: Say | Fail) -> web.StreamResponse:
        """Answer in a shape."""
        if isinstance(turn, Fail):
            return _failed(shape, turn)
        try:
            return await self._say(shape, request, model, turn)
        except (asyncio.CancelledError, ConnectionError):
            self.left += 1
            raise

    async def _say(self, shape: Shape, request: web.Request, model: str, say: Say) -> web.StreamResponse:
        if say.act == "hang":
            await asyncio.sleep(3600)  # noqa: TID251 - a server that never answers
        stream = web.StreamResponse(headers={"content-type": "text/event-stream"})
        await stream.prepare(request)
        for event in _events(shape, model, say):
            await stream.write(event)
            if say.pause:
                await asyncio.sleep(say.pause)  # noqa: TID251 - a slow server
        if say.act == "stall":
            await asyncio.sleep(3600)  # noqa: TID251
        if say.act == "trickle":
            for _ in range(3600):
                await stream.write(b":")
                await asyncio.sleep(0.05)  # noqa: TID251
        if say.act == "cut" and request.transport:
            request.transport.abort()
        return stream


def _events(shape: Shape, model: str, say: Say) -> Iterator[bytes]:
    told = {"anthropic": anthropic_events, "responses": responses_events}.get(shape, openai_events)
    yield from told(model, say)


def _failed(shape: Shape, fail: Fail) -> web.StreamResponse:
    error: dict[str, object] = {"message": f"{SECRET_TEXT} {fail.code}".strip(), "type": fail.code or "some_error"}
    raw: dict[str, object] = (
        {"type": "error", "error": error} if shape == "anthropic" else {"error": {**error, "code": fail.code}}
    )
    text = fail.body or json.dumps(raw)
    return web.Response(text=text, status=fail.status, headers=fail.headers, content_type=fail.media)
