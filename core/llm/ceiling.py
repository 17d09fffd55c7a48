"""The daily ceiling: what was spent today, and what that leaves to be done (DESIGN 10, reliability 4.2)."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Final, Literal, Protocol
from zoneinfo import ZoneInfo

if TYPE_CHECKING:
    from core.clock import Clock
    from core.llm.base import Usage

State = Literal["open", "thrift", "shut"]

THRIFT: Final = 0.8
"""The share of the ceiling from which the work inside is left out, so that answers last longer."""
_WRITTEN: Final = re.compile(
    r"(?P<dollar>\$?)\s*(?P<number>\d+(?:[.,]\d+)?)\s*(?P<scale>[km]?)\s*(?P<unit>usd|dollars?|tok|tokens?)?\Z",
    re.IGNORECASE,
)
_SCALES: Final = {"": 1.0, "k": 1e3, "m": 1e6}
_DEAR: Final = (2e-6, 1e-5)
"""Dollars for a token in and out, assumed where no price is known, so that a ceiling in money holds there too."""


@dataclass(frozen=True, slots=True)
class Ceiling:
    """How much a day may cost, in US dollars or tokens of both directions."""

    amount: float
    unit: Literal["usd", "tokens"] = "usd"


@dataclass(frozen=True, slots=True)
class Spent:
    """What the calls of one local day have cost."""

    day: str = ""
    usd: float = 0.0
    tokens: int = 0
    calls: int = 0


class Ledger(Protocol):
    """Keeps one small text over restarts; losing it loses a day's count and nothing else."""

    def load(self) -> str:
        """The text, "" when there is none. Raises `OSError`."""

    def save(self, text: str) -> None:
        """Replace it. Raises `OSError`."""


def parse_ceiling(text: str) -> Ceiling:
    """A ceiling as people write it: `2.50`, `$2`, `500k tokens`. Raises ValueError with a sentence."""
    found = _WRITTEN.match(text.strip())
    unit = (found["unit"] or "").lower() if found else ""
    tokens = unit.startswith("tok")
    if not found or (found["dollar"] and tokens) or (found["scale"] and not tokens):
        raise ValueError("write an amount a day: 2.50 for dollars, or 500k tokens")
    amount = float(found["number"].replace(",", ".")) * _SCALES[found["scale"].lower()]
    return Ceiling(amount, "tokens" if tokens else "usd")


class Spending:
    """Counts what calls cost, by the local day."""

    def __init__(self, clock: Clock, ledger: Ledger | None = None) -> None:
        self._clock = clock
        self._ledger = ledger
        self._spent: Spent | None = None

    def today(self, zone: str = "UTC") -> Spent:
        """What this day has cost so far."""
        day = self._clock.now().astimezone(ZoneInfo(zone or "UTC")).date().isoformat()
        if self._spent is None:
            self._spent = self._loaded()
        if self._spent.day != day:
            self._spent = Spent(day)
        return self._spent

    def add(self, usage: Usage, zone: str = "UTC") -> None:
        """Count a call."""
        before = self.today(zone)
        cost = usage.prompt * _DEAR[0] + usage.completion * _DEAR[1] if usage.cost is None else usage.cost
        tokens = before.tokens + usage.prompt + usage.completion
        self._spent = Spent(before.day, before.usd + cost, tokens, before.calls + 1)
        if self._ledger is not None:
            try:
                self._ledger.save(json.dumps(asdict(self._spent)))
            except OSError:
                return  # the count lives on in this process

    def state(self, ceiling: Ceiling | None, zone: str = "UTC") -> State:
        """What may still be done: everything, answers alone ("thrift"), or nothing that costs ("shut")."""
        if ceiling is None:
            return "open"
        spent = self.today(zone)
        used = spent.usd if ceiling.unit == "usd" else float(spent.tokens)
        if used >= ceiling.amount:
            return "shut"
        return "thrift" if used >= THRIFT * ceiling.amount else "open"

    def _loaded(self) -> Spent:
        try:
            raw = json.loads(self._ledger.load() or "{}") if self._ledger else {}
            return Spent(str(raw["day"]), float(raw["usd"]), int(raw["tokens"]), int(raw["calls"]))
        except (OSError, ValueError, KeyError, TypeError):
            return Spent()
