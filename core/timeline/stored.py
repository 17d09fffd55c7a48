"""The projections as they stand in a storage: read for comparison, never for the truth."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from core.errors import Malformed, NotAFile, NotFound
from core.slices.model import ROOT, SLICES
from core.storage.base import ABSENT, Delete, Write
from core.timeline import codec
from core.timeline.codec import Catalog

if TYPE_CHECKING:
    from collections.abc import Mapping

    from core.storage.base import Change, File, Storage
    from core.timeline.entry import Entry

_MONTHS: Final = 24
_YEAR_INDEX: Final = re.compile(r"index-\d{4}\.json\Z", re.ASCII)
_YEAR_TIMELINE: Final = re.compile(r"timeline-\d{4}\.md\Z", re.ASCII)


async def read_file(storage: Storage, path: str) -> File | None:
    """The file, or None when there is none, or something else in its place; raises other storage trouble."""
    try:
        return await storage.read(path)
    except (NotFound, NotAFile):
        return None


async def read_main(storage: Storage) -> Catalog | None:
    """The main file of the catalog; None when there is none that can be understood. Raises storage trouble."""
    file = await read_file(storage, codec.INDEX_PATH)
    try:
        return codec.decode_catalog(file.data) if file else None
    except Malformed:
        return None


async def stamp(storage: Storage) -> str:
    """When the main file of the catalog was written, "" when that does not stand where we write it."""
    file = await read_file(storage, codec.INDEX_PATH)
    return codec.stamp_of(file.data) if file else ""


async def read_catalog(storage: Storage) -> Catalog | None:
    """The catalog with the years that stand in files of their own, by id; None when there is none.

    Raises `Malformed` when one of the files cannot be understood, and storage trouble.
    """
    file = await read_file(storage, codec.INDEX_PATH)
    if file is None:
        return None
    main = codec.decode_catalog(file.data)
    entries: dict[str, Entry] = {}
    for path in await _names(storage, codec.FOLDER, _YEAR_INDEX):
        year = codec.decode_catalog((await storage.read(path)).data, path)
        entries |= {entry.id: entry for entry in year.entries}
    entries |= {entry.id: entry for entry in main.entries}
    listed = tuple(entries[slice_id] for slice_id in sorted(entries))
    return Catalog(listed, main.updated_at, len(listed), sum(entry.needs_marking for entry in listed))


async def prior_entries(storage: Storage) -> dict[str, Entry]:
    """What was listed before: by the catalog, else by the last 24 monthly indexes; what is unreadable lists nothing."""
    try:
        catalog = await read_catalog(storage)
    except Malformed:
        catalog = None
    if catalog:
        return {entry.id: entry for entry in catalog.entries}
    entries: dict[str, Entry] = {}
    for path in (await month_indexes(storage))[-_MONTHS:]:
        try:
            entries |= {entry.id: entry for entry in codec.decode_month((await storage.read(path)).data, path)}
        except (Malformed, NotFound):
            continue
    return entries


async def month_indexes(storage: Storage) -> list[str]:
    """The paths of all monthly indexes, ascending."""
    found = []
    for year in await storage.list(SLICES):
        if not (year.folder and _digits(year.name, 4)):
            continue
        for month in await storage.list(f"{SLICES}/{year.name}"):
            if not (month.folder and _digits(month.name, 2)):
                continue
            path = f"{SLICES}/{year.name}/{month.name}/_index.json"
            folder = path.rpartition("/")[0]
            if any(entry.name == "_index.json" for entry in await storage.list(folder)):
                found.append(path)
    return found


async def leftovers(storage: Storage, wanted: Mapping[str, bytes]) -> list[str]:
    """Projections that stand there though no slice asks for them."""
    standing = [
        *await _names(storage, codec.FOLDER, _YEAR_INDEX),
        *await _names(storage, ROOT, _YEAR_TIMELINE),
        *await month_indexes(storage),
    ]
    return [path for path in standing if path not in wanted]


async def changes_to(storage: Storage, files: Mapping[str, bytes | None], *, assert_all: bool = False) -> list[Change]:
    """What must be committed so that these files stand there (None: are gone).

    With `assert_all` what stands already is written again, so that it is certain to be durable (reliability R9).
    """
    changes: list[Change] = []
    for path, data in files.items():
        file = await read_file(storage, path)
        if data is None:
            changes += [Delete(path, file.version)] if file else []
        elif assert_all or file is None or file.data != data:
            changes.append(Write(path, data, file.version if file else ABSENT))
    return changes


async def _names(storage: Storage, folder: str, pattern: re.Pattern[str]) -> list[str]:
    listed = await storage.list(folder)
    return [f"{folder}/{entry.name}" for entry in listed if not entry.folder and pattern.match(entry.name)]


def _digits(name: str, count: int) -> bool:
    return len(name) == count and name.isascii() and name.isdigit()
