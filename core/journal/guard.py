"""What was written to slices lately, kept to notice an editor that saves a stale buffer over it (reliability 2.10)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from core.clock import instant
from core.journal.records import CLOSE_SLICE, FORGET_TURNS, MERGE_TURNS, REMOVE_FILE, SET_ASIDE, Guarded, Kept

if TYPE_CHECKING:
    from collections.abc import Iterable

    from core.journal.records import Json

AFTER_CLOSE: Final = timedelta(hours=24)
"""How long a closed slice stays guarded."""

ABANDONED: Final = timedelta(hours=48)
"""How long after its last turn a slice stays guarded whose closing was never journalled."""


def watch(guard: dict[str, Guarded], ops: Iterable[Mapping[str, Json]]) -> None:
    """Note what the operations write to slices and which they close; a turn written again replaces itself."""
    for op in ops:
        name, slice_id = op.get("op"), op.get("slice")
        if not isinstance(slice_id, str):
            continue
        if name == MERGE_TURNS:
            before = guard.get(slice_id, Guarded(slice_id))
            guard[slice_id] = replace(before, turns=_merged(before.turns, _kept(op.get("turns"))))
        elif name == SET_ASIDE and slice_id in guard:
            gone = {(turn.label, turn.role) for turn in _kept(op.get("turns"))}
            left = tuple(turn for turn in guard[slice_id].turns if (turn.label, turn.role) not in gone)
            guard[slice_id] = replace(guard[slice_id], turns=left)
        elif name == FORGET_TURNS and slice_id in guard:
            labels = op.get("labels")
            lost = set(labels) if isinstance(labels, list | tuple) else set()
            left = tuple(turn for turn in guard[slice_id].turns if turn.label not in lost)
            guard[slice_id] = replace(guard[slice_id], turns=left)
        elif name == REMOVE_FILE:
            guard.pop(slice_id, None)
        elif name == CLOSE_SLICE and slice_id in guard:
            guard[slice_id] = replace(guard[slice_id], closed=_word(op, "at"))


def forget(guard: dict[str, Guarded], ops: Iterable[Mapping[str, Json]]) -> None:
    """Expect no longer what a plan would have written that is given up: no hand has removed its turns."""
    watch(guard, ({**op, "op": SET_ASIDE} for op in ops if op.get("op") == MERGE_TURNS))


def prune(guard: dict[str, Guarded], now: datetime) -> None:
    """Drop slices that closed more than 24 hours ago, and older ones whose closing nobody noted."""
    newest = max(guard, default="")
    for slice_id, one in list(guard.items()):
        if _is_over(one, now, slice_id == newest):
            del guard[slice_id]


def _is_over(one: Guarded, now: datetime, newest: bool) -> bool:
    closed = instant(one.closed)
    if closed is not None:
        return now - closed > AFTER_CLOSE
    last = instant(one.turns[-1].at) if one.turns else None
    return not newest and (last is None or now - last > ABANDONED)


def _merged(before: tuple[Kept, ...], after: Iterable[Kept]) -> tuple[Kept, ...]:
    turns = {(turn.label, turn.role): turn for turn in before}
    turns.update({(turn.label, turn.role): turn for turn in after})
    return tuple(turns.values())


def _kept(turns: Json) -> list[Kept]:
    if not isinstance(turns, list | tuple):
        return []
    found = [turn for turn in turns if isinstance(turn, Mapping)]
    return [Kept(_word(t, "label"), _word(t, "role"), _word(t, "at"), _word(t, "text")) for t in found]


def _word(raw: Mapping[str, Json], name: str) -> str:
    value = raw.get(name)
    return value if isinstance(value, str) else ""
