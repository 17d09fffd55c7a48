"""The strands of a whole memory, kept so that the same slices always give the same bytes, however they came.

The order is a matter of the slices alone. Paths ascend; keys stand in the order in which they first appear in the
slices, and within a slice in its tags. Keys that JavaScript takes for array indexes go first, ascending, because it
would put them there. What was pruned is remembered: when a tag comes back, so does its first slice.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from core.slices.model import rel_of
from core.strands.aliases import resolve
from core.strands.index import lives

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from core.strands.codec import Index

_ARRAY_INDEX: Final = re.compile(r"(?:0|[1-9]\d{0,9})\Z", re.ASCII)
_ARRAY_END: Final = 2**32 - 1
_Row = tuple[tuple[int, int, str, int], tuple[str, ...]]


class Loom:
    """Threads of all slices by keyword. `as_of` is the moment as of which strands without a second slice are old."""

    def __init__(self, aliases: Mapping[str, str] | None = None, as_of: datetime | None = None) -> None:
        self._aliases = dict(aliases or {})
        self._tags: dict[str, tuple[str, ...]] = {}
        self._threads: dict[str, dict[str, int]] = {}
        self._rows: dict[str, _Row] = {}
        self.as_of = as_of

    @property
    def aliases(self) -> dict[str, str]:
        """A copy of the merges that are applied."""
        return dict(self._aliases)

    @property
    def tags(self) -> Mapping[str, tuple[str, ...]]:
        """The tags of each slice, by path."""
        return self._tags

    def put(self, slice_id: str, tags: Iterable[str]) -> bool:
        """Let a slice have these tags and no others; whether that changes anything."""
        rel, given = rel_of(slice_id), tuple(tags)
        if self._tags.get(rel, ()) == given:
            return False
        self.drop(slice_id)
        if given:
            self._tags[rel] = given
            self._spin(rel, given)
        return True

    def drop(self, slice_id: str) -> bool:
        """Take a slice out; whether it was there."""
        rel = rel_of(slice_id)
        given = self._tags.pop(rel, ())
        for key in self._keys(given):
            thread = self._threads[key]
            del thread[rel]
            self._rows.pop(key, None)
            if not thread:
                del self._threads[key]
        return bool(given)

    def alias(self, aliases: Mapping[str, str]) -> None:
        """Apply these merges from now on."""
        self._aliases = dict(aliases)
        self._threads, self._rows = {}, {}
        for rel, given in self._tags.items():
            self._spin(rel, given)

    def living(self) -> frozenset[str]:
        """The keys of all strands that are kept."""
        return frozenset(key for key, thread in self._threads.items() if self._lives(thread))

    def paths(self, key: str) -> tuple[str, ...]:
        """The paths under a key, kept or not, in no particular order."""
        return tuple(self._threads.get(key, ()))

    def strands_of(self, tags: Iterable[str]) -> tuple[str, ...]:
        """The strands that a slice with these tags belongs to, in the order of the tags."""
        keys = self._keys(tuple(tags))
        return tuple(key for key in keys if key in self._threads and self._lives(self._threads[key]))

    def index(self) -> Index:
        """All strands in their order."""
        kept = [(*self._row(key, thread), key) for key, thread in self._threads.items() if self._lives(thread)]
        return {key: paths for _, paths, key in sorted(kept, key=lambda one: one[0])}

    def _lives(self, thread: dict[str, int]) -> bool:
        return self.as_of is None or lives(thread, self.as_of)

    def _keys(self, tags: tuple[str, ...]) -> dict[str, int]:
        """The strand of each tag with the place where it is first named."""
        keys: dict[str, int] = {}
        for place, tag in enumerate(tags):
            key = resolve(self._aliases, tag)
            if key:
                keys.setdefault(key, place)
        return keys

    def _spin(self, rel: str, tags: tuple[str, ...]) -> None:
        for key, place in self._keys(tags).items():
            self._threads.setdefault(key, {})[rel] = place
            self._rows.pop(key, None)

    def _row(self, key: str, thread: dict[str, int]) -> _Row:
        """The rank and the paths of a strand; kept until it changes, since every turn asks for all of them."""
        if key not in self._rows:
            self._rows[key] = (_rank(key, thread), tuple(sorted(thread)))
        return self._rows[key]


def _rank(key: str, thread: dict[str, int]) -> tuple[int, int, str, int]:
    if _ARRAY_INDEX.match(key) and int(key) < _ARRAY_END:
        return (0, int(key), "", 0)
    first = min(thread)
    return (1, 0, first, thread[first])
