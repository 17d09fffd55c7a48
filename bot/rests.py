"""Chats that rest because the disk or their platform refused: a little longer each time, until something succeeds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from core.errors import Shut

if TYPE_CHECKING:
    from core.clock import Clock
    from core.conversation import Incoming, Surface

PAUSES: Final = (5.0, 15.0, 60.0)
"""Seconds that a chat rests after the disk or its platform refused, once, twice, and from then on."""
SHUT: Final = 3_600.0
"""Seconds after which a chat whose person has blocked the bot is tried again, unless they are heard of before."""

Chat = tuple["Surface", str]


class Rests:
    """Who rests, and until when. `None` in place of an update stands for work that belongs to no chat."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._until: dict[Chat | None, float] = {}
        self._count: dict[Chat | None, int] = {}
        self._shut: set[Chat | None] = set()

    def begin(self, update: Incoming | None, error: Exception | None = None) -> float:
        """Let the chat of that update rest because of that error; the seconds that it will."""
        chat = _chat(update)
        if isinstance(error, Shut):
            self._shut.add(chat)
            self._until[chat] = self._clock.monotonic() + SHUT
            return SHUT
        count = self._count.get(chat, 0)
        self._count[chat] = count + 1
        pause = PAUSES[min(count, len(PAUSES) - 1)]
        self._until[chat] = self._clock.monotonic() + pause
        return pause

    def end(self, update: Incoming | None) -> None:
        """Something succeeded there."""
        self._count.pop(_chat(update), None)
        self._until.pop(_chat(update), None)

    def lift(self, surface: Surface, chat: str) -> bool:
        """The person who had blocked the bot is heard of; whether the chat rested for that."""
        found = (surface, chat) in self._shut
        if found:
            self._shut.discard((surface, chat))
            self._until.pop((surface, chat), None)
        return found

    def first(self, update: Incoming | None) -> bool:
        """Whether nothing has been refused there since something succeeded."""
        return _chat(update) not in self._count

    def now(self, update: Incoming | None) -> bool:
        """Whether the chat of that update rests now."""
        return self._until.get(_chat(update), 0.0) > self._clock.monotonic()


def _chat(update: Incoming | None) -> Chat | None:
    return (update.surface, update.chat) if update else None
