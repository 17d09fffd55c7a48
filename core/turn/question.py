"""What is to be answered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.llm.base import ChatModel, Message
    from core.slices.model import Slice
    from core.turn.burst import Burst


@dataclass(frozen=True, slots=True)
class Question:
    """What is to be answered: the slice and the words in it, the request as the model gets it, and who answers."""

    piece: Slice
    burst: Burst
    messages: Sequence[Message]
    model: ChatModel
