"""What the providers refuse: the rules of their protocols that a client can break."""

from __future__ import annotations

import json
from base64 import b64decode
from typing import TYPE_CHECKING, Any

from tests.doubles.model_shapes import SIGNATURE
from tests.doubles.responses_shape import responses_faults

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def fault_of(shape: str, body: dict[str, Any], keyed: bool) -> str:
    """Why the request is refused; "" when it is sound."""
    if not keyed:
        return "the key is wrong"
    said = "input" if shape == "responses" else "messages"
    if body.get("stream") is not True or not body.get("model") or not body.get(said):
        return f"stream, model and {said} are wanted"
    if shape == "responses":
        return next(responses_faults(body), "")
    return next(_anthropic(body) if shape == "anthropic" else _openai(shape, body), "")


def hearing_fault(keyed: bool, file: object, model: object) -> str:
    """Why a recording is refused; "" when the request is sound. The format is told by the name's ending alone."""
    if not keyed:
        return "the key is wrong"
    name = getattr(file, "filename", "")
    if not model or not name:
        return "model and file are wanted"
    endings = ("flac", "m4a", "mp3", "mp4", "mpeg", "mpga", "oga", "ogg", "wav", "webm")
    return "" if name.endswith(endings) else "the format is unknown"


def _openai(shape: str, body: dict[str, Any]) -> Iterator[str]:
    if "max_tokens" in body or "max_completion_tokens" in body:
        yield "the answer is capped"
    if body.get("stream_options") != {"include_usage": True}:
        yield "usage is not asked for"
    thinking = body.get("thinking", {}).get("type") if shape == "deepseek" else None
    if shape == "deepseek" and thinking not in {"enabled", "disabled"}:
        yield "thinking is neither on nor off"
    if thinking == "enabled" and isinstance(body.get("tool_choice"), dict):
        yield "thinking does not go with a forced tool"
    waiting: list[str] = []
    for message in body["messages"]:
        role = message.get("role")
        if role == "tool":
            if message.get("tool_call_id") not in waiting:
                yield "a tool message answers no call"
                return
            waiting.remove(message["tool_call_id"])
            continue
        if waiting:
            yield "a call is not answered"
        if role == "assistant":
            calls = message.get("tool_calls") or []
            if not message.get("content") and not calls:
                yield "an assistant message is empty"
            if thinking == "enabled" and not message.get("reasoning_content"):
                yield "reasoning_content must be passed back"
            if any(not _is_object(call["function"]["arguments"]) for call in calls):
                yield "arguments are no object"
            waiting = [call["id"] for call in calls]
        elif role not in {"system", "user"}:
            yield f"unknown role {role}"
        elif isinstance(message["content"], list):
            yield from _parts(message["content"], sees=shape == "openai" and role == "user")
    if waiting:
        yield "a call is not answered"


def _parts(parts: Sequence[dict[str, Any]], *, sees: bool) -> Iterator[str]:
    for part in parts:
        if part["type"] == "text" and not part["text"]:
            yield "text must not be empty"
        elif part["type"] == "image_url":
            head, _, data = part["image_url"]["url"].partition(";base64,")
            yield from _picture(head.removeprefix("data:"), data) if sees else ["pictures are not taken here"]
        elif part["type"] != "text":
            yield f"unknown part {part['type']}"


def _picture(media: str, data: str) -> Iterator[str]:
    """Both look at the bytes, and refuse a picture that is not of the kind that it is said to be."""
    begins = {"image/jpeg": b"\xff\xd8\xff", "image/png": b"\x89PNG", "image/gif": b"GIF8", "image/webp": b"RIFF"}
    raw = b64decode(data, validate=True)
    if media not in begins or not raw.startswith(begins[media]):
        yield "the picture is not of that kind"
    if len(data) > 5 << 20:
        yield "the picture is too large"


def _anthropic(body: dict[str, Any]) -> Iterator[str]:
    if not isinstance(body.get("max_tokens"), int) or body["max_tokens"] < 60_000:
        yield "max_tokens is missing or caps the answer"
    thinking = body.get("thinking", {})
    if thinking.get("type") == "enabled" and not 1024 <= thinking.get("budget_tokens", 0) < body["max_tokens"]:
        yield "the budget does not fit"
    on = thinking.get("type") in {"enabled", "adaptive"}
    if on and body.get("tool_choice", {}).get("type") in {"tool", "any"}:
        yield "thinking does not go with a forced tool"
    waiting: set[str] = set()
    role = "assistant"
    for message in body["messages"]:
        if message["role"] == role:
            yield "roles do not alternate"
        role, content = message["role"], message["content"]
        blocks = content if isinstance(content, list) else [{"type": "text", "text": content}]
        yield from _blocks(role, blocks, waiting, on)
    if role == "assistant":
        yield "the last message is the assistant's"


def _blocks(role: str, blocks: Sequence[dict[str, Any]], waiting: set[str], on: bool) -> Iterator[str]:
    if any(block["type"] == "text" and not block["text"] for block in blocks) or not blocks:
        yield "text must not be empty"
    for block in blocks:
        if block["type"] == "image":
            yield from _picture(block["source"]["media_type"], block["source"]["data"])
    if role == "user":
        if {block["tool_use_id"] for block in blocks if block["type"] == "tool_result"} != waiting:
            yield "results and calls differ"
        waiting.clear()
        return
    uses = [block for block in blocks if block["type"] == "tool_use"]
    if uses and on and blocks[0]["type"] != "thinking":
        yield "thinking must come before tool_use"
    if any(block["type"] == "thinking" and block.get("signature") != SIGNATURE for block in blocks):
        yield "the signature is not ours"
    waiting.update(block["id"] for block in uses)


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False
