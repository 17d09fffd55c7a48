"""Tables that can be read on a phone: a small one as a grid, a wide one as one item per row (ux.md 3)."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

COLUMNS: Final = 3
WIDTH: Final = 32
"""Cells of monospaced text that fit on a phone's line."""
_CELL: Final = re.compile(r"(?:\\.|(`+)(?!`).+?(?<!`)\1(?!`)|[^|`\\]|`+|\\)*", re.DOTALL)
_MARKS: Final = re.compile(r"\*\*|__|~~|`+|(?<!\w)[*_]|[*_](?!\w)|\\(?=[!-/:-@\[-`{-~])")
_LINK: Final = re.compile(r"!?\[([^\]]*)\]\([^)\s]*\)")


def readable(table: str) -> str:
    """A GFM table as other Markdown: a fenced grid, or a list. A pipe inside code divides no cells here."""
    lines = [line for line in table.split("\n") if line.strip()]
    rows = [_cells(line) for number, line in enumerate(lines) if number != 1]
    heads, body = rows[0], rows[1:]
    plain = [[_bare(cell) for cell in row] for row in rows]
    wide = max(map(len, rows), default=0)
    widths = [max((cells(row[at]) for row in plain if at < len(row)), default=0) for at in range(wide)]
    if wide <= COLUMNS and sum(widths) + 3 * (wide - 1) <= WIDTH and body:
        return _grid(plain, widths)
    return "\n".join(f"- {_item(heads, row)}" for row in body or [heads]) + "\n\n"


def cells(text: str) -> int:
    """How wide a text is in monospaced cells: signs of East Asia and most emoji take two."""
    return sum(
        0
        if unicodedata.category(sign) in {"Mn", "Me", "Cf"}
        else 2
        if unicodedata.east_asian_width(sign) in "WF"
        else 1
        for sign in text
    )


def _cells(line: str) -> list[str]:
    inner = line.strip().removeprefix("|")
    found, at = [], 0
    while at <= len(inner):
        cell = _CELL.match(inner, at)
        end = cell.end() if cell else at
        found.append(inner[at:end].strip())
        at = end + 1
    return found[:-1] if len(found) > 1 and not found[-1] else found


def _item(heads: list[str], row: list[str]) -> str:
    named = ((heads[at] if at < len(heads) else "", cell) for at, cell in enumerate(row))
    first, *rest = [f"{_bare(head)}: {cell}" if _bare(head) else cell for head, cell in named if cell] or [""]
    strong = f"**{_bare(row[0])}**" if row and _bare(row[0]) else first
    head = _bare(heads[0]) if heads else ""
    lead = f"{head}: {strong}" if head and row and row[0] else strong
    return " · ".join((lead, *rest))


def _grid(rows: list[list[str]], widths: list[int]) -> str:
    fence = "~" * max(
        3, 1 + max((len(run) for row in rows for cell in row for run in re.findall("~+", cell)), default=0)
    )
    lines = [_line(row, widths) for row in rows]
    rule = "─┼─".join("─" * width for width in widths)
    return "\n".join((fence, lines[0], rule, *lines[1:], fence)) + "\n"


def _line(row: list[str], widths: list[int]) -> str:
    padded = (
        cell + " " * (width - cells(cell)) for cell, width in zip([*row, *[""] * len(widths)], widths, strict=False)
    )
    return " │ ".join(padded).rstrip()


def _bare(cell: str) -> str:
    """A cell without its marks, for a grid of code."""
    return " ".join(_MARKS.sub("", _LINK.sub(r"\1", cell)).split())
