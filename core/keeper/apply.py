"""How each operation changes a file: pure functions from the bytes that stand there to the bytes that should."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, assert_never

from core.errors import Malformed
from core.keeper.operations import (
    Bury,
    CloseSlice,
    DeleteTurn,
    EditTurn,
    Exhume,
    ForgetFacts,
    ForgetNames,
    ForgetTurns,
    LogCognition,
    MarkSlice,
    MergeTurns,
    NoteEvolution,
    NoteMessages,
    NoteOwed,
    OpenSlice,
    PostBriefing,
    RemoveFile,
    ReplaceCard,
    SetAside,
    SnapCard,
    TagSlice,
)
from core.slices import codec, cognition, forgetting, forgotten, merge, notes
from core.slices.messages import Message, decode_messages, encode_messages, merge_messages
from core.slices.model import (
    CARD_PATH,
    USER,
    Slice,
    agent_path,
    briefing_path,
    core_path,
    evolution_path,
    flat_path,
    messages_path,
    snapshot_path,
)
from core.slices.text import clean_tags
from core.storage.base import version_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.keeper.operations import Operation
    from core.slices.model import Turn

Bytes = bytes | None
"""A file's content, or None when it does not exist."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A change of one file.

    `salvage` is what is kept beside it when it cannot be understood: in a file named after `stamp`, without one in
    whichever there is already; `former` is where the file stood in an older layout.
    """

    path: str
    change: Callable[[Bytes], Bytes]
    salvage: Callable[[Bytes], Bytes]
    former: str = ""
    stamp: str = ""


def edits_of(operation: Operation) -> Sequence[Edit]:  # noqa: PLR0911, PLR0912, C901 - a table of operations
    """The file changes that an operation means, in order."""
    match operation:
        case OpenSlice(slice=name, start=start, zone=zone):
            return (_core(name, lambda found: found or Slice(name, start=start, timezone=zone)),)
        case MergeTurns(slice=name, turns=turns, start=start, zone=zone):
            newborn = Slice(name, start=start, timezone=zone)
            return (_merged(core_path(name), newborn, turns, former=flat_path(name)),)
        case CloseSlice(slice=name, signal=signal, at=at):
            return (_core(name, lambda found: found and (found if found.closed else merge.close(found, signal, at))),)
        case MarkSlice(slice=name):
            return (_core(name, lambda found: found and _marked(found, operation)),)
        case EditTurn(slice=name, turn=turn):
            edited = notes.annotation(operation.text, operation.clock)
            noted = Message(turn, USER, operation.key, operation.at, edited=edited)
            return (_core(name, lambda found: found and _edited(found, operation)), _lines(name, (noted,)))
        case DeleteTurn(slice=name, turn=turn):
            gone = Message(turn, USER, operation.key, operation.at, deleted=operation.at)
            return (_core(name, lambda found: found and _hidden(found, operation)), _lines(name, (gone,)))
        case NoteMessages(slice=name, entries=entries):
            return (_lines(name, entries),)
        case LogCognition(slice=name, turn=turn, block=block):
            return (_text(agent_path(name), lambda found: cognition.append_block(found, turn, block)),)
        case PostBriefing(slice=name, text=text):
            return (_text(briefing_path(name), lambda found: found or text),)
        case SetAside(slice=name, turns=turns, at=at):
            aside = conflict_copy(core_path(name), at)
            return (_merged(aside, Slice(name, start=turns[0].at if turns else at), turns),)
        case TagSlice(slice=name, tags=tags):
            return (_core(name, lambda found: found and replace(found, tags=clean_tags((*found.tags, *tags)))),)
        case ReplaceCard():
            return (_card(operation),)
        case SnapCard(slice=name, text=text):
            return (_text(snapshot_path(name), lambda _: text),)
        case NoteEvolution(slice=name, number=number, text=text):
            return (_text(evolution_path(name, number), lambda found: found or text),)
        case NoteOwed(slice=name, text=text):
            return (_text(evolution_path(name, 0), lambda _: text),)
        case Bury() | Exhume() | RemoveFile() | ForgetTurns() | ForgetFacts() | ForgetNames():
            return forgetting_edits(operation)
        case _:
            assert_never(operation)


def forgetting_edits(operation: Bury | Exhume | RemoveFile | ForgetTurns | ForgetFacts | ForgetNames) -> Sequence[Edit]:
    """The file changes by which something is forgotten, or a forgetting taken back; no file is made for it."""
    match operation:
        case Bury():
            line = forgotten.Forgetting(operation.id, operation.at, operation.turns, operation.keys, operation.tally)
            return (Edit(forgotten.PATH, lambda found: forgotten.added(found, line), _as_it_is),)
        case Exhume(id=name):
            return (Edit(forgotten.PATH, lambda found: forgotten.removed(found, name), _as_it_is),)
        case RemoveFile(path=path):
            return (Edit(path, lambda _: None, _as_it_is),)
        case ForgetTurns(slice=name, labels=labels):
            return _turns_out(name, labels)
        case ForgetFacts(path=path, trace=trace, record=record):
            scrub = forgetting.without_record if record else forgetting.card_without
            return (_standing(path, lambda data: _over(data, lambda text: scrub(text, trace))),)
        case ForgetNames(path=path, names=names):
            return (_standing(path, lambda data: forgetting.without_names(data, names)),)


def _turns_out(name: str, labels: Sequence[str]) -> Sequence[Edit]:
    def core(data: bytes) -> Bytes:
        return codec.encode(forgetting.without_turns(codec.decode(data, core_path(name)), labels)).encode()

    return (
        _standing(core_path(name), core, former=flat_path(name)),
        _standing(messages_path(name), lambda data: forgetting.without_messages(data, labels)),
        _standing(agent_path(name), lambda data: _over(data, lambda text: forgetting.without_thoughts(text, labels))),
    )


def _standing(path: str, change: Callable[[bytes], Bytes], former: str = "") -> Edit:
    """A change of a file that stands; where there is none, nothing is done."""
    return Edit(path, lambda found: None if found is None else change(found), _as_it_is, former=former)


def _over(data: bytes, change: Callable[[str], str]) -> Bytes:
    """The file with its text changed; None when nothing is left of it."""
    return change(data.decode(errors="surrogateescape")).encode(errors="surrogateescape") or None


def _as_it_is(found: Bytes) -> Bytes:
    return found


def conflict_copy(path: str, stamp: str) -> str:
    """Where words go whose file cannot be understood: `core.conflict-20260309T184207.md` beside `core.md`."""
    stem, _, suffix = path.rpartition(".")
    return f"{stem}.conflict-{stamp[:19].replace('-', '').replace(':', '')}.{suffix}"


def _core(name: str, change: Callable[[Slice | None], Slice | None]) -> Edit:
    path = core_path(name)

    def apply(data: Bytes) -> Bytes:
        changed = change(codec.decode(data, path) if data is not None else None)
        return None if changed is None else codec.encode(changed).encode()

    return Edit(path, apply, lambda data: data, former=flat_path(name))


def _merged(path: str, newborn: Slice, turns: Sequence[Turn], former: str = "") -> Edit:
    def apply(data: Bytes) -> Bytes:
        found = codec.decode(data, path) if data is not None else newborn
        return codec.encode(merge.merge_turns(found, turns)).encode()

    return Edit(path, apply, apply, former=former, stamp=turns[0].at if turns else newborn.start)


def _marked(found: Slice, marks: MarkSlice) -> Slice:
    if (found.focus, found.summary) != marks.instead:
        return found
    return replace(
        found,
        focus=marks.focus,
        summary=marks.summary,
        tags=tuple(dict.fromkeys((*found.tags, *clean_tags(marks.tags)))),
        emotional_tone=found.emotional_tone or marks.tone,
        open_loops=found.open_loops or marks.open_loops,
        decisions=found.decisions or marks.decisions,
    )


def _edited(found: Slice, operation: EditTurn) -> Slice:
    return notes.append_edit(found, operation.turn, operation.text, operation.clock, operation.before)


def _hidden(found: Slice, operation: DeleteTurn) -> Slice:
    if not operation.text:
        return notes.mark_deleted(found, operation.turn)
    for part in filter(None, (operation.text, operation.before)):
        found = notes.mark_deleted(found, operation.turn, part)
    return found


def _card(operation: ReplaceCard) -> Edit:
    text = operation.text.encode(errors="surrogateescape")

    def apply(data: Bytes) -> Bytes:
        if data not in (None, text) and version_of(data or b"") != operation.base:
            raise Malformed(CARD_PATH, "edited meanwhile")
        return text

    return Edit(CARD_PATH, apply, lambda _: text, stamp=operation.at)


def _lines(name: str, entries: Sequence[Message]) -> Edit:
    """A last line that was cut off is dropped; lines that somebody else wrote are not ours to drop."""

    def apply(data: Bytes) -> Bytes:
        found = decode_messages(data or b"")
        if found.skipped > (not (data or b"\n").endswith(b"\n")):
            raise Malformed(messages_path(name), "it holds lines that are no messages")
        return encode_messages(merge_messages(found.entries, entries))

    return Edit(messages_path(name), apply, apply)


def _text(path: str, change: Callable[[str], str]) -> Edit:
    def apply(data: Bytes) -> Bytes:
        return change(data.decode(errors="surrogateescape") if data else "").encode(errors="surrogateescape")

    return Edit(path, apply, apply)
