"""Lines of Markdown broken at a width in terminal cells: CJK counts double, an emoji sequence is never cut."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from rich.cells import cell_len, split_graphemes

from adapters.terminal.fences import pieces

if TYPE_CHECKING:
    from collections.abc import Iterator

_MARKER: Final = re.compile(r"(?P<quote> {0,3}(?:> ?)+)|(?P<item> *(?:[-*+]|[0-9]{1,9}[.)]) +)|(?P<indent> *)")
_NARROWEST: Final = 8
_CLOSING: Final = frozenset("。，、；：！？）」』】》〉”’…—～·%％")
_OPENING: Final = frozenset("（「『【《〈“‘")


class _Atom(NamedTuple):
    """Graphemes that stay on one line, and whether a space stands before them."""

    text: str
    spaced: bool


def wrap_markdown(markdown: str, width: int) -> str:
    """The Markdown with prose lines of at most `width` cells; code blocks and tables as they are; 0 means no limit."""
    return "\n".join(
        line
        for piece in pieces(markdown)
        for source in piece.lines
        for line in ([source] if piece.code or source.lstrip().startswith("|") else wrap_line(source, width))
    ).strip("\n")


def wrap_line(line: str, width: int) -> list[str]:
    """One line of Markdown as lines of at most `width` cells; list items hang, quotes stay quoted."""
    line = line.rstrip()
    if width <= 0 or cell_len(line) <= width:
        return [line]
    found = _MARKER.match(line)
    first = found[0] if found else ""
    rest = first if found and found["quote"] else " " * cell_len(first)
    room = width - cell_len(first)
    if room < _NARROWEST:
        first, rest, room = "", "", max(width, 2)
    rows = _fill(list(_atoms(line[len(first) :])), room)
    return [((rest if number else first) + row).rstrip() for number, row in enumerate(rows)]


def _atoms(text: str) -> Iterator[_Atom]:
    held, spaced, open_end = "", False, True
    for start, end, cells in split_graphemes(text)[0]:
        grapheme = text[start:end]
        if grapheme == " ":
            if held:
                yield _Atom(held, spaced)
            held, spaced, open_end = "", True, True
            continue
        wide = cells > 1
        glued = grapheme in _CLOSING or (open_end and not wide) or (bool(held) and held[-1] in _OPENING)
        if held and not glued:
            yield _Atom(held, spaced)
            held, spaced = "", False
        held += grapheme
        open_end = not wide and grapheme not in _CLOSING
    if held:
        yield _Atom(held, spaced)


def _fill(atoms: list[_Atom], width: int) -> list[str]:
    rows: list[str] = [""]
    for atom in atoms:
        gap = " " if atom.spaced and rows[-1] else ""
        if cell_len(rows[-1]) + len(gap) + cell_len(atom.text) <= width:
            rows[-1] += gap + atom.text
            continue
        parts = list(_chop(atom.text, width))
        if rows[-1]:
            rows.extend(parts)
        else:
            rows[-1:] = parts
    return rows


def _chop(text: str, width: int) -> Iterator[str]:
    held, used = "", 0
    for start, end, cells in split_graphemes(text)[0]:
        if held and used + cells > width:
            yield held
            held, used = "", 0
        held += text[start:end]
        used += cells
    yield held
