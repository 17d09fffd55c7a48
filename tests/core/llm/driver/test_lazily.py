from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from core.llm.driver.wire import Trouble
from core.llm.listing import HttpLister
from tests.tree import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from tests.doubles.model_server import ModelServer

HEAVY = ("litellm", "openai", "httpx", "aiohttp", "boto3", "tiktoken")
WATCHED = """
import asyncio, json, os, sys
sys.path.insert(0, sys.argv[1])
seen = []
def audit(event, given):
    if event in {"socket.connect", "socket.getaddrinfo"}:
        seen.append(f"{event} {given[-1] if event == 'socket.connect' else given[0]}")
    if event == "open" and isinstance(given[0], str) and os.path.basename(given[0]) == ".env":
        seen.append(f"open {given[0]}")
sys.addaudithook(audit)
from core.llm.litellm import LiteLLM
wire = LiteLLM()
asyncio.run(wire.warm())
wire.close()
print(json.dumps({"seen": seen, "loaded": "litellm" in sys.modules}))
"""


def run(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *words],
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=200,
        cwd=cwd,
        env={"PATH": "/usr/bin:/bin", "OPENAI_API_KEY": "sk-x", "HOME": str(cwd)},
    )


@pytest.mark.parametrize("module", ["bot.app", "bot.models", "core.llm.models", "core.llm.litellm"])
def test_importing_the_app_loads_no_client_of_models(module: str) -> None:
    code = f"import {module}, sys; print([name for name in {HEAVY} if name in sys.modules])"

    done = run("-c", code, cwd=ROOT)

    assert done.stdout == "[]\n", done.stderr


def test_help_loads_no_client_of_models() -> None:
    done = run("-X", "importtime", "-m", "bot", "--help", cwd=ROOT)

    loaded = {line.rsplit("|", 1)[-1].strip() for line in done.stderr.splitlines()}
    assert done.returncode == 0
    assert loaded.isdisjoint(HEAVY)


def test_the_library_is_loaded_without_a_network_and_without_reading_a_dotenv(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("OPENAI_API_BASE=http://127.0.0.1:1\n", encoding="utf-8")

    done = run("-c", WATCHED, str(ROOT), cwd=tmp_path)

    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {"seen": [], "loaded": True}
    assert done.stderr == ""


async def test_lists_are_fetched_with_the_key_in_the_providers_own_header(server: ModelServer) -> None:
    server.models = {"openai": ["gpt-5-mini", "gpt-5.4"], "anthropic": ["claude-haiku-4-5"]}
    lister = HttpLister(20.0)

    found = await lister.ids("openai", f"{server.base('openai')}/models", "k1")
    other = await lister.ids("anthropic", f"{server.base('anthropic')}/v1/models", "k2")
    lister.close()

    assert (list(found), list(other)) == (["gpt-5-mini", "gpt-5.4"], ["claude-haiku-4-5"])
    assert server.listed == ["openai k1", "anthropic k2"]


@pytest.mark.parametrize("path", ["openai/v1/models", "nothing/here", "openai/v1/chat/completions"])
async def test_a_list_that_cannot_be_had_is_trouble(server: ModelServer, path: str) -> None:
    lister = HttpLister(20.0)

    with pytest.raises(Trouble):
        await lister.ids("openai", f"http://127.0.0.1:{server.port}/{path}", "k")
    lister.close()


async def test_an_empty_list_and_a_dead_address_are_trouble(server: ModelServer) -> None:
    server.models = {"openai": []}
    lister = HttpLister(20.0)

    for address in (f"{server.base('openai')}/models", "http://127.0.0.1:1/models"):
        with pytest.raises(Trouble):
            await lister.ids("openai", address, "")
    lister.close()
