"""How much later the first token comes through the driver than on the raw stream, over loopback."""

from __future__ import annotations

import asyncio
import statistics
import time
from typing import TYPE_CHECKING

import httpx

from core.clock import SystemClock
from core.llm.base import Message
from core.llm.driver.model import DrivenModel
from core.llm.driver.wire import Target
from core.llm.litellm import LiteLLM
from tests.bench.figure import Figure, ms
from tests.doubles.model_server import KEY, ModelServer, Say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from core.llm.base import ModelEvent
    from tests.bench.archive import Grounds

ROUNDS = 60
MODEL = "gpt-5-mini"
ASKED = [Message("system", "You are kind. " * 500), Message("user", "Hello?")]


def figures(_: Grounds) -> Iterator[Figure]:
    raw, driven = asyncio.run(measure())
    for name, at in (("p50", 9), ("p95", 18)):
        before, after = (statistics.quantiles(values, n=20)[at] for values in (raw, driven))
        yield Figure(f"first token of the raw stream, {name}", ms(before), before)
        yield Figure(f"first token through the driver, {name}", ms(after), after)
        yield Figure(f"first token, overhead of the driver, {name}", ms(after - before), after - before)


async def measure(rounds: int = ROUNDS) -> tuple[list[float], list[float]]:
    """Seconds to the first token of the raw stream and through the driver."""
    server = ModelServer([Say(["Hello", " you", " there."])])
    await server.start()
    wire = LiteLLM()
    model = DrivenModel(wire, Target("openai", MODEL, KEY, server.base("openai")), SystemClock())
    async with httpx.AsyncClient() as client:
        for _ in range(3):
            await _raw(client, server)
            await _driven(model)
        raw = [await _raw(client, server) for _ in range(rounds)]
        driven = [await _driven(model) for _ in range(rounds)]
    wire.close()
    await server.stop()
    return raw, driven


async def _raw(client: httpx.AsyncClient, server: ModelServer) -> float:
    body = {
        "model": MODEL,
        "stream": True,
        "stream_options": {"include_usage": True},
        "messages": [{"role": message.role, "content": message.text} for message in ASKED],
    }
    headers = {"authorization": f"Bearer {KEY}"}
    begun = time.perf_counter()
    async with client.stream("POST", f"{server.base('openai')}/chat/completions", json=body, headers=headers) as answer:
        async for line in answer.aiter_lines():
            if "Hello" in line:
                return time.perf_counter() - begun
    raise AssertionError("no token came")


async def _driven(model: DrivenModel) -> float:
    begun = time.perf_counter()
    first: list[float] = []

    async def hear(event: ModelEvent) -> None:
        if not first:
            first.append(time.perf_counter() - begun)

    await model.complete(ASKED, (), hear)
    return first[0]
