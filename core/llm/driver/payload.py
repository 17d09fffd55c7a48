"""A conversation and its tools as OpenAI's protocol has them, with what single providers want beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from core.llm.driver.sight import blinded, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.llm.base import Message, ToolSpec
    from core.llm.driver.wire import Request


_SIGNED: Final = {"anthropic": "thinking_blocks", "openai": "reasoning_items"}
"""Where signed or sealed reasoning goes."""
OPENED: Final = "[The person opens the chat.]"


def conversation(request: Request, *, sees: bool = False) -> list[dict[str, Any]]:
    """The messages; pictures only for a model that `sees` them, another is told that there are some.

    An assistant's message without words or calls is left out: providers refuse it.
    """
    spoken = [message for message in request.messages if message.role != "assistant" or message.text or message.calls]
    raw = [_message(message if sees else blinded(message), request) for message in spoken]
    first = next((at for at, message in enumerate(spoken) if message.role != "system"), 0)
    if request.target.provider == "anthropic" and spoken[first:] and spoken[first].role == "assistant":
        raw.insert(first, {"role": "user", "content": OPENED})  # its talks begin with the user; ours with a briefing
    return raw


def offered(tools: Sequence[ToolSpec]) -> list[dict[str, Any]]:
    """The tools."""
    return [
        {
            "type": "function",
            "function": {"name": tool.name, "description": tool.description, "parameters": dict(tool.schema)},
        }
        for tool in tools
    ]


def _message(message: Message, request: Request) -> dict[str, Any]:
    provider = request.target.provider
    if message.role == "tool":
        return {"role": "tool", "tool_call_id": message.call_id, "name": message.name, "content": message.text}
    if message.role == "system" and provider == "anthropic":
        # the prefix is the same for a whole slice, so the provider may keep it (DESIGN 6)
        text = {"type": "text", "text": message.text, "cache_control": {"type": "ephemeral"}}
        return {"role": "system", "content": [text]}
    raw: dict[str, Any] = {"role": message.role, "content": shown(message) if message.images else message.text}
    if message.role == "assistant":
        raw |= _assistant(message, request)
    return raw


def _assistant(message: Message, request: Request) -> dict[str, Any]:
    raw: dict[str, Any] = {}
    if message.calls:
        raw["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in message.calls
        ]
    signed = _SIGNED.get(request.target.provider)
    if signed and request.thinking and message.calls:
        blocks = request.signed.get(message.calls[0].id)
        if blocks:
            raw[signed] = [dict(block) for block in blocks]
    if request.target.provider in {"deepseek", "moonshot"} and request.thinking:
        # both refuse a thinking request whose earlier answers come without their reasoning; a blank is enough
        raw["reasoning_content"] = message.reasoning or " "
    return raw
