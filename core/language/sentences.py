"""Sentences of a text, in any script, and cutting a text short at a good place."""

from __future__ import annotations

import re
from typing import Final

_END: Final = re.compile(r"(?<=[.!?…])[\"'”’)\]]*\s+(?=\S)|(?<=[。！？；])[”’」』）]*\s*(?=\S)|\n+")
_ABBREVIATION: Final = re.compile(r"\b(?:Dr|Mr|Mrs|Ms|Prof|St|No|vs|e\.g|i\.e|approx|ca|[A-Z])\.\s*\Z")


def sentences(text: str) -> list[str]:
    """The sentences in order, without surrounding space; each is a verbatim part of the text."""
    parts: list[str] = []
    start = 0
    for match in _END.finditer(text):
        piece = text[start : match.start()]
        if "\n" not in match[0] and _ABBREVIATION.search(piece):
            continue
        quote_end = match.start() + len(match[0]) - len(match[0].lstrip("\"'”’)]」』）"))
        parts.append(text[start:quote_end].strip())
        start = match.end()
    parts.append(text[start:].strip())
    return [part for part in parts if part]


def cut(text: str, most: int) -> str:
    """The text on one line in at most that many code points, ended at a word with "…" when it is longer."""
    line = " ".join(text.split())
    if len(line) <= most:
        return line
    head = line[: most - 1]
    space = head.rfind(" ")
    return f"{head[:space] if space > most // 2 else head}…".replace(",…", "…").replace("，…", "…")
