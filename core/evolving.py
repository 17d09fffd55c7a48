"""When and how the card changes: at a slice's close if it is worth it, at once on an explicit wish, and back by undo.

Engineering owns the trigger, the model owns the content (seeds, "When the Card Evolves"). Every pass is shown, and
each change is recorded with the card as it was before.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal, cast, get_args

from core.card import legacy
from core.card.codec import encode
from core.card.copies import Copies
from core.card.diff import line_diff, shown
from core.card.evidence import evidence, refs_of, words_of
from core.card.evolve import Evolution, Occasion, evolve, room_for
from core.card.history import History, owing, paid
from core.card.record import Record, encode_record
from core.clock import iso
from core.conversation import ToolChanged
from core.errors import Malformed, NotAFile, NotFound
from core.keeper.operations import NoteEvolution, NoteOwed, ReplaceCard, SnapCard
from core.language.tongue import tongue_of
from core.llm.base import OFFLINE
from core.llm.size import WORKER
from core.relative import day_of
from core.slices.model import CARD_PATH, USER, agent_path, rel_of
from core.slices.taint import answering_foreign, tainted_in, without

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from datetime import datetime

    from core.clock import Clock
    from core.conversation import ToolState, TurnEvent
    from core.i18n import Words
    from core.keeper.keeper import Keeper
    from core.keeper.operations import Operation
    from core.llm.base import ChatModel
    from core.slices.model import Slice, Turn
    from core.slices.store import Slices
    from core.storage.base import File, Storage

    Show = Callable[[TurnEvent], Awaitable[None]]

Why = Literal["slice_closed", "request", "legacy", "undo"]

FAR: Final = 30  # slices back in which an owed pass is looked for
_CALL: Final = "card"
_log = logging.getLogger("previously.card")


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a pass runs on a slice, and the explicit wish that it must carry out, if there is one.

    The wish of a pass on a closed slice was said in the message that closed it.
    """

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
    """Changes the card with requests of at most `most` tokens. Raises only what the storage and the presenter raise.

    `copies` are those that slices carry, `unseen` is what came of passes that nobody watched: it is to be shown at the
    next occasion.
    """

    def __init__(
        self,
        slices: Slices,
        storage: Storage,
        keeper: Keeper,
        worker: ChatModel,
        clock: Clock,
        most: int = WORKER,
    ) -> None:
        self._most = most
        self.unseen: list[ToolChanged] = []
        self.copies = Copies(slices, storage, clock)
        self._going = asyncio.Lock()
        self._history = History(slices, storage)
        self._slices = slices
        self._storage = storage
        self._keeper = keeper
        self._worker = worker
        self._clock = clock

    async def legacy(self) -> bool:
        """Whether the live card is of an earlier format, so that the next close evolves it whatever its worth."""
        try:
            return legacy.must_evolve(await self._text(CARD_PATH))
        except (Malformed, NotAFile):
            return False

    async def skip(self, told: Told, reason: str) -> None:
        """Show that a pass was skipped, and why: a silent skip would read as "it never runs" (seeds)."""
        await self._tell(told, "completed", told.words("evolution.skipped", reason=reason))

    async def run(self, reason: Reason, told: Told) -> str:
        """One pass; the sentence on what changed, or "". One that a worker could not do is owed."""
        if self._worker.name == OFFLINE:
            if reason.wish:
                await self.owe(reason)
            await self.skip(told, told.words("evolution.no_model"))
            return ""
        async with self._going:
            return await self._run(await self._with_owed_wish(reason), told)

    async def _run(self, reason: Reason, told: Told) -> str:
        await self._tell(told, "running", told.words("evolution.reviewing"))
        base, version = "", ""
        try:
            card = await self._file(CARD_PATH)
            base, version = (card.text, card.version) if card else ("", "")
            found = await self._pass(base, reason, told)
        except (Malformed, NotFound, NotAFile) as error:
            _log.warning("no pass over the card: %s", error)
            found = Evolution("failed", base, why=type(error).__name__)
        said = await self._settle(base, version, found, reason, told)
        if found.down:
            await self.owe(reason)
        elif await self._history.owed(reason.slice):
            await self._note(reason.slice, paid(reason.why))
        return said

    async def undo(self, told: Told, change: tuple[str, int] | None = None) -> str:
        """Bring back the card as it was before a change (slice and number; by default the newest).

        That is a change itself, of the newest slice, and can be undone. The sentence on it, "" when there is nothing.
        Raises `Malformed` or `NotAFile` when the live card cannot be read.
        """
        where = change or await self._history.newest()
        record = await self._history.record(*where) if where else None
        if record is None:
            return ""
        newest = await self._slices.latest()
        if newest is None:
            return ""
        file = await self._file(CARD_PATH)
        base, version = (file.text, file.version) if file else ("", "")
        found = Evolution("changed", record.before, told.words("evolution.undone"), line_diff(base, record.before))
        reason = Reason("undo", newest.slice.id)
        await self._keep(base, version, found, reason, snap=not newest.slice.closed)
        return found.summary

    async def records(self, slice_id: str) -> list[Record]:
        """The changes of the card during a slice, oldest first; those that cannot be read are left out."""
        return await self._history.records(slice_id)

    async def numbered(self, slice_id: str) -> list[tuple[int, Record]]:
        """The same, each with the number of its file."""
        return await self._history.numbered(slice_id)

    async def owe(self, reason: Reason) -> None:
        """Remember a pass that did not come about, so that it is done between turns, also after a restart.

        Without a model that is only what the person asked for: it waits for one. A wish that is owed already stays.
        """
        reason = await self._with_owed_wish(reason)
        done = await self._history.settled(reason.slice, reason.why) and not reason.wish
        if reason.wish or (self._worker.name != OFFLINE and not done):
            await self._note(reason.slice, owing(reason.why, reason.wish))

    async def forgo(self, slice_id: str) -> None:
        """The slice is judged to be worth no pass: one that is owed for its close alone is owed no more."""
        if await self._history.owed(slice_id) == ("slice_closed", ""):
            await self._note(slice_id, paid("slice_closed"))

    async def owed(self) -> list[Reason]:
        """The passes that did not come about, of the newest slices, oldest first; none while nobody can do them.

        What is owed for the close of a slice waits until it is closed.
        """
        ids = await self._slices.newest(FAR) if self._worker.name != OFFLINE else []
        notes = [(slice_id, owed) for slice_id in ids if (owed := await self._history.owed(slice_id))]
        found = [Reason(cast("Why", why), one, wish) for one, (why, wish) in notes if why in get_args(Why)]
        closed = {head.id for head in await self._slices.heads([one.slice for one in found]) if head.closed}
        return [one for one in found if one.why == "request" or one.slice in closed]

    async def _with_owed_wish(self, reason: Reason) -> Reason:
        """The reason, with what the person asked for in that slice and is still owed."""
        _, wish = await self._history.owed(reason.slice) or ("", "")
        both = "\n".join(dict.fromkeys(part for part in (wish, reason.wish) if part))
        return replace(reason, wish=both)

    async def _note(self, slice_id: str, text: str) -> None:
        await self._keeper.keep(f"owed-{slice_id}", "care", [NoteOwed(slice_id, text)])

    async def done_since(self, reason: Reason, moment: datetime) -> bool:
        """Whether the card has changed for that reason already: a turn that is run again does not evolve it twice."""
        return await self._history.done(reason.why, reason.slice, moment)

    async def _pass(self, base: str, reason: Reason, told: Told) -> Evolution:
        log = await self._text(agent_path(reason.slice))
        said = await self._said(reason)
        foreign = tainted_in(log) | answering_foreign(turn for _, turns in said for turn in turns)
        said = [
            (one, [turn for turn in turns if turn.role == USER or turn.label not in foreign]) for one, turns in said
        ]
        ids = frozenset(rel_of(one) for one in await self._slices.ids())
        known = {ref for entry in legacy.read_card(base).entries for ref in entry.refs} | refs_of(said)
        now = self._clock.now()
        thoughts = without(log, foreign)
        return await evolve(
            self._worker,
            base,
            Occasion(
                reason.slice,
                iso(now),
                day_of(now, told.zone).isoformat(),
                evidence(said, thoughts, room_for(base, self._most)),
                exists=lambda ref: ref in ids or ref in known,
                focus=reason.wish,
                language=tongue_of(words_of(said)),
            ),
            (),
            told.words,
            most=self._most,
        )

    async def _said(self, reason: Reason) -> list[tuple[Slice, Sequence[Turn]]]:
        """The turns that are looked at: of the slice, and the message that closed it when that holds a wish."""
        piece = (await self._slices.load(reason.slice)).slice
        said: list[tuple[Slice, Sequence[Turn]]] = [(piece, piece.turns)]
        behind = [one for one in await self._slices.ids() if one > reason.slice] if piece.closed and reason.wish else []
        if behind:
            following = (await self._slices.load(behind[0])).slice
            said.append((following, [turn for turn in following.turns if turn.role == USER][:1]))
        return said

    async def _settle(self, base: str, version: str, found: Evolution, reason: Reason, told: Told) -> str:
        """Keep what came of the pass and show it."""
        words = told.words
        if found.outcome == "failed":
            await self._tell(told, "error", words("evolution.failed"))
            return ""
        if found.outcome == "unchanged":
            if legacy.must_evolve(base):
                stamped = encode(legacy.read_card(base))
                stamp = Evolution("changed", stamped, diff=line_diff(base, stamped))
                await self._keep(base, version, stamp, reason)
            await self._tell(told, "completed", words("evolution.unchanged"))
            return ""
        summary = found.summary or words("evolution.changed.plain")
        if not await self._keep(base, version, found, reason):
            await self._tell(told, "error", words("evolution.conflict"), shown(found.diff))
            return ""
        label = words("evolution.partial" if found.partial else "evolution.changed", summary=summary)
        await self._tell(told, "completed", label, shown(found.diff))
        return summary

    async def _keep(self, base: str, version: str, found: Evolution, reason: Reason, *, snap: bool = True) -> bool:
        """Write the card that came of `base`, its record, and the slice's copy; whether the card was still that one.

        When a person has edited it meanwhile, theirs stays, and ours goes into a conflict file beside it.
        """
        at, diff = iso(self._clock.now()), found.diff
        card = ReplaceCard(found.text, version, at)
        if await self._version() != version:
            await self._keeper.keep(f"card-{reason.slice}", "care", [card])
            return False
        record = Record(at, reason.why, found.summary, diff.added, diff.removed, base)
        number = await self._history.count(reason.slice) + 1
        operations: list[Operation] = [NoteEvolution(reason.slice, number, encode_record(record)), card]
        operations += [SnapCard(reason.slice, found.text)] if snap else []
        await self._keeper.keep(f"card-{reason.slice}-{number}", "care", operations)
        return True

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
