"""The keeper: a plan is journalled, then applied until memory agrees with it.

Order of DESIGN 5.4: the plan is durable before the first file is touched (R6); applying reads each file as it stands
now, applies the operations, and commits with the versions that were read, so that an edit by a person in between is
met, not overwritten. Content that already stands is re-asserted by the storage (R9).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from core.clock import iso
from core.errors import Conflict, Malformed, NotAFile, NotFound
from core.journal.records import Applied, Plan
from core.keeper.apply import Edit, conflict_copy, edits_of
from core.keeper.operations import from_json, to_json
from core.storage.base import File, Write

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from core.clock import Clock
    from core.journal.journal import Journal
    from core.journal.records import Phase
    from core.keeper.operations import Operation
    from core.storage.base import Storage

ATTEMPTS: Final = 5
"""How often a commit is tried again when somebody else keeps changing the same files."""


class Keeper:
    """Keeps plans. `unread` collects slices whose file could not be understood: the words went to a conflict file."""

    def __init__(self, journal: Journal, storage: Storage, clock: Clock) -> None:
        self._journal = journal
        self._storage = storage
        self._clock = clock
        self.unread: list[str] = []

    async def keep(
        self,
        turn: str,
        phase: Phase,
        operations: Sequence[Operation],
        *,
        keys: Sequence[str] = (),
        reply: Sequence[str] = (),
        flags: Mapping[str, object] | None = None,
    ) -> None:
        """Journal the plan, then apply it. Raises `StorageError` with the plan still open, `DiskLost` to end."""
        plan = Plan(turn, phase, tuple(keys), tuple(map(to_json, operations)), tuple(reply), dict(flags or {}))
        self._journal.append(plan)
        await self.apply(plan)

    async def apply(self, plan: Plan) -> None:
        """Make memory agree with a journalled plan and record that it does."""
        await self._commit(from_json(plan.ops), f"{plan.phase} {plan.turn}")
        self._journal.append(Applied(plan.turn, plan.phase))

    async def _commit(self, operations: Sequence[Operation], message: str) -> None:
        edits = [edit for operation in operations for edit in edits_of(operation)]
        for attempt in range(ATTEMPTS):
            changes = [await self._change(path, edits) for path in dict.fromkeys(edit.path for edit in edits)]
            try:
                await self._storage.commit([change for change in changes if change], message)
            except Conflict:
                if attempt == ATTEMPTS - 1:
                    raise
            else:
                return

    async def _change(self, path: str, edits: Sequence[Edit]) -> Write | None:
        mine = [edit for edit in edits if edit.path == path]
        try:
            file: File | None = await self._storage.read(path)
        except NotFound:
            file = None
        except NotAFile:
            return await self._beside(path, mine)
        try:
            data = file.data if file else None
            for edit in mine:
                data = edit.change(data)
        except Malformed:
            return await self._beside(path, mine)
        return None if data is None else Write(path, data, file.version if file else None)

    async def _beside(self, path: str, edits: Sequence[Edit]) -> Write | None:
        """What cannot be merged goes to a conflict file beside the unreadable one, which stays byte-identical."""
        self.unread.append(path)
        beside = conflict_copy(path, iso(self._clock.now()))
        try:
            file: File | None = await self._storage.read(beside)
        except NotFound:
            file = None
        data = file.data if file else None
        for edit in edits:
            data = edit.salvage(data)
        return None if data is None else Write(beside, data, file.version if file else None)
