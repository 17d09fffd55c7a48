"""Bringing talk of elsewhere in, as slices like any other: through the journal, once, going on where it was left.

What a file holds is read as a whole first; nothing is written before all of it is understood. A slice
is one plan, so that a crash leaves it whole or not begun; done again, what is there already is passed over.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from core.clock import iso
from core.errors import Malformed, NotAFile, NotFound, Unfit
from core.keeper.operations import CloseSlice, MergeTurns, NoteMessages, OpenSlice
from core.marks import plain
from core.owning.assistants import is_chatgpt, is_claude, read_chatgpt, read_claude
from core.owning.slicing import Burst, bursts
from core.owning.telegram import is_telegram, read_telegram
from core.slices.model import CLOSED, Slice

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from core.clock import Clock
    from core.i18n import Words
    from core.keeper.keeper import Keeper
    from core.owning.archive import Given
    from core.owning.talks import Source
    from core.slices.policy import Thresholds
    from core.slices.store import Slices
    from core.timeline.projections import Projections

NEAR: Final = 30
"""Minutes after its first in which a slice is looked for that had to make room for others."""
FAR: Final = 3_000
LISTED: Final = 200
"""After so many slices the timeline is brought in line."""
_MINUTE: Final = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Coming:
    """What an import would bring: conversations, messages, slices; of these those that are there; first and last."""

    kind: str
    talks: int
    messages: int
    passed: int
    slices: int
    there: int
    first: datetime | None
    last: datetime | None


def source_of(given: Given, now: datetime, me: str = "") -> Source:
    """What the file holds. Raises `Unfit`."""
    value, name = given.value, given.name
    if given.archive:
        name = given.archive.find("result.json") or given.archive.find("conversations.json")
        if not name:
            raise Unfit("import.unknown", name=given.name)
        value = given.archive.json(name)
    if is_telegram(value):
        return read_telegram(value, name, now, me)
    if is_chatgpt(value):
        return read_chatgpt(value, name, now)
    if is_claude(value):
        return read_claude(value, name, now)
    raise Unfit("import.unknown", name=name)


class Importer:
    """Brings a source in. Slices are marked plainly; a worker marks them better later, as it does all such."""

    def __init__(
        self,
        slices: Slices,
        keeper: Keeper,
        projections: Projections,
        clock: Clock,
        words: Mapping[str, Words],
    ) -> None:
        self._slices = slices
        self._keeper = keeper
        self._projections = projections
        self._clock = clock
        self._words = words
        self._ids: set[str] = set()

    async def coming(self, source: Source, thresholds: Thresholds) -> Coming:
        """What it would bring; nothing is written."""
        self._ids = set(await self._slices.ids())
        cut = self._cut(source, thresholds)
        there = 0
        for one in cut:
            there += await self._place(one) is None
        times = [said.at for talk in source.talks for said in talk.messages]
        return Coming(
            source.kind,
            len(source.talks),
            len(times),
            source.passed,
            len(cut),
            there,
            min(times, default=None),
            max(times, default=None),
        )

    async def run(self, source: Source, thresholds: Thresholds, zone: str, progress: Callable[[int, int], None]) -> int:
        """Bring it in, telling how many of how many slices are done; how many were written. Raises storage trouble."""
        self._ids = set(await self._slices.ids())
        cut, written = self._cut(source, thresholds), list[str]()
        for number, one in enumerate(cut, 1):
            name = await self._place(one)
            if name:
                await self._write(name, one, zone)
                self._ids.add(name)
                written.append(name)
            if number % LISTED == 0:
                await self._projections.after_turn(written[-LISTED:], closed=written[-LISTED:])
            progress(number, len(cut))
        if written:
            await self._projections.weave(force=True)
        return len(written)

    def _cut(self, source: Source, thresholds: Thresholds) -> Sequence[Burst]:
        """All slices in the order of time; what was forgotten stays away."""
        gone = self._keeper.forgotten.turns
        found = [_without(one, gone) for talk in source.talks for one in bursts(talk, thresholds)]
        return sorted((one for one in found if one.turns), key=lambda one: one.start)

    async def _place(self, one: Burst) -> str | None:
        """The id that the slice is to have; None when it is there."""
        free = ""
        for minutes in range(FAR):
            name = f"{one.start + minutes * _MINUTE:%Y-%m-%d-%H%M}"
            if name in self._ids:
                if await self._holds(name, one.label):
                    return None
            elif not free:
                free = name
            if free and minutes >= NEAR:
                return free
        return free or None

    async def _holds(self, name: str, label: str) -> bool:
        try:
            piece = (await self._slices.load(name)).slice
        except (NotFound, NotAFile, Malformed):
            return False
        return any(turn.label == label for turn in piece.turns)

    async def _write(self, name: str, one: Burst, zone: str) -> None:
        start, end = iso(one.start), one.turns[-1].at
        piece = Slice(name, CLOSED, start, end, zone, turns=one.turns)
        marks = plain(piece, self._words)
        marks = replace(marks, focus=one.title) if one.title else marks
        operations = (
            OpenSlice(name, start, zone),
            MergeTurns(name, one.turns, start, zone),
            CloseSlice(name, one.signal, end),
            NoteMessages(name, one.lines),
            marks,
        )
        await self._keeper.keep(f"import-{name}", "care", operations)


def _without(one: Burst, gone: frozenset[str]) -> Burst:
    turns = tuple(turn for turn in one.turns if turn.label not in gone)
    lines = tuple(line for line in one.lines if line.turn not in gone)
    return one if len(turns) == len(one.turns) else replace(one, turns=turns, lines=lines)
