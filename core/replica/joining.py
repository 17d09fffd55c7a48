"""Two changes of one file as one, from three sides: a person's wins or both survive, and no word is lost (P061, P063).

`base` is what both began from, None when it is not known. What cannot be joined stays as they have it, and ours goes to
a file beside it (`<name>.conflict-<instant>`). No conflict marker is ever written.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import orjson

from core.errors import Malformed
from core.keeper.apply import conflict_copy
from core.slices import codec, cognition, forgotten
from core.slices.merge import merge_slices
from core.slices.messages import decode_messages, encode_messages, merge_messages
from core.storage.github.scribe import Joined

if TYPE_CHECKING:
    from core.slices.messages import Message
    from core.slices.model import Slice, Turn

Bytes = bytes | None

_LISTS: Final = ("open_loops", "decisions", "tags", "related_slices", "loops")
_WORDS: Final = (
    "status", "start", "end", "timezone", "focus", "summary", "emotional_tone", "closed_by", "evolution_summary",
)  # fmt: skip


def join(path: str, base: Bytes, ours: Bytes, theirs: Bytes, at: str) -> Joined:
    """The file of both; see the module. What only one side changed is that side's."""
    if ours in {theirs, base}:
        return Joined(theirs)
    if base is not None and base == theirs:
        return Joined(ours)
    if ours is None:
        return Joined(theirs)
    name = path.rpartition("/")[2]
    if name == "core.md":
        return _core(path, base, ours, theirs, at)
    if theirs is None:
        return Joined(None, {conflict_copy(path, at): ours})
    joined = _known(path, name, base, ours, theirs)
    if joined is None:
        joined = _longer(base, ours, theirs)
    return Joined(theirs, {conflict_copy(path, at): ours}) if joined is None else Joined(joined)


def _known(path: str, name: str, base: Bytes, ours: bytes, theirs: bytes) -> Bytes:
    """The file of both where its form says how; None elsewhere."""
    if name == "messages.jsonl":
        return _messages(base, ours, theirs)
    if name == "agent.md":
        return _thoughts(base, ours, theirs)
    if path == forgotten.PATH:
        return _graves(base, ours, theirs)
    return _json(base, ours, theirs) if name.endswith(".json") else None


def _core(path: str, base: Bytes, ours: bytes, theirs: Bytes, at: str) -> Joined:
    """A slice of both: turns by id and role, each mark by itself."""
    try:
        mine = codec.decode(ours, path)
        other = None if theirs is None else codec.decode(theirs, path)
    except Malformed:  # what we cannot read is theirs to mend; ours is readable beside it
        return Joined(theirs, {conflict_copy(path, at): ours})
    old = _slice(path, base)
    if other is None:  # the file was taken away: what was said since then stays
        known = _turns(old)
        fresh = tuple(turn for key, turn in _turns(mine).items() if key not in known)
        return Joined(codec.encode(replace(mine, turns=fresh)).encode() if fresh else None)
    if old is None:
        return Joined(codec.encode(merge_slices(other, mine)).encode())
    turns, lost = _three_way(_turns(old), _turns(mine), _turns(other))
    changes: dict[str, Any] = {name: _word(name, old, mine, other) for name in _WORDS}
    changes |= {name: _list(name, old, mine, other) for name in _LISTS}
    joined = replace(other, **changes)
    if turns != other.turns:
        joined = replace(joined, turns=turns)
    aside = {conflict_copy(path, at): codec.encode(replace(mine, turns=lost, layout=None)).encode()} if lost else {}
    return Joined(codec.encode(joined).encode(), aside)


Turns = dict[tuple[str, ...], "Turn"]


def _three_way(old: Turns, mine: Turns, other: Turns) -> tuple[tuple[Turn, ...], tuple[Turn, ...]]:
    """The turns of both, and ours that gave way to theirs; a turn that either side took away is gone."""
    kept, lost = [], []
    for key, turn in other.items():
        was, here = old.get(key), mine.get(key)
        if turn != was or here is None:
            if here is not None and here not in {was, turn}:
                lost.append(here)
            if here is not None or was is None or turn != was:
                kept.append(turn)
        else:
            kept.append(here)
    for key, turn in mine.items():
        if key not in other and key not in old:
            kept.append(turn)
        elif key not in other and turn != old.get(key):
            lost.append(turn)  # they took it away while it was annotated here
    return tuple(kept), tuple(lost)


def _turns(found: Slice | None) -> Turns:
    turns: Turns = {}
    for turn in found.turns if found else ():
        named = turn.id is not None and turn.id != "?"
        key = (turn.label, turn.role) if named else ("", turn.at, turn.role, turn.text)
        turns.setdefault(key, turn)
    return turns


def _word(name: str, old: Slice, mine: Slice, other: Slice) -> object:
    theirs = getattr(other, name)
    return getattr(mine, name) if theirs == getattr(old, name) else theirs


def _list(name: str, old: Slice, mine: Slice, other: Slice) -> tuple[str, ...]:
    was, here, there = getattr(old, name), getattr(mine, name), getattr(other, name)
    if there == was:
        return tuple(here)
    gone = [one for one in was if one not in here]
    new = [one for one in here if one not in was and one not in there]
    return (*(one for one in there if one not in gone), *new)


def _messages(base: Bytes, ours: bytes, theirs: bytes) -> bytes | None:
    old, mine, other = (decode_messages(data or b"") for data in (base, ours, theirs))
    if mine.skipped or other.skipped:
        return None
    gone = set(old.entries) - set(other.entries)
    present = {_name(one) for one in other.entries}
    kept = [one for one in mine.entries if one not in gone or _name(one) in present]
    return encode_messages(merge_messages(other.entries, kept))


def _name(entry: Message) -> tuple[object, ...]:
    return (entry.turn, entry.role, entry.key if entry.part is None else entry.part)


def _thoughts(base: Bytes, ours: bytes, theirs: bytes) -> bytes | None:
    """Their log with those blocks of ours that are new."""
    text, mine, old = (data.decode(errors="surrogateescape") if data else "" for data in (theirs, ours, base))
    for turn in cognition.turns_of(mine):
        found = cognition.block_of(mine, turn)
        if found and cognition.block_of(old, turn) is None:
            text = cognition.append_block(text, turn, found)
    return text.encode(errors="surrogateescape")


def _graves(base: Bytes, ours: bytes, theirs: bytes) -> bytes:
    """Every forgetting of either side, but for those that one of them has taken back."""
    mine, other = forgotten.decode(ours), forgotten.decode(theirs)
    data = forgotten.merged(theirs, ours)
    for one in forgotten.decode(base or b"").lines:
        if mine.line(one.id) is None or other.line(one.id) is None:
            data = forgotten.removed(data, one.id) or b""
    return data


def _json(base: Bytes, ours: bytes, theirs: bytes) -> bytes | None:
    """An object of both, key by key; None when one of them is none."""
    old, mine, other = (_object(data) for data in (base or b"{}", ours, theirs))
    if old is None or mine is None or other is None:
        return None
    for key in dict.fromkeys((*mine, *old)):
        if other.get(key) == old.get(key) and mine.get(key) != old.get(key):
            other[key] = mine.get(key)
            if key not in mine:
                del other[key]
    return orjson.dumps(other, option=orjson.OPT_INDENT_2) + b"\n"


def _object(data: bytes) -> dict[str, Any] | None:
    try:
        found = orjson.loads(data)
    except orjson.JSONDecodeError:
        return None
    return found if isinstance(found, dict) else None


def _longer(base: Bytes, ours: bytes, theirs: bytes) -> bytes | None:
    """The one that goes on where the other ends, or the base with both additions; None when they differ otherwise."""
    if ours.startswith(theirs):
        return ours
    if theirs.startswith(ours):
        return theirs
    if base and ours.startswith(base) and theirs.startswith(base):
        return theirs + ours[len(base) :]
    return None


def _slice(path: str, data: Bytes) -> Slice | None:
    try:
        return None if data is None else codec.decode(data, path)
    except Malformed:
        return None
