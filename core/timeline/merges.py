"""The merges of strands as a storage has them: our file of them, and what another program did to `strands.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.errors import Malformed
from core.slices.model import CLOSED
from core.storage.base import Write, version_of
from core.strands.aliases import adopted
from core.strands.codec import ALIASES_PATH, STRANDS_PATH, decode_aliases, decode_index
from core.strands.index import normalise
from core.timeline import stored

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from core.storage.base import Change, Storage
    from core.timeline.entry import Entry


class Merges:
    """Reads merges, and knows which `strands.json` is our own."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._own: str | None = None

    async def read(self) -> dict[str, str]:
        """The merges as they stand, by the normal form of what was merged; raises `Malformed`."""
        file = await stored.read_file(self._storage, ALIASES_PATH)
        return {normalise(source): target for source, target in decode_aliases(file.data).items()} if file else {}

    async def learnt(
        self, aliases: dict[str, str], listed: Callable[[], Awaitable[Mapping[str, Entry]]]
    ) -> dict[str, str]:
        """The merges, with those that another program made in `strands.json` since we wrote it.

        They are told by the tags that its own catalog, `listed`, has of closed slices: a person may have changed the
        slices themselves in the meantime.
        """
        file = await stored.read_file(self._storage, STRANDS_PATH)
        if file is None or file.version == self._own:
            return aliases
        try:
            index = decode_index(file.data)
        except Malformed:
            return aliases
        entries = (await listed()).values()
        return adopted(
            index, {entry.id.replace("-", "/"): entry.tags for entry in entries if entry.status == CLOSED}, aliases
        )

    def note(self, changes: Sequence[Change]) -> None:
        """Note what was committed."""
        for change in changes:
            if isinstance(change, Write) and change.path == STRANDS_PATH:
                self._own = version_of(change.data)
