"""The repository as the process has it: looked over and held at the start, served beside the talk, left in order."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from core.errors import RepositoryTrouble
from core.storage.github.checks import Remark, inspect
from core.storage.github.courier import Courier
from core.storage.github.desk import Desk
from core.storage.github.lease import Lease
from core.storage.github.mirror import Mirror
from core.storage.github.pace import Pace
from core.storage.github.pushing import FIRST, FIRST_TEXT
from core.storage.github.replica import ReplicaStorage
from core.storage.github.verdict import BRIEFLY

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.clock import Clock
    from core.storage.base import Storage
    from core.storage.disk import Disk
    from core.storage.github.desk import Bulk
    from core.storage.github.repository import Repository
    from core.storage.github.scribe import Scribe


LEAVING: Final = 6.0
"""Seconds that a process which ends gives to what still waits."""


@dataclass
class Remote:
    """Memory's copy in one repository. `storage` is what the house writes to; `told` collects what the owner hears."""

    repository: Repository
    disk: Disk
    local: Storage
    scribe: Scribe
    clock: Clock
    holder: str
    public: bool = False
    bulk: Bulk | None = None
    told: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        mirror = Mirror.open(self.disk)
        self.desk = Desk(self.local, mirror, self.repository, self.scribe, self.clock, self._tell, bulk=self.bulk)
        self.courier = Courier(self.desk, Pace(self.clock), public=self.public)
        self.lease = Lease(self.repository, self.clock, self.holder)
        self.storage = ReplicaStorage(self.local, self.courier.wrote)

    async def begin(self, waiting: Callable[[str], None]) -> list[Remark]:
        """Look the repository over, hold it, and take over what it has; what is to be said, refusals first.

        After a refusal nothing was done. `waiting` is told the name of the process that is waited for. Raises
        `RepositoryTrouble` when the repository cannot be reached and this disk has never seen it.
        """
        try:
            remarks = await inspect(self.repository, self.clock, public=self.public)
            if any(remark.refused for remark in remarks):
                return remarks
            await self.lease.take(await self._found(), waiting)
            self.courier.inspected()
        except RepositoryTrouble as error:
            if error.kind not in BRIEFLY or not self.desk.mirror.head:
                raise
            remarks = [Remark("github.start.later", refused=False, fields={"repository": self.repository.full_name})]
        await self.courier.begin()
        return remarks

    async def keep(self) -> None:
        """Hold the lease for ever. Raises `Ousted`."""
        await self.lease.keep(self._tree)

    async def end(self) -> bool:
        """Push what waits and give the lease back; whether all is in the repository."""
        pushed = await self.courier.flush(LEAVING)
        await self.lease.release(self.desk.mirror.tree)
        self.desk.mirror.save()
        return pushed

    async def _found(self) -> str:
        """A tree of the repository, for the lease; an empty one is given its first commit, without which it has none.

        A branch that is gone, or empty again, is for the courier to stop at.
        """
        mirror = self.desk.mirror
        try:
            head = await self.repository.head()
        except RepositoryTrouble as error:
            if error.kind not in {"empty", "missing"}:
                raise
            if mirror.head:
                return mirror.tree
            return (await self.repository.begin(FIRST, FIRST_TEXT, "Begin")).tree
        return (await self.repository.commit(head[0])).tree if head else mirror.tree

    async def _tree(self) -> str:
        """A tree that exists there."""
        return self.desk.mirror.tree or await self._found()

    def _tell(self, key: str, **fields: Any) -> None:
        self.told.append((key, fields))
