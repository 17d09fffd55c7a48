"""What is to be forgotten, as a value: whole slices, single exchanges of slices, and words that lines are known by."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Wanted:
    """Whole slices; of other slices the labels of exchanges (none: only their marks); words, as they are compared."""

    whole: tuple[str, ...] = ()
    parts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    words: tuple[str, ...] = ()

    @property
    def slices(self) -> tuple[str, ...]:
        """Every slice that is touched, oldest first."""
        return tuple(sorted({*self.whole, *self.parts}))


def encode(token: str, wanted: Wanted) -> bytes:
    """What waits for a yes, as a file."""
    parts = {name: list(labels) for name, labels in wanted.parts.items()}
    plain = {"token": token, "whole": list(wanted.whole), "parts": parts, "words": list(wanted.words)}
    return json.dumps(plain, ensure_ascii=True).encode()


def decode(data: bytes | None) -> tuple[str, Wanted] | None:
    """What waits for a yes, by its token; None when nothing that can be understood does."""
    try:
        found: Any = json.loads(data or b"")
        parts = {str(name): tuple(map(str, labels)) for name, labels in found["parts"].items()}
        return str(found["token"]), Wanted(tuple(map(str, found["whole"])), parts, tuple(map(str, found["words"])))
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def joined(one: Wanted, other: Wanted) -> Wanted:
    """Both: a slice that either wants whole goes whole."""
    whole = tuple(sorted({*one.whole, *other.whole}))
    parts: dict[str, tuple[str, ...]] = {}
    for name, labels in (*one.parts.items(), *other.parts.items()):
        if name not in whole:
            parts[name] = tuple(dict.fromkeys((*parts.get(name, ()), *labels)))
    return Wanted(whole, parts, tuple(dict.fromkeys((*one.words, *other.words))))
