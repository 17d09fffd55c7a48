"""Which strands a message is about, and where they were last seen (original.md 2.7, semantic links)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from core.relative import slice_instant
from core.strands.index import match

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

MOST: Final = 3
STOPS: Final = frozenset(("test", "todo", "help", "问题", "测试", "帮助", "聊天", "什么"))
OFTEN: Final = 3
LONG: Final = 5
_LATIN: Final = re.compile(r"[a-z0-9-]+\Z", re.ASCII)
_FRESH: Final = ((timedelta(days=3), 0.5), (timedelta(days=14), 0.3), (timedelta(days=60), 0.1))


@dataclass(frozen=True, slots=True)
class Link:
    """A strand, and its newest slices besides the one being written (`YYYY/MM/DD/HHMM`, newest first)."""

    strand: str
    paths: tuple[str, ...]


def resolved(index: Mapping[str, tuple[str, ...]], hints: Iterable[str], current: str) -> tuple[Link, ...]:
    """The strands that a hint names: those that exist and were seen elsewhere; the one seen last first."""
    found: dict[str, Link] = {}
    for hint in hints:
        key = match(index, hint)
        link = _link(index, key, current) if key else None
        if link:
            found[link.strand] = link
    return tuple(sorted(found.values(), key=lambda link: link.paths[0], reverse=True)[:MOST])


def spotted(index: Mapping[str, tuple[str, ...]], message: str, current: str, now: datetime) -> tuple[Link, ...]:
    """The strands whose words stand in the message, the best match first."""
    lowered = message.lower()
    ranked = []
    for key in index:
        count = _count(key, lowered)
        link = _link(index, key, current) if count else None
        if link:
            score = min(count, OFTEN) + (0.5 if len(key) >= LONG or "-" in key else 0) + _freshness(link.paths[0], now)
            ranked.append((score, link.paths[0], link))
    return tuple(link for _, _, link in sorted(ranked, key=lambda one: one[:2], reverse=True)[:MOST])


def _count(key: str, lowered: str) -> int:
    word = key.lower()
    if not word or word in STOPS:
        return 0
    if _LATIN.match(word):
        return len(re.findall(rf"(?<![a-z0-9-]){re.escape(word)}(?![a-z0-9-])", lowered))
    return lowered.count(word)


def _link(index: Mapping[str, tuple[str, ...]], key: str, current: str) -> Link | None:
    if key.lower() in STOPS:
        return None
    paths = sorted((path for path in index[key] if path != current), reverse=True)
    return Link(key, tuple(paths[:MOST])) if paths else None


def _freshness(path: str, now: datetime) -> float:
    moment = slice_instant(path)
    if moment is None:
        return 0.0
    return next((bonus for age, bonus in _FRESH if now - moment < age), 0.0)
