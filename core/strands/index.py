"""Operations on a strand index as a value: each returns a new one and leaves the old as it was.

Rules: original.md 2.5, with its faults mended: a blank tag never makes a key, and replaced tags leave no stale paths
(B21).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from core.relative import slice_instant

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from datetime import datetime

    from core.strands.codec import Index

KEEP_DAYS: Final = 14
"""How long a strand with a single slice is kept after that slice; the last day counts."""
THREAD: Final = 2
"""From so many slices on, a strand is kept for good."""
_BLANK: Final = "\t\n\v\f\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
_EDGE: Final = re.compile(f"^[{_BLANK}]+|[{_BLANK}]+\\Z")
_RUN: Final = re.compile(f"[{_BLANK}]+")
_NARROW: Final = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}


@dataclass(frozen=True, slots=True)
class Merge:
    """One strand becomes part of another, and why."""

    source: str
    target: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Merged:
    """The index after merges, and those of them that were carried out, by the spelling of the index."""

    index: Index
    applied: tuple[Merge, ...]


def normalise(tag: str) -> str:
    """The tag as it is compared: trimmed, lower case, full-width forms as ASCII, blanks run together, in that order."""
    return _RUN.sub(" ", _EDGE.sub("", tag).lower().translate(_NARROW))


def match(keys: Iterable[str], tag: str) -> str | None:
    """The first of the keys that means the same as the tag, in its own spelling; a blank tag matches nothing."""
    wanted = normalise(tag)
    return next((key for key in keys if normalise(key) == wanted), None) if wanted else None


def weave(index: Index, rel: str, tags: Iterable[str]) -> tuple[Index, tuple[str, ...]]:
    """The index with the slice under each of its tags, and the keys that are new.

    A key that means the same keeps its spelling; a new one is the tag's normal form.
    """
    woven, created = dict(index), []
    for tag in tags:
        key = match(woven, tag) or normalise(tag)
        if not key:
            continue
        if key not in woven:
            created.append(key)
        paths = woven.get(key, ())
        woven[key] = paths if rel in paths else (*paths, rel)
    return woven, tuple(created)


def replace_tags(index: Index, rel: str, old: Iterable[str], new: Iterable[str]) -> Index:
    """The index after the tags of a slice were replaced: no path is left under a tag that it lost (B21)."""
    new = tuple(new)
    kept = {normalise(tag) for tag in new}
    gone = {key for tag in old if normalise(tag) not in kept and (key := match(index, tag))}
    left = {key: tuple(path for path in paths if path != rel) if key in gone else paths for key, paths in index.items()}
    return weave({key: paths for key, paths in left.items() if paths or key not in gone}, rel, new)[0]


def merge(index: Index, merges: Iterable[Merge]) -> Merged:
    """The index with the merges carried out in order: the source's paths go behind the target's, the source goes.

    A source that is not there, or is its own target, is passed over.
    """
    merged, applied = dict(index), []
    for one in merges:
        target = match(merged, one.target) or normalise(one.target)
        source = one.source if one.source in merged else _other(merged, one.source, target)
        if not target or source is None or source == target:
            continue
        paths = merged.pop(source)
        merged[target] = tuple(dict.fromkeys((*merged.get(target, ()), *paths)))
        applied.append(Merge(source, target, one.reason))
    return Merged(merged, tuple(applied))


def prune(index: Index, now: datetime, days: int = KEEP_DAYS) -> Index:
    """The index without strands that never became a thread: a single slice, more than so many days ago, or none."""
    return {key: paths for key, paths in index.items() if lives(paths, now, days)}


def lives(paths: Collection[str], now: datetime, days: int = KEEP_DAYS) -> bool:
    """Whether a strand with these paths is kept."""
    if len(paths) >= THREAD:
        return True
    moments = (slice_instant(path) for path in paths)
    return any(moment is not None and now - moment <= timedelta(days=days) for moment in moments)


def _other(keys: Iterable[str], tag: str, target: str) -> str | None:
    return match((key for key in keys if key != target), tag)
