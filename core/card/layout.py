"""How a card's file was written, and writing a changed card back into it line by line.

Every line that no edit addressed stays byte for byte: the person's own sections, bullets, notes, spacing and line
ends. Only an entry that went takes its line along, a new one is put where its neighbours stand, and a placeholder
("_No active hooks._") leaves when the first entry comes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import pairwise
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Kind = Literal["stamp", "heading", "entry", "profile", "note", "blank", "other"]
UNKNOWN: Final = "?"
NOTES: Final = "<!-- notes -->"
"""Stands where the anchors above a person's note stood when all of them went, so that it is not taken for profile."""
_PLACEHOLDER: Final = re.compile(r"_(?:No|None|Nothing|暂无|无)[^_]*_\Z")


@dataclass(frozen=True, slots=True)
class Piece:
    """One line of a file: what it is, the section it stands in, its bytes with the line end, and what it says."""

    kind: Kind
    section: str
    raw: str
    value: object = None


@dataclass(frozen=True, slots=True)
class Layout:
    """The lines of a card's file, and whether a byte order mark came first."""

    pieces: tuple[Piece, ...]
    bom: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    """What a section shall hold: the profile (Past alone) and the entries, as values and as lines to write."""

    name: str
    profile: tuple[str, ...]
    profile_lines: tuple[str, ...]
    values: tuple[object, ...]
    lines: tuple[str, ...]

    @property
    def blocks(self) -> tuple[str, ...]:
        """The paragraphs of the section in canonical form."""
        return (*(("\n".join(self.profile_lines),) if self.profile else ()), *self.lines)


@dataclass(slots=True)
class _Plan:
    """Which lines of a file go, which change, and what is put before which."""

    pieces: Sequence[Piece]
    dropped: set[int] = field(default_factory=set)
    changed: dict[int, str] = field(default_factory=dict)
    inserted: dict[int, list[tuple[str, bool]]] = field(default_factory=dict)
    opened: dict[int, list[str]] = field(default_factory=dict)

    def where(self, kind: Kind, section: str) -> list[int]:
        return [at for at, piece in enumerate(self.pieces) if (piece.kind, piece.section) == (kind, section)]

    def is_blank(self, at: int) -> bool:
        return at < len(self.pieces) and self.pieces[at].kind == "blank"

    def after(self, at: int) -> int:
        """The place behind a line and the blank line that belongs to it."""
        return at + 2 if self.is_blank(at + 1) else at + 1

    def end_of(self, section: str) -> int:
        """The place where a section ends: the next heading of another one, or the end of the file."""
        last = max(at for at, piece in enumerate(self.pieces) if piece.section == section)
        return last + 1

    def drop(self, at: int, *, with_blank: bool) -> None:
        self.dropped.add(at)
        if with_blank and self.is_blank(at + 1):
            self.dropped.add(at + 1)

    def insert(self, at: int, lines: Iterable[str], *, spaced: bool) -> None:
        self.inserted.setdefault(at, []).extend((line, spaced) for line in lines)

    def open(self, at: int, lines: Iterable[str]) -> None:
        """Put a new section there: behind whatever the section that ends there gets."""
        self.opened.setdefault(at, []).extend(lines)

    def before(self, at: int) -> list[tuple[str, bool]]:
        """What is put before a line."""
        return [*self.inserted.get(at, ()), *((line, True) for line in self.opened.get(at, ()))]


def merge(layout: Layout, stamp: tuple[str, ...], stamp_line: str, sections: Sequence[Section]) -> str:
    """The file's text with the stamp and the sections as they shall be."""
    plan = _Plan(layout.pieces)
    _merge_stamp(plan, stamp, stamp_line)
    _rename_headings(plan, [section.name for section in sections])
    spaced = not _tight(layout.pieces)
    for number, section in enumerate(sections):
        if plan.where("heading", section.name):
            _merge_profile(plan, section)
            _merge_entries(plan, section, spaced=spaced)
            _drop_placeholder(plan, section)
            _drop_empty(plan, section)
        elif section.blocks:
            place = _place_for(plan, [other.name for other in sections], number)
            plan.open(place, (f"## {section.name}", *section.blocks))
    return ("\ufeff" if layout.bom else "") + _written(plan)


def _merge_stamp(plan: _Plan, stamp: tuple[str, ...], line: str) -> None:
    found = next((at for at, piece in enumerate(plan.pieces) if piece.kind == "stamp"), None)
    if found is not None:
        if plan.pieces[found].value != stamp:
            plan.changed[found] = line
    elif stamp[0] or stamp[2]:
        title = next(
            (at for at, piece in enumerate(plan.pieces) if (piece.kind, piece.section) == ("heading", "")), None
        )
        plan.insert(plan.after(title) if title is not None else 0, [line], spaced=True)


def _rename_headings(plan: _Plan, names: Sequence[str]) -> None:
    """Older cards call Past "Profile" and Now "Recent"."""
    for at, piece in enumerate(plan.pieces):
        if piece.kind == "heading" and piece.section in names and piece.raw.strip() != f"## {piece.section}":
            plan.changed[at] = f"## {piece.section}"


def _tight(pieces: Sequence[Piece]) -> bool:
    """Whether entries follow each other without blank lines."""
    return any(one.kind == other.kind == "entry" for one, other in pairwise(pieces))


def _merge_profile(plan: _Plan, section: Section) -> None:
    old = plan.where("profile", section.name)
    if tuple(plan.pieces[at].value for at in old) == section.profile:
        return
    for at in old:
        plan.drop(at, with_blank=not section.profile or at != old[-1])
    text = ["\n".join(section.profile_lines)] if section.profile else []
    if old:
        plan.insert(old[0], text, spaced=False)
    else:
        plan.insert(plan.after(plan.where("heading", section.name)[0]), text, spaced=True)


def _merge_entries(plan: _Plan, section: Section, *, spaced: bool) -> None:
    old = plan.where("entry", section.name)
    values = [plan.pieces[at].value for at in old]
    first = old[0] if old else _start(plan, section)
    came: list[int] = []
    codes = SequenceMatcher(None, values, list(section.values), autojunk=False).get_opcodes()
    for code, begin, end, begin_new, end_new in codes:
        if code != "equal":
            for at in old[begin:end]:
                plan.drop(at, with_blank=spaced)
            behind = old[begin - 1] if begin else None
            place = first if behind is None else plan.after(behind) if spaced else behind + 1
            plan.insert(place, section.lines[begin_new:end_new], spaced=spaced or not old)
            came += [place] if begin_new < end_new else []
    if old and _bares_note(plan, section.name, [*came, *(at for at in old if at not in plan.dropped)]):
        plan.insert(first, [NOTES], spaced=True)


def _bares_note(plan: _Plan, section: str, entries: Iterable[int]) -> bool:
    """Whether none of the entries, by their places, stands above a person's first note any more."""
    notes = plan.where("note", section)
    marked = any(piece.raw.strip() == NOTES for piece in plan.pieces)
    return bool(notes) and not marked and min(entries, default=notes[0] + 1) > notes[0]


def _start(plan: _Plan, section: Section) -> int:
    """Where the first entry of a section goes: behind its profile, or behind its heading."""
    profile = plan.where("profile", section.name)
    return plan.after(profile[-1] if profile else plan.where("heading", section.name)[0])


def _drop_placeholder(plan: _Plan, section: Section) -> None:
    if not section.blocks or plan.where("entry", section.name) or plan.where("profile", section.name):
        return
    for at in plan.where("other", section.name):
        if _PLACEHOLDER.match(plan.pieces[at].raw.strip()):
            plan.drop(at, with_blank=True)


def _drop_empty(plan: _Plan, section: Section) -> None:
    """A section whose last entry went, and in which nothing else stands, goes with its heading."""
    inside = [at for at, piece in enumerate(plan.pieces) if piece.section == section.name]
    left = [at for at in inside if at not in plan.dropped and plan.pieces[at].kind not in {"heading", "blank"}]
    if not section.blocks and not left and plan.dropped.intersection(inside):
        plan.dropped.update(inside)


def _place_for(plan: _Plan, names: Sequence[str], number: int) -> int:
    """Where a section that the file does not have is put: behind its predecessor, or before its successor."""
    for name in reversed(names[:number]):
        if plan.where("heading", name):
            return plan.end_of(name)
    for name in names[number + 1 :]:
        if found := plan.where("heading", name):
            return found[0]
    others = plan.where("heading", UNKNOWN)
    return others[0] if others else len(plan.pieces)


def _written(plan: _Plan) -> str:
    """The lines of a plan as text, with the file's own line end for what is new."""
    original = "".join(piece.raw for piece in plan.pieces)
    if not (plan.dropped or plan.changed or plan.inserted or plan.opened):
        return original
    ending = "\r\n" if plan.pieces and plan.pieces[0].raw.endswith("\r\n") else "\n"
    lines: list[str] = []
    for at in range(len(plan.pieces) + 1):
        for text, spaced in plan.before(at):
            if spaced and lines and lines[-1].strip():
                lines.append("")
            lines += [*text.split("\n"), *([""] if spaced else [])]
        if at < len(plan.pieces) and at not in plan.dropped:
            lines.append(plan.changed.get(at, plan.pieces[at].raw))
    text = "".join(line if line.endswith("\n") else line + ending for line in lines)
    return text.rstrip("\r\n") + ending if plan.dropped or plan.inserted or plan.opened else text
