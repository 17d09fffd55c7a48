"""Which stretches of a Markdown text are code for every reader, and which only look so. Pure.

Only what every renderer takes for code may hold an address that is left as it is. So a block counts when it is fenced
the plain way, and a span when it begins and ends in one line; where readers may differ (a fence in a quote, a mark that
pairs with one of another line), there is no code at all.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_FENCE: Final = re.compile(r"( {0,3})(`{3,}|~{3,})([^`]*)\Z")
_MARKS: Final = re.compile(r"`{3,}|~{3,}")
_RUN: Final = re.compile(r"`+")
_ODD_ENDS: Final = re.compile("\r(?!\n)|[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_TAKING: Final = re.compile(r"\$\$|^[ \t>]*<|^[ \t]*\\\[", re.MULTILINE)
"""What may take a fence into itself: a formula over lines, HTML."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of a text: `code` for everybody, or not; `doubtful` when some readers would see code in it."""

    text: str
    code: bool = False
    doubtful: bool = False


def stretches(text: str) -> list[Stretch]:
    """The text in parts, in its order; they add up to it."""
    if _ODD_ENDS.search(text):
        return [Stretch(text, doubtful=True)]
    blocks = _blocks(text)
    if any(one.code for one in blocks) and _TAKING.search(text):
        return [Stretch(text, doubtful=True)]
    return [part for one in blocks for part in ([one] if one.code or one.doubtful else _spans(one.text))]


def bare(text: str) -> str:
    """The text without any mark that could make code of it."""
    return re.sub(r"~{3,}", "~", text.replace("`", "'"))


def _blocks(text: str) -> list[Stretch]:
    """Fenced blocks, and what stands between them; doubtful from where on readers may see other blocks."""
    found: list[Stretch] = []
    prose: list[str] = []
    fenced: list[str] = []
    indent, marks = 0, ""
    lines = text.splitlines(keepends=True)
    for number, line in enumerate(lines):
        bare_line = line.rstrip("\r\n")
        if marks:
            fenced.append(line)
            said = bare_line.strip()
            closes = len(said) >= len(marks) and not said.strip(marks[0])
            inside = not said or len(bare_line) - len(bare_line.lstrip(" ")) >= indent
            if not inside or (closes and not re.match(r" {0,3}[`~]", bare_line)):
                return [*found, Stretch("".join((*prose, *fenced[:-1], *lines[number:])), doubtful=True)]
            if closes:
                found.append(Stretch("".join(fenced), code=True))
                fenced, marks = [], ""
        elif opening := _FENCE.match(bare_line):
            found.append(Stretch("".join(prose)))
            prose, fenced = [], [line]
            indent, marks = len(opening[1]), opening[2]
        elif _hides_fence(bare_line):
            return [*found, Stretch("".join((*prose, *lines[number:])), doubtful=True)]
        else:
            prose.append(line)
    return [*found, Stretch("".join(fenced), code=True) if marks else Stretch("".join(prose))]


def _hides_fence(line: str) -> bool:
    """Whether the line begins with a fence behind a mark of a list or quote, or farther in than a plain one."""
    return bool(_MARKS.match(line.lstrip(" \t\u00a0>-+*.)0123456789")))


def _spans(prose: str) -> Iterator[Stretch]:
    """Spans of code in one line, and what stands between them, paragraph by paragraph."""
    for paragraph in re.split(r"(\n[ \t]*\n)", prose):
        parts = _paragraph(paragraph) if "`" in paragraph else [Stretch(paragraph)]
        yield from [Stretch(paragraph, doubtful=True)] if parts is None else parts


def _paragraph(text: str) -> list[Stretch] | None:
    """The same of one paragraph; None when a mark stays alone in its line, or something may be stronger than it."""
    found: list[Stretch] = []
    for line in text.splitlines(keepends=True):
        at = 0
        while first := _RUN.search(line, at):
            last = next((one for one in _RUN.finditer(line, first.end()) if one[0] == first[0]), None)
            outside = line[at : first.start()]
            if last is None or set("<$\\") & set(outside) or "|" in line[first.end() : last.start()]:
                return None
            found += [Stretch(outside), Stretch(line[first.start() : last.end()], code=True)]
            at = last.end()
        found.append(Stretch(line[at:]))
    return found
