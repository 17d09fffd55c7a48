"""Long Markdown in parts that stand alone: no fence, line or sign is cut that need not be; addresses made inert."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

_FENCE: Final = re.compile(r"(?m)^ {0,3}(`{3,40}(?!`)|~{3,40}(?!~))([^\n]{0,100})$")
"""A line that opens or closes a code block; one so long that it could not stand above every part is text."""

_CODE: Final = re.compile(
    r"(?ms)(^ {0,3}(`{3,}|~{3,})[^\n]*\n.*?(?:^ {0,3}\2[`~]*[ \t]*$|\Z)|(?<!`)(`+)(?!`).+?(?<!`)\3(?!`))"
)
_LINK: Final = re.compile(r"\[([^\]\n]*)\]\(\s*<?([^)\s>]+)>?(?:\s+[^)\n]*)?\)")
_BARE: Final = re.compile(r"<?(https?://[^\s<>`\"'()\[\]]+)>?")
_JOINER: Final = "\u200d"
_BREAKS: Final = ("\n\n", "\n", "。", ". ", "！", "？", "! ", "? ", "；", "，", ", ", " ")
LONGEST_SIGN: Final = 64
"""Code points that a sign may have; marks heaped up without end are cut anywhere."""

_EARLY: Final = 0.5
"""A part is at least that share of what it may hold, unless nothing else keeps a block whole."""


def split(markdown: str, limit: int, size: Callable[[str], int] = len) -> list[str]:
    """The text in parts of at most `limit` by `size`; a code block that goes on is closed and opened again.

    Each part ends at a paragraph where there is one in its second half, else at a line, a sentence, a word, and only
    then inside a word, never inside a sign. The beginning of a text that grows is cut as the whole is, once the first
    `limit` of it are known. Raises ValueError for a limit that leaves no room for a fence.
    """
    parts: list[str] = []
    rest, opening = markdown.strip("\n"), ""
    while rest:
        head = f"{opening}\n" if opening else ""
        whole = head + rest
        if size(_balanced(whole)) <= limit:
            parts.append(_balanced(whole))
            break
        at = _cut(whole, len(head), limit, size)
        part, left = whole[:at], whole[at:]
        opening = _open_fence(part)
        parts.append(_balanced(part.rstrip("\n") if opening else part.rstrip()))
        rest = left.removeprefix("\n") if opening else left.lstrip("\n").lstrip(" ")
    return [part for part in parts if part.strip()] or ([markdown] if markdown.strip() else [])


def untapped(markdown: str, unknown: Collection[str]) -> str:
    """The text with each of these web addresses shown as code, so that no client makes it a link to tap on."""
    if not unknown:
        return markdown
    return _outside_code(markdown, lambda prose: _inert(prose, unknown))


def _outside_code(markdown: str, change: Callable[[str], str]) -> str:
    parts, at = [], 0
    for found in _CODE.finditer(markdown):
        parts += [change(markdown[at : found.start()]), found[0]]
        at = found.end()
    return "".join((*parts, change(markdown[at:])))


def _inert(prose: str, unknown: Collection[str]) -> str:
    def link(found: re.Match[str]) -> str:
        return f"{found[1]} (`{found[2]}`)" if found[2] in unknown else found[0]

    def bare(found: re.Match[str]) -> str:
        known = next((one for one in unknown if found[1].startswith(one)), "")
        return f"`{known}`{found[1][len(known) :]}" if known else found[0]

    parts, at = [], 0
    for found in _LINK.finditer(prose):
        parts += [_BARE.sub(bare, prose[at : found.start()]), link(found)]
        at = found.end()
    return "".join((*parts, _BARE.sub(bare, prose[at:])))


def _open_fence(text: str) -> str:
    """The line that opens the code block in which the text ends, or ""."""
    opening, fence = "", ""
    for found in _FENCE.finditer(text):
        marks, info = found[1], found[2]
        if not fence:
            if marks[0] == "~" or "`" not in info:
                opening, fence = f"{marks}{info.rstrip()}", marks
        elif marks[0] == fence[0] and len(marks) >= len(fence) and not info.strip():
            opening, fence = "", ""
    return opening


def _balanced(text: str) -> str:
    opening = _open_fence(text)
    return f"{text}\n{_marks(opening)}" if opening else text


def _marks(opening: str) -> str:
    sign = opening[0]
    return sign * (len(opening) - len(opening.lstrip(sign)))


def _cut(text: str, least: int, limit: int, size: Callable[[str], int]) -> int:
    """Where the first part of the text ends: after `least`, with room for closing what is open there."""
    most = _fitting(text, least, limit, size)
    for mark in _BREAKS:
        at = text.rfind(mark, max(least, int(most * _EARLY)), most)
        while at > least:
            end = at + (0 if mark[0] == "\n" else len(mark))
            inside = _open_fence(text[:end])
            if end > least and (not inside or mark == "\n") and not _opens_only(text[:end], inside):
                return end
            at = text.rfind(mark, max(least, int(most * _EARLY)), at)
    ends = range(most, max(least, most - LONGEST_SIGN), -1)
    return next((end for end in ends if not _belongs(text[end - 1], text[end])), most)


def _opens_only(part: str, opening: str) -> bool:
    """Whether the part ends right behind the line that opens a code block."""
    return bool(opening) and part.rstrip().endswith(opening) and part.rstrip() != opening


def _fitting(text: str, least: int, limit: int, size: Callable[[str], int]) -> int:
    """The longest beginning of the text that fits once it is balanced."""
    low, high = least, min(len(text), limit)
    while low < high:
        middle = (low + high + 1) // 2
        if size(_balanced(text[:middle])) <= limit:
            low = middle
        else:
            high = middle - 1
    if low <= least:
        raise ValueError(f"a limit of {limit} leaves no room for text")
    return low


def _belongs(before: str, after: str) -> bool:
    """Whether two code points are one sign for the eye: marks, joined emoji, skin tones, flags."""
    return (
        _JOINER in {before, after}
        or unicodedata.category(after).startswith("M")
        or "\U0001f3fb" <= after <= "\U0001f3ff"
        or ("\U0001f1e6" <= before <= "\U0001f1ff" and "\U0001f1e6" <= after <= "\U0001f1ff")
    )
