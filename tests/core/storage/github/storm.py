"""A storm: turns, people who edit on the site, answers that get lost, processes that die; then it is counted."""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from core.slices import codec
from core.slices.model import core_path
from tests.core.storage.github.given import Replica
from tests.core.storage.github.talk import Talker
from tests.doubles.github.faults import Fault, rate_limited

if TYPE_CHECKING:
    from tests.doubles.github.server import GitHubDouble

PER_SLICE = 12
MARKERS = (b"<<<<<<<", b">>>>>>>")


@dataclass
class Counts:
    """What a storm did, and what was found wrong at its end."""

    turns: int = 0
    unknown: int = 0
    refused: int = 0
    deaths: int = 0
    edits: int = 0
    requests: int = 0
    lost: list[str] = field(default_factory=list)
    twice: list[str] = field(default_factory=list)
    edits_lost: list[str] = field(default_factory=list)
    disordered: list[str] = field(default_factory=list)
    markers: list[str] = field(default_factory=list)

    @property
    def wrong(self) -> list[str]:
        return [*self.lost, *self.twice, *self.edits_lost, *self.disordered, *self.markers]


@dataclass
class Storm:
    """One seed's storm over a repository; by GraphQL or REST."""

    double: GitHubDouble
    seed: int
    turns: int
    graphql: bool = True
    outage: tuple[int, int] = (0, 0)
    """From which turn to which the network is away."""

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)
        self.counts = Counts(self.turns)
        self.said: dict[str, list[str]] = {}
        self.tokens: dict[str, str] = {}
        self.raging = True
        self.away = False

    async def run(self) -> Counts:
        self.double.plan = self._fault
        replica = await self._alive(None)
        for number in range(self.turns):
            self.away = self.outage[0] <= number < self.outage[1]
            slice_id = f"2026-03-{9 + number // PER_SLICE // 20:02}-{10 + number // PER_SLICE % 20:02}00"
            talker, turn = Talker(replica, slice_id), f"t{number:05}"
            self.said.setdefault(slice_id, []).append(turn)
            await talker.say(turn)
            if self.random.random() < 0.3:
                self._edit()
            await replica.round()
            await talker.answer(turn)
            if self.random.random() < 0.2:
                self._edit()
            await replica.round()
            if number % PER_SLICE == PER_SLICE - 1:
                await talker.close(f"slice {slice_id}")
            if self.random.random() < 0.05:
                replica = await self._alive(replica)
        self.raging = self.away = False
        for _ in range(6):
            await replica.round(force=True)
        await self._judge(replica)
        replica.close()
        return self.counts

    async def _alive(self, before: Replica | None) -> Replica:
        """A process; the one before died without a word."""
        if before:
            self.counts.deaths += 1
            before.close()
        replica = Replica(self.double, disk=before.disk) if before else Replica(self.double)
        replica.repository.graphql = self.graphql
        raging, self.raging = self.raging, bool(before and before.mirror.head)
        try:
            await replica.courier.begin()
        finally:
            self.raging = raging
        return replica

    def _fault(self, what: str) -> Fault | None:
        if self.away:
            return Fault("drop")
        if not self.raging or self.random.random() > 0.12:
            return None
        writes = not what.startswith("GET")
        kind = self.random.choice(["drop", "after", "502", "limit"])
        self.counts.unknown += writes and kind == "after"
        self.counts.refused += 1
        if kind == "502":
            return Fault("status", status=502)
        return rate_limited(retry_after=5) if kind == "limit" else Fault("after" if kind == "after" else "drop")

    def _edit(self) -> None:
        """A person changes something on the site: a turn's text, a mark, or a file of their own."""
        with self.double.lock:
            store = self.double.store
            if store.ref("refs/heads/main") is None:
                return
            self.counts.edits += 1
            token = f"hand{self.counts.edits:04}"
            slices = [name for name in self.said if store.read(core_path(name))]
            way = self.random.choice(["turn", "mark", "file"])
            if way == "file" or not slices:
                path = f"memory/notes/{token}.md"
                store.push({path: token.encode()}, "a note by hand")
                self.tokens[token] = path
                return
            path = core_path(self.random.choice(slices))
            text = (store.read(path) or b"").decode()
            if way == "mark":
                changed = text.replace("---\n", f"---\n# {token}\n", 1)
            else:
                found = self.random.choice(list(re.finditer(r"(?:words of|answer to) t\d{5}", text)) or [None])
                if found is None:
                    return
                changed = f"{text[: found.end()]} {token}{text[found.end() :]}"
            store.push({path: changed.encode()}, "edited by hand")
            self.tokens[token] = path

    async def _judge(self, replica: Replica) -> None:
        contents, counts = self.double.store.contents(), self.counts
        for slice_id, turns in self.said.items():
            path = core_path(slice_id)
            there = codec.decode(contents.get(path, b""), path) if path in contents else None
            found = [(turn.label, turn.role) for turn in there.turns] if there else []
            wanted = [(turn, role) for turn in turns for role in ("user", "agent")]
            counts.lost += [f"{turn} {role}" for turn, role in wanted if (turn, role) not in found]
            counts.twice += [f"{turn} {role}" for (turn, role), n in Counter(found).items() if n > 1]
            counts.disordered += [slice_id] if found != wanted and sorted(found) == sorted(wanted) else []
            if await replica.data(path) != contents.get(path):
                counts.lost.append(f"{path} differs from the disk")
        named = Counter(
            re.findall(r"^Turn-Id: (\w+)$", "\n".join(one.message for one in self.double.store.log()), re.MULTILINE)
        )
        counts.twice += [f"trailer {turn}" for turn, n in named.items() if n > 1]
        counts.lost += [f"trailer {turn}" for turns in self.said.values() for turn in turns if turn not in named]
        everything = b"\n".join(contents.values()).decode()
        counts.edits_lost += [token for token in self.tokens if token not in everything]
        counts.markers += [path for path, data in contents.items() if any(one in data for one in MARKERS)]
        counts.requests = len(self.double.requests)
