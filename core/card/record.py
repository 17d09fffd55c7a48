"""The record of one change of the card: when, why, what, and the card as it was before, so that it can be undone.

One small Markdown file per change beside the slice, unknown and harmless to the original. Undoing makes a new version
and deletes nothing.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Final

from core.errors import Malformed

_FENCE: Final = "---\n"
_LINE: Final = re.compile(r"(\w+): (.*)\Z")


@dataclass(frozen=True, slots=True)
class Record:
    """A change: ISO time `at`, the `why` (`slice_closed`, `request`, `legacy`, `undo`), a sentence, lines, `before`."""

    at: str
    why: str
    summary: str
    added: tuple[str, ...]
    removed: tuple[str, ...]
    before: str


def encode_record(record: Record) -> str:
    """The record as a file."""
    head = {
        "at": record.at,
        "why": record.why,
        "summary": record.summary,
        "added": list(record.added),
        "removed": list(record.removed),
    }
    lines = "".join(f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in head.items())
    return f"{_FENCE}{lines}{_FENCE}{record.before}"


def decode_record(text: str, where: str) -> Record:
    """The record in a file; raises `Malformed`."""
    opened, *rest = text.split(_FENCE, 2)
    if opened or len(rest) != 2:  # noqa: PLR2004 - head and body
        raise Malformed(where, "no record of a change of the card")
    try:
        head = {found[1]: json.loads(found[2]) for line in rest[0].split("\n") if (found := _LINE.match(line))}
        added, removed = tuple(map(str, head["added"])), tuple(map(str, head["removed"]))
        return Record(str(head["at"]), str(head["why"]), str(head["summary"]), added, removed, rest[1])
    except (KeyError, TypeError, ValueError) as error:
        raise Malformed(where, "a record of a change of the card that cannot be read") from error
