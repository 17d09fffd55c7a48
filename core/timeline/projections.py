"""Keeping strands, catalog and monthly indexes true to the slices, in a storage.

The files are outputs: facts come from slices alone, which are looked at again when their mark in the listing has
changed, so that a person's edit of an old slice is noticed like any other (original.md B22). A projection that cannot
be read is therefore written anew and never taken for an empty one (DESIGN 5.5). What is not derived, the merges of
strands, stands in a file of its own.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from core.clock import iso
from core.errors import Conflict, Malformed, NotAFile
from core.slices.store import Seen
from core.strands.aliases import extended
from core.strands.codec import ALIASES_PATH, encode_aliases
from core.strands.consolidate import Consolidated, consolidate
from core.timeline import stored
from core.timeline.codec import INDEX_PATH
from core.timeline.entry import build_entry
from core.timeline.merges import Merges
from core.timeline.tapestry import LIMIT, Tapestry
from core.timeline.weave import WovenResult, due, reconcile

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence

    from core.clock import Clock
    from core.llm.base import ChatModel
    from core.slices.model import Slice
    from core.slices.store import Slices
    from core.storage.base import Change, Storage
    from core.strands.codec import Index
    from core.strands.index import Merge
    from core.timeline.entry import Entry

ATTEMPTS: Final = 5
"""How often a commit is worked out anew when somebody else keeps changing the same files."""

_log = logging.getLogger("previously.timeline")


class Projections:
    """The projections of one memory. The first use looks through the whole archive; after that, only what changed.

    `limit` is the size in bytes from which on the catalog is split by years; `blocked` says why a file is not written.
    """

    def __init__(self, storage: Storage, slices: Slices, clock: Clock, limit: int = LIMIT) -> None:
        self._storage = storage
        self._slices = slices
        self._clock = clock
        self._limit = limit
        self._tapestry = Tapestry(limit=limit)
        self._woven, self._woven_at = False, ""
        self._merges = Merges(storage)
        self._touched: set[str] | None = None
        self.blocked: dict[str, str] = {}
        self._looking, self._writing = asyncio.Lock(), asyncio.Lock()

    @property
    def woven(self) -> bool:
        """Whether the slices have been looked through already, so that reading costs and writes nothing."""
        return self._woven

    async def entries(self) -> Sequence[Entry]:
        """The catalog, oldest first."""
        await self._ready()
        return self._tapestry.entries()

    async def index(self) -> Index:
        """The strands in their order."""
        await self._ready()
        return self._tapestry.index()

    async def after_turn(
        self, slice_ids: Iterable[str], *, closed: Iterable[str] = (), born: Iterable[str] = (), force: bool = False
    ) -> list[Change]:
        """Bring the projections in line with these slices as they now stand, and return what was committed.

        A slice that only goes on adds its tags to the strands; it is listed anew when it was born, has closed, changed
        after its close, or with `force`. How many files this takes does not depend on the archive, except that a
        strand which comes alive or dies changes the entries of its slices. Raises storage trouble.
        """
        await self._ready()
        relisted = {*closed, *born}
        ids = list(dict.fromkeys([*slice_ids, *relisted]))

        async def changes() -> list[Change]:
            self._take(ids, await self._slices.survey(ids), relisted=frozenset(ids) if force else frozenset(relisted))
            return await stored.changes_to(self._storage, self._tapestry.changed_files(iso(self._clock.now())))

        async with self._writing:
            return await self._commit(changes, "Timeline")

    async def plan(self, pieces: Iterable[Slice], *, listed: bool = True) -> list[Change]:
        """The changes for these slices, with their turns, to go into the commit that writes them.

        With `listed` they are entered in the catalog (a birth, a close), else only their strands are woven. The caller
        commits; should that not come about, `weave` puts things right.
        """
        await self._ready()
        async with self._writing:
            seen = {piece.id: Seen(piece, len(piece.turns)) for piece in pieces}
            self._take(seen, seen, relisted=frozenset(seen) if listed else frozenset())
            return await stored.changes_to(self._storage, self._tapestry.changed_files(iso(self._clock.now())))

    async def upsert(self, piece: Slice) -> list[Change]:
        """The changes that list a slice, for the commit that writes it: a newborn is never invisible."""
        return await self.plan([piece])

    async def weave(self, force: bool = False) -> WovenResult:
        """Reconcile everything with the slices, unless that was done less than five minutes ago and `force` is not set.

        Slices win. Raises storage trouble.
        """
        async with self._looking:
            if not force:
                skipped = await self._skipped()
                if skipped:
                    return skipped
            return await self._weave(force=force)

    async def rebuild(self) -> WovenResult:
        """Make every projection anew from slices alone and write all of them, whatever stands there.

        For the start after an unclean stop (reliability R16). Raises storage trouble.
        """
        async with self._looking:
            self._tapestry = Tapestry(limit=self._limit)
            self._woven = False
            return await self._weave(force=True, anew=True)

    async def consolidate(self, worker: ChatModel) -> Consolidated:
        """Let the worker merge strands that mean the same; the merges are kept for every later rebuild.

        When the file of merges cannot be read, nothing is merged, which counts as failed. Raises storage trouble.
        """
        await self._ready()
        moment = self._tapestry.as_of or self._clock.now()
        found = await consolidate(self._tapestry.index(), worker, moment)
        if not found.merges:
            return found
        try:
            await self.merge(found.merges)
        except Malformed as error:
            _log.warning("strands stay unmerged: %s", error)
            return Consolidated(self._tapestry.index(), found.pruned, asked=True, failed=True)
        return replace(found, index=self._tapestry.index())

    async def merge(self, merges: Sequence[Merge]) -> list[Change]:
        """Carry out merges of strands for good, and return what was committed.

        Raises `Malformed` when the file of merges cannot be read (it is left as it is), and storage trouble.
        """
        await self._ready()

        async def changes() -> list[Change]:
            aliases = extended(await self._merges.read(), merges)
            self._tapestry.alias(aliases)
            files: dict[str, bytes | None] = {ALIASES_PATH: encode_aliases(aliases)}
            files |= self._tapestry.changed_files(iso(self._clock.now()))
            return await stored.changes_to(self._storage, files)

        async with self._writing:
            return await self._commit(changes, "Merge strands")

    async def _ready(self) -> None:
        if self._woven:
            return
        async with self._looking:
            if not self._woven:
                await self._weave(force=True)

    def _take(self, ids: Iterable[str], seen: Mapping[str, Seen | None], *, relisted: frozenset[str]) -> None:
        """Take in slices as they are now; one that cannot be read stays as it was."""
        for slice_id in ids:
            if self._touched is not None:
                self._touched.add(slice_id)
            if slice_id not in seen:
                self._tapestry.leave(slice_id)
            elif found := seen[slice_id]:
                listed = self._tapestry.entry(slice_id)
                if slice_id in relisted or listed is None or found.head.closed or listed.status != found.head.status:
                    self._tapestry.enter(build_entry(found.head, found.turns))
                else:
                    self._tapestry.thread(slice_id, found.head.tags)

    async def _skipped(self) -> WovenResult | None:
        """The stored counters when the catalog is fresh."""
        if self._woven:
            if due(self._woven_at, self._clock.now()):
                return None
            total, dry = self._tapestry.counts()
            return WovenResult(needs_marking=dry, total=total, skipped=True)
        catalog = await stored.read_main(self._storage)
        if catalog is None or due(catalog.updated_at, self._clock.now()):
            return None
        return WovenResult(needs_marking=catalog.needs_marking, total=catalog.slice_count, skipped=True)

    async def _weave(self, *, force: bool, anew: bool = False) -> WovenResult:
        prior = await self._prior(anew=anew)
        aliases, learnt, troubles = await self._known_merges(prior, anew=anew)
        self._touched = set()
        self.blocked.clear()
        try:
            seen = await self._slices.survey()
        finally:
            touched, self._touched = self._touched, None
        async with self._writing:
            self._tapestry.alias(aliases)
            self._reconcile(prior, seen, touched)
            whole = force or not self._woven
            files: dict[str, bytes | None] = {ALIASES_PATH: encode_aliases(aliases)} if learnt else {}
            written = await self._commit(lambda: self._all(files, whole=whole, anew=anew), "Weave the timeline")
            self._woven, self._woven_at = True, iso(self._clock.now())
        unreadable = (*troubles, *(slice_id for slice_id, found in seen.items() if found is None))
        result = reconcile(prior, self._tapestry.entries())
        return replace(result, unreadable=unreadable, written=tuple(change.path for change in written))

    def _reconcile(self, prior: Mapping[str, Entry], seen: Mapping[str, Seen | None], touched: set[str]) -> None:
        """Take in what was seen, but for slices that a turn has taken in meanwhile.

        What stands there and cannot be read keeps the entry that it had: it is not gone.
        """
        for entry in self._tapestry.entries():
            if entry.id not in seen and entry.id not in touched:
                self._tapestry.leave(entry.id)
        for slice_id in seen.keys() - touched:
            found = seen[slice_id]
            if found:
                self._tapestry.enter(build_entry(found.head, found.turns))
            elif slice_id in prior and self._tapestry.entry(slice_id) is None:
                self._tapestry.enter(prior[slice_id])

    async def _prior(self, *, anew: bool) -> Mapping[str, Entry]:
        """What was listed before."""
        if anew:
            return {}
        if self._woven:
            return {entry.id: entry for entry in self._tapestry.entries()}
        return await stored.prior_entries(self._storage)

    async def _known_merges(
        self, prior: Mapping[str, Entry], *, anew: bool
    ) -> tuple[dict[str, str], bool, tuple[str, ...]]:
        """The merges of strands, whether some were learnt just now, and the path of what could not be understood."""
        try:
            aliases = await self._merges.read()
        except Malformed as error:
            _log.warning("merged strands stand apart until this is mended: %s", error)
            return self._tapestry.aliases, False, (ALIASES_PATH,)
        if anew:
            return aliases, False, ()

        async def listed() -> Mapping[str, Entry]:
            return await stored.prior_entries(self._storage) if self._woven else prior

        known = await self._merges.learnt(aliases, listed)
        return known, known != aliases, ()

    async def _all(self, files: Mapping[str, bytes | None], *, whole: bool, anew: bool) -> list[Change]:
        """What makes every projection as it should be, or when not `whole`, those that changed.

        The stamp alone is no reason to write the catalog again.
        """
        stamp = iso(self._clock.now())
        if not whole:
            return await stored.changes_to(self._storage, {**files, **self._tapestry.changed_files(stamp)})
        former = "" if anew else await stored.stamp(self._storage)
        same = former and not await stored.changes_to(self._storage, self._tapestry.catalog(former))
        wanted = self._tapestry.files(former if same else stamp)
        gone = dict.fromkeys(await stored.leftovers(self._storage, wanted))
        return await stored.changes_to(self._storage, {**files, **wanted, **gone}, assert_all=anew)

    async def _commit(self, make: Callable[[], Awaitable[list[Change]]], message: str) -> list[Change]:
        """Commit what `make` works out, anew as long as others are faster, without what has no place to stand."""
        for attempt in range(ATTEMPTS):
            try:
                changes = [change for change in await make() if change.path not in self.blocked]
                if changes:
                    await self._storage.commit(changes, message)
            except (Conflict, NotAFile) as error:
                if isinstance(error, NotAFile):
                    self.blocked[error.path] = str(error)
                if attempt == ATTEMPTS - 1:
                    raise
            else:
                break
        self._tapestry.written()
        self._merges.note(changes)
        if any(change.path == INDEX_PATH for change in changes):
            self._woven_at = iso(self._clock.now())
        return changes
