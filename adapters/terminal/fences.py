"""Where the code blocks of a Markdown text are, so that nothing wraps or joins their lines."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_OPENING: Final = re.compile(r" {0,3}(?:(?P<ticks>`{3,})(?P<info>[^`]*)|(?P<tildes>~{3,})(?P<about>.*))\Z")


@dataclass(frozen=True, slots=True)
class Piece:
    """Lines that belong together: prose, or with `code` a whole fenced block of that `language` with its markers."""

    lines: tuple[str, ...]
    code: bool = False
    language: str = ""
    closed: bool = True

    @property
    def body(self) -> str:
        """The lines between the markers of a fenced block."""
        return "\n".join(self.lines[1:-1] if self.closed else self.lines[1:])


def pieces(markdown: str) -> list[Piece]:
    """The text as prose and fenced blocks in order; a block that is never closed reaches to the end (CommonMark)."""
    found: list[Piece] = []
    held: list[str] = []
    fence, language = "", ""
    for line in markdown.split("\n"):
        opening = None if fence else _OPENING.match(line)
        if opening:
            _add(found, Piece(tuple(held)))
            fence = opening["ticks"] or opening["tildes"]
            language = ((opening["info"] or opening["about"] or "").split() or [""])[0]
            held = [line]
        elif fence and _closes(line, fence):
            _add(found, Piece((*held, line), code=True, language=language))
            fence, held = "", []
        else:
            held.append(line)
    _add(found, Piece(tuple(held), code=bool(fence), language=language if fence else "", closed=not fence))
    return found


def _closes(line: str, fence: str) -> bool:
    bare = line.strip()
    indent = len(line) - len(line.lstrip(" "))
    return indent < 4 and len(bare) >= len(fence) and set(bare) == {fence[0]}  # noqa: PLR2004 - CommonMark's indent


def _add(found: list[Piece], piece: Piece) -> None:
    if piece.code or any(line.strip() for line in piece.lines):
        found.append(piece)
