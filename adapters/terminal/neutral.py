"""Text from memory and models made harmless for a terminal: what would steer it is shown instead of obeyed."""

from __future__ import annotations

import re
from typing import Final

_LINE_ENDS: Final = re.compile("\r\n|[\x85\u2028\u2029]")
_SURROGATES: Final = re.compile("[\ud800-\udfff]")
_KEPT: Final = ord("\n")
_BIDI: Final = (*range(0x202A, 0x202F), *range(0x2066, 0x206A))
_VISIBLE: Final = (
    {code: chr(0x2400 + code) for code in range(0x20) if code != _KEPT}
    | {ord("\t"): "    ", 0x7F: "␡"}
    | {code: f"‹U+{code:04X}›" for code in (*range(0x80, 0xA0), *_BIDI)}
)


def neutral(text: str) -> str:
    """The text with control characters, escapes and direction overrides made visible; its only control is the newline.

    Memory is data: an escape sequence in an old message must not move the cursor, ring, rewrite a line or hide a link,
    and a direction override must not make one text look like another. Tabs become four spaces.
    """
    return _SURROGATES.sub("\ufffd", _LINE_ENDS.sub("\n", text)).translate(_VISIBLE)


def neutral_line(text: str) -> str:
    """The same for what must stay on one line."""
    return " ".join(part for part in neutral(text).split("\n") if part)
