"""SIGKILL at random moments of a running conversation, until so many messages are through (reliability 6, T4)."""

from __future__ import annotations

import os
import re
import signal
import socket
import time
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from random import Random

from core.i18n import load_words
from core.slices.codec import is_torn
from core.slices.messages import decode_messages
from core.slices.model import USER
from tests.doubles.chat import STATUS, World
from tests.doubles.clock import ManualClock
from tests.house.check import slices_of
from tests.storm.life import fork
from tests.storm.wire import SPEED, Lines, send, serve
from tests.tree import ROOT

SHORTEST, LONGEST = 0.020, 0.150
"""Seconds from "ready" to the kill."""

START = datetime(2026, 3, 9, 9, tzinfo=UTC)
PATIENCE = 60.0
RAM = Path("/dev/shm")  # noqa: S108 - only a folder to make temporary ones in
TOKEN = re.compile(r"<\w+>")
COGNITION = re.compile(r"^## Cognition (\S+) — [^\n]*\n(.*?)(?=^## Cognition |\Z)", re.MULTILINE | re.DOTALL)
LOOKS = 10
"""Every so many kills the files are looked through while the bot is dead."""


def fast() -> Path | None:
    """A folder in RAM, where there is one: what a kill leaves is in the page cache, whatever is below it."""
    return RAM if os.access(RAM, os.W_OK) else None


@dataclass
class Outcome:
    """What the storm came to. `faults` names what was lost, doubled or torn."""

    seed: int
    kills: int = 0
    messages: int = 0
    lost: int = 0
    doubled: int = 0
    torn: int = 0
    given_up: int = 0
    orphans: int = 0
    calls: int = 0
    seconds: float = 0.0
    faults: list[str] = field(default_factory=list)

    def line(self) -> str:
        return (
            f"storm (seed {self.seed}): {self.kills} kills, {self.messages} messages, {self.lost} lost, "
            f"{self.doubled} doubled, {self.torn} torn, {self.given_up} told that three crashes are enough, "
            f"{self.orphans} orphan status messages, "
            f"{self.calls} model calls, {self.seconds:.0f} s"
        )


class Storm:
    """The platform, the person in front of it, and the one who kills."""

    def __init__(self, home: Path, seed: int) -> None:
        self.outcome = Outcome(seed)
        self._home = home
        self._random = Random(seed)
        self._clock = ManualClock(START.isoformat())
        self._world = World(self._clock)
        self._words = load_words(ROOT / "locales")
        self._tokens: list[str] = []
        self._idle = False
        self._crashed: list[str] = []
        self._open: bool | None = None

    def run(self, messages: int) -> Outcome:
        """Talk and kill until so many messages are answered, then let the last life end in order."""
        began = time.perf_counter()
        while len(self._tokens) < messages or self._unanswered():
            self._life(messages, kill=True)
        self._life(messages, kill=False)
        self._judge()
        self.outcome.seconds = time.perf_counter() - began
        return self.outcome

    def _life(self, messages: int, *, kill: bool) -> None:
        """One process: it is served until the kill, or until nothing is open."""
        wires = ours, _ = socket.socketpair()
        began, start = time.perf_counter(), self._clock.now()
        pid = fork(self._home, wires, start, self._words)
        lines, ready, deadline = Lines(ours), False, began + PATIENCE
        self._idle = False
        while (left := deadline - time.perf_counter()) > 0:
            asked = lines.next(left)
            if asked is None:
                break
            if asked["op"] == "ready" and not ready:
                ready = True
                if kill:
                    deadline = time.perf_counter() + self._random.uniform(SHORTEST, LONGEST)
            self._answer(ours, asked)
            self._speak(messages)
            if not kill and self._idle and not self._world.queue and not self._unanswered():
                break
        os.kill(pid, signal.SIGKILL if kill else signal.SIGTERM)
        while (asked := lines.next(PATIENCE)) is not None:  # what was sent before the end has arrived
            self._answer(ours, asked, dead=kill)
        _, status = os.waitpid(pid, 0)
        ours.close()
        self._clock.shift((time.perf_counter() - began) * SPEED)
        died = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
        if not ready or died is not kill:
            raise AssertionError(f"seed {self.outcome.seed}: a life ended by itself with status {status}")
        self.outcome.kills += kill
        if self._notes():
            self._crashed = self._crashed_now()
            self._open = None
        if self.outcome.kills % LOOKS == 0:
            self._look()

    def _answer(self, wire: socket.socket, asked: dict[str, object], *, dead: bool = False) -> None:
        if asked["op"] == "model":
            self.outcome.calls += 1
        if asked["op"] == "idle":
            self._idle = bool(asked["idle"])
        if asked["op"] in {"show", "change"}:
            self._open = None
        answer = serve(self._world, asked)
        if answer is not None and not dead:
            send(wire, **answer)

    def _speak(self, messages: int) -> None:
        """The person waits for the answer as a rule; now and then there is a burst, a command, a long silence."""
        if len(self._tokens) >= messages or (self._unanswered() and self._random.random() > 0.01):
            return
        kind = self._random.random()
        if kind < 0.03:
            self._clock.shift(20 * 60)
        if kind > 0.97:
            self._world.say("/close")
        for _ in range(min(self._random.choice((1, 1, 1, 2, 3)), messages - len(self._tokens))):
            token = f"<m{len(self._tokens)}>"
            self._tokens.append(token)
            self._open = None
            self._world.say(f"{'please recall' if kind > 0.8 else 'message'} {token}")
        if kind < 0.1:
            self._world.deliver(self._world.queue[-1])

    def _unanswered(self) -> bool:
        """Whether a message waits for its answer; looked up anew only after something was said on either side."""
        if self._open is None:
            answered = self._answered()
            self._open = any(not answered[token] for token in self._tokens)
        return self._open

    def _answered(self) -> Counter[str]:
        """How often each message has its answer, or the note that answering it has crashed three times (P7)."""
        finals = (text for text in self._world.messages.values() if text.startswith("answer to"))
        answered = Counter(token for text in finals for token in TOKEN.findall(text))
        answered.update(self._crashed)
        return answered

    def _notes(self) -> int:
        return sum(text == self._words["en"]("turn.crashed") for text in self._world.messages.values())

    def _crashed_now(self) -> list[str]:
        """The messages of turns whose log says that they crashed three times."""
        tree = self._tree()
        logs = "\n".join(data.decode() for path, data in tree.items() if path.endswith("/agent.md"))
        crashed = {label for label, said in COGNITION.findall(logs) if "no reply:" in said}
        said = (turn for piece in slices_of(tree).values() for turn in piece.turns if turn.role == USER)
        return [token for turn in said if turn.label in crashed for token in TOKEN.findall(turn.text)]

    def _tree(self) -> dict[str, bytes]:
        files = (path for path in self._home.rglob("*") if path.is_file())
        return {path.relative_to(self._home).as_posix(): path.read_bytes() for path in files}

    def _look(self) -> None:
        """No file of memory is ever half written, dead or alive (P3)."""
        tree = self._tree()
        torn = [path for path, piece in slices_of(tree).items() if is_torn(piece)]
        torn += [
            path for path, data in tree.items() if path.endswith("messages.jsonl") and decode_messages(data).skipped
        ]
        self.outcome.torn += len(torn)
        self.outcome.faults += [f"{path} is torn" for path in torn]

    def _judge(self) -> None:
        self._look()
        tree = self._tree()
        turns = [turn for piece in slices_of(tree).values() for turn in piece.turns]
        stored = Counter(token for turn in turns if turn.role == USER for token in TOKEN.findall(turn.text))
        answered, found = self._answered(), self.outcome
        for token in self._tokens:
            if not (stored[token] and answered[token]):
                found.lost += 1
            if stored[token] > 1 or answered[token] > 1:
                found.doubled += 1
            if (stored[token], answered[token]) != (1, 1):
                found.faults.append(f"{token} is stored {stored[token]} times, answered {answered[token]} times")
        pairs = Counter((turn.label, turn.role) for turn in turns)
        found.faults += [f"turn {pair} stands {count} times" for pair, count in pairs.items() if count > 1]
        left = [path for path in tree if path.endswith(".tmp")]
        found.faults += [f"{path} was left behind" for path in left]
        found.torn += len(left)
        found.messages, found.given_up = len(self._tokens), self._notes()
        found.orphans = sum(text == STATUS for text in self._world.messages.values())
