"""What the journal says: one frozen record per line (reliability 2.3)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from core.conversation import Incoming

Json: TypeAlias = "str | int | float | bool | Sequence[Json] | Mapping[str, Json] | None"
Phase = Literal["words", "answer", "care"]

PATH: Final = "state/journal.jsonl"

FORMAT: Final = 1
"""Version of the journal's format; a greater one is refused rather than half understood."""

MERGE_TURNS: Final = "merge_turns"
"""Operation `{"op": "merge_turns", "slice": id, "turns": [{"label", "role", "at", "text"}, ...]}`."""

CLOSE_SLICE: Final = "close_slice"
"""Operation `{"op": "close_slice", "slice": id, "at": ISO}`: `at` is when it was closed, not the slice's `end`."""

SET_ASIDE: Final = "set_aside"
"""Operation `{"op": "set_aside", "slice": id, "turns": [...]}`: the turns are no longer expected in the slice."""


FORGET_TURNS: Final = "forget_turns"
"""Operation `{"op": "forget_turns", "slice": id, "labels": [...]}`: the turns are no longer expected in the slice."""

REMOVE_FILE: Final = "remove"
"""Operation `{"op": "remove", "path": ..., "slice": id}`: the slice, if one is named, is no longer expected."""

BURY: Final = "bury"
"""Operation `{"op": "bury", "keys": [...], ...}`: these messages are forgotten, and the file is written anew soon."""

OFF: Final = "off"
"""Flag of a plan for what is said off the record: it is not to stay in the file once it is answered."""


@dataclass(frozen=True, slots=True)
class In:
    """An update of the owner was received at the ISO instant `at`. A `command` never belongs to a turn of talk."""

    update: Incoming
    at: str
    command: bool = False


@dataclass(frozen=True, slots=True)
class Try:
    """The turn starts for the `n`-th time: the counter that stops a poisonous message (P7)."""

    turn: str
    n: int


@dataclass(frozen=True, slots=True)
class Plan:
    """What will be written, as idempotent operations; nothing of it is written before this stands (R6).

    `keys` are the tags (`ids.tag_of`) of the updates that it deals with. `reply` holds the parts of the answer.
    """

    turn: str
    phase: Phase
    keys: tuple[str, ...] = ()
    ops: tuple[Mapping[str, Json], ...] = ()
    reply: tuple[str, ...] = ()
    flags: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Applied:
    """All operations of that plan are durable. A care plan ends with this."""

    turn: str
    phase: Phase


@dataclass(frozen=True, slots=True)
class Placeholder:
    """Part `part` of the turn's answer will be the platform's message with that id (R8)."""

    turn: str
    part: int
    message: str


@dataclass(frozen=True, slots=True)
class Step:
    """The `n`-th tool call of the turn, `call`, is finished with `result`: not to be run again."""

    turn: str
    n: int
    call: str
    result: str


@dataclass(frozen=True, slots=True)
class Sent:
    """That part of the answer is shown, in the platform's message with that id."""

    turn: str
    part: int
    message: str


@dataclass(frozen=True, slots=True)
class Done:
    """Everything of the turn, or of the command, is shown: it is closed."""

    turn: str


@dataclass(frozen=True, slots=True)
class Dead:
    """The turn is given up. Messages that no applied plan has stored are parked, with those that `keys` names."""

    turn: str
    why: str
    keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Shown:
    """The briefing of that gap was shown at the ISO instant `at`; `text` opens the slice that follows.

    One that waits in the chat until the talk goes on is the platform's `message` in `chat` on `surface`; "" when none
    has to be folded up.
    """

    gap: str
    at: str
    text: str = ""
    surface: str = ""
    chat: str = ""
    message: str = ""


@dataclass(frozen=True, slots=True)
class Ran:
    """The scheduler began the job of that name at the ISO instant `at`: not to be repeated after a restart (P089)."""

    job: str
    at: str


@dataclass(frozen=True, slots=True)
class OffRecord:
    """Talk is off the record, and something of it was said last at the ISO instant `at`; "" ends it."""

    at: str = ""


@dataclass(frozen=True, slots=True)
class Kept:
    """A turn as it was written to a slice."""

    label: str
    role: str
    at: str
    text: str


@dataclass(frozen=True, slots=True)
class Guarded:
    """What was written to a slice, and the ISO instant of its closing ("" while it is open)."""

    slice: str
    turns: tuple[Kept, ...] = ()
    closed: str = ""


@dataclass(frozen=True, slots=True)
class Snap:
    """The whole state; what stands before it no longer counts.

    `open` holds records that build whatever is unfinished when they are applied in order (R11), `seen` every tag
    remembered, oldest first (R12), `heard` the surface, chat and locale of the newest message, `ran` when each job
    last began, `off` when something was said off the record last.
    """

    seen: tuple[str, ...] = ()
    cursors: Mapping[str, str] = field(default_factory=dict)
    guard: tuple[Guarded, ...] = ()
    shown: Shown | None = None
    heard: tuple[str, ...] = ()
    ran: Mapping[str, str] = field(default_factory=dict)
    off: str = ""
    open: tuple[Record, ...] = ()
    version: int = FORMAT


@dataclass(frozen=True, slots=True)
class Hello:
    """A process took over after a clean stop at the ISO instant `at`: the `Bye` before it no longer vouches."""

    at: str


@dataclass(frozen=True, slots=True)
class Bye:
    """The process stopped in order."""


Record = (
    In | Try | Plan | Applied | Placeholder | Step | Sent | Done | Dead | Shown | Ran | OffRecord | Snap | Hello | Bye
)
