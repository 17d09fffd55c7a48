"""An answer while it is being written: what of it can be shown already, and where it goes on in a second message."""

from __future__ import annotations

import re
from typing import Final

from adapters.telegram.blocks import body
from adapters.telegram.links import addresses
from adapters.telegram.parting import part_of, parted
from adapters.telegram.prepass import clean
from adapters.telegram.rendered import Part
from adapters.telegram.styled import Styled, joined, plain
from adapters.telegram.units import border_before, fitting, is_blank, units

ROLL: Final = 3600
"""UTF-16 units after which the answer goes on in another message (ux.md 5.2)."""
_FENCE: Final = re.compile(r"([ \t>]*)(`{3,}|~{3,})(.*)")
_EMPTY: Final = Part("…")


def streamed(text: str) -> Part:
    """Unfinished Markdown as one part: set up to its last whole line, the rest as it stands.

    No address is a link yet: whether anybody gave it is known when the answer is whole.
    """
    head, _, tail = text.rpartition("\n")
    if _open(head):
        shown = body(text)
    else:
        shown = joined((body(head, addresses(head)), plain(clean(tail))), "\n\n" if head.endswith("\n") else "\n")
    spans = tuple(span for span in shown.spans if span.kind != "text_link")
    parts = parted(Styled(shown.text, spans))
    return part_of(parts[0]) if parts and not is_blank(parts[0].text) else _EMPTY


def rolled(text: str, limit: int = ROLL) -> tuple[str, str]:
    """The Markdown up to a place where a message can end, and the rest, "" while all of it fits in `limit` units.

    It ends at a paragraph, else at a line, else between words. A fence that is cut is closed, and opened again with
    its language in the rest.
    """
    if units(text) <= limit:
        return text, ""
    hard = fitting(text, limit)
    for sign in ("\n\n", "\n"):
        end = _free(text, sign, hard)
        if end:
            return text[:end], text[end:].lstrip("\n")
    end = text.rfind("\n", hard // 2, hard)
    fence = _open(text[:end]) if end > 0 else None
    if fence:
        return f"{text[:end]}\n{fence[1]}{fence[2]}", f"{fence[0]}\n{text[end + 1 :]}"
    end = text.rfind(" ", hard // 2, hard)
    end = end if end > 0 else border_before(text, hard, hard // 2)
    fence = _open(text[:end])
    if fence:
        return f"{text[:end]}\n{fence[1]}{fence[2]}", f"{fence[0]}\n{text[end:]}"
    return text[:end], text[end:].lstrip(" ")


def _free(text: str, sign: str, hard: int) -> int:
    """The last place of the sign in the second half that is in no fence; 0 when there is none."""
    end = text.rfind(sign, hard // 2, hard)
    while end > 0:
        if not _open(text[:end]):
            return end
        end = text.rfind(sign, hard // 2, end)
    return 0


def _open(text: str) -> re.Match[str] | None:
    """The fence that is still open at the end of the text."""
    opened: re.Match[str] | None = None
    for line in text.split("\n"):
        found = _FENCE.fullmatch(line)
        if not found:
            continue
        if opened is None:
            opened = found if not (found[2][0] == "`" and "`" in found[3]) else None
        elif found[2][0] == opened[2][0] and len(found[2]) >= len(opened[2]) and not found[3].strip():
            opened = None
    return opened
