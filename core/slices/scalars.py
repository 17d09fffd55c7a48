"""Writing one YAML scalar the way the original's library does.

Byte-identity with the original keeps a shared repository free of noise. The rules were found by running it
(original.md 1.3): plain where a YAML 1.1 reader would take it for the same text, single quotes for what could be
mistaken, double quotes for what cannot be printed, folded blocks beyond the line width, literal blocks for line breaks.
"""

from __future__ import annotations

import re
from typing import Final

_WIDTH: Final = 80
_UNPRINTABLE: Final = re.compile("[^\n\x20-\x7e\xa1-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]")
_NEVER_FIRST: Final = frozenset(" -?:,[]{}#&*!|=>'\"%@`")
_NEVER_INSIDE: Final = re.compile(r"[,\[\]{}:]|(?:^|\s)#")
_WORDS: Final = frozenset((
    "~", "null", "Null", "NULL", "true", "True", "TRUE", "false", "False", "FALSE", "<<",
    "y", "Y", "yes", "Yes", "YES", "n", "N", "no", "No", "NO", "on", "On", "ON", "off", "Off", "OFF",
))  # fmt: skip
_NUMBER: Final = re.compile(
    r"""
      [-+]?0b[01_]*[01] | [-+]?0x[0-9a-fA-F_]*[0-9a-fA-F] | [-+]?0[0-7_]*[0-7]       # binary, hexadecimal, octal
    | [-+]?(?:0|[1-9](?:[0-9_]*[0-9])?) | [-+]?[1-9][0-9_]*[0-9]                     # decimal
    | [-+]?(?:0|[1-9][0-9_]*)(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?(?<!_)                # floating point
    | \.[0-9_]+(?:[eE][-+]?[0-9]+)?(?<!_)
    | [-+]?\.(?:inf|Inf|INF) | \.(?:nan|NaN|NAN)
    | [0-9]{4}-[0-9]{2}-[0-9]{2}                                                     # a date
    """,
    re.VERBOSE,
)
_SHORT: Final = {
    "\0": "\\0", "\a": "\\a", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\v": "\\v", "\f": "\\f", "\r": "\\r",
    "\x1b": "\\e", '"': '\\"', "\\": "\\\\", "\x85": "\\N", "\xa0": "\\_", "\u2028": "\\L", "\u2029": "\\P",
}  # fmt: skip
_TO_ESCAPE: Final = re.compile('["\\\\\n]|' + _UNPRINTABLE.pattern)
_FOLD_AT: Final = re.compile(" (?=[^ ])")


def scalar(value: str, indent: int) -> str:
    """YAML for the value, to stand after `key: ` or `- `; lines of a block are indented by `indent` spaces."""
    width = _WIDTH - indent
    lines = value.split("\n")
    if _UNPRINTABLE.search(value):
        return _double(value)
    if any(len(line) > width and not line.startswith(" ") for line in lines):
        return _block(">", value, _folded(lines, width), indent)
    if len(lines) > 1:
        return _block("|", value, value, indent)
    return value if _is_plain(value) else "'" + value.replace("'", "''") + "'"


def _is_plain(value: str) -> bool:
    return bool(
        value
        and value[0] not in _NEVER_FIRST
        and value[-1] != " "
        and not _NEVER_INSIDE.search(value)
        and value not in _WORDS
        and not _NUMBER.fullmatch(value),
    )


def _double(value: str) -> str:
    return '"' + _TO_ESCAPE.sub(lambda found: _escaped(found[0]), value) + '"'


def _escaped(char: str) -> str:
    code = ord(char)
    wide = f"\\u{code:04X}" if code <= 0xFFFF else f"\\U{code:08X}"  # noqa: PLR2004 - the three widths of YAML
    return _SHORT.get(char) or (f"\\x{code:02X}" if code <= 0xFF else wide)  # noqa: PLR2004


def _block(style: str, value: str, content: str, indent: int) -> str:
    """A block scalar; the number after the style is needed when the text itself begins with blanks."""
    indicator = "2" if value.lstrip("\n").startswith(" ") else ""
    ending = "" if value.endswith("\n") else "-"
    keep = "+" if value == "\n" or value.endswith("\n\n") else ending
    margin = " " * indent
    body = "\n".join(margin + line if line else "" for line in content.removesuffix("\n").split("\n"))
    return f"{style}{indicator}{keep}\n{body}"


def _folded(lines: list[str], width: int) -> str:
    """The text with soft breaks; a line break of its own is written twice, unless a neighbour begins with a blank."""
    written = [_soft(lines[0], width)]
    before_is_set = lines[0].startswith(" ") or not lines[0]
    for line in lines[1:]:
        if not line:
            written.append("\n")
            continue
        is_set = line.startswith(" ")
        written.append(("\n" if before_is_set or is_set else "\n\n") + _soft(line, width))
        before_is_set = is_set
    return "".join(written)


def _soft(line: str, width: int) -> str:
    if line.startswith(" "):
        return line
    pieces, start, last = [], 0, 0
    for found in _FOLD_AT.finditer(line):
        here = found.start()
        if here - start > width:
            end = last if last > start else here
            pieces.append(line[start:end])
            start = end + 1
        last = here
    if len(line) - start > width and last > start:
        pieces += [line[start:last], line[last + 1 :]]
    else:
        pieces.append(line[start:])
    return "\n".join(pieces)
