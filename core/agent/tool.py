"""A tool: what the model may call, and how the person is told of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from core.i18n import Words
    from core.llm.base import ToolSpec


class Tool(Protocol):
    """One thing that a model can do. Labels name the object ("Viewing 9 March"), never the tool."""

    @property
    def spec(self) -> ToolSpec:
        """The tool as the model sees it."""

    async def run(self, arguments: Mapping[str, object]) -> str:
        """The result as text for the model.

        Raises `TryAgain` when the model may correct the call, `Refused` when this is not allowed; the loop tells the
        model of either, and of any other trouble raised on purpose.
        """

    def running(self, arguments: Mapping[str, object], words: Words) -> str:
        """A line for the person while it runs."""

    def done(self, arguments: Mapping[str, object], words: Words) -> str:
        """A line for the person once it has run."""

    def detail(self, result: str, words: Words) -> str:
        """Markdown for a fold below the line: what was found; "" for nothing to show."""


@runtime_checkable
class Watched(Protocol):
    """A tool that takes a while and says what it is at."""

    async def watched(self, arguments: Mapping[str, object], progress: Callable[[str], Awaitable[None]]) -> str:
        """As `run`; `progress` is given a line for the person at every step."""
