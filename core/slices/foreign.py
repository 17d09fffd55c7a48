"""Text in a turn that is not the person's own: forwarded or quoted, kept as a block quote headed with its origin.

What a person forwards is on file, but it is nobody's own words: the gate, evidence and commands look only at `own`
(DESIGN 5.7).
"""

from __future__ import annotations

import re
from typing import Final, Literal

Kind = Literal["forwarded", "quoted"]
_HEADED: Final = re.compile(r"^> \[(?:forwarded|quoted): [^\n]*\]\n(?:>[^\n]*(?:\n|\Z))*\n?", re.MULTILINE)
_FILED: Final = re.compile(
    r"^\[[a-z]+/[\w.+-]+: [^\n]*\](?:\(files/[\w.-]+\)| \(not kept: [^()\n]*\))?(?:\n+|\Z)", re.MULTILINE
)
_BREAKS: Final = re.compile(r"[\]\n]+")


def quote(kind: Kind, origin: str, text: str) -> str:
    """The text as a block quote headed with where it comes from."""
    head = f"> [{kind}: {_BREAKS.sub(' ', origin).strip()}]"
    return "\n".join((head, *(f"> {line}".rstrip() for line in text.split("\n"))))


def own(text: str) -> str:
    """A user turn without its forwarded and quoted blocks."""
    return _HEADED.sub("", text).strip("\n")


def written(text: str) -> str:
    """What the person wrote in a user turn: neither what they passed on nor the names of files, which others gave."""
    return _FILED.sub("", own(text)).strip("\n")
