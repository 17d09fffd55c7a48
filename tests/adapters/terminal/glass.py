"""A terminal's glass for tests: what a person sees, scrolled-by lines included, after all that was written."""

from __future__ import annotations

import io
import re

_STEP = re.compile(r"\x1b\[(?P<number>[0-9;?]*)(?P<letter>[A-Za-z])|(?P<plain>[^\x1b])")


class Glass(io.StringIO):
    """A stream that also knows the few escapes which the screen uses: up, return, wipe below, colours."""

    def seen(self) -> list[str]:
        """The lines as they stand now, without blanks at their ends."""
        return see(self.getvalue())


class BrokenPipe(io.StringIO):
    """A stream whose reader has gone away."""

    def write(self, text: str) -> int:
        raise BrokenPipeError


def see(written: str) -> list[str]:
    rows, row, column = [""], 0, 0
    for step in _STEP.finditer(written):
        plain, letter = step["plain"], step["letter"]
        if plain == "\n":
            row, column = row + 1, 0
            rows += [""] * (row + 1 - len(rows))
        elif plain == "\r":
            column = 0
        elif plain:
            rows[row] = rows[row][:column].ljust(column) + plain + rows[row][column + 1 :]
            column += 1
        elif letter == "A":
            row = max(row - int(step["number"] or 1), 0)
        elif letter == "J":
            rows[row:] = [rows[row][:column]]
    return [line.rstrip() for line in rows]
