"""`timeline.md`: the catalog for reading, newest first, byte for byte as the original writes it (original.md 1.8).

Its unit and its word for an unmarked slice are Chinese whatever the language: they are part of the file format.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Final

from core.slices.model import ROOT
from core.timeline.codec import SCHEMA

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from core.timeline.entry import Entry

TIMELINE_PATH: Final = f"{ROOT}/timeline.md"
UNMARKED: Final = "*(无摘要)*"
TURNS: Final = "{n}轮"


def year_timeline_path(year: str) -> str:
    """Where a year's lines stand once the catalog is too big for one file."""
    return f"{ROOT}/timeline-{year}.md"


def pointer(entry: Entry, *, when: str = "", turns: str = TURNS, unmarked: str = UNMARKED) -> str:
    """The line of a slice; `when` stands right behind its id, `turns` has the count as `{n}`."""
    parts = [entry.focus or entry.summary or unmarked]
    if entry.turn_count:
        parts.append(turns.format(n=entry.turn_count))
    if entry.tone:
        parts.append(entry.tone)
    tags = f" [{','.join(entry.tags)}]" if entry.tags else ""
    line = f"- **{entry.id}**{when} {' · '.join(parts)}{tags}"
    return line if len(line.splitlines()) == 1 else " ".join(line.split())


def render_entries(entries: Iterable[Entry]) -> str:
    """The months of these entries, newest first, each day followed by a blank line; "" for none."""
    newest = sorted(entries, key=lambda entry: entry.id, reverse=True)
    lines: list[str] = []
    for month, days in groupby(newest, key=lambda entry: entry.date[:7]):
        lines.append(f"## {month}")
        for day, listed in groupby(days, key=lambda entry: entry.date[5:10]):
            lines += [f"### {day}", *(pointer(entry) for entry in listed), ""]
    return "\n".join((*lines, "")) if lines else ""


def render_timeline(chunks: Sequence[str], generated: str, count: int, dry: int) -> str:
    """The file around the texts of its entries, newest first."""
    return encode_timeline([chunk.encode() for chunk in chunks], generated, count, dry).decode()


def encode_timeline(chunks: Sequence[bytes], generated: str, count: int, dry: int) -> bytes:
    """The same in UTF-8, put together in one piece: as text it takes twice the room, for its unit is Chinese."""
    head = f"# Timeline\n\n_Generated: {generated}_\n_Slices: {count}_\n_Needs marking: {dry}_\n_Schema: {SCHEMA}_\n\n"
    *before, last = (head.encode(), *filter(None, chunks))
    return b"".join((*before, memoryview(last)[:-1])) if before else last
