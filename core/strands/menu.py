"""The memory topics that a prompt names: strands by when they were last seen (original.md 2.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from core.relative import calendar, day_of, slice_instant, tagged

if TYPE_CHECKING:
    from datetime import datetime

    from core.i18n import Words
    from core.strands.codec import Index

LABEL: Final = "Topics in memory, most recent first (call recall when the talk touches one): "
MOST: Final = 20


def menu(index: Index, now: datetime, zone: str, words: Words, most: int = MOST) -> str:
    """One line with the strands seen last, each with the local day of its newest slice; "" when there are none.

    A strand whose paths name no day stands without one. Strands seen at the same time keep the order of the index.
    """
    newest = sorted(index.items(), key=lambda strand: max(strand[1], default=""), reverse=True)[:most]
    if not newest:
        return ""
    today = day_of(now, zone)

    def seen(paths: tuple[str, ...]) -> str:
        moment = slice_instant(max(paths, default=""))
        if moment is None:
            return ""
        return tagged(words("strands.last", when=calendar(day_of(moment, zone), today, words)), words)

    return LABEL + words("strands.and").join(key + seen(paths) for key, paths in newest)
