"""The house dies at every effect while something is forgotten, or taken back: it always ends whole (P065, R6, R9)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from core.slices.model import USER
from tests.doubles.fault_disk import HALF, KILL, Fault
from tests.doubles.sim_disk import SimDisk
from tests.house.check import slices_of, torn
from tests.house.ends import some
from tests.house.life import Act, Ground, Lives, Story
from tests.house.stories import command, say
from tests.house.tell import tell

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.house.person import Person

SEED = 20_260_309
FEW = 25
"""Points of death in the short run; the long one takes them all."""
WORD = "zebrafish"
BEFORE: tuple[Act, ...] = (say("k1"), say("gone", f"my {WORD} {{}}"), command("/close"), say("k2"))
FORGET: tuple[Act, ...] = (command(f"/forget {WORD}"), command("/forget now"))
BIN: tuple[Act, ...] = (command(f"/forget {WORD}"), command("/forget yes"))
UNDO: tuple[Act, ...] = (command("/forget undo"),)
AFTER: tuple[Act, ...] = (say("k3"),)


def as_killed(dead: Ground) -> Ground:
    assert isinstance(dead, SimDisk)
    return dead.kill_image()


def marked(acts: tuple[Act, ...], at: int, marks: list[int], disk: list[SimDisk]) -> tuple[Act, ...]:
    """The acts; the one at that place also notes how many operations there have been."""

    def noting(person: Person) -> None:
        marks.append(disk[0].operations)
        acts[at](person)

    return (*acts[:at], noting, *acts[at + 1 :])


def window(acts: tuple[Act, ...], first: int, last: int) -> range:
    """The operations from the first to the last of these acts in a life without a death."""
    marks: list[int] = []
    disk = SimDisk()
    noted = marked(marked(acts, last, marks, [disk]), first, marks, [disk])
    Lives(disk, Story(noted)).run()
    return range(marks[0] + 1, marks[1] + 1)


def held(tree: dict[str, bytes]) -> list[str]:
    return [path for path, data in tree.items() if WORD in data.decode(errors="replace")]


def kept(tree: dict[str, bytes]) -> Counter[str]:
    turns = [turn for piece in slices_of(tree).values() for turn in piece.turns if turn.role == USER]
    return Counter(name for turn in turns for name in ("k1", "k2", "k3", "gone") if f"<{name}>" in turn.text)


def lived(acts: tuple[Act, ...], k: int, how: Fault) -> Lives:
    disk = SimDisk()
    disk.fail_at(k, how)
    lives = Lives(disk, Story(acts))
    lives.run(as_killed)
    return lives


all_of_it = [False, pytest.param(True, marks=[pytest.mark.long, pytest.mark.timeout(0)])]
every = pytest.mark.parametrize("every", all_of_it, ids=["some", "every"])


def chosen(points: range, *, every: bool) -> Sequence[int]:
    return points if every else some(points, FEW, SEED)


@every
@pytest.mark.parametrize("how", [KILL, HALF], ids=["before", "halfway"])
def test_a_death_at_any_effect_of_forgetting_ends_with_all_of_it_gone_and_nothing_else(how: Fault, every: bool) -> None:
    acts = (*BEFORE, *FORGET, *AFTER)
    points = window(acts, len(BEFORE), len(BEFORE) + len(FORGET))

    for k in chosen(points, every=every):
        lives = lived(acts, k, how)
        tree = lives.disk.tree()
        assert held(tree) == [], (k, lives.endings)
        assert kept(tree) == {"k1": 1, "k2": 1, "k3": 1}, k
        assert torn(tree) == [], k
        assert any("FORGOTTEN" in text for text in lives.person.finals()), k

    tell(f"forget for good, {how.kind}: {len(points)} points of death")
    assert len(points) > 60


@every
def test_a_death_at_any_effect_of_binning_and_taking_back_loses_nothing(every: bool) -> None:
    acts = (*BEFORE, *BIN, *UNDO, *AFTER)
    points = window(acts, len(BEFORE), len(BEFORE) + len(BIN) + len(UNDO))

    for k in chosen(points, every=every):
        lives = lived(acts, k, KILL)
        tree = lives.disk.tree()
        assert kept(tree) == {"k1": 1, "k2": 1, "k3": 1, "gone": 1}, (k, lives.endings)
        assert torn(tree) == [], k
        assert not [path for path in tree if path.startswith("state/bin/")], k

    tell(f"forget and take back, kill: {len(points)} points of death")


@every
def test_a_death_at_any_effect_of_talk_off_the_record_keeps_none_of_it(every: bool) -> None:
    acts = (say("k1"), command("/offrecord"), say("gone", f"my {WORD} {{}}"), command("/offrecord off"), say("k2"))
    points = window(acts, 2, 4)

    for k in chosen(points, every=every):
        lives = lived(acts, k, KILL)
        tree = lives.disk.tree()
        assert held(tree) == [], (k, lives.endings)
        assert kept(tree) == {"k1": 1, "k2": 1}, k
        assert any(f"answer to «my {WORD}" in text for text in lives.person.finals()), k

    tell(f"off the record, kill: {len(points)} points of death")
