"""Storage whose files stand on this disk first and in the person's repository a little later (DESIGN 5.9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.storage.base import Change, Entry, File, Storage


class ReplicaStorage:
    """`Storage` on the local files; whoever listens is told what was written, and with which message."""

    def __init__(self, local: Storage, wrote: Callable[[set[str], str], None]) -> None:
        self._local = local
        self._wrote = wrote

    async def read(self, path: str) -> File:
        """The local file. Raises as `Storage.read` does."""
        return await self._local.read(path)

    async def list(self, folder: str) -> Sequence[Entry]:
        """The local names. Raises as `Storage.list` does."""
        return await self._local.list(folder)

    async def commit(self, changes: Sequence[Change], message: str) -> None:
        """Make the changes durable here, then have them pushed. Raises as `Storage.commit` does."""
        paths = {change.path for change in changes}
        try:
            await self._local.commit(changes, message)
        finally:  # a commit that broke off may have written some of them
            self._wrote(paths, message)
