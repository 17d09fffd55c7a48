"""Bringing to the repository what differs here: one commit a turn, in order, each on the head it was made for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from core.errors import RepositoryTrouble
from core.storage.base import version_of
from core.storage.github.desk import LARGEST
from core.storage.github.repository import Commit
from core.storage.github.scribe import Changed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from core.storage.github.desk import Desk
    from core.storage.github.pace import Pace

FIRST: Final = "README.md"
FIRST_TEXT: Final = b"""# Memory

Kept by Previously as plain files: what was said is in `memory/episodic/slices`, who you are in
`memory/episodic/current-previously.md`. Edit any file; your edits win.
"""
"""What an empty repository begins with, since GitHub makes no tree in one."""
MOST_FILES: Final = 300
MOST_BYTES: Final = 4 * 1024 * 1024
"""What one commit carries at most; the rest follows in the next."""


class Push:
    """Commits what differs. Raises `RepositoryTrouble`; what was not pushed still differs and waits."""

    def __init__(self, desk: Desk, pace: Pace) -> None:
        self._desk = desk
        self._pace = pace

    async def waiting(self, *, derived: bool = True) -> list[Changed]:
        """What would be pushed, oldest slice first, what is derived last; settles what does not differ any more."""
        desk, found = self._desk, []
        for path in sorted(desk.touched, key=lambda path: (desk.scribe.is_derived(path), path)):
            data = await desk.read(path)
            if self._settle(path, data):
                continue
            if self._keeps(path, data):
                desk.touched.discard(path)
            elif derived or not desk.scribe.is_derived(path):
                found.append(Changed(path, data, fresh=desk.mirror.files.get(path) is None))
        return found

    async def one(self, *, all_of_it: bool = False) -> bool:
        """Push the next commit; whether there was anything. `all_of_it` takes along what is derived in any case."""
        desk = self._desk
        truth = await self.waiting(derived=False)
        batch = next(_batches(truth), [])
        note = desk.scribe.describe(batch, desk.mirror.turns) if batch else None
        if all_of_it or (note and note.boundary):
            whole = await self.waiting()
            batch = next(_batches(whole), [])
        if not batch:
            return False
        await self._commit(batch)
        return True

    async def _commit(self, batch: Sequence[Changed]) -> None:
        try:
            await self._send(batch)
        except RepositoryTrouble as error:
            if error.kind not in {"secret", "large", "fault"}:
                raise
            if len(batch) == 1:
                self._keep(batch[0], error)
                return
            middle = len(batch) // 2
            await self._commit(batch[:middle])
            await self._commit(batch[middle:])

    async def _send(self, batch: Sequence[Changed]) -> None:
        desk, mirror, repository = self._desk, self._desk.mirror, self._desk.repository
        note = desk.scribe.describe(batch, mirror.turns)
        files = {one.path: None if one.data is None else version_of(one.data) for one in batch}
        mirror.note(sent=files, coming=list(note.turns))
        before = repository.requests
        try:
            made = await self._made(batch, note.title, note.body)
        finally:
            self._pace.pushed(repository.requests - before)
        events = {path: made.sha for path in files if desk.scribe.is_event(path)}
        more = {"commits": events} if events else {}
        mirror.note(head=made.sha, tree=made.tree, tag="", files=files, sent={}, turns=list(note.turns), **more)
        for one in batch:
            self._settle(one.path, await desk.read(one.path))

    async def _made(self, batch: Sequence[Changed], title: str, body: str) -> Commit:
        desk, mirror = self._desk, self._desk.mirror
        if not mirror.head:
            begun = await desk.repository.begin(FIRST, FIRST_TEXT, "Begin")
            mirror.note(head=begun.sha, tree=begun.tree, tag="", files={FIRST: version_of(FIRST_TEXT)})
        parent = Commit(mirror.head, mirror.tree)
        return await desk.repository.push(parent, {one.path: one.data for one in batch}, title, body)

    def _settle(self, path: str, data: bytes | None) -> bool:
        """Take what does not differ any more off the list; whether that was so."""
        if self._desk.is_ours(path) and self._desk.differs(path, data):
            return False
        self._desk.touched.discard(path)
        self._release(path)
        return True

    def _keeps(self, path: str, data: bytes | None) -> bool:
        """Whether the file stays on this disk: it was refused as it is, or is too large an attachment."""
        if data is None:
            return False
        why = self._desk.mirror.kept.get(path)
        if why and why[0] == version_of(data):
            return True
        if len(data) > LARGEST and "/files/" in path:
            self._note_kept(path, version_of(data), "large")
            return True
        return False

    def _keep(self, one: Changed, error: RepositoryTrouble) -> None:
        if one.data is None:
            raise error
        self._note_kept(one.path, version_of(one.data), error.kind)
        self._desk.touched.discard(one.path)
        self._desk.tell(f"github.kept.{error.kind}", path=one.path)

    def _note_kept(self, path: str, blob: str, why: str) -> None:
        kept = {**self._desk.mirror.kept, path: (blob, why)}
        self._desk.mirror.note(kept={name: list(value) for name, value in kept.items()})

    def _release(self, path: str) -> None:
        if path in self._desk.mirror.kept:
            kept = {name: list(value) for name, value in self._desk.mirror.kept.items() if name != path}
            self._desk.mirror.note(kept=kept)


def _batches(changes: Sequence[Changed]) -> Iterator[list[Changed]]:
    batch: list[Changed] = []
    size = 0
    for one in changes:
        weight = len(one.data or b"")
        if batch and (len(batch) >= MOST_FILES or size + weight > MOST_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(one)
        size += weight
    if batch:
        yield batch
