r"""What happens to words on their way into a slice file and out of it.

A message may hold a turn header or a merge marker. On file each such place carries one backslash more than in the
message (`## Turn ` becomes `#\# Turn `), so that neither our reader nor the original's ever takes a message for
structure, and any number of write and read cycles gives the same text (DESIGN 5.8, original.md B2).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST_TAGS: Final = 50
LONGEST_TAG: Final = 80
_HEADER: Final = re.compile(r"#(\\*)(?=# Turn )")
_HEADER_ESCAPED: Final = re.compile(r"#\\(\\*)(?=# Turn )")
_MARKER: Final = re.compile(r"^(\\*)(?=<{7})", re.MULTILINE)
_MARKER_ESCAPED: Final = re.compile(r"^\\(\\*)(?=<{7})", re.MULTILINE)
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def normalise(text: str) -> str:
    """The text as memory keeps it: the only lossy step, taken once at the door (reliability 4.4).

    Line ends become LF, NUL and lone surrogates U+FFFD, newlines around the whole are trimmed; indentation and inner
    blank lines stay.
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")
    return encodable(lines).strip("\n")


def encodable(text: str) -> str:
    """The text with surrogate pairs joined and lone surrogates replaced by U+FFFD, so that UTF-8 can hold it."""
    if not _SURROGATE.search(text):
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def escape(text: str) -> str:
    """A message as the file has it."""
    if "# Turn " in text:
        text = _HEADER.sub(r"#\1\\", text)
    return _MARKER.sub(r"\1\\", text) if "<<<<<<<" in text else text


def unescape(text: str) -> str:
    """A message as it was said, from the file."""
    if "# Turn " in text:
        text = _HEADER_ESCAPED.sub(r"#\1", text)
    return _MARKER_ESCAPED.sub(r"\1", text) if "<<<<<<<" in text else text


def clean_tags(tags: Iterable[str]) -> tuple[str, ...]:
    """Tags fit to be set: blanks run together, none empty or twice, at most 50 of 80 code points (reliability 4.6, 56).

    What a file already has is never cut; this is for the place where tags are set.
    """
    kept: dict[str, None] = {}
    for tag in tags:
        short = " ".join(normalise(tag[: LONGEST_TAG * 4]).split())[:LONGEST_TAG].rstrip()
        if short:
            kept[short] = None
        if len(kept) == MOST_TAGS:
            break
    return tuple(kept)
