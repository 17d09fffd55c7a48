"""When and how the card changes: at a slice's close if it is worth it, at once on an explicit wish, and back by undo.

Engineering owns the trigger, the model owns the content (seeds, "When the Card Evolves"). Every pass is shown:
reviewing, changed with a sentence and the lines, unchanged, skipped with the reason, failed. Each change is recorded
with the card as it was before.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, cast, get_args

from core.card import legacy
from core.card.codec import encode
from core.card.diff import LineDiff, line_diff
from core.card.evolve import Evolution, Occasion, evolve
from core.card.record import Record, decode_record, encode_record
from core.clock import instant, iso
from core.conversation import ToolChanged
from core.errors import Malformed, NotAFile, NotFound
from core.keeper.operations import NoteEvolution, NoteOwed, ReplaceCard, SnapCard
from core.language.tongue import tongue_of
from core.llm.base import OFFLINE
from core.relative import day_of
from core.slices.foreign import own
from core.slices.model import CARD_PATH, USER, agent_path, evolution_path, folder_of, rel_of, snapshot_path
from core.slices.notes import spoken

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from datetime import datetime

    from core.clock import Clock
    from core.conversation import ToolState, TurnEvent
    from core.i18n import Words
    from core.keeper.keeper import Keeper
    from core.keeper.operations import Operation
    from core.llm.base import ChatModel
    from core.slices.model import Slice
    from core.slices.store import Slices
    from core.storage.base import File, Storage

    Show = Callable[[TurnEvent], Awaitable[None]]

Why = Literal["slice_closed", "request", "legacy", "undo"]

EVIDENCE: Final = 40_000
"""Characters of a slice that a pass sees, its end; with the card it stays within a worker's budget."""

THOUGHTS: Final = 6_000
FAR: Final = 30
"""How many slices back an owed pass is looked for."""

_CALL: Final = "card"
_OWED: Final = "owed"
_PAID: Final = "done"
_log = logging.getLogger("previously.card")


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a pass runs on a slice, and the explicit wish that it must carry out, if there is one."""

    why: Why
    slice: str
    wish: str = ""


@dataclass(frozen=True, slots=True)
class Told:
    """For whom a pass runs: where it is shown, in which words, in which zone."""

    show: Show
    words: Words
    zone: str


class Evolving:
    """Changes the card. Raises only what the storage and the presenter raise."""

    def __init__(self, slices: Slices, storage: Storage, keeper: Keeper, worker: ChatModel, clock: Clock) -> None:
        self._slices = slices
        self._storage = storage
        self._keeper = keeper
        self._worker = worker
        self._clock = clock

    async def birth(self, slice_id: str, zone: str) -> tuple[Operation, ...]:
        """What gives a new slice its copy of the card, and migrates or seeds the live one (original.md 1.6)."""
        live, copy = await self._text(CARD_PATH), await self._text(snapshot_path(slice_id))
        now = self._clock.now()
        try:
            found = legacy.ensure(
                live, copy, await self._seed() if not live.strip() else "",
                slice_id=slice_id, now=iso(now), today=day_of(now, zone).isoformat(),
            )  # fmt: skip
        except Malformed as error:
            _log.warning("the card is left alone: %s", error)
            return ()
        operations: tuple[Operation, ...] = ()
        if found.write_live:
            operations += (ReplaceCard(found.text, await self._version(), iso(now)),)
        if found.write_copy:
            operations += (SnapCard(slice_id, found.text),)
        return operations

    async def legacy(self) -> bool:
        """Whether the live card is of an earlier format, so that the next close evolves it whatever its worth."""
        return legacy.must_evolve(await self._text(CARD_PATH))

    async def skip(self, told: Told, reason: str) -> None:
        """Show that a pass was skipped, and why: a silent skip would read as "it never runs" (seeds)."""
        await self._tell(told, "completed", told.words("evolution.skipped", reason=reason))

    async def run(self, reason: Reason, told: Told) -> str:
        """One pass; the sentence on what changed, or ""."""
        if self._worker.name == OFFLINE:
            await self.skip(told, told.words("evolution.no_model"))
            return ""
        base = await self._text(CARD_PATH)
        await self._tell(told, "running", told.words("evolution.reviewing"))
        try:
            found = await self._pass(base, reason, told)
        except (Malformed, NotFound, NotAFile) as error:
            _log.warning("no pass over the card: %s", error)
            found = Evolution("failed", base, why=type(error).__name__)
        said = await self._settle(base, found, reason, told)
        if await self._text(evolution_path(reason.slice, 0)):
            await self._keeper.keep(f"owed-{reason.slice}", "care", [NoteOwed(reason.slice, _PAID)])
        return said

    async def undo(self, told: Told) -> str:
        """Bring back the card as it was before its newest change; "" when nothing can be undone."""
        newest = await self._newest_record()
        if newest is None:
            return ""
        slice_id, record = newest
        base = await self._text(CARD_PATH)
        found = Evolution("changed", record.before, told.words("evolution.undone"), line_diff(base, record.before))
        await self._keep(base, found, Reason("undo", slice_id))
        return found.summary

    async def records(self, slice_id: str) -> list[Record]:
        """The changes of the card during a slice, oldest first; those that cannot be read are left out."""
        found = []
        for number in range(1, await self._count(slice_id) + 1):
            path = evolution_path(slice_id, number)
            try:
                found.append(decode_record((await self._storage.read(path)).text, path))
            except (NotFound, NotAFile, Malformed):
                continue
        return found

    async def owe(self, reason: Reason) -> None:
        """Remember a pass that did not come about in time, so that it is done between turns, also after a restart."""
        note = f"{_OWED}\n{reason.why}\n{reason.wish}"
        await self._keeper.keep(f"owed-{reason.slice}", "care", [NoteOwed(reason.slice, note)])

    async def owed(self) -> list[Reason]:
        """The passes that did not come about in time, of the newest slices, oldest first."""
        found = []
        for slice_id in (await self._slices.ids())[-FAR:]:
            state, _, rest = (await self._text(evolution_path(slice_id, 0))).partition("\n")
            why, _, wish = rest.partition("\n")
            if state == _OWED and why in get_args(Why):
                found.append(Reason(cast("Why", why), slice_id, wish))
        return found

    async def done_since(self, reason: Reason, moment: datetime) -> bool:
        """Whether the card has changed for that reason already: a turn that is run again does not evolve it twice."""
        records = await self.records(reason.slice)
        if reason.why == "request":
            return any(one.why == "request" and (instant(one.at) or moment) >= moment for one in records)
        return any(one.why in ("slice_closed", "legacy") for one in records)

    async def _pass(self, base: str, reason: Reason, told: Told) -> Evolution:
        piece = (await self._slices.load(reason.slice)).slice
        ids = frozenset(rel_of(one) for one in await self._slices.ids())
        now, evidence = self._clock.now(), await self._evidence(piece)
        mine = {f"{rel_of(piece.id)}-{turn.label}" for turn in piece.turns}
        known = {ref for entry in legacy.read_card(base).entries for ref in entry.refs}
        occasion = Occasion(
            piece.id,
            iso(now),
            day_of(now, told.zone).isoformat(),
            evidence,
            exists=lambda ref: ref in ids or ref in mine or ref in known,
            focus=reason.wish,
            language=tongue_of(" ".join(turn.text for turn in piece.turns if turn.role == USER)),
        )
        return await evolve(self._worker, base, occasion, (), told.words)

    async def _evidence(self, piece: Slice) -> str:
        """The talk under its refs, each side named; quoted and forwarded text left out (DESIGN 5.7)."""
        lines = []
        for turn in piece.turns:
            said = own(spoken(turn.text)) if turn.role == USER else turn.text
            who = "the person" if turn.role == USER else "the assistant (evidence for Self-model only)"
            if said.strip():
                lines.append(f"[{rel_of(piece.id)}-{turn.label}] {who}:\n{said}")
        thoughts = (await self._text(agent_path(piece.id)))[-THOUGHTS:]
        log = f"\n\nThe assistant's thoughts (evidence for Self-model only):\n{thoughts}" if thoughts else ""
        return "\n\n".join(lines)[-EVIDENCE:] + log

    async def _settle(self, base: str, found: Evolution, reason: Reason, told: Told) -> str:
        """Keep what came of the pass and show it."""
        words = told.words
        if found.outcome == "failed":
            await self._tell(told, "error", words("evolution.failed"))
            return ""
        if found.outcome == "unchanged":
            if legacy.must_evolve(base):
                stamped = encode(legacy.read_card(base))
                await self._keep(base, Evolution("changed", stamped, diff=line_diff(base, stamped)), reason)
            await self._tell(told, "completed", words("evolution.unchanged"))
            return ""
        summary = found.summary or words("evolution.changed.plain")
        await self._keep(base, found, reason)
        label = words("evolution.partial" if found.partial else "evolution.changed", summary=summary)
        await self._tell(told, "completed", label, shown(found.diff))
        return summary

    async def _keep(self, base: str, found: Evolution, reason: Reason) -> None:
        at, diff = iso(self._clock.now()), found.diff
        record = Record(at, reason.why, found.summary, diff.added, diff.removed, base)
        number = await self._count(reason.slice) + 1
        operations: list[Operation] = [
            NoteEvolution(reason.slice, number, encode_record(record)),
            ReplaceCard(found.text, await self._version(), at),
            SnapCard(reason.slice, found.text),
        ]
        await self._keeper.keep(f"card-{reason.slice}-{number}", "care", operations)

    async def _count(self, slice_id: str) -> int:
        names = [entry.name for entry in await self._storage.list(f"{folder_of(slice_id)}/timeline")]
        numbers = [name[len("evolution-") : -len(".md")] for name in names if name.startswith("evolution-")]
        return max((int(number) for number in numbers if number.isdigit()), default=0)

    async def _newest_record(self) -> tuple[str, Record] | None:
        """The newest change of the card, and the slice to which its undoing belongs."""
        for slice_id in reversed(await self._slices.ids()):
            records = await self.records(slice_id)
            if records:
                return slice_id, records[-1]
        return None

    async def _seed(self) -> str:
        """The newest snapshot of any slice."""
        for slice_id in reversed(await self._slices.ids()):
            text = await self._text(snapshot_path(slice_id))
            if text.strip():
                return text
        return ""

    async def _version(self) -> str:
        file = await self._file(CARD_PATH)
        return file.version if file else ""

    async def _text(self, path: str) -> str:
        file = await self._file(path)
        return file.text if file else ""

    async def _file(self, path: str) -> File | None:
        try:
            return await self._storage.read(path)
        except NotFound:
            return None

    async def _tell(self, told: Told, state: ToolState, label: str, detail: str = "") -> None:
        await told.show(ToolChanged(_CALL, state, label, detail))


def shown(diff: LineDiff) -> str:
    """The lines that went and came, as a diff in Markdown."""
    lines: Sequence[str] = [*(f"- {line}" for line in diff.removed), *(f"+ {line}" for line in diff.added)]
    return "\n".join(("```diff", *lines, "```")) if lines else ""
