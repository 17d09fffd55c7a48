"""The events of an answer as OpenAI's Responses protocol streams them, and the rules of its requests."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tests.doubles.model_server import Say

SEALED: Final = "c2VhbGVkIGJ5IHRoZSBkb3VibGU="
_ENDLESS: Final = {"cut", "stall", "unfinished"}
_KNOWN: Final = {
    "model", "input", "instructions", "tools", "tool_choice", "parallel_tool_calls", "reasoning", "stream", "store",
    "include", "text", "metadata", "temperature", "top_p", "truncation", "previous_response_id", "user",
    "prompt_cache_key", "max_output_tokens", "service_tier",
}  # fmt: skip
_EFFORTS: Final = {"none", "low", "medium", "high", "xhigh"}


@dataclass
class _Stream:
    """Counts the events and keeps what was put out, for the last event repeats all of it."""

    model: str
    number: int = 0
    output: list[dict[str, Any]] = field(default_factory=list)

    def event(self, kind: str, **more: object) -> bytes:
        raw = json.dumps({"type": kind, "sequence_number": self.number, **more})
        self.number += 1
        return f"event: {kind}\ndata: {raw}\n\n".encode()

    def response(self, status: str, **more: object) -> dict[str, object]:
        raw = {"id": "resp_1", "object": "response", "created_at": 1, "model": self.model, "status": status}
        return {**raw, "output": self.output, "error": None, "incomplete_details": None, "usage": None, **more}

    def reasoning(self, text: str) -> Iterator[bytes]:
        at, name = len(self.output), f"rs_{len(self.output)}"
        item: dict[str, Any] = {"id": name, "type": "reasoning", "summary": [], "encrypted_content": SEALED}
        place = {"item_id": name, "output_index": at, "summary_index": 0}
        part = {"type": "summary_text", "text": text}
        yield self.event("response.output_item.added", output_index=at, item=item)
        yield self.event("response.reasoning_summary_part.added", **place, part={**part, "text": ""})
        for piece in halves(text):
            yield self.event("response.reasoning_summary_text.delta", **place, delta=piece)
        yield self.event("response.reasoning_summary_text.done", **place, text=text)
        yield self.event("response.reasoning_summary_part.done", **place, part=part)
        self.output.append({**item, "summary": [part]})
        yield self.event("response.output_item.done", output_index=at, item=self.output[at])

    def message(self, say: Say) -> Iterator[bytes]:
        at, name = len(self.output), f"msg_{len(self.output)}"
        item = {"id": name, "type": "message", "role": "assistant", "status": "in_progress", "content": []}
        place = {"item_id": name, "output_index": at, "content_index": 0}
        kind, held, noun = ("refusal", "refusal", "refusal") if say.refuses else ("output_text", "text", "output_text")
        part = {"type": kind, held: "", **({} if say.refuses else {"annotations": []})}
        yield self.event("response.output_item.added", output_index=at, item=item)
        yield self.event("response.content_part.added", **place, part=part)
        for piece in say.parts:
            yield self.event(f"response.{noun}.delta", **place, delta=piece)
        if say.act in _ENDLESS | {"error", "event"}:
            return
        if say.act == "corrupt":
            yield b"event: response.output_text.delta\ndata: {broken json\n\n"
        whole = {**part, held: "".join(say.parts) + ("lost" if say.act == "corrupt" else "")}
        yield self.event(f"response.{noun}.done", **place, **{held: whole[held]})
        yield self.event("response.content_part.done", **place, part=whole)
        self.output.append({**item, "status": "completed", "content": [whole]})
        yield self.event("response.output_item.done", output_index=at, item=self.output[at])

    def call(self, number: int, name: str, arguments: str, *, ends: bool) -> Iterator[bytes]:
        at, item_id = len(self.output), f"fc_{len(self.output)}"
        item = {"id": item_id, "type": "function_call", "call_id": f"call_{number}", "name": name}
        place = {"item_id": item_id, "output_index": at}
        begun = {**item, "arguments": "", "status": "in_progress"}
        yield self.event("response.output_item.added", output_index=at, item=begun)
        for piece in halves(arguments):
            yield self.event("response.function_call_arguments.delta", **place, delta=piece)
        if not ends:
            return
        yield self.event("response.function_call_arguments.done", **place, name=name, arguments=arguments)
        self.output.append({**item, "arguments": arguments, "status": "completed"})
        yield self.event("response.output_item.done", output_index=at, item=self.output[at])


def responses_events(model: str, say: Say) -> Iterator[bytes]:
    """Events of a response; there is no `[DONE]`."""
    stream = _Stream(model)
    yield stream.event("response.created", response=stream.response("in_progress"))
    yield stream.event("response.in_progress", response=stream.response("in_progress"))
    if say.act == "trickle":
        return
    if say.reasoning:
        yield from stream.reasoning(say.reasoning)
    if any(say.parts):
        yield from stream.message(say)
    for number, (name, arguments) in enumerate(say.calls):
        yield from stream.call(number, name, arguments, ends=say.act not in _ENDLESS)
    if say.act in _ENDLESS:
        return
    if say.act == "invalid":
        yield (
            b'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","sequence_number":99,'
            b'"item_id":"msg_0","output_index":0,"content_index":0,"delta":"\xff\xfe ok"}\n\n'
        )
    if say.act == "error":
        error = {"code": "server_error", "message": "raw words of the provider"}
        yield stream.event("response.failed", response=stream.response("failed", error=error))
        return
    if say.act == "event":
        yield stream.event("error", code="server_error", message="raw words of the provider", param=None)
        return
    if say.act != "nothing":
        yield _ended(stream, say)


def _ended(stream: _Stream, say: Say) -> bytes:
    usage = None
    if say.usage:
        usage = {
            "input_tokens": say.usage[0],
            "input_tokens_details": {"cached_tokens": say.cached},
            "output_tokens": say.usage[1],
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": 0,
        }
    reason = {"length": "max_output_tokens", "content_filter": "content_filter"}.get(say.finish)
    if reason is None:
        return stream.event("response.completed", response=stream.response("completed", usage=usage))
    details = {"reason": reason}
    response = stream.response("incomplete", incomplete_details=details, usage=usage)
    return stream.event("response.incomplete", response=response)


def responses_faults(body: Mapping[str, Any]) -> Iterator[str]:
    """Why OpenAI refuses a request, or why it is not one that we should send."""
    for name in sorted(body.keys() - _KNOWN):
        yield f"unknown parameter {name}"
    if "max_output_tokens" in body:
        yield "the answer is capped"
    if body.get("store") is not False:
        yield "the provider is not told to keep nothing"
    if body.get("reasoning", {}).get("effort") not in _EFFORTS:
        yield "the effort is none that the model knows"
    if not isinstance(body["input"], list):
        yield "input is no list"
        return
    for tool in body.get("tools", []):
        if tool.get("type") != "function" or not tool.get("name") or "function" in tool:
            yield "a tool is not in this protocol's shape"
    yield from _items(body["input"])


def _items(items: list[dict[str, Any]]) -> Iterator[str]:
    waiting: set[str] = set()
    thought = False
    for item in items:
        kind = item.get("type", "message")
        if thought and (kind == "reasoning" or item.get("role", "assistant") != "assistant"):
            yield "reasoning came without the item that must follow it"
        thought = kind == "reasoning"
        if kind == "function_call_output":
            if item["call_id"] not in waiting:
                yield "no tool call found for a function call output"
            waiting.discard(item["call_id"])
        elif kind == "function_call":
            waiting.add(item["call_id"])
            if not _is_object(item["arguments"]):
                yield "arguments are no object"
        elif kind == "reasoning":
            if item.get("encrypted_content") != SEALED or "summary" not in item:
                yield "the encrypted content could not be verified"
        elif kind == "message":
            yield from _message(item, waiting)
        else:
            yield f"unknown item {kind}"
    if waiting:
        yield "no tool output found for a function call"


def _message(item: dict[str, Any], waiting: set[str]) -> Iterator[str]:
    role, content = item.get("role"), item.get("content")
    if role not in {"system", "developer", "user", "assistant"}:
        yield f"unknown role {role}"
    if waiting and role != "assistant":
        yield "no tool output found for a function call"
    wanted = {"output_text", "refusal"} if role == "assistant" else {"input_text", "input_image"}
    if not content or (isinstance(content, list) and any(part.get("type") not in wanted for part in content)):
        yield f"content of {role} is of the wrong kind"


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False


def halves(text: str) -> list[str]:
    """The text in two pieces; fewer where there is nothing."""
    middle = len(text) // 2
    return [piece for piece in (text[:middle], text[middle:]) if piece]
