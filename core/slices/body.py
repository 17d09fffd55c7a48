"""The turns of a slice file: blocks under headers, and what stands around them.

A header must be the whole line (original.md 1.3). Unlike the original's reader, a turn's text ends only at the next
header line, and loses nothing but the newlines around it (B2, B3).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Final

from core.slices.model import Turn
from core.slices.text import escape, unescape

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_BEGINS: Final = "## Turn "
_HEADER: Final = re.compile(r"## Turn ([^\s\ufeff]+) — ([^\s\ufeff]+) \(([A-Za-z0-9_]+)\)[ \t]*\r?$", re.MULTILINE)
_WORD_BYTES: Final = rb"(?:(?!\xef\xbb\xbf)\S)+"
_HEADER_BYTES: Final = re.compile(
    rb"\n## Turn " + _WORD_BYTES + rb" \xe2\x80\x94 " + _WORD_BYTES + rb" \([A-Za-z0-9_]+\)[ \t]*\r?(?=\n|\Z)"
)
_LABEL: Final = re.compile(r"[^\s\ufeff]+\Z")
_ROLE: Final = re.compile(r"[A-Za-z0-9_]+\Z")
_HEADER_PARTS: Final = (*"## Turn ", r"[\w?-]{1,12}", *" — ", r"[\dT:.Z+-]+", " ", r"\(", "[a-z]+")
_FRAGMENT: Final = re.compile(
    reduce(lambda rest, part: f"{part}(?:{rest})?", reversed(_HEADER_PARTS), "") + r"\r?\Z",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class Raw:
    """A turn's lines as they stand in the file, kept when we would write them otherwise; `last` in the file or not."""

    text: str
    last: bool


@dataclass(frozen=True, slots=True)
class Body:
    """What stands after the front matter.

    `preamble` is text before the first header, `bare` means that the file ends with the fence; `odd` has the lines of
    turns that we would write otherwise; `fragment` is a header that was cut off at the end of the file and is repaired
    by the next write (pains P055).
    """

    preamble: str = ""
    turns: tuple[Turn, ...] = ()
    odd: Mapping[Turn, tuple[Raw, ...]] | None = None
    fragment: str = ""
    bare: bool = False


def read_body(body: str) -> Body:
    """The turns and their surroundings."""
    body, fragment = _cut_off(body)
    headers = list(_headers(body))
    if not headers:
        return Body("" if body == "\n" else body, fragment=fragment, bare=not body)
    ends = [header.start() for header in headers[1:]] + [len(body)]
    turns: list[Turn] = []
    odd: dict[Turn, tuple[Raw, ...]] = {}
    for header, end in zip(headers, ends, strict=True):
        turn = Turn(header[1], header[2], header[3], unescape(body[header.end() : end].strip("\r\n")))
        raw = Raw(body[header.start() : end], last=end == len(body))
        if raw.text != _written(turn, last=raw.last):
            odd[turn] = (*odd.get(turn, ()), raw)
        turns.append(turn)
    return Body(body[: headers[0].start()], tuple(turns), odd, fragment)


def write_body(turns: Sequence[Turn], before: Body) -> str:
    """The text after the front matter: turns that `before` has keep their lines, and so does its preamble."""
    if before.fragment and tuple(turns) == before.turns:
        return _joined(turns, before) + before.fragment
    return _joined(turns, before)


def count_turns(data: bytes) -> int:
    """How many turns a file has, without reading them."""
    return len(_HEADER_BYTES.findall(b"\n" + data))  # a pattern that begins with plain bytes is found much faster


def _headers(body: str) -> Iterator[re.Match[str]]:
    """Every header line; found by its beginning first, which is many times faster than by the pattern."""
    place = 0 if body.startswith(_BEGINS) else body.find("\n" + _BEGINS) + 1
    while place or body.startswith(_BEGINS):
        found = _HEADER.match(body, place)
        if found:
            yield found
        place = body.find("\n" + _BEGINS, place) + 1
        if not place:
            return


def _joined(turns: Sequence[Turn], before: Body) -> str:
    left = {turn: list(raws) for turn, raws in (before.odd or {}).items()}
    pieces = [before.preamble if before.preamble.endswith("\n") or not turns else _spaced(before.preamble)]
    for number, turn in enumerate(turns):
        last = number == len(turns) - 1
        raws = left.get(turn)
        if raws:
            raw = raws.pop(0)
            pieces.append(_spaced(raw.text) if raw.last and not last else raw.text)
        else:
            pieces.append(_written(turn, last=last))
    return "".join(pieces) or ("" if before.bare else "\n")


def _written(turn: Turn, *, last: bool) -> str:
    text = f"{_header(turn)}\n\n{escape(turn.text)}"
    if not last:
        return text + "\n\n"
    return text if text.endswith("\n") else text + "\n"


def _header(turn: Turn) -> str:
    label = turn.label or "?"
    if not (_LABEL.match(label) and _LABEL.match(turn.at) and _ROLE.match(turn.role)):
        raise ValueError(f"no turn header can hold {label!r}, {turn.at!r}, {turn.role!r}")
    return f"## Turn {label} — {turn.at} ({turn.role})"


def _spaced(text: str) -> str:
    """The text followed by one blank line, so that a header stands on a line of its own."""
    return text and text + "\n" * max(0, 2 - (len(text) - len(text.rstrip("\n"))))


def _cut_off(body: str) -> tuple[str, str]:
    """The body without a header that breaks off at the end of the file, and that piece.

    Directly below a whole header it is the beginning of a message instead, such as one that is only `#`.
    """
    start = body.rfind("\n") + 1
    alone = start == 0 or body.endswith("\n\n", 0, start)
    if not alone or not _FRAGMENT.match(body, start):
        return body, ""
    line_above = body[body.rfind("\n", 0, max(start - 2, 0)) + 1 : max(start - 2, 0)]
    return (body, "") if _HEADER.match(line_above) else (body[:start], body[start:])
