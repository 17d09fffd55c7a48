"""What a model asked for, made safe: bounded, with sound names, ids and arguments."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from core.llm.base import ToolCall

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}\Z", re.ASCII)
_ID: Final = re.compile(r"[A-Za-z0-9_.:-]{1,128}\Z", re.ASCII)


@dataclass(frozen=True, slots=True)
class Asked:
    """A call as it goes on: `call` may stand in the history, `arguments` are read, `trouble` says why it cannot run."""

    call: ToolCall
    arguments: Mapping[str, object]
    trouble: str = ""


def sound(calls: Sequence[ToolCall], step: int, most: int, characters: int) -> tuple[Asked, ...]:
    """The first `most` calls of a step, each fit to be sent to any provider again.

    Arguments that are no JSON object or longer than `characters` are replaced by `{}` and never carried on;
    an id that is missing, odd or taken is replaced by one of our own.
    """
    taken: set[str] = set()
    asked = []
    for place, call in enumerate(calls[:most]):
        name = call.id if _ID.match(call.id) and call.id not in taken else f"call-{step}-{place}"
        taken.add(name)
        arguments, trouble = _arguments(call.arguments, characters)
        tool = call.name if _NAME.match(call.name) else "unknown"
        raw = call.arguments if not trouble and call.arguments.strip() else "{}"
        asked.append(Asked(ToolCall(name, tool, raw), arguments, trouble))
    return tuple(asked)


def _arguments(raw: str, characters: int) -> tuple[Mapping[str, object], str]:
    if len(raw) > characters:
        return {}, f"the arguments are too long ({len(raw)} characters, at most {characters})"
    try:
        value = json.loads(raw.strip() or "{}")
    except (ValueError, RecursionError):
        return {}, "the arguments are not valid JSON"
    return (value, "") if isinstance(value, dict) else ({}, "the arguments must be a JSON object")
