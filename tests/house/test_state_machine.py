"""T6: whatever people, platforms, hands, clocks and deaths do in whatever order, the promises hold after every step.

`python -m tests.house.test_state_machine --examples 500 --steps 30 --seed 1` runs the long form.
"""

from __future__ import annotations

import argparse
import sys
import time

from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test

from tests.house.simulation import JUMPS, WAITS, Simulation

SEED = 20260309
few = st.integers(0, 40)


class Machine(RuleBasedStateMachine):
    """Takes steps, looks after each, and at the end tells the same steps to another house: the traces are equal."""

    examples = 0
    steps = 0
    deaths = 0

    def __init__(self) -> None:
        super().__init__()
        self.script: list[tuple[str, tuple[int, ...]]] = []
        self.simulation = Simulation()

    def step(self, name: str, *numbers: int) -> None:
        self.script.append((name, numbers))
        take(self.simulation, name, numbers)

    @rule(wait=st.integers(0, len(WAITS) - 1), lookup=st.integers(0, 1))
    def say(self, wait: int, lookup: int) -> None:
        self.step("say", wait, lookup)

    @rule(count=st.integers(2, 4))
    def burst(self, count: int) -> None:
        self.step("burst", count)

    @rule()
    def forward(self) -> None:
        self.step("forward")

    @rule(count=st.integers(2, 3))
    def album(self, count: int) -> None:
        self.step("album", count)

    @rule(which=st.integers(0, 4))
    def command(self, which: int) -> None:
        self.step("command", which)

    @rule(which=few)
    def repeat(self, which: int) -> None:
        self.step("repeat", which)

    @rule(which=few)
    def edit(self, which: int) -> None:
        self.step("edit", which)

    @rule(which=few)
    def delete(self, which: int) -> None:
        self.step("delete", which)

    @rule(which=st.integers(0, len(JUMPS) - 1))
    def jump(self, which: int) -> None:
        self.step("jump", which)

    @rule()
    def restart(self) -> None:
        self.step("restart")

    @rule(after=st.integers(1, 120), how=st.integers(0, 1), image=st.integers(0, 15))
    def die(self, after: int, how: int, image: int) -> None:
        self.step("die", after, how, image)

    @rule(what=st.sampled_from(["hand_adds", "hand_changes", "hand_cuts", "hand_breaks"]))
    def hand(self, what: str) -> None:
        self.step(what)

    def teardown(self) -> None:
        """Tell it again."""
        twin = Simulation()
        try:
            for name, numbers in self.script:
                take(twin, name, numbers)
            assert self.simulation.trace() == twin.trace(), f"two runs differ: {self.script}"
        finally:
            Machine.examples += 1
            Machine.steps += len(self.script)
            Machine.deaths += self.simulation.deaths
            twin.end()
            self.simulation.end()


def take(simulation: Simulation, name: str, numbers: tuple[int, ...]) -> None:
    """One step, and a look at everything after it."""
    getattr(simulation, name)(*numbers)
    simulation.settle()
    assert simulation.faults() == []


def run(examples: int, steps: int, number: int) -> str:
    """Run so many examples; what was done, in a line."""
    began = time.perf_counter()
    kind = type("Run", (Machine,), {})
    how = settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        database=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(seed(number)(kind), settings=how)
    return (
        f"T6 (seed {number}): {Machine.examples} examples, {Machine.steps} steps, {Machine.deaths} deaths, "
        f"each told twice with equal traces, {time.perf_counter() - began:.0f} s"
    )


def test_the_promises_hold_after_every_step_of_any_story() -> None:
    print(run(25, 16, SEED))  # noqa: T201 - the figures belong in the log


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--examples", type=int, default=500)
    parser.add_argument("--steps", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    sys.stdout.write(run(asked.examples, asked.steps, asked.seed) + "\n")
