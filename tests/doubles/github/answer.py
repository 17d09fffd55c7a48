"""Answers of the double."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Answer:
    status: int
    data: Any = None
    raw: bytes | None = None
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def message(self) -> str:
        return str(self.data.get("message", "")) if isinstance(self.data, dict) else ""

    def body(self) -> bytes:
        if self.raw is not None:
            return self.raw
        return b"" if self.data is None else json.dumps(self.data, sort_keys=True).encode()


class Refusal(Exception):
    """A request that is answered with an error; `unsound` when no client should ever send it."""

    def __init__(self, answer: Answer, *, unsound: bool = False) -> None:
        super().__init__(answer.message)
        self.answer = answer
        self.unsound = unsound


def refused(status: int, message: str, **more: Any) -> Answer:
    return Answer(status, {"message": message, "documentation_url": "https://docs.github.com/rest", **more})


def demand(condition: object, message: str, status: int = 422) -> None:
    """Refuse what no sound client sends."""
    if not condition:
        raise Refusal(refused(status, message), unsound=True)
