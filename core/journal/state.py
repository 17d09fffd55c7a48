"""What the journal's records add up to: a plain fold, the same after every start (reliability 2.3)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from core.journal import guard
from core.journal.ids import is_later, stream_of, tag_of, turn_id
from core.journal.open_turn import OpenTurn, Parked, Waiting
from core.journal.records import (
    BURY,
    OFF,
    Applied,
    Bye,
    Dead,
    Done,
    Guarded,
    Hello,
    In,
    Json,
    OffRecord,
    Placeholder,
    Plan,
    Ran,
    Record,
    Sent,
    Shown,
    Snap,
    Step,
    Try,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from core.conversation import Incoming

SEEN_KEPT: Final = 2_000


@dataclass(slots=True)
class State:
    """Everything that the journal knows. Applying a record never fails and never forgets a message that is unstored.

    `waiting` (by message key, in journal order) belongs to no turn yet; `late` (by tag) are edits and deletions of
    messages that a turn has taken; `care` (by turn) are plans for those that are not applied; `parked` (by message
    key) could not be stored in three tries. `cursors` hold the highest message key of each chat, `heard` the surface,
    chat and locale of the message received last (empty before the first), `ran` when each job last began.
    `off` is when something was said off the record last, "" when the talk is kept; `purge` says that the file still
    holds words that are not to stay in it.
    """

    seen: dict[str, None] = field(default_factory=dict)
    cursors: dict[str, str] = field(default_factory=dict)
    waiting: dict[str, Waiting] = field(default_factory=dict)
    parked: dict[str, Parked] = field(default_factory=dict)
    late: dict[str, In] = field(default_factory=dict)
    turns: dict[str, OpenTurn] = field(default_factory=dict)
    care: dict[str, Plan] = field(default_factory=dict)
    guard: dict[str, Guarded] = field(default_factory=dict)
    shown: Shown | None = None
    heard: tuple[str, ...] = ()
    ran: dict[str, str] = field(default_factory=dict)
    off: str = ""
    purge: bool = field(default=False, compare=False)

    @property
    def idle(self) -> bool:
        """Whether nothing is open: no message waits, no turn or care plan is unfinished."""
        return not (self.waiting or self.late or self.turns or self.care)

    @property
    def shown_gap(self) -> str:
        """The gap whose briefing was shown last, or ""."""
        return self.shown.gap if self.shown else ""

    def opened(self, turn: str) -> OpenTurn:
        """The open turn of that id; one that has not begun is empty."""
        return self.turns.get(turn) or OpenTurn(turn)

    def is_new(self, update: Incoming) -> bool:
        """Whether the update has not been received before (R7)."""
        return tag_of(update) not in self.seen

    def apply(self, record: Record) -> None:  # noqa: C901 - a table of records
        """Take up the next record of the journal."""
        match record:
            case In():
                self._receive(record)
            case Plan(phase="care"):
                self._care(record)
            case Applied(phase="care"):
                self.care.pop(record.turn, None)
            case Try() | Plan() | Applied() | Placeholder() | Step() | Sent():
                self._progress(record)
            case Done() | Dead():
                self._close(record)
            case Shown():
                self.shown = record
            case OffRecord():
                self.off = record.at
            case Ran():
                self.ran[record.job] = record.at
            case Snap():
                self._restore(record)
            case Hello() | Bye():
                pass

    def snapshot(self) -> Snap:
        """The record that builds this state from nothing."""
        return Snap(
            seen=tuple(self.seen),
            cursors=dict(self.cursors),
            guard=tuple(self.guard.values()),
            shown=self.shown,
            heard=self.heard,
            ran=dict(self.ran),
            off=self.off,
            open=tuple(self._open()),
        )

    def prune(self, now: datetime) -> None:
        """Forget what no longer needs guarding."""
        guard.prune(self.guard, now)

    def _open(self) -> Iterator[Record]:
        for parked in self.parked.values():
            yield from parked.records()
        for turn in self.turns.values():
            yield from turn.records()
        yield from self.care.values()
        for message in self.waiting.values():
            yield from message.records()
        yield from self.late.values()

    def _receive(self, record: In) -> None:
        tag, key = tag_of(record.update), record.update.key
        if tag in self.seen:
            return
        self._remember(tag)
        if record.update.kind != "message":
            self._change(tag, record)
            return
        if is_later(key, self.cursors.get(stream_of(key), "")):
            self.cursors[stream_of(key)] = key
            self.heard = (record.update.surface, record.update.chat, record.update.locale)
        if record.command:
            self.turns.setdefault(turn_id(key), OpenTurn(turn_id(key), record))
            return
        self.parked.pop(key, None)  # delivered anew, long after it was given up: it has another chance
        early = [late for late, change in self.late.items() if change.update.key == key]
        self.waiting[key] = Waiting(record, tuple(self.late.pop(late) for late in early))

    def _remember(self, tag: str) -> None:
        self.seen[tag] = None
        while len(self.seen) > SEEN_KEPT + len(self.waiting):
            del self.seen[next(iter(self.seen))]

    def _change(self, tag: str, record: In) -> None:
        message = self.waiting.get(record.update.key)
        if message:
            self.waiting[record.update.key] = replace(message, changes=(*message.changes, record))
        else:
            self.late[tag] = record

    def _care(self, plan: Plan) -> None:
        for tag in plan.keys:
            self.late.pop(tag, None)
        before = self.care.get(plan.turn)
        if before:
            plan = replace(plan, keys=before.keys + plan.keys, ops=before.ops + plan.ops)
        self.care[plan.turn] = plan
        self.purge = self.purge or OFF in plan.flags
        for op in plan.ops:
            if op.get("op") == BURY:
                self._bury(op.get("keys"))
        guard.watch(self.guard, plan.ops)

    def _bury(self, keys: Json) -> None:
        """Let go of messages that are forgotten, wherever they wait; the file is not to keep their words."""
        self.purge = True
        for key in keys if isinstance(keys, list | tuple) else ():
            self.parked.pop(str(key), None)
            self.waiting.pop(str(key), None)
            for tag in [tag for tag, late in self.late.items() if late.update.key == key]:
                del self.late[tag]

    def _progress(self, record: Try | Plan | Applied | Placeholder | Step | Sent) -> None:
        turn = self.turns.get(record.turn)
        if turn is None:
            if not isinstance(record, Try | Plan):
                return
            turn = self.turns[record.turn] = OpenTurn(record.turn)
        if isinstance(record, Plan):
            self.purge = self.purge or OFF in record.flags
            turn.taken += self._take(record.keys) if record.phase == "words" else ()
            guard.watch(self.guard, record.ops)
        turn.note(record)

    def _take(self, tags: tuple[str, ...]) -> tuple[Waiting, ...]:
        """The messages that the tags name, in journal order; changes newer than what is named come late."""
        taken = []
        for message in (*(parked.message for parked in self.parked.values()), *self.waiting.values()):
            named = [tag for tag in message.tags if tag in tags]
            if not named:
                continue
            stored, newer = message.split(named[-1])
            self.late.update({tag_of(change.update): change for change in newer})
            taken.append(stored)
        for message in taken:
            self.parked.pop(message.first.update.key, None)
            self.waiting.pop(message.first.update.key, None)
        return tuple(taken)

    def _close(self, record: Done | Dead) -> None:
        turn = self.turns.get(record.turn)
        if isinstance(record, Dead):
            self._park(record, turn)
        elif turn and turn.pending:
            return  # what is not durable yet cannot be done
        self.turns.pop(record.turn, None)

    def _park(self, record: Dead, turn: OpenTurn | None) -> None:
        unstored = turn.taken if turn and "words" not in turn.applied else ()
        for plan in turn.pending if turn else ():
            guard.forget(self.guard, plan.ops)
        for key, message in list(self.waiting.items()):
            if turn_id(key) == record.turn or set(message.tags) & set(record.keys):
                unstored += (self.waiting.pop(key),)
        self.parked |= {one.first.update.key: Parked(one, record.turn, record.why) for one in unstored}

    def _restore(self, snap: Snap) -> None:
        fresh = State()
        for record in snap.open:
            fresh.seen.clear()  # what is open was received, however often its key was seen since
            fresh.apply(record)
        self.waiting, self.parked, self.late = fresh.waiting, fresh.parked, fresh.late
        self.turns, self.care, self.purge = fresh.turns, fresh.care, fresh.purge
        self.seen, self.cursors = dict.fromkeys(snap.seen), dict(snap.cursors)
        self.guard, self.shown = {one.slice: one for one in snap.guard}, snap.shown
        self.heard, self.ran, self.off = snap.heard, dict(snap.ran), snap.off
