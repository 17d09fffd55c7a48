"""Slices for the tests of recall."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from core.recall.lexical import Index
from core.slices.model import CLOSED, Slice, Turn

if TYPE_CHECKING:
    from core.recall.lexical import Hit

NOW = datetime(2026, 7, 15, 12, tzinfo=UTC)
PARIS = ZoneInfo("Europe/Paris")


def said(slice_id: str, *texts: str, status: str = CLOSED, zone: str = "Europe/Paris", **marks: object) -> Slice:
    """A slice in which the two sides take turns."""
    at = f"{slice_id[:10]}T{slice_id[11:13]}:{slice_id[13:]}"
    turns = tuple(
        Turn(f"turn{n}", f"{at}:{n:02}.000Z", "agent" if n % 2 else "user", text) for n, text in enumerate(texts)
    )
    return Slice(slice_id, status, f"{at}:00.000Z", timezone=zone, turns=turns, **marks)  # type: ignore[arg-type]


def index(*slices: Slice) -> Index:
    whole = Index()
    for one in slices:
        whole.add(one)
    return whole


def search(whole: Index, query: str, **more: object) -> list[Hit]:
    return whole.search(query, NOW, PARIS, **more)  # type: ignore[arg-type]


def ids(hits: list[Hit]) -> list[str]:
    return [hit.slice_id for hit in hits]
