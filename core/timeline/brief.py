"""The timeline as a prompt has it: the newest pointers on the person's calendar (original.md 2.7).

Its frame is English, for the model; days and distances are in the person's language. Given the start of a slice as
`now`, and what is `earlier` than the slice, it stays the same all through it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from core.relative import calendar, day_of, slice_instant, tagged
from core.slices.model import CLOSED
from core.timeline.markdown import pointer

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from core.i18n import Words
    from core.timeline.entry import Entry

HEADING: Final = "## Timeline (recent)"
RECENT: Final = 10
_UNMARKED: Final = "(not marked yet)"
_TURNS: Final = "{n} turns"
_EMPTY: Final = "- (empty: nothing has been said before)"
_TOTAL: Final = "- {n} slices in all; readTimelineWindow and readSliceSummary reach further back"
_DRY: Final = "- {n} of them not marked yet"


def brief(
    entries: Sequence[Entry],
    now: datetime | None,
    zone: str,
    words: Words,
    recent: int = RECENT,
) -> str:
    """The newest entries, newest first, with what else there is; `now` None leaves out the calendar.

    Entries are in the order of the catalog, oldest first.
    """
    today = day_of(now, zone) if now else None
    lines = [HEADING]
    for entry in entries[len(entries) - recent if len(entries) > recent else 0 :][::-1]:
        moment = slice_instant(entry.id)
        when = tagged(calendar(day_of(moment, zone), today, words), words) if today and moment else ""
        lines.append(pointer(entry, when=when, turns=_TURNS, unmarked=_UNMARKED))
    if not entries:
        lines.append(_EMPTY)
    if len(entries) > recent:
        lines.append(_TOTAL.format(n=len(entries)))
    dry = sum(entry.needs_marking for entry in entries)
    if dry:
        lines.append(_DRY.format(n=dry))
    return "\n".join(lines)


def earlier(entries: Iterable[Entry], slice_id: str) -> tuple[Entry, ...]:
    """The closed slices before this one: what a prompt may list without changing while the slice goes on."""
    return tuple(entry for entry in entries if entry.id < slice_id and entry.status == CLOSED)
