"""What may happen to memory, as values: small, idempotent, and applied to whatever a file now holds.

A plan in the journal carries operations, not file images (reliability 2.3), so a redone plan survives what a person
edited in between. Each operation names its slice; `core.keeper.apply` turns it into bytes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field, TypeAdapter, ValidationError

from core.errors import Malformed
from core.slices.forgetting import Trace  # noqa: TC001 - pydantic reads the annotations
from core.slices.messages import Message  # noqa: TC001 - pydantic reads the annotations
from core.slices.model import Turn  # noqa: TC001 - pydantic reads the annotations

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True, slots=True)
class OpenSlice:
    """A slice is born, unless it already stands."""

    slice: str
    start: str
    zone: str
    op: Literal["open"] = "open"


@dataclass(frozen=True, slots=True)
class MergeTurns:
    """Turns stand in a slice, once per (turn id, role); `start` and `zone` serve when the slice has vanished."""

    slice: str
    turns: tuple[Turn, ...]
    start: str
    zone: str
    op: Literal["merge_turns"] = "merge_turns"


@dataclass(frozen=True, slots=True)
class CloseSlice:
    """A slice is closed by a signal; `at` is used as its end only when it has no turn."""

    slice: str
    signal: str
    at: str
    op: Literal["close_slice"] = "close_slice"


@dataclass(frozen=True, slots=True)
class MarkSlice:
    """A closed slice gets its marks; what a person wrote in the meantime stays.

    `instead` are the focus and summary that they replace, both empty for a slice without marks.
    """

    slice: str
    focus: str
    summary: str
    tags: tuple[str, ...] = ()
    tone: str = ""
    open_loops: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()
    instead: tuple[str, str] = ("", "")
    op: Literal["mark"] = "mark"


@dataclass(frozen=True, slots=True)
class NoteMessages:
    """Which platform messages a turn consists of (DESIGN 5.6)."""

    slice: str
    entries: tuple[Message, ...]
    op: Literal["messages"] = "messages"


@dataclass(frozen=True, slots=True)
class LogCognition:
    """The cognition block of a turn, once (original.md 1.4, B11)."""

    slice: str
    turn: str
    block: str
    op: Literal["cognition"] = "cognition"


@dataclass(frozen=True, slots=True)
class EditTurn:
    """A message was edited after it had been stored; `clock` is local HH:MM, `before` the note that it replaces."""

    slice: str
    turn: str
    key: str
    text: str
    clock: str
    at: str
    before: str = ""
    op: Literal["edit"] = "edit"


@dataclass(frozen=True, slots=True)
class DeleteTurn:
    """A message was deleted after it had been stored (DESIGN 5.7).

    `text` is that message alone, "" when it is the whole turn; `before` the note of an edit of it, if there is one.
    """

    slice: str
    turn: str
    key: str
    text: str
    at: str
    before: str = ""
    op: Literal["delete"] = "delete"


@dataclass(frozen=True, slots=True)
class PostBriefing:
    """The briefing that was shown before the slice began (DESIGN 5.6)."""

    slice: str
    text: str
    op: Literal["briefing"] = "briefing"


@dataclass(frozen=True, slots=True)
class SetAside:
    """Turns that an old copy of the file has replaced go to a conflict file named after `at` (reliability 2.10)."""

    slice: str
    turns: tuple[Turn, ...]
    at: str
    op: Literal["set_aside"] = "set_aside"


@dataclass(frozen=True, slots=True)
class TagSlice:
    """Topics of a turn join the tags of its slice (original.md 2.5)."""

    slice: str
    tags: tuple[str, ...]
    op: Literal["tags"] = "tags"


@dataclass(frozen=True, slots=True)
class ReplaceCard:
    """The card becomes `text`, if it still is the version `base` ("": there was none); else a hand edit wins."""

    text: str
    base: str
    at: str
    op: Literal["card"] = "card"


@dataclass(frozen=True, slots=True)
class SnapCard:
    """The slice carries this card (original.md 1.6)."""

    slice: str
    text: str
    op: Literal["snapshot"] = "snapshot"


@dataclass(frozen=True, slots=True)
class NoteEvolution:
    """The record of the `number`-th change of the card during a slice, with the card as it was before."""

    slice: str
    number: int
    text: str
    op: Literal["evolution"] = "evolution"


@dataclass(frozen=True, slots=True)
class NoteOwed:
    """Whether a pass over the card is owed for a slice, and why."""

    slice: str
    text: str
    op: Literal["owed"] = "owed"


@dataclass(frozen=True, slots=True)
class Bury:
    """The file of what was forgotten names these turns and messages from now on (DESIGN 5, pains P065)."""

    id: str
    at: str
    turns: tuple[str, ...]
    keys: tuple[str, ...]
    tally: dict[str, int]
    op: Literal["bury"] = "bury"


@dataclass(frozen=True, slots=True)
class Exhume:
    """A forgetting is taken back: its turns and messages may stand again."""

    id: str
    op: Literal["exhume"] = "exhume"


@dataclass(frozen=True, slots=True)
class RemoveFile:
    """A file of what is forgotten goes; `slice` is the one that goes with it, "" for none."""

    path: str
    slice: str = ""
    op: Literal["remove"] = "remove"


@dataclass(frozen=True, slots=True)
class ForgetTurns:
    """A slice loses the turns of these labels and with them its marks, its thoughts on them, and their messages."""

    slice: str
    labels: tuple[str, ...]
    op: Literal["forget_turns"] = "forget_turns"


@dataclass(frozen=True, slots=True)
class ForgetFacts:
    """A card, a copy of it or the record of a change loses the lines that rest only on what is forgotten."""

    path: str
    trace: Trace
    record: bool = False
    op: Literal["forget_facts"] = "forget_facts"


@dataclass(frozen=True, slots=True)
class ForgetNames:
    """The merges of strands lose the names that no slice carries any more."""

    path: str
    names: tuple[str, ...]
    op: Literal["forget_names"] = "forget_names"


Operation = (
    OpenSlice
    | MergeTurns
    | CloseSlice
    | MarkSlice
    | NoteMessages
    | LogCognition
    | EditTurn
    | DeleteTurn
    | PostBriefing
    | SetAside
    | TagSlice
    | ReplaceCard
    | SnapCard
    | NoteEvolution
    | NoteOwed
    | Bury
    | Exhume
    | RemoveFile
    | ForgetTurns
    | ForgetFacts
    | ForgetNames
)
_ADAPTER: TypeAdapter[Operation] = TypeAdapter(Annotated[Operation, Field(discriminator="op")])


def to_json(operation: Operation) -> dict[str, Any]:
    """The operation as the journal has it."""
    return dict(_ADAPTER.dump_python(operation, mode="json"))


def from_json(records: Sequence[Mapping[str, Any]]) -> tuple[Operation, ...]:
    """The operations of a plan; raises `Malformed` for one that this version does not know."""
    try:
        return tuple(_ADAPTER.validate_python(dict(record)) for record in records)
    except ValidationError as error:
        raise Malformed(
            "state/journal.jsonl", f"a plan holds an unknown operation ({error.error_count()} faults)"
        ) from error
