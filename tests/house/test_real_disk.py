"""T1 and T5 on this machine: processes that really die, and a disk that is really full."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.doubles.fault_disk import HALF, KILL
from tests.house.check import faults, orphans
from tests.house.ends import some
from tests.house.life import WORDS, Ground, Lives, Story
from tests.house.real import KILLED, TOLD, Tight, operations, tell_and_die
from tests.house.stories import EVERYDAY, PLAIN
from tests.house.tell import tell
from tests.house.witness import READING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from tests.house.life import Act

SEED = 20_260_309
PAGE = 4_096
SIZE = 512 * 1024


def died_at(root: Path, acts: Sequence[Act], points: Sequence[int]) -> tuple[list[str], int]:
    """What is wrong after a death at each of these points, by turns before and halfway, and how many really died."""
    wrong, deaths, lost = [], 0, 0
    for number, k in enumerate(points):
        home = root / str(k)
        home.mkdir()
        lives, codes = tell_and_die(home, acts, k, HALF if number % 2 else KILL)
        wrong += [f"operation {k}: {flaw}" for flaw in faults(lives)]
        wrong += [f"operation {k}: processes ended with {codes}"] if codes[-1] != TOLD else []
        deaths += codes.count(KILLED)
        lost += orphans(lives.person)
    tell(f"T1 real disk: {len(points)} points, {deaths} processes ended by themselves with code 9, {lost} orphans")
    return wrong, deaths


def changes(names: Sequence[str]) -> list[int]:
    return [k for k, name in enumerate(names, 1) if name.partition(" ")[0] not in READING]


def test_processes_that_really_die_lose_and_double_nothing(tmp_path: Path) -> None:
    (tmp_path / "healthy").mkdir()
    points = some(changes(operations(tmp_path / "healthy", PLAIN)), 12, SEED)

    wrong, deaths = died_at(tmp_path, PLAIN, points)

    assert wrong == []
    assert deaths == len(points)


@pytest.mark.long
@pytest.mark.timeout(0)
def test_processes_that_really_die_at_every_change_lose_and_double_nothing(tmp_path: Path) -> None:
    (tmp_path / "healthy").mkdir()
    points = changes(operations(tmp_path / "healthy", EVERYDAY))

    wrong, deaths = died_at(tmp_path, EVERYDAY, points)

    assert wrong == []
    assert deaths == len(points)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 512 KiB."""
    if os.geteuid() != 0:
        pytest.skip("mounting a small disk needs root")
    place = tmp_path / "small"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={SIZE},mode=0700", "tmpfs", str(place)]
    done = subprocess.run(mount, capture_output=True, check=False)
    if done.returncode:
        pytest.skip(f"mounting a small disk was refused: {done.stderr.decode().strip()}")
    try:
        yield place
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=False)  # noqa: S607


def filled(place: Path, pages: int) -> tuple[list[str], int]:
    """Tell a story on a disk with so many free pages; what is wrong, and how often the disk refused."""
    home, filler = place / f"home-{pages}", place / "filler"
    home.mkdir()
    _fill(filler)
    os.truncate(filler, max(filler.stat().st_size - pages * PAGE, 0))

    def reborn(dead: Ground) -> Ground:
        assert isinstance(dead, Tight)
        return Tight(home, filler, dead.refusals)

    lives = Lives(Tight(home, filler), Story(PLAIN))
    lives.run(reborn)
    assert isinstance(lives.disk, Tight)
    refusals = lives.disk.refusals
    filler.unlink(missing_ok=True)
    lives.disk = Tight(home, filler)
    lives.run()
    wrong = [f"{pages} pages free: {flaw}" for flaw in faults(lives)]
    heard = any(WORDS["en"]("turn.disk") in text for _, _, text in lives.person.history)
    if refusals and not (heard or lives.person.refused or "refused" in lives.endings):
        wrong.append(f"{pages} pages free: refused {refusals} times, and nobody was told")
    for path in sorted(home.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    return wrong, refusals


def _fill(filler: Path) -> None:
    """Take all the room there is."""
    with filler.open("wb", buffering=0) as file:
        try:
            while file.write(bytes(PAGE)):
                pass
        except OSError:
            return


def at_levels(place: Path, levels: Sequence[int]) -> list[str]:
    found = [filled(place, pages) for pages in levels]
    hit = sum(bool(refusals) for _, refusals in found)
    tell(f"T5 real small disk: {len(levels)} fill levels, {hit} became full, {sum(n for _, n in found)} refusals")
    assert hit > 0
    return [flaw for wrong, _ in found for flaw in wrong]


def test_a_disk_that_is_really_full_loses_nothing(small_disk: Path) -> None:
    assert at_levels(small_disk, (0, 3, 8, 14, 24)) == []


@pytest.mark.long
def test_a_disk_that_is_really_full_loses_nothing_at_any_level(small_disk: Path) -> None:
    assert at_levels(small_disk, range(64)) == []
