"""Joins a continued answer to what was said before, without saying the same twice."""

from __future__ import annotations

from typing import Final

_LEAST: Final = 8
"""Fewer shared characters are chance (code points)."""
_MOST: Final = 1_000


class Joint:
    """Takes the beginning of a continuation until it is clear how much of it was already said."""

    def __init__(self, before: str) -> None:
        self._before = before
        self._tail = before[-_MOST:]
        self._held = ""
        self._open = bool(before)

    def feed(self, text: str) -> str:
        """What of the continuation is new and certain."""
        if not self._open:
            return text
        self._held += text
        if self._undecided():
            return ""
        return self.end()

    def end(self) -> str:
        """What is new of that which was held back; from here on everything is."""
        self._open = False
        held, self._held = self._held, ""
        if len(self._before) >= _LEAST and held.startswith(self._before):
            return held[len(self._before) :]
        return held[self._shared(held) :]

    def _undecided(self) -> bool:
        if len(self._before) > len(self._held) and self._before.startswith(self._held):
            return True
        longest = len(self._tail)
        return any(self._tail.startswith(self._held, longest - k) for k in range(len(self._held) + 1, longest + 1))

    def _shared(self, held: str) -> int:
        """How many characters at the beginning of `held` repeat the end of what was said."""
        for k in range(min(len(held), len(self._tail)), _LEAST - 1, -1):
            if self._tail.endswith(held[:k]):
                return k
        return 0
