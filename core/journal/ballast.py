"""A file that is given up to finish a turn when the disk is full (reliability 2.2, 2.9)."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from core.storage.disk import Disk

PATH: Final = "state/ballast"
SIZE: Final = 4 * 1024 * 1024


def load_ballast(disk: Disk, size: int = SIZE) -> None:
    """Put the ballast there unless it stands at full size; a disk that has no room for it goes without.

    It need not survive a power cut, so it is not flushed.
    """
    with suppress(OSError):
        found = disk.stat(PATH)
        if found and found.size == size:
            return
        if found:
            disk.remove(PATH)
        handle = disk.create(PATH)
        try:
            disk.write(handle, bytes(size))
        except OSError:
            disk.remove(PATH)
        finally:
            disk.close(handle)


def spend_ballast(disk: Disk) -> bool:
    """Free the ballast's room; whether there was any."""
    try:
        disk.remove(PATH)
    except OSError:
        return False
    return True
