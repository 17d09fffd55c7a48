"""The model port: messages and tools go in, one message comes out, deltas are pushed on the way."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, Protocol

OFFLINE: Final = "offline"
"""The name of the model that stands in where no language model is."""

Role = Literal["system", "user", "assistant", "tool"]
Finish = Literal["stop", "length", "tools", "interrupted", "error"]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool that the model wants run. `arguments` is the raw JSON text: it may be malformed."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens that a call took, as the provider counts them.

    `cached` of the prompt came from the provider's cache; `cost` is in US dollars, None where no price is known.
    """

    prompt: int = 0
    completion: int = 0
    cached: int = 0
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class Image:
    """A picture: its media type, its bytes, and the line by which the text speaks of it."""

    media: str
    data: bytes = field(repr=False)
    label: str = ""


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a model conversation.

    `calls` belongs to the assistant; `call_id` and `name` say which call a tool message answers; `images` to the user.
    """

    role: Role
    text: str
    calls: tuple[ToolCall, ...] = ()
    call_id: str = ""
    name: str = ""
    reasoning: str = ""
    finish: Finish = "stop"
    usage: Usage = field(default_factory=Usage)
    images: tuple[Image, ...] = ()


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as the model sees it; `schema` is a JSON schema of an object. `forced`: the model must call this one."""

    name: str
    description: str
    schema: Mapping[str, Any]
    forced: bool = False


@dataclass(frozen=True, slots=True)
class TextDelta:
    """More text of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class ThinkingDelta:
    """More of the model's reasoning."""

    text: str


ModelEvent = TextDelta | ThinkingDelta
Listen = Callable[[ModelEvent], Awaitable[None]]


async def ignore(event: ModelEvent) -> None:
    """A listener for calls whose stream nobody watches."""


class Transcriber(Protocol):
    """A model that writes recordings down."""

    @property
    def name(self) -> str:
        """What the model is called to the person."""

    async def transcribe(self, name: str, data: bytes) -> str:
        """What is said in a recording, whose name tells its format. Raises `ModelError`."""


class ChatModel(Protocol):
    """A language model, or what stands for one."""

    @property
    def name(self) -> str:
        """What the model is called in logs and to the person, for instance `deepseek-v4-pro` or `offline`."""

    async def complete(self, messages: Sequence[Message], tools: Sequence[ToolSpec], on_event: Listen) -> Message:
        """The next assistant message. Raises `Unavailable`, `OverBudget` or `Unusable`."""
