"""Having something forgotten: worked out, asked back, carried out as one journalled plan, and told (DESIGN 5, P065).

Order: the bin, the plan, the files, the projections, the rest of `state/`. A crash anywhere is met by the command that
is still open in the journal: what was done is found done, what was planned is finished first.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from core.clock import iso
from core.errors import NotAFile, NotFound
from core.journal.records import Shown
from core.keeper.operations import Exhume
from core.owning.bin import Bin
from core.owning.files import drop, get, names, put
from core.owning.reach import Reaching
from core.owning.restore import restored
from core.owning.search import Search
from core.owning.wanted import decode, encode
from core.slices.model import SLICES
from core.storage.base import ABSENT, Write

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from core.clock import Clock
    from core.journal.journal import Journal
    from core.keeper.keeper import Keeper
    from core.owning.wanted import Wanted
    from core.slices.store import Slices
    from core.storage.base import Change, Storage
    from core.storage.disk import Disk
    from core.timeline.projections import Projections

ASKED: Final = "state/forget.json"
"""What waits for a yes; gone when it was said."""
QUARANTINE: Final = "state/quarantine"


@dataclass(frozen=True, slots=True)
class Preview:
    """What would be forgotten: the slices that go, those that lose exchanges, the card's lines, counts by name."""

    token: str
    wanted: Wanted
    facts: tuple[str, ...]
    tally: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Receipt:
    """What was forgotten, counted by name, and whether it can still be taken back."""

    id: str
    tally: Mapping[str, int]
    binned: bool


@dataclass(frozen=True, slots=True)
class Undone:
    """How many files were put back, and those that have changed since and were left alone."""

    files: int
    left: tuple[str, ...] = field(default=())


class Forgetting:
    """Forgets, one thing at a time: the caller sees to that no turn runs.

    `dropped` is called with every slice that was touched, `cleared` once: whoever keeps text of memory in hand lets go.
    """

    def __init__(  # noqa: PLR0913 - the composition root names every part
        self,
        *,
        storage: Storage,
        slices: Slices,
        keeper: Keeper,
        journal: Journal,
        projections: Projections,
        disk: Disk,
        clock: Clock,
        dropped: Callable[[str], None],
        cleared: Callable[[], None],
    ) -> None:
        self.search = Search(slices, projections, clock)
        self.bin = Bin(disk)
        self._reaching = Reaching(storage, slices, projections, clock)
        self._storage = storage
        self._keeper = keeper
        self._journal = journal
        self._projections = projections
        self._disk = disk
        self._clock = clock
        self._dropped = dropped
        self._cleared = cleared

    async def preview(self, token: str, wanted: Wanted) -> Preview | None:
        """What it would be; it waits for a yes under that token. None when there is nothing."""
        reach = await self._reaching.of(token, iso(self._clock.now()), wanted)
        if reach.empty:
            return None
        put(self._disk, ASKED, encode(token, wanted))
        return Preview(token, wanted, reach.facts, reach.tally)

    @property
    def asked(self) -> str:
        """The token that waits for a yes, or ""."""
        waiting = decode(get(self._disk, ASKED))
        return waiting[0] if waiting else ""

    def let_be(self) -> None:
        """Forget the question."""
        drop(self._disk, ASKED)

    async def carry_out(self, token: str, *, now: bool) -> Receipt | None:
        """Forget what was asked under that token; `now`: for good. None when nothing waits under it.

        Done again after a crash, it ends what was begun and tells the same.
        """
        waiting = decode(get(self._disk, ASKED))
        if waiting and waiting[0] == token:
            await self._forget(token, waiting[1], now=now)
            drop(self._disk, ASKED)
        line = self._keeper.forgotten.line(token)
        if line is None:
            return None
        return Receipt(token, line.tally, self.bin.newest(token) is not None)

    async def undo(self, token: str = "") -> Undone | None:
        """Take back the forgetting of that id, without one the last; None when the bin holds none."""
        bundle = self.bin.newest(token)
        if bundle is None:
            return None
        changes: list[Change] = []
        left: list[str] = []
        for path, kept in bundle.files.items():
            try:
                file = await self._storage.read(path)
            except NotFound:
                file = None
            except NotAFile:
                left.append(path)
                continue
            data = restored(path, kept, file.data if file else None, file.version if file else None)
            if data is None:
                left.append(path)
            else:
                changes.append(Write(path, data, file.version if file else ABSENT))
        await self._storage.commit(changes, f"undo {bundle.id}")
        await self._keeper.keep(f"undo-{bundle.id}", "care", [Exhume(bundle.id)])
        await self._settle(_slices_in(bundle.files))
        self.bin.remove(bundle.id)
        return Undone(len(changes), tuple(left))

    async def _forget(self, token: str, wanted: Wanted, *, now: bool) -> None:
        reach = await self._reaching.of(token, iso(self._clock.now()), wanted)
        if not now and not self._keeper.forgotten.line(token):
            at = iso(self._clock.now())
            self.bin.keep(token, at, await self._reaching.before(reach))
        shown = self._journal.state.shown
        if shown and shown.text:
            self._journal.append(Shown(shown.gap, shown.at))
        if not reach.empty:
            await self._keeper.keep(f"forget-{token}", "care", reach.operations)
        for name in names(self._disk, QUARANTINE):
            drop(self._disk, f"{QUARANTINE}/{name}")
        if now:
            self.bin.remove(token)
        await self._settle(wanted.slices)

    async def _settle(self, slices: Iterable[str]) -> None:
        """Bring what follows from the slices in line."""
        ids = list(slices)
        for slice_id in ids:
            self._dropped(slice_id)
        self._cleared()
        await self._projections.after_turn(ids, closed=ids)


def _slices_in(paths: Iterable[str]) -> list[str]:
    """The slices to which files belong."""
    found = (path.removeprefix(f"{SLICES}/").split("/") for path in paths if path.startswith(f"{SLICES}/"))
    return sorted({"-".join(parts[:4]).removesuffix(".md") for parts in found})
