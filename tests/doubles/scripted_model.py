"""A worker that is scripted by task: what it notices, how it marks, what it does to the card."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from core.errors import Unavailable
from tests.doubles.model import calls

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.llm.base import Listen, Message, ToolSpec

Call = tuple[str, object]
MARKS = {"focus": "A marked talk", "summary": "What was said.", "tags": ["talk"], "tone": "neutral"}
QUIET = {"memory_worthy": False}


@dataclass
class ScriptedWorker:
    """Answers a task with the next entry of its script, and quietly once that is over.

    `notices` and `marks` hold arguments, `passes` one list of steps per pass over the card, a step being its calls; an
    exception is raised wherever it stands, a function is asked with the messages. `asked` is what it was sent, by task.
    """

    notices: list[object] = field(default_factory=list)
    marks: list[object] = field(default_factory=list)
    passes: list[list[object]] = field(default_factory=list)
    name: str = "worker"
    asked: dict[str, list[Sequence[Message]]] = field(default_factory=dict)
    _steps: list[object] = field(default_factory=list)

    async def complete(self, messages: Sequence[Message], tools: Sequence[ToolSpec], on_event: Listen) -> Message:
        task = next((tool.name for tool in tools if tool.forced), "card")
        self.asked.setdefault(task, []).append(tuple(messages))
        if task == "notice_turn":
            return calls((task, self._next(self.notices, QUIET, messages)))
        if task == "mark_slice":
            return calls((task, self._next(self.marks, MARKS, messages)))
        if task == "card":
            return self._step(messages)
        raise Unavailable(f"nothing is scripted for {task}")

    def requests(self, task: str) -> list[str]:
        """What it was told of a task, the first request of each exchange alone."""
        return [messages[1].text for messages in self.asked.get(task, []) if len(messages) == 2]

    def _step(self, messages: Sequence[Message]) -> Message:
        if len(messages) == 2:
            self._steps = list(self.passes.pop(0)) if self.passes else []
        said = self._next(self._steps, [("finish", {"summary": ""})], messages)
        assert isinstance(said, list)
        return calls(*said)

    def _next(self, script: list[object], otherwise: object, messages: Sequence[Message]) -> object:
        said = script.pop(0) if script else otherwise
        if isinstance(said, Exception):
            raise said
        return said(messages) if callable(said) else said


def edits(*wanted: Call, summary: str = "noted") -> list[object]:
    """The steps of a pass: these calls at once, then the end."""
    return [list(wanted), [("finish", {"summary": summary})]]
