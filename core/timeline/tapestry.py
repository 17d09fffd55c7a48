"""Everything that is derived from slices, kept in memory, and the files that it makes.

Each file is a function of the slices, the merges of strands and one stamp, so a rebuild gives the same bytes as keeping
up does. What a turn does not touch is not made again: entries are kept as text by year.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from core.relative import slice_instant
from core.slices.model import CLOSED, rel_of
from core.strands.codec import STRANDS_PATH, encode_index
from core.strands.loom import Loom
from core.timeline import codec, markdown
from core.timeline.entry import with_strands

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from core.strands.codec import Index
    from core.timeline.entry import Entry

LIMIT: Final = 1_000_000
"""Bytes of a catalog that the original reads; beyond, the oldest years go to files of their own (DESIGN 6)."""
_FRAME: Final = 200


@dataclass(frozen=True, slots=True)
class Chunk:
    """A year as the catalog and the Markdown have it, with how many slices it has and how many are unmarked."""

    index: bytes
    text: bytes
    count: int
    dry: int


@dataclass(slots=True)
class _Changed:
    """What has changed since the files were last written."""

    strands: bool
    years: set[str]
    months: set[str]


class Tapestry:
    """The strands and entries of a memory. `limit` is the size in bytes at which the catalog is split by years."""

    def __init__(self, aliases: Mapping[str, str] | None = None, limit: int = LIMIT) -> None:
        self._loom = Loom(aliases)
        self._limit = limit
        self._years: dict[str, dict[str, Entry]] = {}
        self._chunks: dict[str, Chunk] = {}
        self._listed: tuple[Entry, ...] | None = None
        self._ordered: Index | None = None
        self._living: frozenset[str] = frozenset()
        self._suspect: set[str] = set()
        self._changed = _Changed(strands=False, years=set(), months=set())
        self._spilled: tuple[str, ...] = ()

    @property
    def aliases(self) -> dict[str, str]:
        """The merges of strands that are applied."""
        return self._loom.aliases

    def entries(self) -> tuple[Entry, ...]:
        """All entries, ascending, with their strands; the same object until one of them changes."""
        self._settle()
        for year in self._years:
            self._chunk(year)
        if self._listed is None:
            self._listed = tuple(year[one] for _, year in sorted(self._years.items()) for one in sorted(year))
        return self._listed

    def counts(self) -> tuple[int, int]:
        """How many slices are listed, and how many of them are unmarked."""
        chunks = [self._chunk(year) for year in self._years]
        return sum(chunk.count for chunk in chunks), sum(chunk.dry for chunk in chunks)

    def entry(self, slice_id: str) -> Entry | None:
        """The entry of a slice as it is listed."""
        return self._years.get(slice_id[:4], {}).get(slice_id)

    def index(self) -> Index:
        """The strands in their order; the same object until one of them changes."""
        self._settle()
        if self._ordered is None:
            self._ordered = self._loom.index()
        return self._ordered

    @property
    def as_of(self) -> datetime | None:
        """The moment as of which strands without a second slice are old: when the newest closed slice began."""
        self._settle()
        return self._loom.as_of

    def enter(self, entry: Entry) -> None:
        """List a slice, with its tags as strands."""
        known = self.entry(entry.id)
        if known is None or with_strands(entry, known.strands) != known:
            self._years.setdefault(entry.id[:4], {})[entry.id] = entry
            self._touch(entry.id)
        self.thread(entry.id, entry.tags)

    def thread(self, slice_id: str, tags: Iterable[str]) -> None:
        """Weave the tags of a slice and leave its entry as it is listed."""
        if self._loom.put(slice_id, tags):
            self._doubt(slice_id)

    def leave(self, slice_id: str) -> None:
        """Drop a slice that is gone."""
        year = self._years.get(slice_id[:4], {})
        if year.pop(slice_id, None):
            self._touch(slice_id)
        if not year:
            self._years.pop(slice_id[:4], None)
        if self._loom.drop(slice_id):
            self._doubt(slice_id)

    def alias(self, aliases: Mapping[str, str]) -> None:
        """Apply these merges of strands from now on."""
        if dict(aliases) == self._loom.aliases:
            return
        self._loom.alias(aliases)
        self._doubt(*(slice_id for year in self._years.values() for slice_id in year))

    def files(self, stamp: str) -> dict[str, bytes]:
        """Every file with its content, the strands first."""
        self._settle()
        made = {STRANDS_PATH: encode_index(self.index())}
        made |= self.catalog(stamp)
        for year in self._spills():
            made |= self._year(year)
        months = sorted({slice_id[:7] for year in self._years.values() for slice_id in year})
        return made | {codec.month_path(month): self._month(month) for month in months}

    def catalog(self, stamp: str) -> dict[str, bytes]:
        """The two files of the catalog that are not of a single year."""
        self._settle()
        years = sorted(self._years)[len(self._spills()) :]
        return self._pair(codec.INDEX_PATH, markdown.TIMELINE_PATH, stamp, years)

    def changed_files(self, stamp: str) -> dict[str, bytes | None]:
        """The files that differ since `written`; None for one that is to go."""
        self._settle()
        changed, spills = self._changed, self._spills()
        made: dict[str, bytes | None] = {}
        if changed.strands:
            made[STRANDS_PATH] = encode_index(self.index())
        if spills != self._spilled or changed.years - set(spills):
            made |= self.catalog(stamp)
        for year in spills:
            if year in changed.years or year not in self._spilled:
                made |= self._year(year)
        for year in set(self._spilled) - set(spills):
            made |= dict.fromkeys((codec.year_index_path(year), markdown.year_timeline_path(year)))
        return made | {codec.month_path(month): self._month(month) or None for month in sorted(changed.months)}

    def written(self) -> None:
        """Note that the files are as they should be."""
        self._changed = _Changed(strands=False, years=set(), months=set())
        self._spilled = self._spills()

    def _touch(self, slice_id: str) -> None:
        self._changed.months.add(slice_id[:7])
        self._unmake(slice_id[:4])

    def _unmake(self, year: str) -> None:
        """A year is to be made again."""
        self._changed.years.add(year)
        self._chunks.pop(year, None)
        self._listed = None

    def _doubt(self, *slice_ids: str) -> None:
        """The strands of these slices may be others than they were."""
        self._suspect.update(slice_ids)
        self._ordered = None

    def _settle(self) -> None:
        """Bring the strands of listed entries in line with the loom."""
        moment = self._newest_closed() if self._changed.years else self._loom.as_of
        if not self._suspect and moment == self._loom.as_of:
            return
        self._loom.as_of, self._ordered = moment, None
        living = self._loom.living()
        turned = living ^ self._living
        self._changed.strands |= bool(self._suspect or turned)
        rels = {rel_of(slice_id) for slice_id in self._suspect}.union(*(self._loom.paths(key) for key in turned))
        self._living, self._suspect = living, set()
        for rel in rels:
            slice_id = rel.replace("/", "-")
            entry = self.entry(slice_id)
            if entry and self._loom.strands_of(entry.tags) != entry.strands:
                self._unmake(slice_id[:4])

    def _newest_closed(self) -> datetime | None:
        for _, year in sorted(self._years.items(), reverse=True):
            for slice_id in sorted(year, reverse=True):
                moment = slice_instant(slice_id) if year[slice_id].status == CLOSED else None
                if moment:
                    return moment
        return None

    def _chunk(self, year: str) -> Chunk:
        if year not in self._chunks:
            listed = self._years[year]
            for slice_id, entry in listed.items():
                listed[slice_id] = with_strands(entry, self._loom.strands_of(entry.tags))
            entries = [listed[slice_id] for slice_id in sorted(listed)]
            dry = sum(entry.needs_marking for entry in entries)
            text = markdown.render_entries(entries).encode()
            self._chunks[year] = Chunk(codec.encode_entries(entries), text, len(entries), dry)
        return self._chunks[year]

    def _spills(self) -> tuple[str, ...]:
        """The years that stand in files of their own: as many of the oldest as it takes, never the newest."""
        sizes = {year: len(self._chunk(year).index) for year in sorted(self._years)}
        total, spilled = _FRAME + sum(sizes.values()), []
        for year in list(sizes)[:-1]:
            if total <= self._limit:
                break
            total -= sizes[year]
            spilled.append(year)
        return tuple(spilled)

    def _year(self, year: str) -> dict[str, bytes]:
        """A year of its own is stamped with what is in it, so that it stays the same as long as that does."""
        newest = self._years[year][max(self._years[year])]
        stamp = newest.end or newest.start
        return self._pair(codec.year_index_path(year), markdown.year_timeline_path(year), stamp, [year])

    def _pair(self, index: str, text: str, stamp: str, years: Sequence[str]) -> dict[str, bytes]:
        chunks = [self._chunk(year) for year in years]
        count, dry = sum(chunk.count for chunk in chunks), sum(chunk.dry for chunk in chunks)
        lines = [chunk.text for chunk in reversed(chunks)]
        return {
            index: codec.encode_catalog([chunk.index for chunk in chunks], stamp, count, dry),
            text: markdown.encode_timeline(lines, stamp, count, dry),
        }

    def _month(self, month: str) -> bytes:
        """The index of a month; empty when it has no slice."""
        year = self._years.get(month[:4], {})
        listed = [entry for slice_id, entry in year.items() if slice_id[:7] == month]
        return codec.encode_month(month, listed) if listed else b""
