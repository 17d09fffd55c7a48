"""The scribe of the replica: what a commit is called, how versions are joined, what stays forgotten (DESIGN 6)."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from core.errors import Malformed
from core.replica.joining import join
from core.slices import codec, forgetting, forgotten
from core.slices.messages import decode_messages
from core.slices.model import SLICES
from core.storage.github.scribe import Changed, Note

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from core.slices.model import Slice
    from core.storage.github.scribe import Joined

MOST_TURNS: Final = 60
"""Turns above which a commit names none of them: it brings over an archive, not a talk."""
LONGEST: Final = 100
"""Code points of a title."""
_CORE: Final = re.compile(rf"{SLICES}/(\d{{4}})/(\d\d)/(\d\d)/(\d{{4}})/timeline/core\.md\Z", re.ASCII)
_IN_SLICE: Final = re.compile(rf"{SLICES}/(\d{{4}})/(\d\d)/(\d\d)/(\d{{4}})[/.]", re.ASCII)
_CHANGE: Final = re.compile(rf"{SLICES}/\d{{4}}/\d\d/\d\d/\d{{4}}/timeline/evolution-\d+\.md\Z", re.ASCII)
_DERIVED: Final = re.compile(
    rf"{SLICES}/\d{{4}}/\d\d/_index\.json\Z|memory/episodic/(?:strands\.json|timeline(?:-\d{{4}})?\.md"
    r"|timeline/index(?:-\d{4})?\.json)\Z",
    re.ASCII,
)


class MemoryScribe:
    """Reads slices; holds nothing."""

    @property
    def graves(self) -> str:
        """The file that names what was forgotten."""
        return forgotten.PATH

    def is_derived(self, path: str) -> bool:
        """Whether it is an index or a page of the timeline."""
        return _DERIVED.match(path) is not None

    def is_event(self, path: str) -> bool:
        """Whether it is the record of a change of the card."""
        return _CHANGE.match(path) is not None

    def turns(self, path: str, data: bytes) -> Sequence[str]:
        """The ids of the turns in a slice's file."""
        found = _slice(Changed(path, data, fresh=False))
        return [turn.id for turn in found.turns if turn.id] if found else []

    def describe(self, changes: Sequence[Changed], known: Collection[str]) -> Note:
        """The message: which turns, or which slice was closed with what focus; never a word of what was said."""
        slices = {one.path: found for one in changes if (found := _slice(one))}
        turns = [(found.id, turn) for found in slices.values() for turn in _fresh(found, known)]
        names = [turn for _, turn in turns]
        closed = [found for found in slices.values() if found.closed]
        boundary = bool(closed) or any(one.fresh for one in changes if one.path in slices)
        trailers = [f"Turn-Id: {turn}" for turn in names] if len(names) <= MOST_TURNS else []
        trailers += [f"Slice-Closed: {found.id}" for found in closed] if len(closed) <= MOST_TURNS else []
        title = _title(turns, closed, changes)
        return Note(_cut(title), "\n".join(trailers), tuple(names), boundary)

    def join(self, path: str, base: bytes | None, ours: bytes | None, theirs: bytes | None, at: str) -> Joined:
        """Both changes in one file; see `core.replica.joining`."""
        return join(path, base, ours, theirs, at)

    def remains(self, path: str, data: bytes, graves: bytes) -> bytes:
        """The file without turns, thoughts and messages that were forgotten."""
        gone, place = forgotten.decode(graves), _IN_SLICE.match(path)
        if not gone.turns or not place:
            return data
        match path.rpartition("/")[2]:
            case "core.md":
                return _without(path, data, gone.turns)
            case "messages.jsonl":
                if {one.turn for one in decode_messages(data).entries}.isdisjoint(gone.turns):
                    return data
                return forgetting.without_messages(data, gone.turns) or b""
            case "agent.md":
                text = data.decode(errors="surrogateescape")
                return forgetting.without_thoughts(text, gone.turns).encode(errors="surrogateescape")
            case _:
                return data


def _without(path: str, data: bytes, turns: Collection[str]) -> bytes:
    try:
        found = codec.decode(data, path)
    except Malformed:
        return data
    left = tuple(turn for turn in found.turns if turn.label not in turns)
    return data if left == found.turns else codec.encode(replace(found, turns=left)).encode()


def _title(turns: Sequence[tuple[str, str]], closed: Sequence[Slice], changes: Sequence[Changed]) -> str:
    if turns and len(turns) <= MOST_TURNS:
        slice_id, turn = turns[0]
        more = f" and {len(turns) - 1} more" if len(turns) > 1 else ""
        return f"Turn {slice_id} {turn}{more}"
    if len(closed) == 1:
        focus = " ".join(closed[0].focus.split())
        return f"Close {closed[0].id}: {focus}" if focus else f"Close {closed[0].id}"
    if len(closed) > 1:
        return f"Close {len(closed)} slices"
    slices = {"-".join(found.groups()) for one in changes if (found := _IN_SLICE.match(one.path))}
    if len(slices) == 1:
        return f"Keep {slices.pop()}"
    if len(changes) == 1:
        return f"Keep {changes[0].path.rpartition('/')[2]}"
    return f"Keep {len(changes)} files"


def _slice(one: Changed) -> Slice | None:
    place = _CORE.match(one.path)
    if not place or one.data is None:
        return None
    name = "-".join(place.groups())
    try:
        return replace(codec.decode(one.data, one.path), id=name)
    except Malformed:
        return None


def _fresh(found: Slice, known: Collection[str]) -> list[str]:
    """The ids of turns that were not pushed before: what stands behind the last one that was."""
    ids = list(dict.fromkeys(turn.id for turn in found.turns if turn.id and turn.id != "?"))
    pushed = [number for number, name in enumerate(ids) if name in known]
    return ids[pushed[-1] + 1 :] if pushed else ids


def _cut(title: str) -> str:
    return title if len(title) <= LONGEST else title[: LONGEST - 1] + "…"
