"""Called instead of asking: only with the secret, answered 200 once it is kept, else Telegram comes again."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest
from aiohttp import ClientSession, web

from adapters.telegram.client import Webhook
from core.errors import SettingsError, StorageError
from tests.adapters.telegram.stand import Kept, Named, adapter, standing
from tests.adapters.telegram.waiting import until
from tests.doubles.quick_clock import QuickClock
from tests.doubles.telegram.refusals import bad
from tests.doubles.telegram.server import TelegramServer
from tests.doubles.telegram.world import Fault, TelegramWorld

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Mapping

PUBLIC = "https://bot.example.org"
SECRET = "s3cret-s3cret"


class Listening:
    """The server of the process, as the port has it: `StorageError` is 503."""

    def __init__(self) -> None:
        self.port = 0
        self._answers: dict[str, Callable[[Mapping[str, str], bytes], Awaitable[int]]] = {}

    def add(self, path: str, answer: Callable[[Mapping[str, str], bytes], Awaitable[int]]) -> None:
        self._answers[path] = answer

    @asynccontextmanager
    async def running(self) -> AsyncIterator[str]:
        app = web.Application()
        app.router.add_post("/{path:.*}", self._call)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        try:
            yield f"http://127.0.0.1:{runner.addresses[0][1]}"
        finally:
            await runner.cleanup()

    async def _call(self, request: web.Request) -> web.Response:
        answer = self._answers[f"/{request.match_info['path']}"]
        headers = {name.lower(): value for name, value in request.headers.items()}
        try:
            return web.Response(status=await answer(headers, await request.read()))
        except StorageError:
            return web.Response(status=503)


async def test_updates_come_by_call_in_order_and_again_until_they_are_kept() -> None:
    listening = Listening()
    async with listening.running() as real, standing(webhook=Webhook(PUBLIC, listening, SECRET)) as stand:
        stand.server.proxy[PUBLIC] = real
        await until(lambda: stand.world.hook)
        assert stand.world.hook
        assert stand.world.hook.url == f"{PUBLIC}/telegram"
        stand.inbox.refusals = 2
        for text in ("one", "two", "three"):
            stand.mara.say(text)
        assert [one.text for one in await stand.kept(3)] == ["one", "two", "three"]
        await stand.quiet()
        assert stand.server.pushed == [503, 503, 200, 200, 200]
        assert "getUpdates" not in stand.server.calls


@pytest.mark.parametrize(
    "headers", [{}, {"X-Telegram-Bot-Api-Secret-Token": "wrong"}, {"X-Telegram-Bot-Api-Secret-Token": "é"}]
)
async def test_a_call_without_the_secret_is_refused_and_leaves_nothing(
    headers: dict[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    listening = Listening()
    async with listening.running() as real, standing(webhook=Webhook(PUBLIC, listening, SECRET)) as stand:
        await until(lambda: stand.world.hook)
        async with ClientSession() as session:
            update = {"update_id": 1, "message": {"text": "forged"}}
            async with session.post(f"{real}/telegram", json=update, headers=headers) as answer:
                assert answer.status == 403
            right = {"X-Telegram-Bot-Api-Secret-Token": SECRET}
            for body, status in ((b"{", 400), (b"[]", 400), (b'{"update_id": 2}', 200)):
                async with session.post(f"{real}/telegram", data=body, headers=right) as answer:
                    assert answer.status == status
        assert not stand.inbox.messages
        assert "wrong" not in caplog.text


async def test_before_it_is_served_telegram_is_told_to_come_again() -> None:
    listening = Listening()
    async with listening.running() as real, standing(serve=False, webhook=Webhook(PUBLIC, listening, SECRET)) as stand:
        right = {"X-Telegram-Bot-Api-Secret-Token": SECRET}
        async with ClientSession() as session, session.post(f"{real}/telegram", data=b"{}", headers=right) as answer:
            assert answer.status == 503
        await stand.telegram.api.close()


async def test_an_address_that_telegram_refuses_is_told_to_the_operator() -> None:
    clock = QuickClock()
    world = TelegramWorld(clock)
    async with TelegramServer(world).running() as server:
        world.fault("setWebhook", Fault(refuse=bad("bad webhook: IP address 10.0.0.1 is reserved")))
        telegram = adapter(server, Named(), clock, lambda: None, webhook=Webhook(PUBLIC, Listening()))
        with pytest.raises(SettingsError, match="WEBHOOK_URL"):
            await telegram.serve(Kept())


async def test_polling_again_forgets_the_address_and_loses_nothing() -> None:
    listening = Listening()
    world = TelegramWorld(QuickClock())
    async with listening.running():
        async with standing(world=world, webhook=Webhook(PUBLIC, listening, SECRET)) as stand:
            await until(lambda: stand.world.hook)
            stand.mara.say("said while nobody could be called")
        async with standing(world=world) as stand:
            assert [one.text for one in await stand.kept(1)] == ["said while nobody could be called"]
            assert world.hook is None
