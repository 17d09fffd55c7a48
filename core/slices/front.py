"""Front matter, read: the marks of a slice as texts and lists of texts.

Two readers give the same answer. The quick one knows the lines that this program and the original write and gives up
on anything else; the careful one is a YAML parser (core.slices.tree). Parsing is the cost of looking through an
archive, not the disk (DESIGN 6).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from core.slices.tree import source_of, tree_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from core.slices.tree import Node

Value = str | tuple[str, ...]
Values = dict[str, Value]

NOTHING: Final = frozenset(("~", "null", "Null", "NULL"))
"""Unquoted words by which YAML says that there is no value."""
_KEY: Final = re.compile(r"([A-Za-z_][A-Za-z0-9_]*):(?: (.*))?\Z")
_OURS: Final = frozenset((
    "slice_id", "status", "start", "end", "timezone", "focus", "summary", "open_loops", "decisions", "tags",
    "related_slices", "loops", "emotional_tone", "closed_by", "evolution_summary",
))  # fmt: skip
_INDICATORS: Final = frozenset(" -?:,[]{}#&*!|>'\"")
_DOUBLE: Final = re.compile(r'"([^"\\]*(?:\\.[^"\\]*)*)"\Z')
_ESCAPE: Final = re.compile(r"\\(x[0-9A-F]{2}|u[0-9A-F]{4}|U[0-9A-F]{8}|.)")
_LETTERS: Final = {
    "0": "\0", "a": "\a", "b": "\b", "t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r", "e": "\x1b", '"': '"',
    "/": "/", "\\": "\\", "N": "\x85", "_": "\xa0", "L": "\u2028", "P": "\u2029",
}  # fmt: skip


def read_front(block: str, where: str) -> Values:
    """What stands between the fences (without them), by key; raises `Malformed`.

    A value is a text, or the texts of a list. An entry that YAML takes for a mapping or a list is given as it was
    written (original.md B10); an unquoted `null` or `~` is an empty text.
    """
    quick = quick_front(block)
    return quick if quick is not None else careful_front(block, where)


def careful_front(block: str, where: str) -> Values:
    """The same by the YAML parser."""
    return {key.text: _value(value, block) for key, value in tree_of(block, where).pairs()}


def _value(node: Node, block: str) -> Value:
    if node.kind == "sequence":
        return tuple(item.text if item.kind == "scalar" else source_of(item, block) for item in node.parts)
    if node.kind == "mapping":
        return source_of(node, block)
    return "" if node.plain and node.text in NOTHING else node.text


class _Unsure(Exception):
    """The quick reader leaves this to the careful one."""


def quick_front(block: str) -> Values | None:
    """The same when every line is of the kinds that we and the original write, else None."""
    if not block.replace("\n", "").isprintable():
        return None
    try:
        return _lines(block.split("\n"))
    except _Unsure:
        return None


def _lines(lines: list[str]) -> Values:
    values: Values = {}
    items: list[str] | None = None
    key = ""
    rest = iter(enumerate(lines))
    for number, line in rest:
        if line.startswith("  - "):
            if items is None:
                raise _Unsure
            items.append(_scalar(line[4:], lines, number, rest, "    "))
            values[key] = tuple(items)
            continue
        if not line and number == len(lines) - 1:
            break
        key, text = _field(line)
        if key in values:
            raise _Unsure
        items = None
        if text is None:
            items, values[key] = [], ""
        elif text == "[]":
            values[key] = ()
        elif text in NOTHING:
            values[key] = ""
        else:
            values[key] = _scalar(text, lines, number, rest, "  ")
    return values


def _field(line: str) -> tuple[str, str | None]:
    """The key of a line and what follows it, None for nothing."""
    key, _, text = line.partition(": ")
    if text and key in _OURS:  # nearly every line; a look into a set is several times faster than the pattern
        return key, text
    found = _KEY.match(line)
    if not found:
        raise _Unsure
    return found[1], found[2]


def _scalar(text: str, lines: list[str], number: int, rest: Iterator[object], margin: str) -> str:
    first = text[:1]
    if first == "'":
        return _single(text)
    if first == '"':
        return _double(text)
    if text == ">-":
        return _folded(lines, number, rest, margin)
    if not first or first in _INDICATORS or ": " in text or " #" in text or text[-1] in " :":
        raise _Unsure
    return text


def _single(text: str) -> str:
    inside = text[1:-1]
    if len(text) < 2 or text[-1] != "'" or "'" in inside.replace("''", ""):  # noqa: PLR2004 - the two quotes
        raise _Unsure
    return inside.replace("''", "'")


def _double(text: str) -> str:
    found = _DOUBLE.match(text)
    if not found:
        raise _Unsure
    return _ESCAPE.sub(_letter, found[1]) if "\\" in text else found[1]


def _letter(found: re.Match[str]) -> str:
    code = found[1]
    if len(code) == 1:
        if code not in _LETTERS:
            raise _Unsure
        return _LETTERS[code]
    number = int(code[1:], 16)
    if 0xD800 <= number <= 0xDFFF or number > 0x10FFFF:  # noqa: PLR2004 - surrogates, and the end of Unicode
        raise _Unsure
    return chr(number)


def _folded(lines: list[str], number: int, rest: Iterator[object], margin: str) -> str:
    """The lines of a folded block when each is indented just so; takes them from the iterator."""
    parts: list[str] = []
    for line in lines[number + 1 :]:
        if not line.startswith(margin):
            break
        part = line[len(margin) :]
        if not part or part[0] == " ":
            raise _Unsure
        parts.append(part)
        next(rest)
    following = lines[number + 1 + len(parts)] if number + 1 + len(parts) < len(lines) else ""
    if not parts or (following and not _KEY.match(following) and not following.startswith("  - ")):
        raise _Unsure
    return " ".join(parts)
