"""The same promises against somebody else's failing provider: `llmock` 0.2.2, which also judges the client."""

from __future__ import annotations

import asyncio
import sys
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.bot.living import Worker
from tests.bot.routed import Plan, routed
from tests.core.llm.test_catalog import Lists
from tests.emulators.test_aimock import free_port
from tests.matrix.run import CALM, EN, is_sentence

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from core.llm.litellm import LiteLLM

PROGRAM = Path(sys.executable).parent / "llmock"
FAULTS = {
    "no fault": (),
    "a stream that ends early": ("--stream-fault", "truncate=1"),
    "a stream that breaks": ("--stream-fault", "disconnect=1"),
    "a chunk that is no JSON": ("--stream-fault", "malformed=1"),
    "always throttled": ("--error-rate", "429=1"),
    "always broken": ("--error-rate", "500=1"),
    "always unavailable": ("--error-rate", "503=1"),
    "a small context": ("--context-window", "50"),
}
EVERY_TIME = {"no fault", "a stream that ends early"}
CASES = [pytest.param(name, marks=() if name in EVERY_TIME else pytest.mark.long, id=name) for name in FAULTS]


@asynccontextmanager
async def llmock(*faults: str) -> AsyncIterator[str]:
    """Its address, once it listens."""
    port, quiet = free_port(), asyncio.subprocess.DEVNULL
    given = ("serve", "--port", str(port), "--host", "127.0.0.1", "--response-style", "echo", "--tool-mode", "off")
    process = await asyncio.create_subprocess_exec(str(PROGRAM), *given, *faults, stdout=quiet, stderr=quiet)
    try:
        async with asyncio.timeout(30):
            while True:
                with suppress(OSError):
                    _, writer = await asyncio.open_connection("127.0.0.1", port)
                    writer.close()
                    break
                await asyncio.sleep(0.05)  # noqa: TID251 - another process is waited for
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.terminate()
        await process.wait()


@pytest.mark.parametrize("name", CASES)
async def test_a_failing_provider_of_somebody_else_costs_no_word(name: str, wire: LiteLLM) -> None:
    async with llmock(*FAULTS[name]) as address:
        lists = Lists({"openai": ["gpt-5-mini"]})
        plan = Plan({"openai": "k"}, {"openai": address}, lists, patience=CALM, worker=Worker())
        async with routed(wire, plan) as home:
            first = await home.ask("What colour is the flute?")
            second = await home.ask("And what now?", 60)
            said = [text for role, text in home.texts() if role == "user"]
            stored = [text for role, text in home.texts() if role == "agent"]

    assert said == ["What colour is the flute?", "And what now?"]
    for shown in (first, second):
        assert "Traceback" not in shown
        assert shown.strip()
    if name == "no fault":
        assert first.startswith("Hello! You said")
        assert len(stored) == 2
    else:
        told = (EN("offline.down")[:30], EN("offline.down.kept")[:30], EN("turn.broken"))
        assert is_sentence(first) or any(part in first for part in told)
