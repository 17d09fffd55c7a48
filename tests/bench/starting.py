"""From the start of the process until what is typed is durable, at ten thousand slices."""

from __future__ import annotations

import subprocess
import sys
import time
from typing import TYPE_CHECKING

from tests.bench.figure import Figure, ms
from tests.tree import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.bench.archive import Grounds

COUNT = 10_000
RUNS = 3
PATIENCE = 60.0


def figures(grounds: Grounds) -> Iterator[Figure]:
    home = grounds.home(COUNT)
    start(home, "a first time", clean=True)  # the disk's cache and the compiled modules are warm from here on
    after_clean = min(start(home, f"clean {run}", clean=run < RUNS - 1) for run in range(RUNS))
    yield Figure("start to safe at 10,000 slices, after a clean stop, s", ms(after_clean), after_clean, 2)
    after_kill = min(start(home, f"unclean {run}", clean=False) for run in range(RUNS))
    yield Figure("start to safe at 10,000 slices, after a kill, s", ms(after_kill), after_kill, 2)


def start(home: Path, text: str, *, clean: bool) -> float:
    """Seconds from the start of `python -m bot` until the line typed into it stands in the journal."""
    journal = home / "state/journal.jsonl"
    began = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "bot", "--home", str(home)],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdin
    process.stdin.write(f"{text}\n".encode())
    process.stdin.flush()
    try:
        while not (journal.exists() and text.encode() in journal.read_bytes()):
            if process.poll() is not None or time.perf_counter() - began > PATIENCE:
                raise AssertionError(process.stderr.read().decode() if process.stderr else "no start")
            time.sleep(0.002)  # noqa: TID251 - another process is watched
        return time.perf_counter() - began
    finally:
        if clean:
            process.stdin.close()
            process.wait()
        else:
            process.kill()
            process.communicate()
