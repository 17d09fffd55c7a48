"""What a chunk of litellm's stream says, as a value of ours; everything in it may be missing or of another kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from core.llm.base import Usage
from core.llm.driver.wire import CallPart, Chunk, Trouble

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from core.llm.driver.wire import End

_ENDS: Final[Mapping[str, End]] = {
    "stop": "stop",
    "length": "length",
    "tool_calls": "tools",
    "function_call": "tools",
    "content_filter": "filtered",
}
_MOST_TOKENS: Final = 100_000_000
"""More than this is no count of tokens."""


class Reader:
    """Reads the chunks of one stream, whose signed blocks come in pieces."""

    def __init__(self, price: Callable[[Usage], Usage]) -> None:
        self._price = price
        self._blocks: dict[int, dict[str, Any]] = {}
        self._told = 0

    def read(self, raw: object) -> Chunk | None:
        """What the chunk says; None for nothing. Raises `Trouble` when the end tells of more text than came."""
        choices = getattr(raw, "choices", None) or []
        usage = self._usage(getattr(raw, "usage", None))
        if not choices:
            return Chunk(usage=usage) if usage else None
        delta = getattr(choices[0], "delta", None)
        self._sign(getattr(delta, "thinking_blocks", None) or [])
        self._seal(getattr(delta, "reasoning_items", None) or [])
        self._told += len(_text(getattr(delta, "content", None)))
        self._check(getattr(delta, "provider_specific_fields", None))
        end = getattr(choices[0], "finish_reason", None)
        chunk = Chunk(
            text=_text(getattr(delta, "content", None)),
            reasoning=_text(getattr(delta, "reasoning_content", None)),
            calls=tuple(_calls(getattr(delta, "tool_calls", None) or [])),
            end=_ENDS.get(str(end), "stop") if end else "",
            usage=usage,
            signed=tuple(self._blocks.values()) if end else (),
        )
        return chunk if chunk.says_something or usage else None

    def _usage(self, raw: object) -> Usage | None:
        if raw is None:
            return None
        details = getattr(raw, "prompt_tokens_details", None)
        prompt = _count(getattr(raw, "prompt_tokens", 0))
        cached = min(prompt, _count(getattr(details, "cached_tokens", 0)))
        return self._price(Usage(prompt, _count(getattr(raw, "completion_tokens", 0)), cached))

    def _seal(self, items: Iterable[Any]) -> None:
        """Keep sealed reasoning of OpenAI's Responses protocol, which comes whole and at the end."""
        for item in items:
            if isinstance(item, dict) and item.get("encrypted_content"):
                self._blocks[len(self._blocks)] = {key: value for key, value in item.items() if value is not None}

    def _check(self, fields: Any) -> None:
        """In that protocol the library passes over chunks that are no JSON; its record of the whole shows the gap."""
        replay = fields.get("openai_responses_replay") if isinstance(fields, dict) else None
        if isinstance(replay, dict):
            items = [item for item in replay.get("items", []) if item.get("type") == "message"]
            if sum(sum(item.get("parts", [])) for item in items) != self._told:
                raise Trouble("transport")

    def _sign(self, pieces: Iterable[Any]) -> None:
        """Put pieces of a block together: its text grows, its signature comes last."""
        for piece in pieces:
            if not isinstance(piece, dict):
                continue
            place = piece.get("index")
            block = self._blocks.setdefault(place if isinstance(place, int) else len(self._blocks), {})
            grown = block.get("thinking", "") + _text(piece.get("thinking"))
            block.update({key: value for key, value in piece.items() if key != "index" and value})
            if block.get("type") == "thinking":
                block["thinking"] = grown


def _calls(raw: Iterable[object]) -> Iterable[CallPart]:
    for at, call in enumerate(raw):
        place, function = getattr(call, "index", None), getattr(call, "function", None)
        yield CallPart(
            place if isinstance(place, int) else at,
            _text(getattr(call, "id", None)),
            _text(getattr(function, "name", None)),
            _text(getattr(function, "arguments", None)),
        )


def _text(value: object) -> str:
    """The text; halves of characters, which no file can hold, become a replacement mark."""
    if not isinstance(value, str):
        return ""
    return value if value.isascii() else value.encode("utf-8", "replace").decode()


def _count(value: object) -> int:
    """A count of tokens as a provider gives it; nonsense counts as none."""
    return value if isinstance(value, int) and 0 <= value <= _MOST_TOKENS else 0
