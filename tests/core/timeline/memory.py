"""A memory in RAM that a test fills with slices, and its projections."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from core.slices.codec import decode, encode
from core.slices.model import ACTIVE, AGENT, CLOSED, USER, Slice, Turn, core_path
from core.slices.store import Slices
from core.storage.base import Delete, Write, version_of
from core.storage.memory import MemoryStorage
from core.timeline.projections import Projections
from tests.doubles.clock import ManualClock

if TYPE_CHECKING:
    from core.storage.base import Change

LIMIT = 1_000_000


class Memory:
    """Slices come and go as a person or another program would make them; `shown` are all files but those of slices."""

    def __init__(self, now: str = "2026-03-10T12:00:00+00:00", limit: int = LIMIT) -> None:
        self.clock = ManualClock(now)
        self.storage: MemoryStorage = MemoryStorage()
        self.slices = Slices(self.storage)
        self.limit = limit
        self.projections = Projections(self.storage, self.slices, self.clock, limit)

    async def put(self, *pieces: Slice) -> None:
        for piece in pieces:
            await self.write(core_path(piece.id), encode(piece).encode())

    async def put_quietly(self, *pieces: Slice) -> None:
        """Past whatever this storage does in a commit."""
        changes = []
        for piece in pieces:
            path = core_path(piece.id)
            found = self.storage.files.get(path)
            changes.append(Write(path, encode(piece).encode(), None if found is None else version_of(found)))
        await MemoryStorage.commit(self.storage, changes, "test")

    async def get(self, slice_id: str) -> Slice:
        return decode((await self.storage.read(core_path(slice_id))).data, slice_id)

    async def change(self, slice_id: str, **marks: object) -> None:
        await self.put(replace(await self.get(slice_id), **marks))  # type: ignore[arg-type]

    async def write(self, path: str, data: bytes) -> None:
        found = self.storage.files.get(path)
        await self.storage.commit([Write(path, data, None if found is None else version_of(found))], "test")

    async def delete(self, path: str) -> None:
        await self.storage.commit([Delete(path, version_of(self.storage.files[path]))], "test")

    def restart(self) -> None:
        self.slices = Slices(self.storage)
        self.projections = Projections(self.storage, self.slices, self.clock, self.limit)

    @property
    def shown(self) -> dict[str, bytes]:
        return {path: data for path, data in self.storage.files.items() if not path.endswith("core.md")}

    async def rebuilt(self) -> dict[str, bytes]:
        """What a rebuild makes of the slices alone (and the merges of strands) at the stamp of the catalog."""
        other = Memory(stamp_of(self.shown["memory/episodic/timeline/index.json"]), self.limit)
        kept = ("core.md", "strand-aliases.json")
        other.storage = MemoryStorage({path: data for path, data in self.storage.files.items() if path.endswith(kept)})
        other.restart()
        await other.projections.rebuild()
        return other.shown


def stamp_of(index: bytes) -> str:
    line = next(line for line in index.decode().split("\n") if '"updated_at"' in line)
    return line.split('"')[3].replace("Z", "+00:00")


def closed(slice_id: str, **marks: object) -> Slice:
    """A closed slice with one exchange."""
    at = f"{slice_id[:10]}T{slice_id[11:13]}:{slice_id[13:]}"
    turns = (Turn("q1W-_A", f"{at}:07.113Z", USER, "Which yeast?"), Turn("q1W-_A", f"{at}:30.000Z", AGENT, "Dry."))
    made = Slice(slice_id, CLOSED, turns[0].at, turns[1].at, closed_by="time_silence", turns=turns)
    return replace(made, **marks)  # type: ignore[arg-type]


def active(slice_id: str, **marks: object) -> Slice:
    """An open slice with one exchange."""
    return replace(closed(slice_id, **marks), status=ACTIVE, end="", closed_by="")


def paths(changes: list[Change]) -> list[str]:
    return [change.path.removeprefix("memory/episodic/") for change in changes]
