"""Merges that last: which keyword became which, applied to the tags of slices each time strands are woven."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.strands.index import THREAD, normalise

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from core.strands.codec import Index
    from core.strands.index import Merge


def resolve(aliases: Mapping[str, str], tag: str) -> str:
    """The strand that a tag belongs to, "" for a blank one; a circle of aliases ends where it began."""
    key, seen = normalise(tag), set[str]()
    while key in aliases and key not in seen:
        seen.add(key)
        key = normalise(aliases[key])
    return key


def extended(aliases: Mapping[str, str], merges: Iterable[Merge]) -> dict[str, str]:
    """The aliases with further merges behind them; one that leads to itself is left out."""
    known = dict(aliases)
    for one in merges:
        source, target = normalise(one.source), resolve(known, one.target)
        if source and target and source != target:
            known.pop(source, None)
            known[source] = target
    return known


def adopted(index: Index, tags: Mapping[str, Iterable[str]], aliases: Mapping[str, str]) -> dict[str, str]:
    """The aliases with the merges that another program has left in its index, told by the tags of slices, by path.

    A keyword of two or more slices is never pruned. Where it is missing from the index, and one other keyword has all
    of its slices though not each of them is tagged so, it was merged into that one. Anything less certain is no merge.
    """
    carried: dict[str, dict[str, None]] = {}
    for rel, given in tags.items():
        for tag in given:
            carried.setdefault(resolve(aliases, tag), {})[rel] = None
    holds = {normalise(key): frozenset(paths) for key, paths in index.items()}
    known = dict(aliases)
    for key, rels in carried.items():
        if key in holds or len(rels) < THREAD or not key:
            continue
        takers = [other for other, paths in holds.items() if other and rels.keys() <= paths]
        hidden = [other for other in takers if not rels.keys() <= carried.get(other, {}).keys()]
        if len(hidden) == 1:
            known[key] = hidden[0]
    return known
