"""A tool over memory, put together from what it does and how it is told of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from core.i18n import Words
    from core.llm.base import ToolSpec

    Arguments = Mapping[str, object]
    Naming = Callable[[Arguments, Words], dict[str, str]]


def unnamed(_arguments: Arguments, _words: Words) -> dict[str, str]:
    """No fields: the lines of the tool name their object by themselves."""
    return {}


def hidden(_result: str, _words: Words) -> str:
    """Nothing to show below the line."""
    return ""


def shown(result: str, _words: Words) -> str:
    """The result as it is."""
    return result


@dataclass(frozen=True, slots=True)
class MemoryTool:
    """A tool over memory: `work` does it, `label` is the prefix of its two lines and `naming` fills their fields."""

    spec: ToolSpec
    work: Callable[[Arguments], Awaitable[str]]
    label: str
    naming: Naming = unnamed
    showing: Callable[[str, Words], str] = hidden

    async def run(self, arguments: Arguments) -> str:
        """The result as text for the model."""
        return await self.work(arguments)

    def running(self, arguments: Arguments, words: Words) -> str:
        """What is being looked up."""
        return words(f"{self.label}.running", **self.naming(arguments, words))

    def done(self, arguments: Arguments, words: Words) -> str:
        """What was looked up."""
        return words(f"{self.label}.done", **self.naming(arguments, words))

    def detail(self, result: str, words: Words) -> str:
        """What was found, where that is short."""
        return self.showing(result, words)


def text_of(arguments: Arguments, name: str) -> str:
    """An argument that is a text, trimmed; "" when it is missing or something else."""
    value = arguments.get(name)
    return value.strip() if isinstance(value, str) else ""
