"""A replica over a disk in memory or a real one, beside a double of GitHub."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from core.replica.scribe import MemoryScribe
from core.storage.github.courier import Courier
from core.storage.github.desk import Desk
from core.storage.github.mirror import Mirror
from core.storage.github.pace import Pace
from core.storage.github.replica import ReplicaStorage
from core.storage.github.repository import Repository
from core.storage.github.wire import Wire
from core.storage.local import LocalStorage
from core.storage.ram_disk import RamDisk
from tests.doubles.clock import ManualClock
from tests.doubles.github.server import TOKEN

if TYPE_CHECKING:
    from core.storage.disk import Disk
    from tests.doubles.github.server import GitHubDouble


@dataclass
class Replica:
    """One process's copy: everything between a `Storage` and the wire. `told` is what the owner would hear."""

    double: GitHubDouble
    disk: Disk = field(default_factory=RamDisk)
    clock: ManualClock = field(default_factory=lambda: ManualClock(instant=True))
    token: str = TOKEN
    patience: int = 5
    told: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.disk.stat("state") is None:
            self.disk.make_folder("state")
        self.wire = Wire(self.token, self.double.url, patience=self.patience)
        self.mirror = Mirror.open(self.disk)
        self.repository = Repository(self.wire, self.double.owner, self.double.name, self.clock)
        self.local = LocalStorage(self.disk)
        self.pace = Pace(self.clock)
        self.desk = Desk(self.local, self.mirror, self.repository, MemoryScribe(), self.clock, self._tell)
        self.courier = Courier(self.desk, self.pace)
        self.storage = ReplicaStorage(self.local, self.courier.wrote)

    def _tell(self, key: str, **fields: Any) -> None:
        self.told.append((key, fields))

    async def round(self, *, force: bool = False) -> None:
        """One round of the courier after whatever rest it has to keep."""
        self.clock.shift(max(self.pace.wait(), self.pace.resting()))
        await self.courier.round(force=force)

    async def data(self, path: str) -> bytes | None:
        return await self.desk.read(path)

    def close(self) -> None:
        self.wire.close()
