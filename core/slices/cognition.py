r"""`agent.md`: what the model thought and did in each turn, one block a turn, in the original's form (original.md 1.4).

A block's header inside a thought is escaped as turn headers are (`#\# Cognition `).
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from core.slices.text import encodable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

MOST_ARGUMENTS: Final = 5
LONGEST_ARGUMENT: Final = 80
LONGEST_REASON: Final = 200
_HEADER: Final = re.compile(r"^## Cognition (\S+) — ", re.MULTILINE)
_TO_ESCAPE: Final = re.compile(r"#(\\*)(?=# Cognition )")
_ESCAPED: Final = re.compile(r"#\\(\\*)(?=# Cognition )")
_GAP: Final = re.compile(r"\n[ \t]*\n")


@dataclass(frozen=True, slots=True)
class ToolNote:
    """A tool call as the log has it. `outcome` is "ok", the reason of an error, or None when there was no result."""

    name: str
    arguments: Mapping[str, object]
    outcome: str | None = None


def paragraphs(fragments: Iterable[str]) -> list[str]:
    """The thoughts of one step from its streamed fragments: paragraphs, trimmed, none empty."""
    pieces = _GAP.split(encodable("".join(fragments)).replace("\r\n", "\n"))
    return [piece.strip() for piece in pieces if piece.strip()]


def block(turn_id: str, at: str, thoughts: Sequence[str], tools: Sequence[ToolNote]) -> str:
    """One turn's block: header, thoughts one to a line, tools one to a line; tool output is never in it."""
    body = ""
    if thoughts:
        body += "\n### Thinking\n" + "".join(_TO_ESCAPE.sub(r"#\1\\", thought) + "\n" for thought in thoughts)
    if tools:
        body += "\n### Tools\n" + "".join(_tool(tool) + "\n" for tool in tools)
    return encodable(f"## Cognition {turn_id} — {at}\n{body or chr(10)}")


def append_block(text: str, turn_id: str, new: str) -> str:
    """The log with the block at its end; a log that has one for this turn is returned as it is (original.md B11).

    A last block that was cut off by a crash is completed.
    """
    known = block_of(text, turn_id)
    if known is not None and not (new.startswith(known.rstrip()) and text.rstrip().endswith(known.rstrip())):
        return text
    before = text if known is None else text.rstrip()[: -len(known.rstrip())]
    return f"{before.rstrip()}\n\n{new}" if before.strip() else new


def block_of(text: str, turn_id: str) -> str | None:
    """The turn's block with its header, as written; None when there is none. The id must match as a whole."""
    headers = list(_HEADER.finditer(text))
    ends = [header.start() for header in headers[1:]] + [len(text)] * bool(headers)
    for header, end in zip(headers, ends, strict=True):
        if header[1] == turn_id:
            return text[header.start() : end].rstrip() + "\n"
    return None


def turns_of(text: str) -> list[str]:
    """The ids of the turns that have a block, in order."""
    return list(dict.fromkeys(header[1] for header in _HEADER.finditer(text)))


def readable(found: str) -> str:
    """A block as it was thought, escapes undone."""
    return _ESCAPED.sub(r"#\1", found)


def _tool(tool: ToolNote) -> str:
    shown = [f"{name}: {_argument(value)}" for name, value in list(tool.arguments.items())[:MOST_ARGUMENTS]]
    arguments = ", ".join(shown + ["…"] * (len(tool.arguments) > MOST_ARGUMENTS))
    return f"- `{tool.name}`({arguments}) → {_outcome(tool.outcome)}"


def _argument(value: object) -> str:
    if isinstance(value, str):
        short = value if len(value) <= LONGEST_ARGUMENT else value[:LONGEST_ARGUMENT] + "…"
        return json.dumps(_TO_ESCAPE.sub(r"#\1\\", short), ensure_ascii=False)
    return json.dumps(value, ensure_ascii=False, default=str)


def _outcome(outcome: str | None) -> str:
    if outcome is None:
        return "?"
    return "ok" if outcome == "ok" else f"error: {' '.join(outcome.split())[:LONGEST_REASON]}"
