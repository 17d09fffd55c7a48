"""Strands and catalog for a turn that must not wait: what is known, or what the files say until all was looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.errors import Malformed, StorageError
from core.strands.codec import STRANDS_PATH, decode_index
from core.timeline.stored import read_catalog

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.storage.base import Storage
    from core.strands.codec import Index
    from core.timeline.entry import Entry
    from core.timeline.projections import Projections


async def strands_now(projections: Projections, storage: Storage) -> Index:
    """The strands at once; the file's while the archive is still looked through, none when that cannot be read."""
    if projections.woven:
        return await projections.index()
    try:
        return decode_index((await storage.read(STRANDS_PATH)).data)
    except (StorageError, Malformed):
        return {}


async def entries_now(projections: Projections, storage: Storage) -> Sequence[Entry]:
    """The catalog at once, in the same way."""
    if projections.woven:
        return await projections.entries()
    try:
        catalog = await read_catalog(storage)
    except (StorageError, Malformed):
        return ()
    return catalog.entries if catalog else ()
