"""Strict reading of the journal's JSON back into records: unknown fields are passed over, unknown kinds refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal, cast

from core.clock import instant
from core.conversation import Attachment, Incoming, Surface
from core.errors import Malformed
from core.journal.records import (
    FORMAT,
    PATH,
    Applied,
    Bye,
    Dead,
    Done,
    Guarded,
    Hello,
    In,
    Json,
    Kept,
    OffRecord,
    Phase,
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

_SURFACES: Final = ("terminal", "telegram", "discord", "double")
_PHASES: Final = ("words", "answer", "care")

Raw = Mapping[str, object]


def thaw(raw: object) -> Record:
    """The record that a parsed line holds; raises `Malformed` when this version does not understand it."""
    if not isinstance(raw, dict):
        raise Malformed(PATH, "a record is not an object")
    tag = raw.get("t")
    read = _READERS.get(tag) if isinstance(tag, str) else None
    if read is None:
        raise Malformed(PATH, f"a record of kind {str(tag)[:20]!r}: a newer version wrote it; start that version")
    return read(raw)


def _text(raw: Raw, name: str, default: str | None = None) -> str:
    value = raw.get(name, default)
    if not isinstance(value, str):
        raise Malformed(PATH, f"field {name!r} is not text")
    return value


def _number(raw: Raw, name: str, default: int | None = None) -> int:
    value = raw.get(name, default)
    if not isinstance(value, int) or isinstance(value, bool):
        raise Malformed(PATH, f"field {name!r} is not a whole number")
    return value


def _flag(raw: Raw, name: str) -> bool:
    value = raw.get(name, False)
    if not isinstance(value, bool):
        raise Malformed(PATH, f"field {name!r} is neither true nor false")
    return value


def _one_of(raw: Raw, name: str, known: Sequence[str]) -> str:
    value = _text(raw, name)
    if value not in known:
        raise Malformed(PATH, f"field {name!r} has the unknown value {value[:20]!r}")
    return value


def _items(raw: Raw, name: str) -> Sequence[object]:
    value = raw.get(name, [])
    if not isinstance(value, list):
        raise Malformed(PATH, f"field {name!r} is not a list")
    return value


def _texts(raw: Raw, name: str) -> tuple[str, ...]:
    return tuple(_text({name: item}, name) for item in _items(raw, name))


def _object(value: object, name: str) -> Mapping[str, Json]:
    if not isinstance(value, dict):
        raise Malformed(PATH, f"field {name!r} is not an object")
    return value


def _update(raw: Raw) -> Incoming:
    sent = instant(_text(raw, "sent"))
    if sent is None:
        raise Malformed(PATH, "field 'sent' is not an instant")
    return Incoming(
        key=_text(raw, "key"),
        surface=cast("Surface", _one_of(raw, "surface", _SURFACES)),
        chat=_text(raw, "chat"),
        sent=sent,
        text=_text(raw, "text"),
        kind=_kind(raw),
        edited=_text(raw, "edited", ""),
        locale=_text(raw, "locale", ""),
        zone=_text(raw, "zone", ""),
        group=_text(raw, "group", ""),
        forwarded=_text(raw, "forwarded", ""),
        quoted=_text(raw, "quoted", ""),
        foreign=_text(raw, "foreign", ""),
        reply_to=_text(raw, "reply_to", ""),
        replaces=_text(raw, "replaces", ""),
        away=_flag(raw, "away"),
        attachments=tuple(_attachment(_object(item, "attachments")) for item in _items(raw, "attachments")),
    )


def _kind(raw: Raw) -> Literal["message", "edit", "deletion"]:
    match _text(raw, "kind", "message"):
        case "message" | "edit" | "deletion" as kind:
            return kind
        case kind:
            raise Malformed(PATH, f"field 'kind' has the unknown value {kind[:20]!r}")


def _attachment(raw: Raw) -> Attachment:
    return Attachment(_text(raw, "name"), _text(raw, "media"), _number(raw, "size", 0), _text(raw, "ref", ""))


def _phase(raw: Raw) -> Phase:
    return cast("Phase", _one_of(raw, "phase", _PHASES))


def _in(raw: Raw) -> In:
    return In(_update(_object(raw.get("update"), "update")), _text(raw, "at"), _flag(raw, "command"))


def _plan(raw: Raw) -> Plan:
    ops = tuple(_object(item, "ops") for item in _items(raw, "ops"))
    flags = _object(raw.get("flags", {}), "flags")
    return Plan(_text(raw, "turn"), _phase(raw), _texts(raw, "keys"), ops, _texts(raw, "reply"), flags)


def _shown(raw: Raw) -> Shown:
    where = (_text(raw, name, "") for name in ("surface", "chat", "message"))
    return Shown(_text(raw, "gap"), _text(raw, "at"), _text(raw, "text", ""), *where)


def _guarded(raw: Raw) -> Guarded:
    turns = (_object(item, "turns") for item in _items(raw, "turns"))
    kept = tuple(Kept(_text(t, "label"), _text(t, "role"), _text(t, "at"), _text(t, "text")) for t in turns)
    return Guarded(_text(raw, "slice"), kept, _text(raw, "closed", ""))


def _snap(raw: Raw) -> Snap:
    version = _number(raw, "version")
    if version > FORMAT:
        raise Malformed(PATH, f"format {version}: a newer version wrote it; start that version")
    cursors = _object(raw.get("cursors", {}), "cursors")
    shown, ran = raw.get("shown"), _object(raw.get("ran", {}), "ran")
    return Snap(
        seen=_texts(raw, "seen"),
        cursors={stream: _text(cursors, stream) for stream in cursors},
        guard=tuple(_guarded(_object(item, "guard")) for item in _items(raw, "guard")),
        shown=None if shown is None else _shown(_object(shown, "shown")),
        heard=_texts(raw, "heard"),
        ran={job: _text(ran, job) for job in ran},
        off=_text(raw, "off", ""),
        open=tuple(thaw(item) for item in _items(raw, "open")),
        version=version,
    )


def _turn_part_message(raw: Raw) -> tuple[str, int, str]:
    return _text(raw, "turn"), _number(raw, "part"), _text(raw, "message")


_READERS: Final[Mapping[str, Callable[[Raw], Record]]] = {
    "in": _in,
    "try": lambda raw: Try(_text(raw, "turn"), _number(raw, "n")),
    "plan": _plan,
    "applied": lambda raw: Applied(_text(raw, "turn"), _phase(raw)),
    "ph": lambda raw: Placeholder(*_turn_part_message(raw)),
    "step": lambda raw: Step(_text(raw, "turn"), _number(raw, "n"), _text(raw, "call"), _text(raw, "result")),
    "sent": lambda raw: Sent(*_turn_part_message(raw)),
    "done": lambda raw: Done(_text(raw, "turn")),
    "dead": lambda raw: Dead(_text(raw, "turn"), _text(raw, "why"), _texts(raw, "keys")),
    "shown": _shown,
    "ran": lambda raw: Ran(_text(raw, "job"), _text(raw, "at")),
    "off": lambda raw: OffRecord(_text(raw, "at", "")),
    "snap": _snap,
    "hello": lambda raw: Hello(_text(raw, "at")),
    "bye": lambda _raw: Bye(),
}
