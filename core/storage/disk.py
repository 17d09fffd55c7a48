"""The disk port: the few file operations that durability is built from, each of which a test can make fail.

Paths are relative to one root folder, with `/` between components; "" is the root itself. Every component is opened
without following links. Errors of the operating system arrive as `OSError`; translating them is the caller's work.
The journal and the local storage stand on this port, so that one simulated disk (volatile and durable halves, power
cuts, errno injection) tests both (reliability 6, T1-T6).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

Kind = Literal["file", "folder", "other"]


@dataclass(frozen=True, slots=True)
class Stat:
    """What stands at a path: kind (links, FIFOs and devices are "other"), size in bytes, link count, change mark."""

    kind: Kind
    size: int
    links: int
    mark: str


class Disk(Protocol):
    """Blocking, single-threaded file operations below one root. Handles are small integers."""

    def stat(self, path: str) -> Stat | None:
        """What stands there (the link itself, not its target), or None."""

    def list(self, path: str) -> Sequence[tuple[str, Stat]]:
        """Names in a folder with their stats, sorted; raises FileNotFoundError."""

    def read(self, path: str) -> bytes:
        """All bytes of a plain file; never blocks on a FIFO, never follows a link (OSError ELOOP or EINVAL)."""

    def make_folder(self, path: str) -> None:
        """Create one folder, mode 0700; its parent must exist. Not durable until the parent is synced."""

    def create(self, path: str) -> int:
        """Open a new file for writing, mode 0600; raises FileExistsError."""

    def open_append(self, path: str) -> int:
        """Open a file to append, created 0600 when missing."""

    def write(self, handle: int, data: bytes) -> None:
        """Write all the bytes; not durable until `sync`."""

    def sync(self, handle: int) -> None:
        """Flush the file to the medium (fsync; F_FULLFSYNC on macOS)."""

    def close(self, handle: int) -> None:
        """Give the handle back; never raises."""

    def sync_file(self, path: str) -> None:
        """Open, flush and close a file that is already there (R9)."""

    def sync_folder(self, path: str) -> None:
        """Make the names in a folder durable."""

    def replace(self, source: str, target: str) -> None:
        """Rename over the target, atomically."""

    def remove(self, path: str) -> None:
        """Unlink a file; raises FileNotFoundError."""
