"""How far a forgetting reaches: every file that holds something of it, as operations, and what to tell of them.

Slices and the card are the truth, so they are gone through here; strands, catalog and recall follow from them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from core.errors import Malformed, NotAFile, NotFound
from core.keeper.apply import edits_of
from core.keeper.operations import Bury, ForgetFacts, ForgetNames, ForgetTurns, RemoveFile
from core.owning.files import below
from core.owning.search import marks_of
from core.slices.forgetting import Trace, card_without, folded, without_facts, without_names, without_record
from core.slices.messages import decode_messages
from core.slices.model import CARD_PATH, ROOT, USER, Slice, flat_path, folder_of, messages_path, rel_of, snapshot_path
from core.strands.codec import ALIASES_PATH
from core.strands.index import normalise

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from core.clock import Clock
    from core.keeper.operations import Operation
    from core.owning.wanted import Wanted
    from core.slices.messages import Message
    from core.slices.store import Slices
    from core.storage.base import Storage
    from core.timeline.projections import Projections

FRAGMENT: Final = 24
"""Code points of a mark by which a briefing is known to tell of it: briefings cut what is long."""
SHORTEST: Final = 6
BREATH: Final = 25


@dataclass(frozen=True, slots=True)
class Reach:
    """What a forgetting does: operations, the card's lines that go, the slices that stay in part, counts by name."""

    operations: tuple[Operation, ...] = ()
    facts: tuple[str, ...] = ()
    tally: Mapping[str, int] = field(default_factory=dict)

    @property
    def empty(self) -> bool:
        """Whether there is nothing to forget."""
        return not any(not isinstance(one, Bury) for one in self.operations)


@dataclass(slots=True)
class _Gathered:
    """What is gathered on the way."""

    operations: list[Operation] = field(default_factory=list)
    turns: list[str] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    refs: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    marks: list[str] = field(default_factory=list)
    tags: set[str] = field(default_factory=set)
    whole: list[str] = field(default_factory=list)
    touched: list[str] = field(default_factory=list)
    exchanges: int = 0
    media: int = 0
    facts: tuple[str, ...] = ()
    copies: int = 0
    briefings: int = 0


class Reaching:
    """Works out a reach; changes nothing."""

    def __init__(self, storage: Storage, slices: Slices, projections: Projections, clock: Clock) -> None:
        self._storage = storage
        self._slices = slices
        self._projections = projections
        self._clock = clock

    async def of(self, name: str, at: str, wanted: Wanted) -> Reach:
        """The reach of what is wanted; `name` is the forgetting's id. Raises storage trouble."""
        got = _Gathered()
        for slice_id in wanted.whole:
            await self._whole(slice_id, got)
        for slice_id, labels in wanted.parts.items():
            await self._part(slice_id, labels, got)
        trace = Trace(
            tuple(map(rel_of, got.whole)), tuple(map(rel_of, got.touched)), tuple(got.refs), tuple(got.lines),
            wanted.words,
        )  # fmt: skip
        await self._cards(trace, wanted, got)
        await self._briefings(wanted, got)
        await self._names(got)
        tally = {
            "slices": len(got.whole),
            "parts": len(got.touched),
            "exchanges": got.exchanges,
            "facts": len(got.facts),
            "copies": got.copies,
            "briefings": got.briefings,
            "media": got.media,
        }
        turns, keys = tuple(dict.fromkeys(got.turns)), tuple(dict.fromkeys(got.keys))
        bury = Bury(name, at, turns, keys, tally)
        return Reach((bury, *got.operations), got.facts, tally)

    async def before(self, reach: Reach) -> dict[str, tuple[bytes, bytes | None]]:
        """Every file that the reach changes, as it stands, and as it will stand (None: gone)."""
        edits = [edit for one in reach.operations if not isinstance(one, Bury) for edit in edits_of(one)]
        found: dict[str, tuple[bytes, bytes | None]] = {}
        for path in dict.fromkeys(edit.path for edit in edits):
            data = await self._data(path)
            if data is None:
                continue
            after: bytes | None = data
            for edit in edits:
                after = edit.change(after) if edit.path == path else after
            if after != data:
                found[path] = data, after
        return found

    async def _whole(self, slice_id: str, got: _Gathered) -> None:
        piece = await self._piece(slice_id)
        paths = [path async for path in below(self._storage, folder_of(slice_id))]
        if await self._data(flat_path(slice_id)) is not None:
            paths.append(flat_path(slice_id))
        for path in paths:
            got.operations.append(RemoveFile(path, slice_id))
            got.media += "/files/" in path
            if "/evolution-" in path:
                got.lines += _written(await self._text(path))
        got.whole.append(slice_id)
        got.keys += [one.key for one in await self._messages(slice_id)]
        if piece:
            got.turns += [turn.id for turn in piece.turns if turn.id]
            got.exchanges += len({turn.label for turn in piece.turns})
            got.marks += marks_of(piece)
            got.tags |= set(piece.tags)

    async def _part(self, slice_id: str, labels: Sequence[str], got: _Gathered) -> None:
        piece = await self._piece(slice_id)
        if piece is None:
            return
        labels = with_answers(piece, labels)
        if labels and all(turn.label in labels for turn in piece.turns):
            await self._whole(slice_id, got)
            return
        got.operations.append(ForgetTurns(slice_id, tuple(labels)))
        got.touched.append(slice_id)
        got.refs += [f"{rel_of(slice_id)}-{label}" for label in labels]
        got.turns += [turn.id for turn in piece.turns if turn.id and turn.label in labels]
        got.keys += [one.key for one in await self._messages(slice_id) if one.turn in labels]
        got.exchanges += len(labels)
        got.marks += marks_of(piece)
        got.tags |= set(piece.tags)
        async for path in below(self._storage, folder_of(slice_id)):
            name = path.rpartition("/")[2]
            if "/files/" in path and any(name.startswith(f"{label}-") for label in labels):
                got.media += 1
                got.operations.append(RemoveFile(path))
            elif ".conflict-" in name or name == "evolution-0.md":
                got.operations.append(RemoveFile(path))

    async def _cards(self, trace: Trace, wanted: Wanted, got: _Gathered) -> None:
        """The card, its copies, and the records of its changes."""
        live = await self._text(CARD_PATH)
        kept, got.facts = without_facts(live, trace)
        if kept != live:
            got.operations.append(ForgetFacts(CARD_PATH, trace))
        for entry in await self._storage.list(ROOT):
            if entry.name.startswith("current-previously.conflict-"):
                await self._card(f"{ROOT}/{entry.name}", trace, got)
        first = min(wanted.slices, default="")
        ids = [one for one in await self._slices.ids() if wanted.words or one >= first]
        for number, slice_id in enumerate(one for one in ids if one not in got.whole):
            if number % BREATH == BREATH - 1:
                await self._clock.sleep(0)
            await self._card(snapshot_path(slice_id), trace, got)
            for entry in await self._storage.list(f"{folder_of(slice_id)}/timeline"):
                if entry.name.startswith("evolution-"):
                    await self._card(f"{folder_of(slice_id)}/timeline/{entry.name}", trace, got, record=True)

    async def _card(self, path: str, trace: Trace, got: _Gathered, *, record: bool = False) -> None:
        text = await self._text(path)
        if text and (without_record if record else card_without)(text, trace) != text:
            got.operations.append(ForgetFacts(path, trace, record))
            got.copies += 1

    async def _briefings(self, wanted: Wanted, got: _Gathered) -> None:
        """Briefings that tell of it go as a whole: they can be made anew from memory at any time."""
        said = {folded(one)[:FRAGMENT].rstrip() for one in (*got.marks, *map(_bare, got.facts))}
        said = {one for one in (*said, *wanted.words) if len(one) >= SHORTEST or one in wanted.words}
        first = min(wanted.slices, default="")
        ids = [one for one in await self._slices.ids() if one >= first and one not in got.whole]
        for slice_id in ids:
            path = f"{folder_of(slice_id)}/timeline/briefing.md"
            text = folded(await self._text(path))
            if any(one in text for one in said):
                got.operations.append(RemoveFile(path))
                got.briefings += 1

    async def _names(self, got: _Gathered) -> None:
        """Names of strands that no slice carries any more leave the file of merges."""
        data = await self._data(ALIASES_PATH)
        lost = {*got.whole, *got.touched}
        left = {normalise(tag) for one in await self._projections.entries() if one.id not in lost for tag in one.tags}
        names = tuple(sorted({name for tag in got.tags if (name := normalise(tag)) not in left}))
        if data is None or not names:
            return
        try:
            changed = without_names(data, names) != data
        except ValueError:
            return
        if changed:
            got.operations.append(ForgetNames(ALIASES_PATH, names))

    async def _messages(self, slice_id: str) -> Iterable[Message]:
        return decode_messages(await self._data(messages_path(slice_id)) or b"").entries

    async def _piece(self, slice_id: str) -> Slice | None:
        try:
            return (await self._slices.load(slice_id)).slice
        except (NotFound, NotAFile, Malformed):
            return None

    async def _text(self, path: str) -> str:
        return (await self._data(path) or b"").decode(errors="surrogateescape")

    async def _data(self, path: str) -> bytes | None:
        try:
            return (await self._storage.read(path)).data
        except (NotFound, NotAFile):
            return None


def with_answers(piece: Slice, labels: Sequence[str]) -> tuple[str, ...]:
    """The labels with those of further answers to the same words, which stand behind them under labels of their own."""
    asked = {turn.label for turn in piece.turns if turn.role == USER}
    found, newest = list(labels), ""
    for turn in piece.turns:
        if turn.role == USER:
            newest = turn.label
        elif turn.label not in asked and newest in labels:
            found.append(turn.label)
    return tuple(dict.fromkeys(found))


def _bare(line: str) -> str:
    """What a line of a card says, without its mark and its refs."""
    return line.removeprefix("- ").partition(" — refs:")[0].partition(" — by:")[0]


def _written(record: str) -> list[str]:
    """The lines that a pass over the card has written, as its record tells."""
    added = next((line for line in record.split("\n") if line.startswith("added: ")), "")
    try:
        found = json.loads(added.removeprefix("added: ") or "[]")
    except ValueError:
        return []
    return [str(line).strip() for line in found if str(line).strip()] if isinstance(found, list) else []
