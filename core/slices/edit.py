"""Front matter, written: composed anew, or edited so that only what changed is touched.

What a person added stays: unknown keys, comments, blank lines, their order and quoting (DESIGN 5.5). Key order,
dropped empty texts and `[]` are the original's (original.md 1.3).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from core.slices.scalars import scalar
from core.slices.tree import source_of, tree_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from core.slices.front import Value
    from core.slices.tree import Node

KEYS: Final = (
    "slice_id", "focus", "status", "start", "end", "timezone", "summary", "open_loops", "decisions", "tags",
    "related_slices", "loops", "emotional_tone", "closed_by", "evolution_summary",
)  # fmt: skip
"""The keys of a slice in the order in which they are written."""


def compose(values: Mapping[str, Value]) -> str:
    """The lines between the fences for these values, in their order."""
    return "".join(_lines(key, value) for key, value in values.items())


def rewrite(block: str, changes: Mapping[str, Value]) -> str:
    """The lines between the fences with these keys set, all else byte for byte as it was.

    A key that is new goes behind those that the original writes before it; an empty text takes its key away.
    """
    lead, entries = _entries(block)
    for key, value in changes.items():
        here = next((place for place, entry in enumerate(entries) if entry.key == key), None)
        if here is not None:
            entries[here] = entries[here].with_value(value)
        else:
            entries.insert(_place(entries, key), _Entry(key, _lines(key, value)))
    return lead + "".join(entry.own + entry.trail for entry in entries)


def _lines(key: str, value: Value) -> str:
    if isinstance(value, str):
        return f"{key}: {scalar(value, 2)}\n" if value else ""
    if not value:
        return f"{key}: []\n"
    return f"{key}:\n" + "".join(_item(text, "  ") for text in value)


def _item(text: str, margin: str) -> str:
    return f"{margin}- {scalar(text, len(margin) + 2)}\n"


@dataclass(frozen=True, slots=True)
class _Entry:
    """A key's own lines, what follows them up to the next key, and the parts that a new value may keep.

    `items` are the list's entries with their lines, where each has lines of its own; `head` stands before them.
    """

    key: str
    own: str
    trail: str = ""
    comment: str = ""
    head: str = ""
    items: tuple[tuple[str, str], ...] = ()

    def with_value(self, value: Value) -> _Entry:
        """The entry rewritten, its comments kept."""
        if self.items and not isinstance(value, str) and value:
            return _Entry(self.key, self.head + self._relisted(value), self.trail)
        lines = _lines(self.key, value)
        notes = [line.strip() for line in self.own.split("\n") if self.items and line.lstrip().startswith("#")]
        if self.comment and lines.count("\n") == 1:
            lines = f"{lines[:-1]} {self.comment}\n"
        elif self.comment:
            notes.append(self.comment)
        return _Entry(self.key, "".join(f"{note}\n" for note in notes) + lines, self.trail)

    def _relisted(self, texts: Sequence[str]) -> str:
        """The list's lines: an entry that was there keeps its own."""
        known: dict[str, list[str]] = {}
        for text, lines in self.items:
            known.setdefault(text, []).append(lines)
        first = self.items[0][1]
        margin = first[: len(first) - len(first.lstrip(" "))]
        return "".join(known[text].pop(0) if known.get(text) else _item(text, margin) for text in texts)


def _place(entries: list[_Entry], key: str) -> int:
    """Behind the last of the keys that are written before this one, else at the top."""
    earlier = frozenset(KEYS[: KEYS.index(key)])
    return max((place + 1 for place, entry in enumerate(entries) if entry.key in earlier), default=0)


def _entries(block: str) -> tuple[str, list[_Entry]]:
    """The text before the first key, and each key with its lines."""
    pairs = tree_of(block, "").pairs()
    if not pairs:
        return _ended(block), []
    ends = [key.first for key, _ in pairs[1:]] + [len(block)]
    entries = [_entry(key, value, block, end) for (key, value), end in zip(pairs, ends, strict=True)]
    return block[: pairs[0][0].first], entries


def _entry(key: Node, value: Node, block: str, end: int) -> _Entry:
    last = max(value.last, key.last)
    stop = min(last if block[last - 1 : last] == "\n" else _line_end(block, last), end)
    own, trail = _ended(block[key.first : stop]), block[stop:end]
    remainder = block[last:stop].lstrip(" \t:").rstrip()
    starts = _item_starts(value, block, key)
    if not starts:
        return _Entry(key.text, own, trail, remainder if remainder.startswith("#") else "")
    texts = [item.text if item.kind == "scalar" else source_of(item, block) for item in value.parts]
    lines = [_ended(block[first:after]) for first, after in pairwise([*starts, stop])]
    return _Entry(key.text, own, trail, "", block[key.first : starts[0]], tuple(zip(texts, lines, strict=True)))


def _item_starts(value: Node, block: str, key: Node) -> list[int]:
    """Where the line of each list entry begins, when the list has one entry to a line; else nothing."""
    if value.kind != "sequence" or value.flow:
        return []
    starts = [block.rfind("\n", 0, item.first) + 1 for item in value.parts]
    single = all(first < after for first, after in pairwise([key.last, *starts]))
    return starts if single and all(block[first:].lstrip(" ").startswith("- ") for first in starts) else []


def _line_end(block: str, place: int) -> int:
    found = block.find("\n", place)
    return len(block) if found < 0 else found + 1


def _ended(lines: str) -> str:
    return lines if not lines or lines.endswith("\n") else lines + "\n"
