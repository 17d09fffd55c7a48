"""How Telegram counts text (UTF-16 units), and where text may be cut: between graphemes, never inside one."""

from __future__ import annotations

import unicodedata
from typing import Final

_JOINER: Final = "\u200d"
_HANGUL: Final = (range(0x1100, 0x1200), range(0xA960, 0xA980), range(0xAC00, 0xD7FC))
_ARABIC: Final = range(0x600, 0x900)
_VIRAMA: Final = 9


def units(text: str) -> int:
    """The length of a text in UTF-16 units."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def offsets(text: str) -> list[int]:
    """The UTF-16 offset of every code point, and of the end."""
    found, at = [0], 0
    for sign in text:
        at += 2 if ord(sign) > 0xFFFF else 1  # noqa: PLR2004 - the end of the Basic Multilingual Plane
        found.append(at)
    return found


def fitting(text: str, most: int, start: int = 0) -> int:
    """The largest index up to which the text from `start` takes at most `most` units."""
    end, used = start, 0
    for sign in text[start : start + most]:
        used += 2 if ord(sign) > 0xFFFF else 1  # noqa: PLR2004
        if used > most:
            break
        end += 1
    return end


def is_border(text: str, at: int) -> bool:
    """Whether a grapheme ends at that index and the next begins."""
    if at <= 0 or at >= len(text):
        return True
    before, after = text[at - 1], text[at]
    if (before, after) == ("\r", "\n"):
        return False
    if before.isascii() and after.isascii():
        return True
    return not (_extends(before, after) or _pairs(text, at))


def border_before(text: str, at: int, least: int = 0) -> int:
    """The last border of graphemes at or before that index; the index itself if there is none after `least`."""
    for found in range(at, least, -1):
        if is_border(text, found):
            return found
    return at


def border_after(text: str, at: int) -> int:
    """The first border of graphemes at or after that index."""
    while not is_border(text, at):
        at += 1
    return at


def is_blank(text: str) -> bool:
    """Whether nothing of the text can be seen: Telegram refuses such a message as empty."""
    return all(sign.isspace() or unicodedata.category(sign) in {"Cf", "Cc", "Mn", "Zs"} for sign in text)


def _extends(before: str, after: str) -> bool:
    """Whether the second belongs to the first: marks, joiners, skin tones, tags, Hangul, Indic conjuncts.

    Where Unicode's rules need a table, nothing is cut that they might keep whole.
    """
    return (
        _JOINER in {before, after}
        or unicodedata.category(after).startswith("M")
        or "\U0001f3fb" <= after <= "\U0001f3ff"
        or "\U000e0020" <= after <= "\U000e007f"
        or unicodedata.combining(before) == _VIRAMA
        or (unicodedata.category(before) == "Cf" and ord(before) in _ARABIC)
        or (_is_hangul(before) and _is_hangul(after) and not (_is_syllable(before) and _is_syllable(after)))
    )


def _pairs(text: str, at: int) -> bool:
    """Whether the index is inside a flag, which is two regional indicators."""
    if not (_is_regional(text[at]) and _is_regional(text[at - 1])):
        return False
    first = at
    while first and _is_regional(text[first - 1]):
        first -= 1
    return (at - first) % 2 == 1


def _is_regional(sign: str) -> bool:
    return "\U0001f1e6" <= sign <= "\U0001f1ff"


def _is_hangul(sign: str) -> bool:
    return any(ord(sign) in block for block in _HANGUL)


def _is_syllable(sign: str) -> bool:
    return "\uac00" <= sign <= "\ud7a3"
