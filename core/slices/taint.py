"""Which turns rest on text that is nobody's own: web pages, search results, files, forwarded and quoted words.

Such a turn's answer is no evidence for the card, and while it is written no file is (reliability 4.2, rule 2). What it
used stands in its cognition block, so nothing is stored for that.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from core.slices.filed import unvoiced
from core.slices.foreign import written
from core.slices.model import USER

if TYPE_CHECKING:
    from collections.abc import Iterable

    from core.slices.model import Turn

TAINTING: Final = frozenset({"webSearch", "webFetch", "readFile"})
"""The tools whose results are somebody else's words."""

_PARTS: Final = re.compile(r"^(?=## Cognition )", re.MULTILINE)
_LABEL: Final = re.compile(r"## Cognition (\S+) — ")
_USED: Final = re.compile(rf"^- `(?:{'|'.join(sorted(TAINTING))})`\(", re.MULTILINE)


def tainted_in(log: str) -> frozenset[str]:
    """The labels of the turns whose cognition names a tainting tool."""
    return frozenset(found[1] for part in _PARTS.split(log) if (found := _LABEL.match(part)) and _USED.search(part))


def answering_foreign(turns: Iterable[Turn]) -> frozenset[str]:
    """The labels of the turns in which the person passed on words that are not their own."""
    return frozenset(turn.label for turn in turns if turn.role == USER and holds_foreign(turn.text))


def holds_foreign(text: str) -> bool:
    """Whether forwarded or quoted words, or a file that the person has not spoken into the chat, stand in a text."""
    own = unvoiced(text).strip("\n")
    return written(own) != own


def without(log: str, labels: frozenset[str]) -> str:
    """The cognition log without the blocks of these turns."""
    parts = _PARTS.split(log)
    return "".join(part for part in parts if not ((found := _LABEL.match(part)) and found[1] in labels))
