"""The unfinished: messages that wait for a turn, and turns that are not closed yet."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from core.journal.ids import tag_of
from core.journal.records import Applied, Dead, In, Phase, Placeholder, Plan, Record, Sent, Step, Try

if TYPE_CHECKING:
    from collections.abc import Iterator

    from core.conversation import Incoming


@dataclass(frozen=True, slots=True)
class Waiting:
    """A message that no turn has taken, with the edits and the deletion that came meanwhile."""

    first: In
    changes: tuple[In, ...] = ()

    @property
    def tags(self) -> tuple[str, ...]:
        """The tags of the message and of its changes, in journal order."""
        return (tag_of(self.first.update), *(tag_of(change.update) for change in self.changes))

    @property
    def tag(self) -> str:
        """The tag of the newest version: a plan made from `update` names this one."""
        return self.tags[-1]

    @property
    def update(self) -> Incoming:
        """The message as it now reads: the last edit's text in the first message's place."""
        update = self.first.update
        for change in self.changes:
            if change.update.kind == "edit":
                update = _edited(update, change.update)
        return update

    @property
    def deleted(self) -> bool:
        """Whether the person has taken the message back."""
        return any(change.update.kind == "deletion" for change in self.changes)

    def split(self, tag: str) -> tuple[Waiting, tuple[In, ...]]:
        """The message as of that version, and the changes that came after it."""
        cut = self.tags.index(tag)
        return Waiting(self.first, self.changes[:cut]), self.changes[cut:]

    def records(self) -> Iterator[In]:
        """The records that build it."""
        yield self.first
        yield from self.changes


@dataclass(frozen=True, slots=True)
class Parked:
    """A message whose turn was given up before it was stored: kept, never retried by itself."""

    message: Waiting
    turn: str
    why: str

    def records(self) -> Iterator[Record]:
        """The records that build it."""
        yield from self.message.records()
        yield Dead(self.turn, self.why, (self.message.tag,))


@dataclass(slots=True)
class OpenTurn:
    """A turn or command that is not closed. `taken` are its messages; all else is as the journal said it last."""

    turn: str
    command: In | None = None
    tries: int = 0
    moved: bool = field(default=False, compare=False)
    """Whether the turn has come a step further since it was begun last."""
    taken: tuple[Waiting, ...] = ()
    plans: dict[Phase, Plan] = field(default_factory=dict)
    applied: set[Phase] = field(default_factory=set)
    placeholders: dict[int, str] = field(default_factory=dict)
    sent: dict[int, str] = field(default_factory=dict)
    steps: dict[int, Step] = field(default_factory=dict)

    @property
    def words(self) -> Plan | None:
        """The plan that stores what the person said."""
        return self.plans.get("words")

    @property
    def answer(self) -> Plan | None:
        """The plan that stores the answer and says what to show."""
        return self.plans.get("answer")

    @property
    def updates(self) -> tuple[Incoming, ...]:
        """The messages of the turn, in journal order, as they read when it took them."""
        return tuple(message.update for message in self.taken)

    @property
    def pending(self) -> tuple[Plan, ...]:
        """Plans that may be half done: they are to be applied (again)."""
        return tuple(plan for phase, plan in self.plans.items() if phase not in self.applied)

    def message(self, part: int) -> str | None:
        """The platform's id of that part of the answer, recorded before or after it was shown."""
        return self.sent.get(part, self.placeholders.get(part))

    def note(self, record: Try | Plan | Applied | Placeholder | Step | Sent) -> None:
        """Take up what the journal says of this turn. A new plan of a phase replaces the one before, save its keys."""
        self.moved = not isinstance(record, Try)
        match record:
            case Try():
                self.tries = record.n
            case Plan():
                before = self.plans.get(record.phase)
                kept = tuple(key for key in before.keys if key not in record.keys) if before else ()
                self.plans[record.phase] = replace(record, keys=kept + record.keys)
                self.applied.discard(record.phase)
            case Applied():
                self.applied.update({record.phase} & self.plans.keys())
            case Placeholder():
                self.placeholders[record.part] = record.message
            case Sent():
                self.sent[record.part] = record.message
            case Step():
                self.steps[record.n] = record

    def records(self) -> Iterator[Record]:
        """The records that build it."""
        if self.command:
            yield self.command
        for message in self.taken:
            yield from message.records()
        if self.tries or not (self.command or self.plans):
            yield Try(self.turn, self.tries)
        yield from self.plans.values()
        yield from (Applied(self.turn, phase) for phase in sorted(self.applied))
        yield from (Placeholder(self.turn, part, message) for part, message in self.placeholders.items())
        yield from self.steps.values()
        yield from (Sent(self.turn, part, message) for part, message in self.sent.items())


def _edited(update: Incoming, edit: Incoming) -> Incoming:
    """The message with the edit's text; what an edit does not repeat stays."""
    return replace(
        update,
        text=edit.text,
        edited=edit.edited,
        forwarded=edit.forwarded or update.forwarded,
        quoted=edit.quoted or update.quoted,
        foreign=edit.foreign or update.foreign,
        attachments=edit.attachments or update.attachments,
    )
