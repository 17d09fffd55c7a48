"""How much goes to a model: estimated tokens, and what is left out first when it is too much (DESIGN 6, pains P081)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from core.llm.size import WORKER, size, tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.llm.base import Message

SYSTEM: Final = 12_000
REQUEST: Final = 48_000


LAST: Final = 1_500
"""Tokens that are set aside for the brief and the newest words, so that a longer brief moves no window."""

SOME: Final = 8
"""How many messages are left out at once for want of room, where so many more than the newest are kept."""


@dataclass(frozen=True, slots=True)
class Budget:
    """Estimated tokens that the system message, a whole request, and a worker's request may have."""

    system: int = SYSTEM
    request: int = REQUEST
    worker: int = WORKER

    @classmethod
    def of(cls, request: int) -> Budget:
        """The budget whose whole request has so many tokens; the others in the same proportion."""
        return cls(SYSTEM * request // REQUEST, request, WORKER * request // REQUEST)


def fitted(
    before: Sequence[Message], turns: Sequence[Message], last: Sequence[Message], most: int, recent: int
) -> list[Message]:
    """The newest of the turns that fit between what stands before and the last messages, beginning with a user's.

    At least the `recent` newest where there is room, at most half as many more: what is left out goes by stretches, so
    that the messages keep their bytes from turn to turn for as long as possible. Both kinds of stretch end on one grid:
    with two, a window that is about as long as there is room for would move twice as often. Nothing but `turns` is
    left out.
    """
    longest = recent + recent // 2
    some = min(max(longest - recent, 1), SOME)
    stretch = max(longest - recent, 1) // some * some
    room = most - size(before) - max(size(last), LAST)
    costs = [size([turn]) for turn in turns]
    start = max(-(-(len(turns) - longest) // stretch) * stretch, 0)
    while sum(costs[start:]) > room and start + some < len(turns):
        start += some
    while sum(costs[start:]) > room and start < len(turns):
        start += 1
    chosen = list(turns[start:])
    while chosen and chosen[0].role != "user":
        del chosen[0]
    return chosen


def clipped(layers: Sequence[tuple[str, int]], most: int) -> list[str]:
    """The layers that fit, in their order; a layer is a text and its rank.

    The lower the rank, the earlier a layer gets its room; of what does not fit whole the first lines stay. Rank 0
    always stays whole.
    """
    kept: dict[int, str] = {}
    room = most
    for place in sorted(range(len(layers)), key=lambda at: layers[at][1]):
        text, rank = layers[place]
        text = text if rank == 0 else _beginning(text, room)
        if text:
            kept[place] = text
            room -= tokens(text) + 1
    return [kept[place] for place in sorted(kept)]


def _beginning(layer: str, room: int) -> str:
    """The layer's first lines that fit; "" when that is no more than its heading."""
    if tokens(layer) <= room:
        return layer
    kept: list[str] = []
    for line in layer.split("\n"):
        room -= tokens(line) + 1
        if room < 0:
            break
        kept.append(line)
    return "\n".join(kept).rstrip() if len(kept) > 1 else ""
