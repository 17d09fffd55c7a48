"""What becomes of an answer that the end of the process broke off (partials are kept)."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.agent.stop import Stop
    from core.turn.answering import Found


def left(found: Found, stop: Stop) -> Found:
    """The answer as it is to be kept when the process ends, or unchanged when it was not broken off by that.

    With words it is kept as far as it came and says why it ends. Without any there is nothing to keep: raises
    CancelledError, so that the turn stays open and the next start answers it.
    """
    if not stop.leaving or found.answer.finish != "interrupted":
        return found
    if not found.answer.text.strip():
        raise asyncio.CancelledError
    return replace(found, trouble="turn.restarted")
