"""What a folder on a disk looks like to storage: names that memory may have, with their change marks."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from core.storage.base import Entry
from core.storage.paths import is_allowed
from core.storage.troubles import told

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.storage.disk import Disk, Stat


def entries(disk: Disk, place: str, folder: str) -> Sequence[Entry]:
    """The entries at `place` on the disk, which memory calls `folder`; sorted, one for a file, none when missing.

    Links and special files are shown as files, so that reading them says what is wrong. Raises `NotAFile`,
    `DiskTrouble`.
    """
    with told(folder), suppress(FileNotFoundError):
        found = disk.stat(place)
        if found is not None and found.kind != "folder":
            return [_entry(folder.rpartition("/")[2], found)]
        return [_entry(name, stat) for name, stat in disk.list(place) if is_allowed(f"{folder}/{name}")]
    return []


def _entry(name: str, found: Stat) -> Entry:
    return Entry(name, folder=True) if found.kind == "folder" else Entry(name, folder=False, mark=found.mark)
