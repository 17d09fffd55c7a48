r"""The storage port: versioned text files, read one by one and committed all or none.

A version is the id that git gives the bytes (sha1 of `blob <n>\0` + bytes), so the memory, local and GitHub
backends agree on it and a clone can be compared for free (DESIGN 4). Every change names the version that it
replaces; whoever is late gets `Conflict` and nothing has changed.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha1
from typing import TYPE_CHECKING, Protocol

from core.errors import Malformed

if TYPE_CHECKING:
    from collections.abc import Sequence

ABSENT = None
"""What a change expects when the path must not exist yet."""


def version_of(data: bytes) -> str:
    """The id that git gives these bytes as a blob: 40 hex digits."""
    found = sha1(b"blob %d\x00" % len(data), usedforsecurity=False)
    found.update(data)
    return found.hexdigest()


@dataclass(frozen=True, slots=True)
class File:
    """A file as it stood when it was read."""

    path: str
    data: bytes
    version: str

    @property
    def text(self) -> str:
        """The content as strict UTF-8; raises `Malformed` when it is not."""
        try:
            return self.data.decode()
        except UnicodeDecodeError as error:
            raise Malformed(self.path, f"not UTF-8 text (byte {error.start})") from error


@dataclass(frozen=True, slots=True)
class Entry:
    """A name in a folder. `mark` is opaque and changes whenever the file does; "" for folders."""

    name: str
    folder: bool
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Write:
    """Put `data` at `path`, which must now have version `expects` (`ABSENT`: must not exist)."""

    path: str
    data: bytes
    expects: str | None


@dataclass(frozen=True, slots=True)
class Delete:
    """Remove `path`, which must now have version `expects`; its folder stays."""

    path: str
    expects: str


Change = Write | Delete


class Storage(Protocol):
    """Where memory lives. Paths are relative, ASCII, below `memory/`, `tasks/` or `sessions/` (core.storage.paths)."""

    async def read(self, path: str) -> File:
        """The file. Raises `NotFound`, `PathRefused`, `NotAFile`, `DiskTrouble`; never an empty file in their stead."""

    async def list(self, folder: str) -> Sequence[Entry]:
        """The names in a folder, sorted; empty when there is no such folder, one entry when it is a file.

        Names that memory may not have are left out. Raises `PathRefused`, `NotAFile`, `DiskTrouble`.
        """

    async def commit(self, changes: Sequence[Change], message: str) -> None:
        """Make all changes durable, or none.

        A write whose bytes already stand there, or a deletion of what is gone, is no conflict whatever it expects,
        and is made durable all the same (R9): a commit that broke off can be repeated as it was. Two changes of one
        path in a commit are a `ValueError`. Raises `Conflict` before anything is touched, `PathRefused`, `NotAFile`,
        `ReadOnly`, `DiskTrouble`, and `DiskLost` when an fsync fails.
        """
