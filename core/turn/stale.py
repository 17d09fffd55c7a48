"""Noticing that an editor saved an old copy over new turns: they are set aside, neither restored nor lost.

What was written to the open slice lately stands in the journal's guard (reliability 2.10). Turns that the file no
longer holds may have been deleted on purpose, so they are not put back; they go to a conflict file and the owner hears
of it once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.clock import iso
from core.keeper.operations import SetAside
from core.slices.model import Turn

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from core.journal.records import Guarded
    from core.slices.store import Slices


async def set_aside(slices: Slices, guard: Mapping[str, Guarded], now: datetime) -> tuple[SetAside, ...]:
    """What must be set aside: per active slice the guarded turns that its file lacks."""
    found = []
    for loaded in await slices.active():
        piece = loaded.slice
        stands = {(turn.label, turn.role) for turn in piece.turns}
        guarded = guard[piece.id].turns if piece.id in guard else ()
        missing = tuple(Turn(t.label, t.at, t.role, t.text) for t in guarded if (t.label, t.role) not in stands)
        if missing:
            found.append(SetAside(piece.id, missing, iso(now)))
    return tuple(found)
