"""What a folder on a disk looks like to storage: names that memory may have, with their change marks."""

from __future__ import annotations

from contextlib import suppress
from errno import ELOOP, ENOTDIR
from typing import TYPE_CHECKING, Final

from core.storage.base import Entry
from core.storage.paths import is_allowed
from core.storage.troubles import told

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.storage.disk import Disk, Stat

_NO_FOLDER: Final = (ENOTDIR, ELOOP)


def entries(disk: Disk, place: str, folder: str) -> Sequence[Entry]:
    """The entries at `place` on the disk, which memory calls `folder`; sorted, one for a file, none when missing.

    Links and special files are shown as files, so that reading them says what is wrong. Raises `NotAFile`,
    `DiskTrouble`.
    """
    with told(folder), suppress(FileNotFoundError):
        try:
            found = disk.list(place)
        except OSError as error:
            if error.errno not in _NO_FOLDER:
                raise
            return _alone(disk, place, folder)
        return [_entry(name, stat) for name, stat in found if is_allowed(f"{folder}/{name}")]
    return []


def _alone(disk: Disk, place: str, folder: str) -> Sequence[Entry]:
    """What is listed where something else than a folder stands."""
    found = disk.stat(place)
    return [_entry(folder.rpartition("/")[2], found)] if found else []


def _entry(name: str, found: Stat) -> Entry:
    return Entry(name, folder=True) if found.kind == "folder" else Entry(name, folder=False, mark=found.mark)
