"""What a look through the archive came to, as a value: which entries came and went (original.md 2.3)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from core.clock import instant

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from core.timeline.entry import Entry

THROTTLE: Final = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class WovenResult:
    """How the catalog changed: entries added, removed, and newly without marks; how many need marks, and all.

    `skipped`: it was looked at less than five minutes ago, the counters are the stored ones. `unreadable` are slices
    (and the file of merged strands) that could not be understood; `written` are the files that were put right.
    """

    added: int = 0
    removed: int = 0
    newly_dry: int = 0
    needs_marking: int = 0
    total: int = 0
    skipped: bool = False
    unreadable: tuple[str, ...] = ()
    written: tuple[str, ...] = ()


def due(updated_at: str, now: datetime) -> bool:
    """Whether it is time to look again: from exactly five minutes on, or when the stamp is no time or ahead of us."""
    stamp = instant(updated_at)
    return stamp is None or not timedelta(0) <= now - stamp < THROTTLE


def reconcile(prior: Mapping[str, Entry], found: Iterable[Entry]) -> WovenResult:
    """The counters for entries that replace prior ones. The slices win: what they do not bear out is removed."""
    listed = {entry.id: entry for entry in found}
    dry = [slice_id for slice_id, entry in listed.items() if entry.needs_marking]
    return WovenResult(
        added=len(listed.keys() - prior.keys()),
        removed=len(prior.keys() - listed.keys()),
        newly_dry=sum(slice_id in prior and not prior[slice_id].needs_marking for slice_id in dry),
        needs_marking=len(dry),
        total=len(listed),
    )
