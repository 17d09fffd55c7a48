"""What recall knows of memory without opening a slice: the catalog, the strands, and which words mark a slice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.timeline.ahead import entries_now, strands_now
from core.timeline.entry import build_entry

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.slices.store import Slices
    from core.storage.base import Storage
    from core.strands.codec import Index
    from core.timeline.entry import Entry
    from core.timeline.projections import Projections


@dataclass(frozen=True, slots=True)
class Atlas:
    """The catalog and the strands as they are known now, without waiting for a look through the archive.

    Without `projections` the slices themselves are looked at, and there are no strands.
    """

    slices: Slices
    storage: Storage | None = None
    projections: Projections | None = None

    async def entries(self) -> Sequence[Entry]:
        """The catalog, oldest first; from the slices where there is none. Raises storage trouble."""
        known = await entries_now(self.projections, self.storage) if self.projections and self.storage else ()
        if known:
            return known
        return [build_entry(seen.head, seen.turns) for seen in (await self.slices.survey()).values() if seen]

    async def strands(self) -> Index:
        """The strands and the slice paths of each."""
        return await strands_now(self.projections, self.storage) if self.projections and self.storage else {}
