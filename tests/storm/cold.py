"""Kills of a cold start: `python -m bot` with a line piped in, ended at a random moment, over and over."""

from __future__ import annotations

import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING

from core.slices.codec import is_torn
from core.slices.model import USER
from tests.house.check import slices_of
from tests.storm.killing import TOKEN
from tests.tree import ROOT

if TYPE_CHECKING:
    from pathlib import Path

PATIENCE = 60.0


@dataclass
class Cold:
    """What came of it: `kept` lines were durable when the process was killed."""

    seed: int
    kills: int = 0
    kept: int = 0
    seconds: float = 0.0
    faults: list[str] = field(default_factory=list)

    def line(self) -> str:
        return (
            f"cold starts (seed {self.seed}): {self.kills} kills, {self.kept} lines had been kept, "
            f"{len(self.faults)} faults, {self.seconds:.0f} s"
        )


def run(home: Path, kills: int, seed: int) -> Cold:
    """Start, type, kill; then start once more, which must answer and leave in order."""
    random, found, began = Random(seed), Cold(seed), time.perf_counter()
    whole = _whole_start(home)
    for number in range(kills):
        process = _start(home, f"line <c{number}>\n", close=False)
        time.sleep(random.uniform(0, 1.3 * whole))  # noqa: TID251 - another process runs meanwhile
        process.kill()
        process.communicate()
        found.kills += 1
    kept = set(TOKEN.findall(_read(home / "state/journal.jsonl")))
    stored_before = _stored(home)
    kept |= set(stored_before)
    found.kept = len(kept)
    process = _start(home, "the last <end>\n", close=True)
    said, complaint = process.communicate(timeout=PATIENCE)
    if process.returncode or len(said.strip().splitlines()) < 2:
        found.faults.append(f"the clean start ended with {process.returncode}: {said}{complaint}")
    stored = _stored(home)
    found.faults += [
        f"{token} is stored {stored[token]} times" for token in sorted(kept | {"<end>"}) if stored[token] != 1
    ]
    found.faults += [f"{token} is stored {count} times" for token, count in stored.items() if count > 1]
    found.seconds = time.perf_counter() - began
    return found


def _whole_start(home: Path) -> float:
    """Seconds that an undisturbed run takes."""
    began = time.perf_counter()
    _start(home, "the first <begin>\n", close=True).communicate(timeout=PATIENCE)
    return time.perf_counter() - began


def _start(home: Path, line: str, *, close: bool) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-m", "bot", "--home", str(home)],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdin
    process.stdin.write(line)
    process.stdin.flush()
    if close:
        process.stdin.close()
        process.stdin = None
    return process


def _stored(home: Path) -> Counter[str]:
    tree = {path.relative_to(home).as_posix(): path.read_bytes() for path in home.rglob("core.md")}
    pieces = slices_of(tree)
    assert not [path for path, piece in pieces.items() if is_torn(piece)]
    turns = (turn for piece in pieces.values() for turn in piece.turns if turn.role == USER)
    return Counter(token for turn in turns for token in TOKEN.findall(turn.text))


def _read(path: Path) -> str:
    return path.read_text() if path.exists() else ""
