"""To whom the bot writes: its owner of today, never the one before, whose chat memory still names (DESIGN 7)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from core.conversation import Platform


@runtime_checkable
class Choosy(Protocol):
    """A platform on which the chats are people's: it knows which of them are the owner's."""

    def writes_to(self, chat: str) -> bool:
        """Whether that chat is the owner's, as far as is known."""


def reaches(platform: Platform | None, chat: str) -> bool:
    """Whether what is shown in that chat is seen by the owner and nobody else."""
    return platform is not None and (not isinstance(platform, Choosy) or platform.writes_to(chat))
