"""How each operation changes a file: pure functions from the bytes that stand there to the bytes that should."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, assert_never

from core.keeper.operations import (
    CloseSlice,
    DeleteTurn,
    EditTurn,
    LogCognition,
    MarkSlice,
    MergeTurns,
    NoteMessages,
    OpenSlice,
    PostBriefing,
)
from core.slices import codec, cognition, merge, messages
from core.slices.model import USER, Slice, agent_path, briefing_path, core_path, messages_path

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.keeper.operations import Operation

Bytes = bytes | None
"""A file's content, or None when it does not exist."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A change of one file. `salvage` is what is kept beside it when the file cannot be understood."""

    path: str
    change: Callable[[Bytes], Bytes]
    salvage: Callable[[Bytes], Bytes]


def edits_of(operation: Operation) -> Sequence[Edit]:
    """The file changes that an operation means, in order."""
    match operation:
        case OpenSlice(slice=name, start=start, zone=zone):
            return (_core(name, lambda found: found or Slice(name, start=start, timezone=zone)),)
        case MergeTurns():
            return (_merged(operation),)
        case CloseSlice(slice=name, signal=signal, at=at):
            return (_core(name, lambda found: found and (found if found.closed else merge.close(found, signal, at))),)
        case MarkSlice(slice=name):
            return (_core(name, lambda found: found and _marked(found, operation)),)
        case EditTurn(slice=name, turn=turn):
            noted = {"turn": turn, "role": USER, "key": operation.key, "at": operation.at, "edited": operation.at}
            noted |= {"clock": operation.clock, "text": operation.text}
            return (_core(name, lambda found: found and _edited(found, operation)), _lines(name, (noted,)))
        case DeleteTurn(slice=name, turn=turn):
            gone = {"turn": turn, "role": USER, "key": operation.key, "at": operation.at, "deleted": operation.at}
            hide = _core(name, lambda found: found and merge.mark_deleted(found, turn, operation.text or None))
            return (hide, _lines(name, (gone,)))
        case NoteMessages(slice=name, entries=entries):
            return (_lines(name, entries),)
        case LogCognition(slice=name, turn=turn, block=block):
            return (_text(agent_path(name), lambda found: cognition.append_block(found, turn, block)),)
        case PostBriefing(slice=name, text=text):
            return (_text(briefing_path(name), lambda found: found or text),)
        case _:
            assert_never(operation)


def conflict_copy(path: str, stamp: str) -> str:
    """Where words go whose file cannot be understood: `core.conflict-20260309T184207.md` beside `core.md`."""
    stem, _, suffix = path.rpartition(".")
    return f"{stem}.conflict-{stamp[:19].replace('-', '').replace(':', '')}.{suffix}"


def _core(name: str, change: Callable[[Slice | None], Slice | None]) -> Edit:
    path = core_path(name)

    def apply(data: Bytes) -> Bytes:
        changed = change(codec.decode(data, path) if data is not None else None)
        return None if changed is None else codec.encode(changed)

    return Edit(path, apply, lambda data: data)


def _merged(operation: MergeTurns) -> Edit:
    name, turns = operation.slice, operation.turns
    newborn = Slice(name, start=operation.start, timezone=operation.zone)
    edit = _core(name, lambda found: merge.merge_turns(found or newborn, turns))
    return Edit(edit.path, edit.change, edit.change)


def _marked(found: Slice, marks: MarkSlice) -> Slice:
    if found.focus or found.summary:
        return found
    return replace(
        found,
        focus=marks.focus,
        summary=marks.summary,
        tags=merge.clean_tags(marks.tags or found.tags),
        emotional_tone=found.emotional_tone or marks.tone,
        open_loops=found.open_loops or marks.open_loops,
        decisions=found.decisions or marks.decisions,
    )


def _edited(found: Slice, operation: EditTurn) -> Slice:
    return merge.append_edit(found, operation.turn, operation.text, operation.clock, operation.before or None)


def _lines(name: str, entries: Sequence[messages.Line]) -> Edit:
    def apply(data: Bytes) -> Bytes:
        return messages.merge(data or b"", entries)

    return Edit(messages_path(name), apply, apply)


def _text(path: str, change: Callable[[str], str]) -> Edit:
    def apply(data: Bytes) -> Bytes:
        return change(data.decode(errors="surrogateescape") if data else "").encode(errors="surrogateescape")

    return Edit(path, apply, apply)
