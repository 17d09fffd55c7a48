"""What an answer rests on: the slices that recall pointed at, those that were read, and what the answer took.

It is kept at the end of the turn's block in the cognition log, as lines that anybody can read: the original takes a
block as it stands (original.md 1.4), and no further file is written for it.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from core.llm.base import Usage
from core.slices.cognition import block_of
from core.slices.model import is_slice_id

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from core.agent.run import Step

READING: Final = frozenset({"readSlice", "readSliceSummary"})
NOTHING: Final = "(nothing)"
"""Stands in the log for the ids of a search that found none."""
_HEADING: Final = "### Answer"
_LINE: Final = re.compile(r"^- (model|seconds|tokens|cost|pointed|read): (.*)$", re.MULTILINE)
_TOKENS: Final = re.compile(r"(\d+) in(?: \((\d+) cached\))?, (\d+) out")
_LAST: Final = re.compile(r"^## Cognition (\S+) — (\S+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Sources:
    """Slice ids, each once: those that recall `pointed` at, best first, and those `read`, in the order of reading."""

    pointed: tuple[str, ...] = ()
    read: tuple[str, ...] = ()
    searched: bool = False
    """Whether memory was searched and nothing was found."""


@dataclass(frozen=True, slots=True)
class Account:
    """What stands behind an answer: the `model`, the `seconds` it took, its tokens and cost, and its sources."""

    model: str = ""
    seconds: float = 0.0
    usage: Usage = field(default_factory=Usage)
    sources: Sources = field(default_factory=Sources)

    def section(self) -> str:
        """The account as the last section of a block in the cognition log."""
        lines = [f"- model: {' '.join(self.model.split())}", f"- seconds: {self.seconds:.1f}"]
        if self.usage.prompt or self.usage.completion:
            cached = f" ({self.usage.cached} cached)" if self.usage.cached else ""
            lines.append(f"- tokens: {self.usage.prompt} in{cached}, {self.usage.completion} out")
        if self.usage.cost is not None:
            lines.append(f"- cost: {self.usage.cost:.6f} USD")
        for name, ids in (("pointed", self.sources.pointed), ("read", self.sources.read)):
            if ids:
                lines.append(f"- {name}: {', '.join(ids)}")
        if self.sources.searched:
            lines.append(f"- pointed: {NOTHING}")
        return "\n".join(("", _HEADING, *lines, ""))


def sources(steps: Iterable[Step]) -> Sources:
    """The sources of an answer by its finished steps; what could not be read is none."""
    pointed: dict[str, None] = {}
    read: dict[str, None] = {}
    searched = False
    for step in steps:
        if step.outcome != "completed" or step.result.startswith("ERROR"):
            continue
        if step.call.name == "recall":
            pointed |= dict.fromkeys(_hits(step.result))
            searched = searched or _empty(step.result)
        elif step.call.name in READING:
            read |= dict.fromkeys(_asked(step.call.arguments))
    return Sources(tuple(pointed), tuple(read), searched and not pointed)


def summed(usages: Sequence[Usage]) -> Usage:
    """The tokens of several calls; the cost is unknown only when that of every call is."""
    costs = [usage.cost for usage in usages if usage.cost is not None]
    return Usage(
        sum(usage.prompt for usage in usages),
        sum(usage.completion for usage in usages),
        sum(usage.cached for usage in usages),
        sum(costs) if costs else None,
    )


def account_in(log: str, turn: str = "") -> tuple[str, Account] | None:
    """The ISO time and account of a turn ("" for the last) in a cognition log; None when it has none."""
    headers = _LAST.findall(log)
    at = next((at for label, at in reversed(headers) if turn in {"", label}), "")
    wanted = turn or (headers[-1][0] if headers else "")
    block = block_of(log, wanted) if wanted else None
    if block is None or f"\n{_HEADING}\n" not in block:
        return None
    found = dict(_LINE.findall(block.rpartition(f"\n{_HEADING}\n")[2]))
    named = Sources(
        _ids(found.get("pointed", "")), _ids(found.get("read", "")), found.get("pointed", "").strip() == NOTHING
    )
    return at, Account(found.get("model", ""), _number(found.get("seconds", "")), _usage(found), named)


def _empty(result: str) -> bool:
    """Whether a recall found nothing, rather than failing."""
    try:
        report = json.loads(result)
    except ValueError:
        return False
    return isinstance(report, dict) and report.get("hits") == []


def _hits(result: str) -> list[str]:
    try:
        report = json.loads(result)
    except ValueError:
        return []
    hits = report.get("hits", []) if isinstance(report, dict) else []
    return [str(hit["slice_id"]) for hit in hits if isinstance(hit, dict) and is_slice_id(str(hit.get("slice_id", "")))]


def _asked(arguments: str) -> list[str]:
    try:
        raw = json.loads(arguments)
    except ValueError:
        return []
    if not isinstance(raw, dict):
        return []
    given = str(raw.get("sliceId") or raw.get("slice_id") or raw.get("id") or "").strip().replace("/", "-")
    return [given] if is_slice_id(given) else []


def _ids(text: str) -> tuple[str, ...]:
    return tuple(part for part in text.split(", ") if is_slice_id(part))


def _usage(found: dict[str, str]) -> Usage:
    tokens = _TOKENS.match(found.get("tokens", ""))
    cost = _number(found["cost"].removesuffix(" USD")) if "cost" in found else None
    return Usage(int(tokens[1]), int(tokens[3]), int(tokens[2] or 0), cost) if tokens else Usage(cost=cost)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0
