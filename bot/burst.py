"""Which waiting messages make one turn, and how long to wait for more of them. Pure (DESIGN 5.3, reliability 5)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from core.clock import instant
from core.journal.ids import is_later, stream_of
from core.turn.burst import stored

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.journal.open_turn import Waiting
    from core.journal.records import In

ALBUM: Final = 1.5
"""Seconds of quiet awaited while an album comes in: it has no end mark."""

SEVERAL: Final = 1.2
"""Seconds of quiet awaited after a forward, a long paste, or a second message."""

SINGLE: Final = 0.35
"""Seconds awaited after a plain message: long enough for the forward that it comments on."""

SPAN: Final = 8.0
"""Seconds after the first message when waiting ends, and the longest pause inside a burst."""

MOST: Final = 60
CHARACTERS: Final = 60_000
PASTE: Final = 3_500
"""Characters from which on a message may be the first part of a paste that the platform has split."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """The messages of the next turn, and the seconds to wait before it may begin (0: now)."""

    messages: tuple[Waiting, ...]
    wait: float = 0.0


def gather(waiting: Sequence[Waiting], now: datetime) -> Gathered:
    """The next burst out of what waits, in journal order; `waiting` is not empty."""
    first = waiting[0]
    chat = [one for one in waiting if _place(one) == _place(first)]
    count, characters = 0, 0
    for one, following in pairwise((first, *chat)):
        characters += len(stored(following))
        if count and (count >= MOST or characters > CHARACTERS or not _near(one, following)):
            break
        count += 1
    burst = tuple(chat[:count])
    complete = len(chat) > count or len(burst) == MOST
    return Gathered(burst, 0.0 if complete else _wait(burst, now))


def after(one: In, other: In) -> bool:
    """Whether a message came after another: by their numbers in one chat, else by when they were received."""
    key, before = one.update.key, other.update.key
    return is_later(key, before) if stream_of(key) == stream_of(before) else one.at > other.at


def _place(one: Waiting) -> tuple[str, str]:
    return one.update.surface, one.update.chat


def _near(one: Waiting, following: Waiting) -> bool:
    """Whether the pause between two messages is one inside a burst, by the platform's own times."""
    return abs((following.update.sent - one.update.sent).total_seconds()) <= SPAN


def _wait(burst: Sequence[Waiting], now: datetime) -> float:
    if burst[0].update.surface == "terminal":
        return 0.0
    received = [instant(one.first.at) or now for one in burst]
    until = min(max(received) + timedelta(seconds=_window(burst)), received[0] + timedelta(seconds=SPAN))
    return min(max((until - now).total_seconds(), 0.0), SPAN)


def _window(burst: Sequence[Waiting]) -> float:
    updates = [one.update for one in burst]
    if any(update.group for update in updates):
        return ALBUM
    if len(updates) > 1 or any(update.forwarded or len(update.text) >= PASTE for update in updates):
        return SEVERAL
    return SINGLE
