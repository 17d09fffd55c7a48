"""What a recall reports: pointers to slices, never their contents (seeds, "Recall"; original.md 2.11)."""

from __future__ import annotations

import math
from typing import Annotated, Final, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

MOST: Final = 5
"""How many pointers and how many recommended reads a report may hold."""

Priority = Literal["high", "medium", "low"]


def _share(value: object) -> float:
    """A number between 0 and 1; what is none counts as 0."""
    try:
        number = float(value)  # type: ignore[arg-type]  # whatever float() refuses is caught
    except (TypeError, ValueError):
        return 0.0
    return 0.0 if math.isnan(number) else min(max(number, 0.0), 1.0)


def _priority(value: object) -> object:
    return value if value in {"high", "medium", "low"} else "medium"


def _text(value: object) -> object:
    return "" if value is None else value


def _named(value: object) -> object:
    """Only entries that name a slice."""
    if not isinstance(value, list | tuple):
        return ()
    return tuple(
        entry
        for entry in value
        if isinstance(entry, Pointer | Reading)
        or (isinstance(entry, dict) and isinstance(entry.get("slice_id"), str) and entry["slice_id"].strip())
    )


Share = Annotated[float, BeforeValidator(_share)]
Loose = Annotated[str, BeforeValidator(_text)]


class _Lenient(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class Pointer(_Lenient):
    """A slice that may hold what is looked for; `relevance` from 0 to 1."""

    slice_id: str
    relevance: Share = 0.0
    reason: Loose = ""


class Reading(_Lenient):
    """A slice worth opening, and what to look for in it."""

    slice_id: str
    priority: Annotated[Priority, BeforeValidator(_priority)] = "medium"
    reason: Loose = ""
    note: Loose = ""


class Report(_Lenient):
    """What a recall found. Empty `hits` are definitive: there is nothing of that in memory."""

    hits: Annotated[tuple[Pointer, ...], BeforeValidator(_named)] = ()
    confidence: Share = 0.5
    reasoning: Loose = ""
    recommended_reads: Annotated[tuple[Reading, ...], BeforeValidator(_named)] = Field(default=())


def narrowed(report: Report, current: str, known: frozenset[str] | None) -> Report:
    """The report without the current slice and without slices that do not exist, at most `MOST` of each kind.

    `known` None means that nobody could tell which slices exist. Nothing left but the current slice makes the
    confidence 0; that it was left out is said in the reasoning.
    """

    def stays(slice_id: str) -> bool:
        return slice_id != current and (known is None or slice_id in known)

    hits = tuple(hit for hit in report.hits if stays(hit.slice_id))[:MOST]
    reads = tuple(read for read in report.recommended_reads if stays(read.slice_id))[:MOST]
    left_out = bool(current) and any(hit.slice_id == current for hit in report.hits)
    remark = f"{report.reasoning} [the current slice is not memory and was left out]".strip()
    return Report(
        hits=hits,
        confidence=0.0 if not hits else report.confidence,
        reasoning=remark if left_out else report.reasoning,
        recommended_reads=reads,
    )
