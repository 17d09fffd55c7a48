from __future__ import annotations

import asyncio
import json
import logging
from contextlib import asynccontextmanager
from io import BytesIO
from typing import TYPE_CHECKING

import aiohttp
import pytest

from bot.health import BODY, KEY, Server
from bot.pulse import FRESH, Pulse
from core.errors import DiskLost, DiskTrouble, SettingsError
from tests.doubles.clock import ManualClock

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

SECRET = "a-long-enough-secret"
LIMIT = 10


async def some_facts() -> dict[str, object]:
    return {"version": "1", "waiting": 3}


class Visit:
    """A caller of the server."""

    def __init__(self, session: aiohttp.ClientSession, base: str) -> None:
        self._session = session
        self.base = base

    async def __call__(
        self, path: str, method: str = "GET", body: bytes = b"", headers: Mapping[str, str] | None = None
    ) -> tuple[int, str, Mapping[str, str]]:
        data = BytesIO(body) if body else None
        async with self._session.request(method, self.base + path, data=data, headers=headers) as answer:
            return answer.status, await answer.text(), answer.headers


@asynccontextmanager
async def listening(server: Server) -> AsyncIterator[Visit]:
    async with asyncio.timeout(LIMIT), asyncio.TaskGroup() as group:
        serving = group.create_task(server.serve("127.0.0.1", 0))
        await server.up.wait()
        async with aiohttp.ClientSession() as session:
            yield Visit(session, f"http://127.0.0.1:{server.port}")
        serving.cancel()


def well(secret: str = "", *, ready: bool = True) -> Server:
    return Server(lambda: ready, some_facts, secret)


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
@pytest.mark.parametrize("key", ["", SECRET])
async def test_strangers_are_told_ok_and_nothing_else(path: str, key: str) -> None:
    async with listening(well("another-long-secret")) as visit:
        status, text, headers = await visit(path, headers={KEY: key})

    assert (status, text) == (200, "ok")
    assert not headers.get("Server")


async def test_without_a_secret_nobody_is_told_more() -> None:
    async with listening(well()) as visit:
        assert (await visit("/healthz", headers={KEY: "anything"}))[1] == "ok"


async def test_whoever_has_the_key_is_told_the_facts() -> None:
    async with listening(well(SECRET)) as visit:
        status, text, _ = await visit("/healthz", headers={KEY: SECRET})

    assert (status, json.loads(text)) == (200, {"ok": True, "version": "1", "waiting": 3})


async def test_what_is_not_ready_is_503_and_still_healthy() -> None:
    async with listening(well(SECRET, ready=False)) as visit:
        assert (await visit("/readyz"))[:2] == (503, "")
        assert json.loads((await visit("/readyz", headers={KEY: SECRET}))[1])["ok"] is False
        assert (await visit("/healthz"))[:2] == (200, "ok")


@pytest.mark.parametrize(
    ("path", "method", "status"),
    [("/", "GET", 404), ("/healthz", "POST", 404), ("/healthz/x", "GET", 404), ("/../etc/passwd", "GET", 404)],
)
async def test_there_is_nothing_else(path: str, method: str, status: int) -> None:
    async with listening(well()) as visit:
        assert (await visit(path, method))[:2] == (status, "")


async def test_a_route_that_was_added_gets_headers_and_body_and_says_the_status() -> None:
    heard: list[tuple[Mapping[str, str], bytes]] = []

    async def answer(headers: Mapping[str, str], body: bytes) -> int:
        heard.append((headers, body))
        return 200 if headers.get("x-telegram-bot-api-secret-token") == "right" else 403

    server = well()
    async with listening(server) as visit:
        server.add("/telegram", answer)

        assert (await visit("/telegram", "POST", body=b"{}"))[0] == 403
        assert (await visit("/telegram", "POST", body=b"{1}", headers={"X-Telegram-Bot-Api-Secret-Token": "right"}))[
            0
        ] == 200
        assert (await visit("/telegram", "GET"))[0] == 405
    assert [body for _, body in heard] == [b"{}", b"{1}"]


async def test_a_body_above_one_mebibyte_is_refused_unread() -> None:
    heard: list[int] = []

    async def answer(headers: Mapping[str, str], body: bytes) -> int:
        heard.append(len(body))
        return 200

    server = well()
    server.add("/telegram", answer)
    async with listening(server) as visit:
        assert (await visit("/telegram", "POST", body=b"x" * (BODY + 1)))[0] == 413
        assert (await visit("/telegram", "POST", body=b"x" * (2 * BODY)))[0] == 413
        assert (await visit("/telegram", "POST", body=b"x" * BODY))[0] == 200
    assert heard == [BODY]


async def test_what_could_not_be_kept_is_to_be_sent_again_and_its_text_is_not_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)

    async def answer(headers: Mapping[str, str], body: bytes) -> int:
        raise DiskTrouble("state/journal.jsonl", 28, "the disk is full")

    server = well()
    server.add("/telegram", answer)
    async with listening(server) as visit:
        assert (await visit("/telegram", "POST", body=b"my bakery"))[0] == 503
    assert "bakery" not in caplog.text
    assert "the disk is full" in caplog.text


async def test_a_lost_disk_ends_the_server() -> None:
    async def answer(headers: Mapping[str, str], body: bytes) -> int:
        raise DiskLost("flushing failed")

    server = well()
    server.add("/telegram", answer)

    async def call_and_wait() -> None:
        async with listening(server) as visit:
            await visit("/telegram", "POST")
            await asyncio.Event().wait()

    with pytest.raises(ExceptionGroup) as caught:
        await call_and_wait()
    assert caught.group_contains(DiskLost)


async def test_a_port_that_is_taken_is_said_with_its_variable() -> None:
    async with listening(well()) as visit:
        port = int(visit.base.rpartition(":")[2])

        with pytest.raises(SettingsError, match=rf"PORT: 127.0.0.1 port {port} cannot be listened on"):
            await well().serve("127.0.0.1", port)


def test_the_process_is_ready_while_any_platform_is_heard_of() -> None:
    clock = ManualClock()
    pulse = Pulse(clock)
    assert pulse.ready

    pulse.expect("telegram", "discord")
    assert not pulse.ready
    pulse.beat("discord")
    assert pulse.ready
    assert pulse.last == {"telegram": None, "discord": clock.now()}

    clock.shift(FRESH + 1)
    assert not pulse.ready
    pulse.beat("telegram")
    assert pulse.ready


def test_a_clock_that_is_set_does_not_make_a_platform_old() -> None:
    clock = ManualClock()
    pulse = Pulse(clock)
    pulse.expect("telegram")
    pulse.beat("telegram")

    clock.jump(86400)

    assert pulse.ready
