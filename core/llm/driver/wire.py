"""The port below the driver: one request goes to a provider, chunks come back, and trouble has one of a few kinds."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping, Sequence

    from core.llm.base import Message, ToolSpec, Usage

Kind = Literal[
    "transport", "server", "throttled", "slow", "key", "credit", "unknown", "context", "request", "filtered",
    "notice", "empty", "broken", "missing",
]  # fmt: skip
End = Literal["", "stop", "length", "tools", "filtered"]

TRANSIENT: frozenset[Kind] = frozenset({"transport", "server", "throttled", "slow", "notice", "empty"})
"""What may be gone when the same is asked again."""


class Trouble(Exception):
    """What went wrong on the wire; `after` is how many seconds the provider wants to be left alone, `status` HTTP's.

    The provider's own words are not carried: they belong neither in the chat nor in a log (pains P083).
    """

    def __init__(self, kind: Kind, *, status: int = 0, after: float | None = None) -> None:
        super().__init__(f"{kind} (status {status})" if status else kind)
        self.kind = kind
        self.status = status
        self.after = after


@dataclass(frozen=True, slots=True)
class CallPart:
    """A piece of a tool call: `place` tells several calls apart; id and name come once, arguments bit by bit."""

    place: int
    id: str = ""
    name: str = ""
    arguments: str = ""


@dataclass(frozen=True, slots=True)
class Chunk:
    """What arrived together. `signed` are signed blocks of reasoning that the provider wants to see again."""

    text: str = ""
    reasoning: str = ""
    calls: tuple[CallPart, ...] = ()
    end: End = ""
    usage: Usage | None = None
    signed: tuple[Mapping[str, Any], ...] = ()

    @property
    def says_something(self) -> bool:
        """Whether this is progress: signs of life of a connection are not."""
        return bool(self.text or self.reasoning or self.calls or self.end)


@dataclass(frozen=True, slots=True)
class Target:
    """A model at a provider: which one, with what key, at which address ("" for the provider's own)."""

    provider: str
    model: str
    key: str = field(default="", repr=False)
    base: str = ""
    thinks: bool = True
    """Whether the model can think, so that thinking must be switched on or off by words of the request."""
    variable: str = ""
    """The name of the setting that holds the key, to be told when the key is refused."""


@dataclass(frozen=True, slots=True)
class Request:
    """One request. `thinking` is how hard to think, "" for not at all; `signed` the signed blocks by call id."""

    target: Target
    messages: Sequence[Message]
    tools: Sequence[ToolSpec]
    thinking: Literal["", "low", "medium", "high"] = ""
    signed: Mapping[str, tuple[Mapping[str, Any], ...]] = field(default_factory=dict)
    connect: float = 10.0
    """Seconds within which the connection must stand."""


class Wire(Protocol):
    """Whatever reaches providers."""

    async def warm(self) -> None:
        """Load what takes long, so that it counts as nobody's silence. Raises `Trouble`."""

    def send(self, request: Request) -> AsyncGenerator[Chunk, None]:
        """The chunks of one answer, ended by one with `end`. Raises `Trouble` and nothing else; closing it hangs up."""
