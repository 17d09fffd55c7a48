"""What was thought and done in a turn, from the cognition log, as Markdown for a fold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from core.slices.cognition import block_of, readable

if TYPE_CHECKING:
    from core.i18n import Words

_THINKING: Final = "### Thinking"
_TOOLS: Final = "### Tools"
_ANSWER: Final = "### Answer"
"""What stands behind the answer, its model and its sources, which is no thought."""


def thoughts_of(log: str, turn: str, words: Words) -> str:
    """The thoughts of a turn, one to a paragraph, and below them the tools that it used; "" when there is neither."""
    found = block_of(log, turn)
    if found is None:
        return ""
    body = readable(found).partition("\n")[2].partition(f"\n{_ANSWER}\n")[0]
    thinking, _, tools = body.partition(f"{_TOOLS}\n")
    paragraphs = [line.strip() for line in thinking.splitlines() if line.strip() and line.strip() != _THINKING]
    used = [line.strip() for line in tools.splitlines() if line.strip()]
    parts = ["\n\n".join(paragraphs)] if paragraphs else []
    if used:
        parts.append("\n".join([f"**{words('slice.tools')}**", "", *used]))
    return "\n\n".join(parts)
