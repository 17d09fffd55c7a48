"""What Telegram asks of a message, and what a reader does: one function that finds every fault of a part."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from wcwidth import iter_graphemes

from tests.doubles.telegram.entities import written
from tests.doubles.telegram.refusals import Refusal

if TYPE_CHECKING:
    from adapters.telegram.rendered import Entity, Part

FORBIDDEN = "\u202d\u202e\ufdd0"


def faults(part: Part) -> list[str]:
    """Everything that is wrong with a part: the double of the Bot API refuses it, or a grapheme is torn."""
    found = []
    try:
        written({"text": part.text, "entities": json.dumps([as_sent(one) for one in part.entities])})
    except Refusal as refusal:
        found.append(str(refusal))
    borders = _borders(part.text)
    torn = (one for one in part.entities if not {one.offset, one.offset + one.length} <= borders)
    found += [f"{entity} tears a grapheme" for entity in torn]
    found += [f"U+{ord(sign):04X}" for sign in part.text if sign in FORBIDDEN]
    return found


def as_sent(entity: Entity) -> dict[str, str | int]:
    """The entity as the Bot API names its fields."""
    named = {"kind": "type", "unix": "unix_time", "format": "date_time_format"}
    return {named.get(key, key): value for key, value in asdict(entity).items() if value or key in {"offset", "length"}}


def _borders(text: str) -> set[int]:
    """UTF-16 offsets between graphemes, as another library sees them."""
    found, at = {0}, 0
    for grapheme in iter_graphemes(text):
        at += len(grapheme.encode("utf-16-le")) // 2
        found.add(at)
    return found
