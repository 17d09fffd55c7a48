"""`messages.jsonl`: which platform messages stand in a slice (DESIGN 5.6).

One JSON object a line: a message of a person, or a part of a reply. It leads from a memory to the moment in the chat,
from an edit or deletion to its turn, and tells on a fresh disk what was already seen.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import orjson

from core.slices.text import encodable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

OFF: Final = "off"
"""The role of a message that was said off the record: nobody's turn, so that no edit is written to one."""

_TEXTS: Final = ("turn", "role", "key", "at", "edited", "deleted")
_NUMBERS: Final = ("part", "size")


@dataclass(frozen=True, slots=True)
class Message:
    """A platform message: the turn it belongs to, `role`, message `key`, ISO time `at`; a reply's `part` number.

    `edited` is the annotation by which the turn tells of the last edit, `deleted` the ISO time of the deletion, `size`
    the characters that the message takes up in a turn of several messages.
    """

    turn: str
    role: str
    key: str
    at: str = ""
    part: int | None = None
    edited: str = ""
    deleted: str = ""
    size: int | None = None

    @property
    def surface(self) -> str:
        """The platform that the message came over, as its key begins: `tg`, `dc`, `tm`."""
        return self.key.partition(":")[0]


@dataclass(frozen=True, slots=True)
class Messages:
    """The messages of a file in their order, and how many lines of it could not be understood."""

    entries: tuple[Message, ...] = ()
    skipped: int = 0


def encode_messages(entries: Iterable[Message]) -> bytes:
    """The file: the same entries give the same bytes; empty fields are left away."""
    return b"".join(orjson.dumps(_fields(entry)) + b"\n" for entry in entries)


def decode_messages(data: bytes) -> Messages:
    """The messages in a file. Lines that cannot be understood are skipped and counted; nothing is raised."""
    lines = [line for line in data.removeprefix(b"\xef\xbb\xbf").split(b"\n") if line.strip()]
    entries = tuple(entry for line in lines if (entry := _entry(line)) is not None)
    return Messages(entries, len(lines) - len(entries))


def merge_messages(theirs: Sequence[Message], ours: Iterable[Message]) -> tuple[Message, ...]:
    """Their entries in their order, completed by what ours say of the same message, then our new ones.

    A message is known by turn, role and key, a part of a reply by turn, role and number (a part that had to be sent
    again has a new key). Repeating it changes nothing.
    """
    merged: dict[tuple[object, ...], Message] = {}
    for entry in (*theirs, *ours):
        name = (entry.turn, entry.role, entry.key if entry.part is None else entry.part)
        known = merged.get(name)
        merged[name] = entry if known is None else _completed(known, entry)
    return tuple(merged.values())


def _completed(known: Message, entry: Message) -> Message:
    return replace(
        known,
        key=entry.key or known.key,
        at=known.at or entry.at,
        edited=entry.edited or known.edited,
        deleted=entry.deleted or known.deleted,
        size=known.size if entry.size is None else entry.size,
    )


def _fields(entry: Message) -> dict[str, str | int]:
    fields: dict[str, str | int] = {name: encodable(value) for name in _TEXTS if (value := getattr(entry, name))}
    fields |= {name: value for name in _NUMBERS if (value := getattr(entry, name)) is not None}
    return fields


def _entry(line: bytes) -> Message | None:
    try:
        found: Any = orjson.loads(line)
    except orjson.JSONDecodeError:
        return None
    if not isinstance(found, dict):
        return None
    texts = {name: found.get(name, "") for name in _TEXTS}
    numbers: dict[str, Any] = {name: found.get(name) for name in _NUMBERS}
    known = all(isinstance(value, str) for value in texts.values())
    known = known and all(value is None or type(value) is int for value in numbers.values())
    if not (known and texts["turn"] and texts["role"] and texts["key"]):
        return None
    return Message(**texts, **numbers)
