"""How much a text is to a model: estimated tokens, and as much of it as there is room for (pains P081)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from core.llm.base import Message

WORKER: Final = 16_000
"""Tokens that a worker's request may have by default (DESIGN 6)."""

PER_MESSAGE: Final = 8
_ASCII_PER_TOKEN: Final = 4


def tokens(text: str) -> int:
    """An estimate on the safe side: a token for four ASCII characters, one for any other."""
    plain = len(text.encode("ascii", "ignore"))
    return (plain + _ASCII_PER_TOKEN - 1) // _ASCII_PER_TOKEN + len(text) - plain


def size(messages: Sequence[Message]) -> int:
    """The estimated tokens of messages with their calls."""
    return sum(
        PER_MESSAGE + tokens(one.text) + sum(tokens(call.arguments) + PER_MESSAGE for call in one.calls)
        for one in messages
    )


def ending(text: str, most: int) -> str:
    """The end of the text that has at most so many tokens."""
    if tokens(text) <= most:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if tokens(text[middle:]) <= most else (middle + 1, high)
    return text[low:]


def newest(parts: Sequence[str], most: int) -> list[str]:
    """The last parts that fit, in their order; of the very last one its end when it does not fit by itself."""
    kept: list[str] = []
    room = most
    for part in reversed(parts):
        cost = tokens(part) + 1
        if cost > room:
            break
        kept.append(part)
        room -= cost
    if not kept and parts:
        kept = [ending(parts[-1], most)]
    return kept[::-1]


def listed(names: Iterable[str], most: int) -> list[str]:
    """The first names that fit, each with a little for what parts it from the next."""
    kept: list[str] = []
    room = most
    for name in names:
        room -= tokens(name) + 1
        if room < 0:
            break
        kept.append(name)
    return kept
