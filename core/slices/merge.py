"""Changing a slice: joining what two writers have, noting edits and deletions, closing.

All functions are pure and safe to repeat: a turn that is done again after a crash changes nothing (DESIGN 5.3).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from core.clock import instant, iso
from core.slices.codec import is_torn
from core.slices.model import CLOSED, SIGNALS, Slice, Turn
from core.slices.text import escape

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_NO_ID = "?"


def merge_turns(theirs: Slice, turns: Sequence[Turn]) -> Slice:
    """The slice with those of our turns that it lacks, behind its own and in our order.

    A turn is known by its id and role, so that a reply survives beside its question (original.md B4); turns without
    an id by time, role and text. Where both have a turn, the file's text wins, for a person may have edited it; only
    what was cut off in the middle of a line at the end of a torn file is completed (at a line's end, a cut looks like a
    person's shortening).
    """
    present = {_key(turn): turn for turn in theirs.turns}
    ours: dict[tuple[str, ...], Turn] = {}
    for turn in turns:
        ours.setdefault(_key(turn), turn)
    kept = list(theirs.turns)
    if kept and is_torn(theirs):
        whole = ours.get(_key(kept[-1]))
        if whole and escape(whole.text).startswith(escape(kept[-1].text)):
            kept[-1] = whole
    kept += [turn for key, turn in ours.items() if key not in present]
    return theirs if tuple(kept) == theirs.turns else replace(theirs, turns=tuple(kept))


def merge_slices(theirs: Slice, ours: Slice) -> Slice:
    """Two versions of one slice as one: their marks and layout, tags and loops of both, turns as `merge_turns`.

    original.md 2.13 and 3.15: what is in the other version wins wherever it cannot be joined.
    """
    merged = merge_turns(theirs, ours.turns)
    return replace(
        merged,
        tags=_union(theirs.tags, ours.tags),
        open_loops=_union(theirs.open_loops, ours.open_loops),
        loops=_union(theirs.loops, ours.loops),
    )


def close(slice_: Slice, signal: str, now_iso: str) -> Slice:
    """The slice closed by one of `SIGNALS`; a closed one is returned as it is.

    `end` is the last turn's time as it stands, never the time of detection (seeds, "Slices"); `now_iso` only when
    there is no turn; never before `start`. Raises `ValueError` for an unknown signal.
    """
    if signal not in SIGNALS:
        raise ValueError(f"{signal!r} is not one of {', '.join(SIGNALS)}")
    if slice_.closed:
        return slice_
    times = [turn.at for turn in slice_.turns if instant(turn.at)]
    end = times[-1] if times else slice_.start if slice_.turns and slice_.start else now_iso
    start, stop = instant(slice_.start), instant(end)
    if start and stop and stop < start:
        end = iso(start)
    return replace(slice_, status=CLOSED, end=end, closed_by=signal)


def _key(turn: Turn) -> tuple[str, ...]:
    if turn.id is None or turn.id == _NO_ID:
        return ("", turn.at, turn.role, turn.text)
    return (turn.id, turn.role)


def _union(first: Iterable[str], second: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*first, *second)))
