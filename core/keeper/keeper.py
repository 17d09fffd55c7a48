"""The keeper: a plan is journalled, then applied until memory agrees with it.

Order of DESIGN 5.4: the plan is durable before the first file is touched (R6); applying reads each file as it stands
now, applies the operations, and commits with the versions that were read, so that an edit by a person in between is
met, not overwritten. Content that already stands is re-asserted by the storage (R9).
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from core.clock import iso
from core.errors import Conflict, Malformed, NotAFile, NotFound
from core.journal.records import Applied, Plan
from core.keeper.apply import Edit, conflict_copy, edits_of
from core.keeper.operations import (
    Bury,
    CloseSlice,
    DeleteTurn,
    EditTurn,
    Exhume,
    LogCognition,
    MergeTurns,
    NoteMessages,
    OpenSlice,
    SetAside,
    from_json,
    to_json,
)
from core.slices import forgotten
from core.slices.forgotten import Forgotten
from core.slices.model import core_path
from core.storage.base import ABSENT, Delete, Write
from core.storage.patience import read_patiently

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from core.clock import Clock
    from core.journal.journal import Journal
    from core.journal.records import Json, Phase
    from core.keeper.operations import Operation
    from core.storage.base import Change, File, Storage

ATTEMPTS: Final = 5
"""How often a commit is tried again when somebody else keeps changing the same files."""


class Keeper:
    """Keeps plans. `unread` collects the conflict files to which words went whose own file could not be understood.

    `forgotten` is what must not be written again; `forgettings` counts how often something was forgotten or brought
    back in this process, so that whoever keeps memory's text in hand knows when to look again.
    """

    def __init__(self, journal: Journal, storage: Storage, clock: Clock) -> None:
        self._journal = journal
        self._storage = storage
        self._clock = clock
        self.unread: list[str] = []
        self.forgotten = Forgotten()
        self.forgettings = 0

    async def keep(
        self,
        turn: str,
        phase: Phase,
        operations: Sequence[Operation],
        *,
        keys: Sequence[str] = (),
        reply: Sequence[str] = (),
        flags: Mapping[str, Json] | None = None,
    ) -> None:
        """Journal the plan, then apply it; a care plan of that name which still stands open is applied with it.

        Raises `StorageError` with the plan still open, `DiskLost` to end.
        """
        plan = Plan(turn, phase, tuple(keys), tuple(map(to_json, operations)), tuple(reply), dict(flags or {}))
        self._journal.append(plan)
        whole = self._journal.state.care.get(turn, plan) if phase == "care" else plan
        await self.apply(whole)

    async def finish(self) -> int:
        """Apply the care plans that stand open, and return how many there were. Raises as `keep` does."""
        plans = list(self._journal.state.care.values())
        for plan in plans:
            await self.apply(plan)
        return len(plans)

    def abandon(self) -> None:
        """Let go of the care plans that stand open: for those that fail again and again."""
        self._journal.append(*(Applied(turn, "care") for turn in self._journal.state.care))

    async def apply(self, plan: Plan) -> None:
        """Make memory agree with a journalled plan and record that it does."""
        operations = from_json(plan.ops)
        await self._commit(without(operations, self.forgotten), f"{plan.phase} {plan.turn}")
        if any(isinstance(one, Bury | Exhume) for one in operations):
            await self.remember()
            self.forgettings += 1
        self._journal.append(Applied(plan.turn, plan.phase))

    async def remember(self) -> None:
        """Read what was forgotten, before anything is taken in or written. Raises `StorageError`."""
        file = await self._read(forgotten.PATH)
        self.forgotten = forgotten.decode(file.data) if file else Forgotten()

    async def _commit(self, operations: Sequence[Operation], message: str) -> None:
        edits = [edit for operation in operations for edit in edits_of(operation)]
        there = _expected(operations)
        for attempt in range(ATTEMPTS):
            paths = dict.fromkeys(edit.path for edit in edits)
            changes = [change for path in paths for change in await self._changes(path, edits, there)]
            try:
                await self._storage.commit(changes, message)
            except Conflict:
                if attempt == ATTEMPTS - 1:
                    raise
            else:
                return

    async def _changes(self, path: str, edits: Sequence[Edit], there: Collection[str]) -> Sequence[Change]:
        """What makes one file agree; an old flat file moves into its folder on the way."""
        mine = [edit for edit in edits if edit.path == path]
        try:
            file = await self._read(path) or await self._read(mine[0].former)
            if file is None and path in there:
                file = await self._await(path)
            data = file.data if file else None
            for edit in mine:
                data = edit.change(data)
        except (Malformed, NotAFile):
            return await self._beside(path, mine)
        if data is None:
            return (Delete(file.path, file.version),) if file else ()
        if file and file.path != path:
            return Write(path, data, ABSENT), Delete(file.path, file.version)
        return (Write(path, data, file.version if file else ABSENT),)

    async def _beside(self, path: str, edits: Sequence[Edit]) -> Sequence[Change]:
        """What cannot be merged goes to a conflict file beside the unreadable one, which stays byte-identical."""
        beside = await self._place_beside(path, edits)
        file = await self._read(beside)
        data = file.data if file else None
        for edit in edits:
            data = edit.salvage(data)
        if data is None:
            return ()
        self.unread.append(beside)
        return (Write(beside, data, file.version if file else ABSENT),)

    async def _place_beside(self, path: str, edits: Sequence[Edit]) -> str:
        """Where it goes: each edit that has a name of its own to it, the others all to one file."""
        stamp = next((edit.stamp for edit in edits if edit.stamp), "")
        if stamp:
            return conflict_copy(path, stamp)
        fresh = conflict_copy(path, iso(self._clock.now()))
        folder, _, name = fresh.rpartition("/")
        start, end = name[: name.index(".conflict-")] + ".conflict-", name[name.rindex(".") :]
        there = [one.name for one in await self._storage.list(folder) if not one.folder]
        found = [one for one in there if one.startswith(start) and one.endswith(end)]
        return f"{folder}/{max(found)}" if found else fresh

    async def _await(self, path: str) -> File | None:
        """A file that was there: `git pull` may have taken it away for a moment (reliability 2.10)."""
        with suppress(NotFound):
            return await read_patiently(self._storage, path, self._clock)
        return None

    async def _read(self, path: str) -> File | None:
        if not path:
            return None
        try:
            return await self._storage.read(path)
        except NotFound:
            return None


def without(operations: Sequence[Operation], gone: Forgotten) -> list[Operation]:
    """The operations without what they would write of turns that were forgotten."""
    if not gone.turns:
        return list(operations)
    return [left for one in operations if (left := _left(one, gone.turns)) is not None]


def _left(operation: Operation, gone: Collection[str]) -> Operation | None:
    match operation:
        case MergeTurns() | SetAside():
            turns = tuple(turn for turn in operation.turns if turn.id not in gone)
            return replace(operation, turns=turns) if turns or not operation.turns else None
        case NoteMessages():
            entries = tuple(entry for entry in operation.entries if entry.turn not in gone)
            return replace(operation, entries=entries) if entries else None
        case EditTurn() | DeleteTurn() | LogCognition():
            return None if operation.turn in gone else operation
        case _:
            return operation


def _expected(operations: Sequence[Operation]) -> set[str]:
    """The slices' files that the operations find rather than make."""
    born = {one.slice for one in operations if isinstance(one, OpenSlice)}
    kinds = MergeTurns | CloseSlice | EditTurn | DeleteTurn
    return {core_path(one.slice) for one in operations if isinstance(one, kinds) and one.slice not in born}
