"""A session over a card, for tests of edits."""

from __future__ import annotations

from dataclasses import replace

from core.card.model import Card, Entry
from core.card.session import Session

REF = "2026/08/30/0700"


def session(base: Card | None = None, missing: tuple[str, ...] = ()) -> Session:
    return Session(
        base or Card(),
        slice_id="2026-09-01-0800",
        now="2026-09-01T08:00:00.000Z",
        today="2026-09-01",
        exists=lambda ref: ref not in missing,
    )


def full(section: str, count: int) -> Card:
    entries = tuple(Entry(f"entry number {n}", since="2026-08-01") for n in range(count))
    return replace(Card(), **{section: entries})  # type: ignore[arg-type]
