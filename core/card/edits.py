"""The edits that a card takes, one function each: from a card and its arguments to the next card, or a refusal.

Checks come in the order of original.md 2.9: the text, the refs, the duplicate, the date, the room. An edit touches
one entry; whatever it does not name stays (seeds, "Mutation-Based Evolution").
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from core.card import rules
from core.card.model import Card, Entry
from core.card.rules import Refusal
from core.card.wishes import (
    AddHorizon,
    AddNow,
    AddPastAnchor,
    AddSelfModel,
    PromoteNowToPast,
    RemoveNow,
    RemovePastAnchor,
    RemoveSelfModel,
    ResolveHorizon,
    SetIdentity,
    UpdatePastProfile,
    Wish,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

LABELS: Final = {"name": "Name", "address_as": "Address them as", "pronouns": "Pronouns", "alias": "Alias"}
"""The canonical labels of Identity by the field that an edit names."""
_SHOWN: Final = 60


@dataclass(frozen=True, slots=True)
class Desk:
    """What an edit may look at: the card, the person's day, and whether a ref points to something."""

    card: Card
    today: str
    exists: Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Edit:
    """An edit that is allowed: the card after it, what to tell, what to log, and an entry that it settled."""

    card: Card
    told: str
    log: str
    settled: str = ""


Outcome = Edit | Refusal


def apply(desk: Desk, wish: Wish) -> Outcome:  # noqa: C901, PLR0911 - the table of edits
    """What becomes of a wish: the edit, or why it is refused."""
    card = desk.card
    match wish:
        case SetIdentity():
            return _set_identity(card, wish)
        case UpdatePastProfile():
            return _update_profile(card, wish.text)
        case AddPastAnchor():
            return _add_anchor(desk, wish)
        case AddNow():
            return _add_now(desk, wish)
        case AddHorizon():
            return _add_horizon(desk, wish)
        case AddSelfModel():
            return _add_lesson(desk, wish)
        case PromoteNowToPast():
            return _promote(card, wish.match)
        case ResolveHorizon():
            return _resolve(card, wish)
        case RemovePastAnchor():
            found = _find(card.anchors, wish.match)
            return (
                found
                if isinstance(found, Refusal)
                else Edit(replace(card, anchors=_without(card.anchors, found)), "removed", found.text)
            )
        case RemoveNow():
            found = _find(card.now, wish.match)
            return (
                found
                if isinstance(found, Refusal)
                else Edit(replace(card, now=_without(card.now, found)), "removed", found.text)
            )
        case RemoveSelfModel():
            found = _find(card.self_model, wish.match)
            return (
                found
                if isinstance(found, Refusal)
                else Edit(replace(card, self_model=_without(card.self_model, found)), "removed", found.text)
            )


def _set_identity(card: Card, wish: SetIdentity) -> Outcome:
    refusal = rules.check_text(wish.value, rules.IDENTITY_CHARACTERS)
    if refusal:
        return refusal
    label = LABELS[wish.field]
    line = f"{label}: {wish.value.strip()}"
    lines = list(card.identity)
    place = next((at for at, old in enumerate(lines) if _label(old) == label.lower()), None)
    if place is not None:
        lines[place] = line
    elif refusal := rules.check_room(len(lines), rules.IDENTITY_LINES, "replace a line that stands there"):
        return refusal
    else:
        lines.append(line)
    return Edit(replace(card, identity=tuple(lines)), f"{label} is set", line)


def _label(line: str) -> str:
    return line.partition(":")[0].strip().lower()


def _update_profile(card: Card, text: str) -> Outcome:
    refusal = rules.check_text(text, rules.PROFILE_CHARACTERS)
    if refusal:
        return refusal
    told = f"profile rewritten, {len(text.strip())} of {rules.PROFILE_CHARACTERS} characters"
    return Edit(replace(card, profile=text.strip()), told, text.strip())


def _add_anchor(desk: Desk, wish: AddPastAnchor) -> Outcome:
    anchors = desk.card.anchors
    refs = _checked(desk, wish.text, wish.refs, rules.ANCHOR_CHARACTERS, anchors)
    if isinstance(refs, Refusal):
        return refs
    if refusal := rules.check_room(len(anchors), rules.ANCHORS, "remove an anchor that matters less"):
        return refusal
    entry = Entry(wish.text.strip(), refs)
    return Edit(replace(desk.card, anchors=(*anchors, entry)), "anchor added", entry.text)


def _add_now(desk: Desk, wish: AddNow) -> Outcome:
    hooks = desk.card.now
    refs = _checked(desk, wish.text, wish.refs, rules.HOOK_CHARACTERS, hooks)
    if isinstance(refs, Refusal):
        return refs
    since = wish.since or desk.today
    refusal = rules.check_day(since, "since") or rules.check_room(
        len(hooks), rules.HOOKS, "remove a hook that is over (removeNow) or promote one that lasts (promoteNowToPast)"
    )
    if refusal:
        return refusal
    entry = Entry(wish.text.strip(), refs, since=since)
    return Edit(replace(desk.card, now=(entry, *hooks)), "hook added", entry.text)


def _add_horizon(desk: Desk, wish: AddHorizon) -> Outcome:
    plans = desk.card.horizon
    refs = _checked(desk, wish.text, wish.refs, rules.PLAN_CHARACTERS, plans)
    if isinstance(refs, Refusal):
        return refs
    refusal = rules.check_day(wish.by, "by") or rules.check_room(
        len(plans), rules.PLANS, "resolve one that is settled (resolveHorizon)"
    )
    if refusal:
        return refusal
    entry = Entry(wish.text.strip(), refs, by=wish.by)
    return Edit(replace(desk.card, horizon=(*plans, entry)), "commitment added", entry.text)


def _add_lesson(desk: Desk, wish: AddSelfModel) -> Outcome:
    """A lesson may do without refs; where it has some, they are checked."""
    lessons = desk.card.self_model
    checked = rules.check_text(wish.text, rules.LESSON_CHARACTERS)
    refs = checked or (rules.check_refs(wish.refs, desk.exists) if wish.refs else ())
    if isinstance(refs, Refusal):
        return refs
    refusal = (
        rules.check_new(wish.text, (entry.text for entry in lessons))
        or rules.check_lesson(wish.text)
        or rules.check_room(len(lessons), rules.LESSONS, "remove a lesson, or sharpen one that stands there")
    )
    if refusal:
        return refusal
    entry = Entry(wish.text.strip(), refs)
    return Edit(replace(desk.card, self_model=(*lessons, entry)), "lesson added", entry.text)


def _checked(
    desk: Desk, text: str, refs: Sequence[str], limit: int, others: Sequence[Entry]
) -> tuple[str, ...] | Refusal:
    """The refs of a new entry, once its text, its refs and its being new are in order."""
    found = rules.check_text(text, limit) or rules.check_refs(refs, desk.exists)
    if isinstance(found, Refusal):
        return found
    return rules.check_new(text, (entry.text for entry in others)) or found


def _promote(card: Card, match: str) -> Outcome:
    found = _find(card.now, match)
    if isinstance(found, Refusal):
        return found
    refusal = rules.check_new(found.text, (entry.text for entry in card.anchors)) or rules.check_room(
        len(card.anchors), rules.ANCHORS, "remove an anchor that matters less, or keep the hook"
    )
    if refusal:
        return refusal
    anchors = (*card.anchors, Entry(found.text, found.refs))
    return Edit(replace(card, anchors=anchors, now=_without(card.now, found)), "promoted to Past", found.text)


def _resolve(card: Card, wish: ResolveHorizon) -> Outcome:
    found = _find(card.horizon, wish.match)
    if isinstance(found, Refusal):
        return found
    note = f" ({wish.note.strip()})" if wish.note.strip() else ""
    left = replace(card, horizon=_without(card.horizon, found))
    return Edit(left, "resolved", f"{found.text[:50]}{note}", settled=found.text)


def _find(entries: Sequence[Entry], match: str) -> Entry | Refusal:
    """The first entry that contains the match, whatever its case; a blank match finds nothing."""
    wanted = match.strip().lower()
    for entry in entries:
        if wanted and wanted in entry.text.lower():
            return entry
    listed = "; ".join(entry.text[:_SHOWN] for entry in entries) or "(none)"
    return Refusal(f"nothing matches {match[:_SHOWN]!r}; the entries are: {listed}")


def _without(entries: Sequence[Entry], gone: Entry) -> tuple[Entry, ...]:
    at = entries.index(gone)
    return (*entries[:at], *entries[at + 1 :])
