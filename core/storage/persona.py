"""A folder on disk as a storage that is only read: the demo people, ours and the original's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.errors import NotFound, ReadOnly
from core.storage.base import File, version_of
from core.storage.listing import entries
from core.storage.os_disk import OsDisk
from core.storage.paths import check_file, check_folder
from core.storage.troubles import told

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from core.storage.base import Change, Entry


class PersonaStorage:
    """Reads one person's folder wherever it is installed.

    Ours hold `memory/episodic/...`; the original's persona folders leave `memory/` out (original.md 2.16), and
    there `tasks/` and `sessions/` are empty. Owner, modes and hard links do not matter here: package managers share
    and link what they install. Symbolic links and special files are refused all the same. Raises `DiskTrouble` when
    the folder cannot be opened.
    """

    def __init__(self, folder: Path) -> None:
        with told(str(folder)):
            self._disk = OsDisk(folder)
            memory = self._disk.stat("memory")
        self._stripped = memory is None or memory.kind != "folder"

    def shut(self) -> None:
        """Give the open folders back."""
        self._disk.shut()

    async def read(self, path: str) -> File:
        """The file. Raises `NotFound`, `PathRefused`, `NotAFile`, `DiskTrouble`."""
        place = self._place(check_file(path))
        if place is None:
            raise NotFound(path)
        with told(path):
            try:
                data = self._disk.read(place)
            except FileNotFoundError:
                raise NotFound(path) from None
        return File(path, data, version_of(data))

    async def list(self, folder: str) -> Sequence[Entry]:
        """The names in a folder, sorted; none when it is missing. Raises `PathRefused`, `NotAFile`, `DiskTrouble`."""
        place = self._place(check_folder(folder))
        return [] if place is None else entries(self._disk, place, folder)

    async def commit(self, changes: Sequence[Change], message: str) -> None:  # noqa: ARG002 - see the class
        """Refuse. Raises `ReadOnly`, unless there is nothing to change."""
        if changes:
            raise ReadOnly(changes[0].path, "this person's memory is only for reading")

    def _place(self, path: str) -> str | None:
        """Where the path stands inside the folder; None when this layout has no such part."""
        if not self._stripped:
            return path
        root, _, rest = path.partition("/")
        return rest if root == "memory" else None
