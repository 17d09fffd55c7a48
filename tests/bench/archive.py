"""An archive of closed slices, the same bytes every time: some five years of talk in ten thousand slices."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random
from typing import TYPE_CHECKING

from core.clock import iso
from core.slices.codec import encode
from core.slices.model import Slice, Turn, core_path

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

LAST = datetime(2026, 3, 8, 20, 5, tzinfo=UTC)
STEP = timedelta(minutes=263)
"""Ten thousand of these are five years."""

TURNS = 8
PACE = timedelta(seconds=40)
PATTERNS = 200
"""How many different talks there are; the archive repeats them with times of their own."""

WORDS = (
    "面包", "花园", "火车", "医生", "冬天",
    "bread", "oven", "river", "ladder", "garden", "winter", "letter", "engine", "violin", "harbour", "ticket", "salt",
    "window", "mountain", "paper", "doctor", "recipe", "bridge", "morning", "blanket", "copper", "island", "melon",
    "orchard", "pencil", "quarry", "saddle", "tunnel", "umbrella", "velvet",
)  # fmt: skip


class Grounds:
    """A folder with archives in it, each grown when it is first asked for."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files: dict[int, list[Path]] = {}

    def home(self, count: int) -> Path:
        """The home with so many slices; whoever writes to it leaves that for the next."""
        home = self._folder / f"home-{count}"
        if count not in self._files:
            home.mkdir()
            self._files[count] = grow(home, count)
        return home

    def files(self, count: int) -> Sequence[Path]:
        """The files of its slices, oldest first."""
        self.home(count)
        return self._files[count]

    def room(self, name: str) -> Path:
        """An empty folder on the same disk."""
        room = self._folder / name
        room.mkdir(exist_ok=True)
        return room


def grow(home: Path, count: int, *, seed: int = 1) -> list[Path]:
    """Write the slices below the home and return their files, oldest first. Nothing is flushed."""
    random = Random(seed)
    patterns = [encode(_slice(LAST, random)).encode() for _ in range(min(PATTERNS, count))]
    made: set[Path] = {home}
    files = []
    for number in range(count):
        began = LAST - STEP * (count - 1 - number)
        path = home / core_path(_id(began))
        _make(path.parent, made)
        path.write_bytes(_dated(patterns[number % len(patterns)], began))
        files.append(path)
    return files


def _make(folder: Path, made: set[Path]) -> None:
    if folder not in made:
        _make(folder.parent, made)
        folder.mkdir(mode=0o700)
        made.add(folder)


def _dated(pattern: bytes, began: datetime) -> bytes:
    data = pattern.replace(_id(LAST).encode(), _id(began).encode())
    for number in range(TURNS):
        data = data.replace(iso(LAST + PACE * number).encode(), iso(began + PACE * number).encode())
    return data


def _id(began: datetime) -> str:
    return f"{began:%Y-%m-%d-%H%M}"


def _slice(began: datetime, random: Random) -> Slice:
    turns = tuple(_turn(began + PACE * number, number, random) for number in range(TURNS))
    closed = Slice(_id(began), "closed", iso(began), turns[-1].at, "Europe/Berlin", closed_by="time_silence")
    return replace(
        closed,
        focus=_said(random, 10),
        summary=_said(random, 14),
        tags=tuple(random.sample(WORDS, 4)),
        open_loops=(_said(random, 9), _said(random, 8)),
        decisions=(_said(random, 9),),
        emotional_tone=random.choice(("positive", "neutral", "mixed")),
        turns=turns,
    )


def _turn(at: datetime, number: int, random: Random) -> Turn:
    label = f"{random.getrandbits(36):09x}"[:6]
    return Turn(label, iso(at), ("user", "agent")[number % 2], _said(random, random.randint(6, 26)))


def _said(random: Random, count: int) -> str:
    return " ".join(random.choices(WORDS, k=count)).capitalize() + "."
