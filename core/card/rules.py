"""What the card takes: caps, evidence, dates, and refusals that say how to mend what was refused.

Source: original.md 1.5 (caps), 2.9 (checks and their order), B13. Lengths are code points. The messages go to the
model that evolves the card, so they are English.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from core.relative import parse_day, slice_instant

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

IDENTITY_LINES: Final = 8
IDENTITY_CHARACTERS: Final = 300
PROFILE_CHARACTERS: Final = 2400
ANCHORS: Final = 8
ANCHOR_CHARACTERS: Final = 300
HOOKS: Final = 5
HOOK_CHARACTERS: Final = 300
PLANS: Final = 5
PLAN_CHARACTERS: Final = 200
LESSONS: Final = 10
LESSON_CHARACTERS: Final = 300
TOTAL_CHARACTERS: Final = 8192

_SLASHED: Final = re.compile(r"(\d{4}/\d{2}/\d{2}/\d{4})(-[A-Za-z0-9_-]+)?\Z", re.ASCII)
_DASHED: Final = re.compile(r"(\d{4})-(\d{2})-(\d{2})-(\d{4})(-[A-Za-z0-9_-]+)?\Z", re.ASCII)
_BREAKS: Final = re.compile(r"[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")
_NEVER: Final = r"\b(?:never|do not|don['’]t|avoid|stop)\s+(?:ever\s+)?"
_NOT_ZH: Final = r"(?:不要|不再|不得|不用|禁止|别|切勿)再?"
_AGAINST: Final = (
    re.compile(_NEVER + r"(?:us(?:e|ing)|call(?:ing)?|run(?:ning)?)\s+(?:the\s+)?[`'\"]?recall\b", re.IGNORECASE),
    re.compile(
        _NEVER + r"(?:read|open|consult|check)(?:ing)?\s+(?:the\s+|any\s+|old\s+|past\s+|your\s+){0,2}"
        r"(?:memory|memories|slices?|timeline)\b",
        re.IGNORECASE,
    ),
    re.compile(_NOT_ZH + r"(?:使用|调用|用)\s*(?:回忆|召回|recall)", re.IGNORECASE),
    re.compile(_NOT_ZH + r"(?:读取?|打开|查看|查阅|翻看?)\s*(?:记忆|切片|时间线)"),
)
"""Lessons that would forbid the bot its memory, against the standing directives."""
_OVERRIDE: Final = re.compile(r"overrides\s*[:=]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an edit is refused. For a text that is too long: the `limit` it must keep, and the `excess` over it."""

    why: str
    limit: int = 0
    excess: int = 0


def check_text(text: str, limit: int) -> Refusal | None:
    """Refuse a text that is empty, has several lines, no file can hold, or is longer than its limit, in this order."""
    if not text.strip():
        return Refusal("the text is empty: say what is to stand there")
    if _BREAKS.search(text):
        return Refusal("the text has several lines: write it as one")
    if _SURROGATE.search(text):
        return Refusal("the text has half a character (a lone surrogate): write it whole")
    if len(text) > limit:
        return too_long(len(text), limit, len(text) - limit)
    return None


def too_long(length: int, limit: int, excess: int) -> Refusal:
    """The refusal of an over-long text."""
    return Refusal(f"{length} characters, limit {limit}: compress it and try again", max(limit, 0), excess)


def check_refs(refs: Sequence[str], exists: Callable[[str], bool]) -> tuple[str, ...] | Refusal:
    """The refs in their slash form, each once; a refusal when there is none, or one is malformed or points nowhere."""
    if not refs:
        return Refusal("refs are required: name the slice that says so, as YYYY/MM/DD/HHMM or with -turn behind it")
    found: list[str] = []
    for ref in refs:
        normal = normal_ref(ref)
        if normal is None:
            return Refusal(f"malformed ref {ref[:60]!r}: write YYYY/MM/DD/HHMM, or YYYY/MM/DD/HHMM-turn")
        if not exists(normal):
            return Refusal(f"there is no {normal} in memory: copy refs exactly, never make one up")
        found.append(normal)
    return tuple(dict.fromkeys(found))


def normal_ref(ref: str) -> str | None:
    """A ref in slash form; written with dashes it may have spaces around it. None when it has neither form."""
    if slashed := _SLASHED.match(ref):
        return ref if slice_instant(slashed[1]) else None
    dashed = _DASHED.match(ref.strip())
    if not dashed:
        return None
    place = "/".join(dashed.groups()[:4])
    return place + (dashed[5] or "") if slice_instant(place) else None


def check_new(text: str, others: Iterable[str]) -> Refusal | None:
    """Refuse a text that stands there already, whatever its case and the space around it."""
    if text.strip().lower() in {other.strip().lower() for other in others}:
        return Refusal("it is already on the card")
    return None


def check_day(text: str, what: str) -> Refusal | None:
    """Refuse a date that is not written as one, or that no calendar has."""
    if parse_day(text) is None:
        return Refusal(f"{what} must be a real date as YYYY-MM-DD, not {text[:40]!r}")
    return None


def check_room(count: int, cap: int, way_out: str) -> Refusal | None:
    """Refuse one more where the section is full."""
    return Refusal(f"the section is full ({count} of {cap}): {way_out}") if count >= cap else None


def check_lesson(text: str) -> Refusal | None:
    """Refuse a lesson against the standing directives, unless it cites the person's own word as an override."""
    if any(pattern.search(text) for pattern in _AGAINST) and not _OVERRIDE.search(text):
        return Refusal(
            "it contradicts a standing directive (memory tools are never refused): drop it, or, if the person "
            "asked for exactly this, add 'overrides: <their words>'"
        )
    return None
