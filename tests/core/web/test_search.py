"""Searching by a provider's own means, by DeepSeek's, by a SearXNG, or not at all (original.md 3.21, 276)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from aiohttp import web

from core.errors import Unavailable
from core.llm.base import Usage
from core.llm.providers import Access
from core.web.client import LateClient
from core.web.search import MessagesSearch, ResponsesSearch, Searches, SearxSearch, Source

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

KEY = "sk-search-0123456789"
CLIENT = LateClient()
MESSAGES = {
    "content": [
        {"type": "text", "text": "Let me look. "},
        {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "kiln"}},
        {
            "type": "web_search_tool_result",
            "tool_use_id": "s1",
            "content": [
                {
                    "type": "web_search_result",
                    "url": "https://kiln.test/a#x",
                    "title": "A  kiln",
                    "encrypted_content": "…",
                },
                {"type": "web_search_result", "url": "javascript:alert(1)", "title": "evil"},
                {"type": "web_search_result", "title": "no address"},
            ],
        },
        {
            "type": "text",
            "text": "It was built in 1921.",
            "citations": [
                {"type": "web_search_result_location", "url": "https://kiln.test/b", "cited_text": "in 1921"}
            ],
        },
    ],
    "usage": {"input_tokens": 900, "output_tokens": 40},
}
RESPONSES = {
    "output": [
        {"type": "web_search_call", "status": "completed"},
        {
            "type": "message",
            "content": [
                {
                    "type": "output_text",
                    "text": "It was built in 1921.",
                    "annotations": [{"type": "url_citation", "url": "https://kiln.test/b", "title": "B"}],
                }
            ],
        },
    ],
    "usage": {"input_tokens": 900, "output_tokens": 40},
}
SEARX = {"results": [{"url": "https://kiln.test/c", "title": "C", "content": "A kiln\nin Marvila"}, {"url": 5}, "odd"]}


class Service:
    """The services on loopback, strict about keys and requests."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, Any]] = []
        self.answer: object = {}
        self.status = 200
        self.base = ""
        self._runner: web.AppRunner | None = None

    async def start(self) -> None:
        app = web.Application()
        app.router.add_post("/{any:.*}", self._post)
        app.router.add_get("/search", self._get)
        self._runner = web.AppRunner(app)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.base = f"http://127.0.0.1:{self._runner.addresses[0][1]}"

    async def stop(self) -> None:
        if self._runner:
            await self._runner.cleanup()

    async def _post(self, request: web.Request) -> web.Response:
        body = await request.json()
        key = request.headers.get("x-api-key") or request.headers.get("authorization", "").removeprefix("Bearer ")
        assert key == KEY
        self.asked.append((request.path, body))
        return web.json_response(self.answer, status=self.status)

    async def _get(self, request: web.Request) -> web.Response:
        self.asked.append((request.path, dict(request.query)))
        return web.json_response(self.answer, status=self.status)


@pytest.fixture
async def service() -> AsyncIterator[Service]:
    made = Service()
    await made.start()
    yield made
    await made.stop()


async def test_anthropics_own_search_gives_an_answer_and_its_sources(service: Service) -> None:
    service.answer = MESSAGES

    found = await MessagesSearch(CLIENT, service.base, "claude-haiku-4-5", KEY).find(
        "When was the kiln built?", "2026-03-09"
    )

    ((path, body),) = service.asked
    assert path == "/v1/messages"
    assert body["tools"] == [{"type": "web_search_20250305", "name": "web_search", "max_uses": 3}]
    assert "2026-03-09" in body["messages"][0]["content"]
    assert found.answer == "Let me look. It was built in 1921."
    assert found.sources == (Source("https://kiln.test/a", "A kiln"), Source("https://kiln.test/b", "", "in 1921"))
    assert found.usage == Usage(900, 40)


async def test_openais_own_search_goes_through_responses(service: Service) -> None:
    service.answer = RESPONSES

    found = await ResponsesSearch(CLIENT, service.base, "gpt-5-mini", KEY).find("When?", "2026-03-09")

    assert service.asked[0][0] == "/responses"
    assert service.asked[0][1]["store"] is False
    assert (found.answer, found.sources) == ("It was built in 1921.", (Source("https://kiln.test/b", "B"),))


async def test_a_searxng_lists_pages(service: Service) -> None:
    service.answer = SEARX

    found = await SearxSearch(CLIENT, service.base).find("the kiln & more", "2026-03-09")

    assert service.asked == [("/search", {"q": "the kiln & more", "format": "json"})]
    assert (found.answer, found.sources) == ("", (Source("https://kiln.test/c", "C", "A kiln in Marvila"),))


@pytest.mark.parametrize("status", [401, 429, 500])
async def test_trouble_of_a_service_is_told_without_its_words(service: Service, status: int) -> None:
    service.answer, service.status = {"error": {"message": "raw words"}}, status

    with pytest.raises(Unavailable) as caught:
        await MessagesSearch(CLIENT, service.base, "m", KEY).find("x", "2026-03-09")

    assert "raw words" not in str(caught.value)


async def test_an_answer_that_says_nothing_is_no_answer(service: Service) -> None:
    for service.answer in ({"content": [], "usage": {}}, ["odd"], {"content": 5, "usage": {"input_tokens": -1}}):
        with pytest.raises(Unavailable):
            await MessagesSearch(CLIENT, service.base, "m", KEY).find("x", "2026-03-09")


async def test_a_service_that_is_not_there_is_unavailable() -> None:
    with pytest.raises(Unavailable):
        await SearxSearch(CLIENT, "http://127.0.0.1:9").find("x", "2026-03-09")


def test_the_way_to_search_follows_the_model_that_answers() -> None:
    def way(provider: str, searx: str = "", **keys: str) -> tuple[str, str] | None:
        found = Searches(CLIENT, Access(keys), searx).by(provider)
        return (type(found).__name__, getattr(found, "base", "")) if found else None

    assert way("anthropic", anthropic="k", deepseek="d") == ("MessagesSearch", "https://api.anthropic.com")
    assert way("openai", openai="k", deepseek="d") == ("ResponsesSearch", "https://api.openai.com/v1")
    assert way("groq", groq="k", deepseek="d", searx="http://s") == (
        "MessagesSearch",
        "https://api.deepseek.com/anthropic",
    )
    assert way("groq", groq="k", searx="http://s") == ("SearxSearch", "http://s")
    assert way("groq", groq="k") is None
    assert "k-secret" not in repr(Searches(CLIENT, Access({"anthropic": "k-secret"})).by("anthropic"))
