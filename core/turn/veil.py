"""No secret of the process leaves in an answer: what a model says is masked before it is shown or stored (4.6, 75)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

MASK: Final = "[secret]"
SHORTEST: Final = 8
"""A shorter value is no secret, and masking it would eat ordinary words."""


class Veil:
    """Knows the secrets; shows none of them in its own text."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        self._secrets = sorted({one for one in secrets if len(one) >= SHORTEST}, key=len, reverse=True)

    def text(self, text: str) -> str:
        """The text with every secret replaced."""
        for secret in self._secrets:
            text = text.replace(secret, MASK)
        return text

    def stream(self) -> Stream:
        """A veil for text that comes in pieces."""
        return Stream(self)

    def held(self, text: str) -> int:
        """How many characters at the end of a text may be the beginning of a secret."""
        longest = 0
        for secret in self._secrets:
            for size in range(min(len(secret) - 1, len(text)), longest, -1):
                if text.endswith(secret[:size]):
                    longest = size
                    break
        return longest


@dataclass(slots=True)
class Stream:
    """Passes pieces on, and holds back what may be the beginning of a secret until more of it comes."""

    veil: Veil
    _kept: str = field(default="", repr=False)

    def feed(self, piece: str) -> str:
        """What may be shown after this piece."""
        text = self.veil.text(self._kept + piece)
        held = self.veil.held(text)
        self._kept = text[len(text) - held :] if held else ""
        return text[: len(text) - held] if held else text

    def rest(self) -> str:
        """What was held back, when nothing more comes."""
        left, self._kept = self._kept, ""
        return left
