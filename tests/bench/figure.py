"""What a measurement says, in one line, beside what it is compared with."""

from __future__ import annotations

import time
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


@dataclass(frozen=True)
class Cost:
    """Seconds on the wall and of this process's CPU."""

    wall: float
    cpu: float


@dataclass(frozen=True)
class Figure:
    """A measurement: `ratio` is what it is set beside its floor, `goal` what it should stay under."""

    name: str
    told: str
    ratio: float
    goal: float = 0.0

    def line(self) -> str:
        goal = f"   goal {self.goal:g}" if self.goal else ""
        return f"{self.name:<58} {self.told:<46} {self.ratio:>8.2f}{goal}"


def cost(work: Callable[[], object]) -> Cost:
    """What the work costs, once."""
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return Cost(time.perf_counter() - wall, time.process_time() - cpu)


def best(work: Callable[[], object], times: int = 3) -> Cost:
    """The least CPU and wall of a few runs: what is left when nobody else is in the way."""
    runs = [cost(work) for _ in range(times)]
    return Cost(min(run.wall for run in runs), min(run.cpu for run in runs))


def middle(costs: Sequence[Cost]) -> Cost:
    """The medians."""
    return Cost(median(one.wall for one in costs), median(one.cpu for one in costs))


def ms(seconds: float) -> str:
    return f"{seconds * 1000:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"
