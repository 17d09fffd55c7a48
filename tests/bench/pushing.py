"""What memory's copy on GitHub costs: requests per quiet turn, boundary, conflict and cold start; bytes in a year."""

from __future__ import annotations

import asyncio
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from core.slices.model import core_path
from core.storage.base import ABSENT, Write
from core.storage.github.desk import Bulk
from core.storage.local import LocalStorage
from core.storage.os_disk import OsDisk
from core.storage.unflushed import Unflushed
from tests.bench.figure import Figure
from tests.core.storage.github.given import Replica
from tests.core.storage.github.talk import SLICE, Talker
from tests.doubles.github.server import GitHubDouble

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tests.bench.archive import Grounds

INDEX = "memory/episodic/timeline/index.json"
YEAR = 300
"""Slices in a simulated year, of eight turns each."""
EIGHT = 8


@dataclass
class Count:
    """Writes and reads of one thing."""

    writes: int
    reads: int

    @property
    def all(self) -> float:
        return float(self.writes + self.reads)

    def __str__(self) -> str:
        return f"{self.writes} write{'s' * (self.writes != 1)} + {self.reads} read{'s' * (self.reads != 1)}"


def counted(double: GitHubDouble) -> Count:
    """What was asked since the last time."""
    reads = double.count("GET")
    found = Count(len(double.requests) - reads, reads)
    double.requests.clear()
    return found


async def _quiet(double: GitHubDouble, *, graphql: bool) -> tuple[Count, Count, Count]:
    """A quiet turn, the end of a slice, and a turn that meets a person's edit."""
    replica = Replica(double)
    await replica.courier.begin()
    replica.repository.graphql = graphql
    talker = Talker(replica)
    await talker.both("first0")
    await replica.round()
    counted(double)
    await talker.say("quiet0")
    await replica.round()
    await talker.answer("quiet0")
    await replica.round()
    quiet = counted(double)
    await replica.storage.commit([Write(INDEX, b"{}", ABSENT)], "projections")
    await talker.close("A focus")
    await replica.round()
    boundary = counted(double)
    data = double.store.read(core_path(SLICE)) or b""
    await talker.both("third0")
    double.store.push({core_path(SLICE): data.replace(b"words of first0", b"edited words")})
    await replica.round()
    conflict = counted(double)
    replica.close()
    return quiet, boundary, conflict


async def cold(double: GitHubDouble, slices: int, home: Path) -> tuple[Count, float]:
    """What a start on an empty disk asks, and the seconds it takes with the double beside it."""
    files = dict(_archive(slices))
    double.store.push(files)
    double.requests.clear()
    disk = OsDisk(home)
    replica = Replica(double, disk, patience=120)
    replica.desk.bulk = Bulk(LocalStorage(Unflushed(disk)), os.sync)
    loop = asyncio.get_running_loop()
    begun = loop.time()
    await replica.courier.begin()
    took = loop.time() - begun
    assert len(list(replica.mirror.files.items())) == len(double.store.files(double.head() or ""))
    replica.close()
    disk.shut()
    return counted(double), took


async def year(double: GitHubDouble) -> tuple[int, int, int]:
    """Bytes sent, commits and requests of a year: each slice eight turns, its index rewritten at its close."""
    replica = Replica(double)
    await replica.courier.begin()
    double.received = 0
    double.requests.clear()
    line, version = b"x" * 420, ABSENT
    for number in range(YEAR):
        talker = Talker(replica, f"2026-{1 + number // 28:02}-{1 + number % 28:02}-1200")
        for turn in range(EIGHT):
            name = f"{number:04}{turn:02}"
            await talker.say(name, "said " * 40)
            await talker.answer(name, "answered at some length " * 30)
            await replica.round()
        index = line * (number + 1)
        await replica.storage.commit([Write(INDEX, index, version)], "projections")
        version = (await replica.storage.read(INDEX)).version
        await talker.close(f"Slice {number}")
        await replica.round()
    asked = len(double.requests)
    commits = len(double.store.log())
    replica.close()
    return double.received, commits, asked


def _archive(slices: int) -> Iterable[tuple[str, bytes]]:
    for number in range(slices):
        month, date = 1 + number // 280 % 12, 1 + number // 10 % 28
        day = f"{2020 + number // 3360}/{month:02}/{date:02}/{number % 10:02}00"
        folder = f"memory/episodic/slices/{day}"
        for name in ("timeline/core.md", "timeline/agent.md", "timeline/messages.jsonl", "previously.md"):
            yield f"{folder}/{name}", f"{number} {name}\n".encode() * 20


def figures(grounds: Grounds) -> Iterator[Figure]:
    """Requests are counted at the double, not timed."""
    del grounds
    with tempfile.TemporaryDirectory() as folder:
        for way, goal in (("GraphQL", 2.0), ("REST", 4.0)):
            double = GitHubDouble(Path(folder) / f"{way}.git")
            quiet, boundary, conflict = asyncio.run(_quiet(double, graphql=way == "GraphQL"))
            double.stop()
            yield Figure(f"requests of a quiet turn, {way}", str(quiet), quiet.all, goal)
            yield Figure(f"requests at the end of a slice, {way}", str(boundary), boundary.all)
            yield Figure(f"requests when a person edited meanwhile, {way}", str(conflict), conflict.all)
        double = GitHubDouble(Path(folder) / "year.git")
        sent, commits, asked = asyncio.run(year(double))
        double.stop()
        told = f"{sent / 1e6:.1f} MB, {commits} commits, {asked} requests"
        yield Figure(f"a year of {YEAR} slices and {YEAR * EIGHT} turns pushed, MB", told, sent / 1e6)
        for size in (10, 1_000, 10_000):
            double = GitHubDouble(Path(folder) / f"cold{size}.git")
            home = Path(folder) / f"home{size}"
            home.mkdir()
            count, took = asyncio.run(cold(double, size, home))
            double.stop()
            yield Figure(f"cold start, {size} slices", f"{count}, {took:.1f} s", count.all, 5.0)
