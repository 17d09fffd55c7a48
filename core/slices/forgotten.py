"""What the person had forgotten: turn ids and message keys, no text, in a file that is read before any intake.

Pushed with all else, so that no disk brings back what was forgotten: neither a redelivered message nor a version that
is merged brings back what it names (DESIGN 5, pains P065). Taking a forgetting back removes its line.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import orjson

if TYPE_CHECKING:
    from collections.abc import Iterable

PATH: Final = "memory/user/forgotten.jsonl"


@dataclass(frozen=True, slots=True)
class Forgetting:
    """One forgetting: its id, the ISO instant, the turns and messages that are gone, and how much of what was touched.

    `tally` counts by name; nothing in it says what the talk was about.
    """

    id: str
    at: str
    turns: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    tally: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Forgotten:
    """All that stays forgotten, for quick questions."""

    lines: tuple[Forgetting, ...] = ()
    turns: frozenset[str] = frozenset()
    keys: frozenset[str] = frozenset()

    def line(self, name: str) -> Forgetting | None:
        """The forgetting of that id."""
        return next((one for one in self.lines if one.id == name), None)


def gathered(lines: Iterable[Forgetting]) -> Forgotten:
    """The forgettings as one value."""
    known = tuple(lines)
    turns = frozenset(turn for one in known for turn in one.turns)
    return Forgotten(known, turns, frozenset(key for one in known for key in one.keys))


def decode(data: bytes) -> Forgotten:
    """What stands in the file; a line that cannot be understood is passed over, the others still count."""
    found = (_line(line) for line in data.removeprefix(b"\xef\xbb\xbf").split(b"\n") if line.strip())
    return gathered(one for one in found if one)


def encode(lines: Iterable[Forgetting]) -> bytes:
    """The file."""
    return b"".join(orjson.dumps(_plain(one)) + b"\n" for one in lines)


def added(data: bytes | None, new: Forgetting) -> bytes:
    """The file with a forgetting at its end, unless it has one of that id; other lines keep their bytes."""
    known = data or b""
    if decode(known).line(new.id):
        return known
    gap = b"" if not known or known.endswith(b"\n") else b"\n"
    return known + gap + encode([new])


def removed(data: bytes | None, name: str) -> bytes | None:
    """The file without the forgetting of that id; None when nothing is left of it."""
    lines = [line for line in (data or b"").split(b"\n") if line.strip()]
    kept = [line for line in lines if not ((found := _line(line)) and found.id == name)]
    return b"".join(line + b"\n" for line in kept) or None


def merged(theirs: bytes, ours: bytes) -> bytes:
    """Two versions of the file as one: every forgetting of either side stands."""
    data = theirs
    for one in decode(ours).lines:
        data = added(data, one)
    return data


def _plain(one: Forgetting) -> dict[str, Any]:
    plain: dict[str, Any] = {"id": one.id, "at": one.at, "turns": list(one.turns), "keys": list(one.keys)}
    return {**plain, "tally": dict(one.tally)} if one.tally else plain


def _line(line: bytes) -> Forgetting | None:
    try:
        found: Any = orjson.loads(line)
    except orjson.JSONDecodeError:
        return None
    if not isinstance(found, Mapping):
        return None
    name, at, tally = found.get("id"), found.get("at", ""), found.get("tally", {})
    if not (isinstance(name, str) and name and isinstance(at, str)):
        return None
    counts = {key: value for key, value in tally.items() if type(value) is int} if isinstance(tally, Mapping) else {}
    return Forgetting(name, at, _texts(found.get("turns")), _texts(found.get("keys")), counts)


def _texts(found: object) -> tuple[str, ...]:
    return tuple(one for one in found if isinstance(one, str)) if isinstance(found, list) else ()
