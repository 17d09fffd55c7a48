"""How much goes to a model: estimated tokens, and what is left out first when it is too much (DESIGN 6, pains P081)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.llm.base import Message

SYSTEM: Final = 12_000
REQUEST: Final = 48_000
WORKER: Final = 16_000
PER_MESSAGE: Final = 8
_ASCII_PER_TOKEN: Final = 4


@dataclass(frozen=True, slots=True)
class Budget:
    """Estimated tokens that the system message, a whole request, and a worker's request may have."""

    system: int = SYSTEM
    request: int = REQUEST
    worker: int = WORKER


def tokens(text: str) -> int:
    """An estimate on the safe side: a token for four ASCII characters, one for any other."""
    plain = sum(map(str.isascii, text))
    return (plain + _ASCII_PER_TOKEN - 1) // _ASCII_PER_TOKEN + len(text) - plain


def size(messages: Sequence[Message]) -> int:
    """The estimated tokens of messages with their calls."""
    return sum(
        PER_MESSAGE + tokens(one.text) + sum(tokens(call.arguments) + PER_MESSAGE for call in one.calls)
        for one in messages
    )


def fitted(fixed: Sequence[Message], turns: Sequence[Message], most: int) -> list[Message]:
    """The newest of the turns that fit beside what is fixed, beginning with a user's; never none of what is fixed."""
    room = most - size(fixed)
    chosen: list[Message] = []
    for message in reversed(turns):
        room -= size([message])
        if room < 0:
            break
        chosen.append(message)
    chosen.reverse()
    while chosen and chosen[0].role != "user":
        del chosen[0]
    return chosen


def clipped(layers: Sequence[str], most: int) -> list[str]:
    """The layers, the last ones left out or cut until the rest fits; the first always stays whole."""
    kept: list[str] = []
    room = most
    for layer in layers:
        cost = tokens(layer)
        if not kept or cost <= room:
            kept.append(layer)
            room -= cost
            continue
        lines = layer.split("\n")
        while lines and tokens("\n".join(lines)) > room:
            lines.pop()
        if len(lines) > 1:
            kept.append("\n".join(lines))
        break
    return kept
