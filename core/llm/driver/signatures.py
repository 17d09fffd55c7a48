"""Signed reasoning that a provider wants to see again beside the tool calls that followed from it."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from core.llm.base import Message, ToolCall

_MOST: Final = 64


class Signatures:
    """Blocks by the id of the first call they led to; the oldest are forgotten, they matter within one answer only."""

    def __init__(self) -> None:
        self._blocks: OrderedDict[str, tuple[Mapping[str, Any], ...]] = OrderedDict()

    def keep(self, calls: Sequence[ToolCall], blocks: tuple[Mapping[str, Any], ...]) -> None:
        """Remember what led to these calls."""
        if calls and blocks and calls[0].id:
            self._blocks[calls[0].id] = blocks
            while len(self._blocks) > _MOST:
                self._blocks.popitem(last=False)

    def of(self, messages: Sequence[Message]) -> dict[str, tuple[Mapping[str, Any], ...]]:
        """The blocks that belong to the calls in a conversation."""
        first = (message.calls[0].id for message in messages if message.calls)
        return {name: self._blocks[name] for name in first if name in self._blocks}
