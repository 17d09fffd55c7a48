"""T3: every rule of reliability 2.4 is taken away, one at a time, and the crash runs must notice."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import pytest

from tests.house.ends import End, Tally, cuts, ends, kills, second, whole
from tests.house.life import Kind, Lives, Story
from tests.house.projected import untrue
from tests.house.rules import RULES
from tests.house.stories import BRIEF, EVERYDAY
from tests.house.tell import tell

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from tests.house.life import Act

    Suite = Callable[[Kind, Tally], Iterator[object]]


def each(found: Sequence[End], *marks: str) -> list[End]:
    """Those ends at which the rule matters, so that not all must be gone through."""
    return [end for end in found if not marks or any(mark in end.where for mark in marks)]


def killed(*marks: str, acts: Sequence[Act] = BRIEF) -> Suite:
    """T1: a kill at each of these ends."""
    return lambda kind, tally: (kills([end], kind, tally, 1) for end in each(ends(acts, kind), *marks))


def cut(*marks: str, acts: Sequence[Act] = BRIEF) -> Suite:
    """T2: a power cut at each of these ends."""
    return lambda kind, tally: (
        cuts([end], kind, tally, most=8, ahead=1) for end in each(whole(ends(acts, kind)), *marks)
    )


def killed_and_cut(mark: str, then: str = "") -> Suite:
    """T2: a kill at each of these ends, then a power cut at each of those ends of the next process."""

    def go(kind: Kind, tally: Tally) -> Iterator[object]:
        for end in each(whole(ends(BRIEF, kind)), mark):
            for again in each(whole(second(BRIEF, [end], kind, 90)), f"then {then}"):
                yield cuts([again], kind, tally, most=1, ahead=1)

    return go


def killed_without_state(*marks: str) -> Suite:
    """T1 with `state/` gone as well: no plan is left that would list a slice again, only the slices speak (P4)."""
    return lambda kind, tally: (stateless(end, kind, tally) for end in each(ends(BRIEF, kind), *marks))


def stateless(end: End, kind: Kind, tally: Tally) -> Tally:
    def look() -> list[str]:
        disk = end.disk.kill_image()
        for path in [path for path in disk.tree() if path.startswith("state/")]:
            disk.remove(path)
        lives = Lives(disk, Story(()), end.person.twin(), kind)
        lives.run()
        return untrue(disk.tree())

    tally.add(end.where, object(), look)
    return tally


CAUGHT: dict[str, tuple[str, Suite]] = {
    "R1": ("T1 kill", killed("acknowledge", "write")),
    "R2": ("T2 power cut", cut("send", "model")),
    "R3": ("T2 power cut", cut("replace", "send", "model")),
    "R4": ("T2 power cut", cut("model", "send")),
    "R5": ("T2 power cut", cut("model", "send")),
    "R6": ("T2 power cut", cut("sync_folder")),
    "R7": ("T1 kill", killed("whatever", "acknowledge")),
    "R8": ("T1 kill", killed("write")),
    "R9": ("T2 kill, then power cut", killed_and_cut("sync_folder memory", "sync_folder memory/episodic")),
    "R9 journal": ("T2 kill, then power cut", killed_and_cut("sync", "write")),
    "R10": ("T1 kill", killed("halfway")),
    "R11": ("T1 kill", killed("sync_folder state", acts=EVERYDAY)),
    "R12": ("T1 kill", killed("acknowledge", "state", acts=EVERYDAY)),
    "R13": ("T2 power cut", cut("sync_folder state", "send", acts=EVERYDAY)),
    "R13 place": ("T1 kill", killed("create state", acts=EVERYDAY)),
    "R14": ("T2 kill, then power cut", killed_and_cut("sync_folder memory", "model")),
    "R14 journal": ("T2 kill, then power cut", killed_and_cut("sync_folder state", "write")),
    "R15": ("T1 kill", killed("write")),
    "R16": ("T1 kill", killed("replace")),
}
"""Which suite notices that the rule is gone, looking at which ends."""


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_that_is_taken_away_is_missed(rule: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL)
    suite, hunt = CAUGHT[rule]
    tally = Tally()

    until_bad(hunt(RULES[rule], tally), tally)

    tell(f"T3 without {rule}: caught by {suite} after {tally.states} states: {tally.first[:240]}")
    assert tally.bad > 0


def until_bad(looks: Iterable[object], tally: Tally) -> None:
    for _ in looks:
        if tally.bad:
            return


@pytest.mark.long
@pytest.mark.parametrize("rule", ["R9", "R14"])
def test_some_rules_are_missed_only_by_two_crashes(rule: str) -> None:
    kind = RULES[rule]
    found = ends(EVERYDAY, kind)

    one = kills(found, kind, cuts(whole(found), kind, Tally(), most=8), 1)

    tell(f"T3 without {rule}, one crash alone: {one}")
    assert one.bad == 0, one.first


def test_projections_are_true_also_where_state_was_deleted_after_a_kill() -> None:
    tally = Tally()

    for _ in killed_without_state()(Kind(), tally):
        pass

    tell(f"P4 kill, state/ deleted: {tally}")
    assert tally.bad == 0, tally.first
    assert tally.states > 300


def test_every_rule_of_the_page_is_taken_away() -> None:
    taken = {rule.partition(" ")[0] for rule in RULES}

    assert taken == {f"R{number}" for number in range(1, 17)}
    assert RULES.keys() == CAUGHT.keys()
