"""A working copy of the card in the hands of a model: mutation tools, a brake on loops, and a verdict at the end.

Every reply begins with `OK` or `REJECTED` and says how to mend what was refused. The same refused call brakes: the
second is told so, a text that is too long is cut to its limit at the third, anything else is skipped from then on
(original.md 2.9). Nothing is written here; whoever opened the session takes `card` and asks `verdict` first.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, get_args

from pydantic import ValidationError

from core.card import rules
from core.card.codec import encode
from core.card.diff import rewrites
from core.card.edits import Desk, Edit, Outcome, apply
from core.card.model import Card, same_substance
from core.card.rules import Refusal
from core.card.wishes import Match, SetIdentity, Wish
from core.llm.base import ToolSpec

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

TOOLS: Final[dict[str, type[Wish]]] = {kind.__name__[0].lower() + kind.__name__[1:]: kind for kind in get_args(Wish)}
"""The mutation tools by the name that the model calls."""
FORCED_FROM: Final = 3
SPARED: Final = 2
"""So many entries may always be dropped in a pass."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a pass came to: whether the card says something else, what it dropped, and why it is `refused` if it is."""

    changed: bool
    dropped: tuple[str, ...] = ()
    refused: str = ""


def specs() -> tuple[ToolSpec, ...]:
    """The mutation tools as a model sees them."""
    return tuple(ToolSpec(name, _sentence(kind), _schema(kind)) for name, kind in TOOLS.items())


def _sentence(kind: type[Wish]) -> str:
    return " ".join((kind.__doc__ or "").split())


def _schema(kind: type[Wish]) -> dict[str, Any]:
    schema = kind.model_json_schema()
    schema.pop("description", None)
    for part in (schema, *schema["properties"].values()):
        part.pop("title", None)
    return schema


class Session:
    """Edits a copy of a card, stamped for the slice that is looked at; `now` is ISO, `today` the person's local day.

    `exists` says whether a ref in slash form (`YYYY/MM/DD/HHMM[-turn]`) points to something.
    """

    def __init__(self, base: Card, *, slice_id: str, now: str, today: str, exists: Callable[[str], bool]) -> None:
        self._base = base
        self._card = replace(base, slice_id=slice_id, updated=now)
        self._today = today
        self._exists = exists
        self._refused: Counter[str] = Counter()
        self._settled: list[str] = []
        self._log: list[str] = []

    @property
    def card(self) -> Card:
        """The card as edited so far."""
        return self._card

    @property
    def log(self) -> tuple[str, ...]:
        """One line per edit that was made: `tool: text`."""
        return tuple(self._log)

    def call(self, tool: str, arguments: str | Mapping[str, Any]) -> str:
        """Carry out one tool call; the reply for the model begins with `OK` or `REJECTED`. Never raises."""
        given = _given(arguments)
        outcome = self._try(tool, given)
        key = _key(tool, given)
        if isinstance(outcome, Edit):
            del self._refused[key]
            return self._make(tool, outcome)
        self._refused[key] += 1
        return self._brake(tool, given, outcome, self._refused[key])

    def _try(self, tool: str, given: Mapping[str, Any] | None) -> Outcome:
        kind = TOOLS.get(tool)
        if kind is None:
            return Refusal(f"there is no tool {tool[:40]!r}; the tools are {', '.join(TOOLS)}")
        try:
            wish = kind.model_validate(given)
        except ValidationError as error:
            detail = error.errors(include_url=False)[0]
            place = ".".join(str(part) for part in detail["loc"]) or "the arguments"
            return Refusal(f"{place}: {detail['msg']}")
        outcome = apply(Desk(self._card, self._today, self._exists), wish)
        return outcome if isinstance(outcome, Refusal) else self._within_total(outcome, wish)

    def _within_total(self, edit: Edit, wish: Wish) -> Outcome:
        """Refuse an edit that takes the whole card over its limit; one that shortens it is always welcome."""
        size = len(encode(edit.card))
        excess = size - rules.TOTAL_CHARACTERS
        if excess <= 0 or size <= len(encode(self._card)) or isinstance(wish, Match):
            return edit
        length = len(wish.value if isinstance(wish, SetIdentity) else wish.text)
        why = (
            f"the whole card would have {size} characters, limit {rules.TOTAL_CHARACTERS}: compress it or remove others"
        )
        return Refusal(why, max(length - excess, 0), excess)

    def _make(self, tool: str, edit: Edit, *, forced: bool = False) -> str:
        self._card = edit.card
        self._settled += [edit.settled] if edit.settled else []
        self._log.append(f"{'forced: ' if forced else ''}{tool}: {edit.log if edit.settled else edit.log[:50]}")
        return f"OK — FORCED: cut to fit, {edit.told}" if forced else f"OK — {edit.told}"

    def _brake(self, tool: str, given: Mapping[str, Any] | None, refusal: Refusal, attempt: int) -> str:
        if attempt == 1:
            return f"REJECTED — {refusal.why}"
        braked = f"REJECTED — LOOP BRAKE (attempt {attempt}): {refusal.why}"
        if attempt < FORCED_FROM:
            return f"{braked}. DELETE at least {refusal.excess} characters" if refusal.excess else braked
        if refusal.excess and refusal.limit and given:
            name = "value" if "value" in given else "text"
            outcome = self._try(tool, {**given, name: str(given[name])[: refusal.limit]})
            if isinstance(outcome, Edit):
                return self._make(tool, outcome, forced=True)
            braked = f"REJECTED — LOOP BRAKE (attempt {attempt}): {outcome.why}"
        return f"{braked}. SKIPPED: do not call this again, finish NOW"

    def verdict(self) -> Verdict:
        """What the pass came to.

        A pass that drops more than two entries and more than a quarter of all, without resolving or rewriting them,
        is refused: the card is kept as it was.
        """
        kept = [entry.text for entry in self._card.entries]
        before = [entry.text for entry in self._base.entries]
        gone = [text for text in before if text not in kept and text not in self._settled]
        come = [text for text in kept if text not in before]
        rewritten = {old for old, _ in rewrites(gone, come)}
        dropped = tuple(text for text in gone if text not in rewritten)
        total = len(before) + len(self._base.identity)
        too_many = len(dropped) > SPARED and len(dropped) * 4 > total
        why = f"the pass drops {len(dropped)} of {total} entries without resolving them" if too_many else ""
        return Verdict(not same_substance(self._base, self._card), dropped, why)


def _given(arguments: str | Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The arguments as an object, or None when their text is no JSON object."""
    if not isinstance(arguments, str):
        return arguments
    try:
        found = json.loads(arguments)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _key(tool: str, given: Mapping[str, Any] | None) -> str:
    """What makes two calls the same: the tool and its arguments, case and white space aside."""
    plain = {
        name: " ".join(value.lower().split()) if isinstance(value, str) else value
        for name, value in (given or {}).items()
    }
    return f"{tool} {json.dumps(plain, sort_keys=True, default=str)}"
