"""The events of an answer as OpenAI's and Anthropic's protocols stream them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.doubles.responses_shape import halves

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.doubles.model_server import Say

SIGNATURE = "c2lnbmVkIGJ5IHRoZSBkb3VibGU="


def openai_events(model: str, say: Say) -> Iterator[bytes]:
    """Chunks of a chat completion; DeepSeek's differ by `reasoning_content` alone."""

    def chunk(delta: dict[str, Any], finish: str | None = None, **more: object) -> bytes:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        raw = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": model, "choices": [choice], **more}
        return f"data: {json.dumps(raw)}\n\n".encode()

    yield chunk({"role": "assistant", "content": ""})
    if say.act == "trickle":
        return
    if say.reasoning:
        yield chunk({"reasoning_content": say.reasoning})
    for part in say.parts:
        yield chunk({"content": part})
    for at, (name, arguments) in enumerate(say.calls):
        begun = {"index": at, "id": f"call_{at}", "type": "function", "function": {"name": name, "arguments": ""}}
        yield chunk({"tool_calls": [begun]})
        for piece in halves(arguments):
            yield chunk({"tool_calls": [{"index": at, "function": {"arguments": piece}}]})
    if say.act in {"cut", "stall", "unfinished"}:
        return
    if say.act == "corrupt":
        yield b"data: {broken json\n\n"
    if say.act == "invalid":
        yield b'data: {"id":"c1","choices":[{"index":0,"delta":{"content":"\xff\xfe ok"},"finish_reason":null}]}\n\n'
    if say.act == "error":
        yield b'data: {"error":{"message":"raw words of the provider","type":"server_error","code":"503"}}\n\n'
        return
    if say.act != "nothing":
        yield chunk({}, say.finish or ("tool_calls" if say.calls else "stop"))
    if say.usage:
        details = {"prompt_tokens_details": {"cached_tokens": say.cached}}
        counted = {"prompt_tokens": say.usage[0], "completion_tokens": say.usage[1], "total_tokens": 0, **details}
        raw = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": model, "choices": []}
        yield f"data: {json.dumps({**raw, 'usage': counted})}\n\n".encode()
    yield b"data: [DONE]\n\n"


def anthropic_events(model: str, say: Say) -> Iterator[bytes]:
    """Events of a message."""

    def event(kind: str, **more: object) -> bytes:
        return f"event: {kind}\ndata: {json.dumps({'type': kind, **more})}\n\n".encode()

    def block(at: int, kind: dict[str, Any], deltas: list[dict[str, Any]]) -> Iterator[bytes]:
        yield event("content_block_start", index=at, content_block=kind)
        for delta in deltas:
            yield event("content_block_delta", index=at, delta=delta)
        if say.act not in {"cut", "stall", "unfinished", "error"}:
            yield event("content_block_stop", index=at)

    usage = {
        "input_tokens": say.usage[0] if say.usage else 0,
        "output_tokens": 1,
        "cache_read_input_tokens": say.cached,
    }
    message = {"id": "m1", "type": "message", "role": "assistant", "content": [], "model": model, "usage": usage}
    yield event("message_start", message={**message, "stop_reason": None, "stop_sequence": None})
    if say.act == "trickle":
        return
    at = 0
    if say.reasoning:
        thinking = {"type": "thinking_delta", "thinking": say.reasoning}
        signed = {"type": "signature_delta", "signature": SIGNATURE}
        yield from block(at, {"type": "thinking", "thinking": "", "signature": ""}, [thinking, signed])
        at += 1
    if any(say.parts):
        yield from block(at, {"type": "text", "text": ""}, [{"type": "text_delta", "text": part} for part in say.parts])
        at += 1
    for n, (name, arguments) in enumerate(say.calls):
        pieces = [{"type": "input_json_delta", "partial_json": piece} for piece in halves(arguments)]
        yield from block(at, {"type": "tool_use", "id": f"toolu_{n}", "name": name, "input": {}}, pieces)
        at += 1
    if say.act in {"cut", "stall", "unfinished"}:
        return
    if say.act == "corrupt":
        yield b"event: content_block_delta\ndata: {broken json\n\n"
    if say.act == "error":
        yield event("error", error={"type": "overloaded_error", "message": "raw words of the provider"})
        return
    ends = {"length": "max_tokens", "content_filter": "refusal", "": "tool_use" if say.calls else "end_turn"}
    counted = {"output_tokens": say.usage[1] if say.usage else 0}
    if say.act != "nothing":
        yield event("message_delta", delta={"stop_reason": ends[say.finish], "stop_sequence": None}, usage=counted)
    yield event("message_stop")
