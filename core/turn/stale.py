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

    from core.journal.records import Guarded
    from core.journal.state import State
    from core.slices.store import Slices


class Staleness:
    """Looks for turns that old copies have replaced; a file that had all of them is read again when it changes."""

    def __init__(self, slices: Slices) -> None:
        self._slices = slices
        self._whole: dict[str, tuple[Guarded, str]] = {}

    async def set_aside(self, state: State, now: datetime) -> tuple[SetAside, ...]:
        """What must be set aside: of every guarded slice that can be read the turns that its file lacks.

        A turn that is open is left out: its words may not have been written yet.
        """
        self._whole = {name: found for name, found in self._whole.items() if name in state.guard}
        found = []
        for name, guarded in list(state.guard.items()):
            missing = tuple(turn for turn in await self._missing(name, guarded) if turn.label not in state.turns)
            if missing:
                found.append(SetAside(name, missing, iso(now)))
        return tuple(found)

    async def _missing(self, name: str, guarded: Guarded) -> tuple[Turn, ...]:
        try:
            mark = await self._slices.mark(name)
            if mark and self._whole.get(name) == (guarded, mark):
                return ()
            piece = (await self._slices.load(name)).slice
        except (NotFound, NotAFile, Malformed):
            return ()
        stands = {(turn.label, turn.role) for turn in piece.turns}
        missing = tuple(
            Turn(turn.label, turn.at, turn.role, turn.text)
            for turn in guarded.turns
            if (turn.label, turn.role) not in stands
        )
        if not missing:
            self._whole[name] = guarded, mark
        return missing
