"""How the original reads a slice file: its turn reader, rebuilt here as a judge of what we write.

Facts from original.md 1.3 (a) and section 5: the body is trimmed; a header must be a whole line, lines ending as
JavaScript sees them; a turn's content runs to the next `## Turn ` anywhere, then is trimmed on both sides.
"""

from __future__ import annotations

import re

_BLANK = (
    " \t\n\x0b\x0c\r\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
_WORD = f"[^{_BLANK}]+"
_HEADER = re.compile(
    rf"(?:\A|(?<=[\n\r\u2028\u2029]))## Turn ({_WORD}) — ({_WORD}) \(([A-Za-z0-9_]+)\)(?=[\n\r\u2028\u2029]|\Z)",
)


def original_body(text: str) -> str:
    """What the original takes for the body: everything after the first line that begins with three dashes."""
    close = text.index("\n---", 3)
    return text[close + 4 :].removeprefix("\r").removeprefix("\n")


def original_turns(text: str) -> list[tuple[str, str, str, str]]:
    """Label, time, role and content of each turn that the original sees."""
    body = trimmed(original_body(text))
    turns = []
    for header in _HEADER.finditer(body):
        rest = body[header.end() :]
        cut = rest.find("## Turn ")
        turns.append((header[1], header[2], header[3], trimmed(rest if cut < 0 else rest[:cut])))
    return turns


def trimmed(text: str) -> str:
    """JavaScript's `trim`."""
    return text.strip(_BLANK)
