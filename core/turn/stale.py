"""Noticing that an editor saved an old copy over new turns: they are set aside, neither restored nor lost.

What was written to slices lately stands in the journal's guard (reliability 2.10). Turns that the file no longer holds
may have been deleted on purpose, so they are not put back; they go to a conflict file and the owner hears of it once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.clock import iso
from core.errors import Malformed, NotAFile, NotFound
from core.keeper.operations import SetAside
from core.slices.model import Turn

if TYPE_CHECKING:
    from datetime import datetime

    from core.journal.state import State
    from core.slices.store import Slices


async def set_aside(slices: Slices, state: State, now: datetime) -> tuple[SetAside, ...]:
    """What must be set aside: of every guarded slice that can be read the turns that its file lacks.

    A turn that is open is left out: its words may not have been written yet.
    """
    found = []
    for name, guarded in list(state.guard.items()):
        try:
            piece = (await slices.load(name)).slice
        except (NotFound, NotAFile, Malformed):
            continue
        stands = {(turn.label, turn.role) for turn in piece.turns}
        missing = tuple(
            Turn(turn.label, turn.at, turn.role, turn.text)
            for turn in guarded.turns
            if (turn.label, turn.role) not in stands and turn.label not in state.turns
        )
        if missing:
            found.append(SetAside(name, missing, iso(now)))
    return tuple(found)
