"""A conversation in each provider's documented shape, in the real process: reasoning, recall, reads, a cited answer.

The process is the terminal's, its clients are the unmodified libraries, the provider is a strict double on loopback.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from core.slices.codec import decode, encode
from core.slices.model import Slice, Turn, core_path
from tests.bot.test_app import ROOT, command, environment
from tests.doubles.model_server import KEY, ModelServer, Say

if TYPE_CHECKING:
    from pathlib import Path

    from aiohttp import web

    from tests.doubles.model_server import Shape

LIMIT = 90.0
SHAPES: dict[Shape, tuple[str, str]] = {
    "openai": ("OPENAI_API_KEY", "gpt-5-mini"),
    "responses": ("OPENAI_API_KEY", "gpt-5.4"),
    "anthropic": ("ANTHROPIC_API_KEY", "claude-haiku-4-5"),
    "deepseek": ("DEEPSEEK_API_KEY", "deepseek-v4-pro"),
}
PROVIDERS: dict[Shape, str] = {"responses": "openai"}
"""Whose shape it is, where it is not that of the provider of the same name."""
TALKS = {
    "2026-03-01-0900": ("The flute", "The flute is made of pear wood, by Joana."),
    "2026-03-04-1830": ("The flute's price", "Joana wants 900 for the flute."),
}
INSIDE = {
    "notice_turn": {"memory_worthy": True},
    "mark_slice": {"focus": "A talk", "summary": "Of things.", "tags": ["talk"], "tone": "neutral"},
    "recallReport": {
        "hits": [{"slice_id": one, "relevance": 0.9, "reason": "the flute"} for one in TALKS],
        "confidence": 0.9,
        "reasoning": "both name it",
    },
}
"""What is answered where the talk itself does not ask."""
ANSWER = "Pear wood, and Joana asks 900 (2026-03-01-0900; 2026-03-04-1830)."


@dataclass
class Scripted(ModelServer):
    """Recalls, reads both talks, answers; everything inside is served quietly."""

    async def answered(self, shape: Shape, request: web.Request, body: dict[str, Any]) -> web.StreamResponse:
        return await self.play(shape, request, body["model"], said_to(body))


def said_to(body: dict[str, Any]) -> Say:
    """What is said next, by the tools on offer and the results so far."""
    names = {tool.get("name") or tool["function"]["name"] for tool in body.get("tools", [])}
    if "readSlice" not in names:
        name = next((name for name in INSIDE if name in names), "finish")
        return Say(calls=[(name, json.dumps(INSIDE.get(name, {"summary": ""})))])
    text = json.dumps((body.get("messages") or body["input"])[-8:], ensure_ascii=False)
    if "pear wood" in text and "900 for" in text:
        return Say(["Pear wood, ", ANSWER.removeprefix("Pear wood, ")], reasoning="Both say so.", cached=60)
    if "found_by" in text:
        reads = [("readSlice", json.dumps({"sliceId": one})) for one in TALKS]
        return Say(reasoning="I open both.", calls=reads)
    return Say(reasoning="That was earlier.", calls=[("recall", json.dumps({"query": "the flute"}))])


def remembered(home: Path) -> None:
    """Two talks of earlier days."""
    for name, (focus, said) in TALKS.items():
        at = f"{name[:10]}T{name[11:13]}:{name[13:]}:00.000Z"
        piece = Slice(name, "closed", at, at, focus=focus, turns=(Turn("abcdef", at, "user", said),))
        file = home / core_path(name)
        file.parent.mkdir(parents=True)
        file.write_text(encode(piece), encoding="utf-8")


def written(home: Path) -> Path:
    """The file of the one talk that was not there before."""
    (file,) = [path for path in sorted(home.rglob("core.md")) if "2026/03/0" not in path.as_posix()]
    return file


@pytest.mark.parametrize("shape", SHAPES)
async def test_a_question_about_the_past_is_recalled_read_and_answered_with_its_sources(
    tmp_path: Path, shape: Shape
) -> None:
    remembered(tmp_path)
    key, model = SHAPES[shape]
    server = Scripted(models={shape: [model]})
    await server.start()
    names = {key: KEY, "PREVIOUSLY_API_BASE": f"{PROVIDERS.get(shape, shape)}={server.base(shape)}"}
    try:
        process = await asyncio.create_subprocess_exec(
            *command("--home", str(tmp_path)), stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE, cwd=ROOT, env=environment(**names),
        )  # fmt: skip
        async with asyncio.timeout(LIMIT):
            out, errors = await process.communicate(b"What do we know of the flute?\n/why\n/model\n")
    finally:
        await server.stop()

    shown = out.decode()
    assert (process.returncode, errors.decode()) == (0, "")
    assert server.refused == []
    assert ANSWER in " ".join(shown.split())
    why = shown.partition("Why I said that")[2]
    assert f"Model: {model}" in why.replace("`", "")
    assert "2026-03-01-0900" in why
    assert "2026-03-04-1830" in why
    assert "Tokens:" in why
    file = written(tmp_path)
    talk = decode(file.read_bytes(), file.name)
    assert [(turn.role, turn.text) for turn in talk.turns] == [
        ("user", "What do we know of the flute?"),
        ("agent", ANSWER),
    ]
    log = (file.parent / "agent.md").read_text(encoding="utf-8")
    assert all(thought in log for thought in ("That was earlier.", "I open both.", "Both say so."))
    assert log.count("- `readSlice`(") == 2
    assert "- read: 2026-03-01-0900, 2026-03-04-1830" in log
