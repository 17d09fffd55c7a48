"""How a turn follows on what was before: the same talk, a recent return, or a fresh start (original.md 2.7)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final, Literal

from core.clock import instant
from core.relative import gap_text

if TYPE_CHECKING:
    from datetime import datetime

    from core.i18n import Words
    from core.slices.model import Slice

RECENT: Final = timedelta(hours=24)
"""From exactly so long on, the person comes back cold."""

Tier = Literal["continuing", "first", "recent_return", "cold"]


@dataclass(frozen=True, slots=True)
class Continuity:
    """The tier, how long ago the talk before was ("" when there is none), and what that talk was about."""

    tier: Tier
    gap: str = ""
    focus: str = ""


def continuity(newborn: bool, previous: Slice | None, now: datetime, words: Words) -> Continuity:
    """How a turn follows on: `newborn` when it opened its slice, `previous` is the newest slice closed before it."""
    if not newborn:
        return Continuity("continuing")
    if previous is None:
        return Continuity("first")
    ended = instant(previous.end) or instant(previous.start)
    if ended is None:
        return Continuity("cold", focus=previous.focus)
    gap = max(now - ended, timedelta(0))
    tier: Tier = "recent_return" if gap < RECENT else "cold"
    return Continuity(tier, gap_text(gap.total_seconds(), words), previous.focus)
