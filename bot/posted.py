"""The outbox of what belongs to no turn: what is posted unasked is posted once, and knows its message."""

from __future__ import annotations


class Posted:
    """Remembers the first message that a platform has noted."""

    def __init__(self) -> None:
        self.message = ""

    def sent(self, turn: str, part: int) -> str | None:
        """Nothing was sent before."""
        del turn, part
        return None

    async def note(self, turn: str, part: int, message: str) -> None:
        """Remember it if it is the first, whatever number a platform gives to the parts of a page."""
        del turn, part
        self.message = self.message or message
