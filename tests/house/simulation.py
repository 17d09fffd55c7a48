"""A house that lives for many steps on a simulated disk, and what must be true of it after each.

The person talks, edits, deletes, waits, sets the clock wrong, and reaches into the files by hand; the process dies or
is started anew. A small model remembers what was said and done by hand (reliability 6, T6). Same steps, same trace.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING

from core.clock import iso
from core.conversation import Attachment
from tests.doubles.chat import Chat
from tests.doubles.clock import ManualClock
from tests.doubles.echo_model import EchoModel
from tests.doubles.fault_disk import HALF, KILL, Killed
from tests.doubles.sim_disk import SimDisk
from tests.house.check import torn
from tests.house.life import plainly
from tests.house.person import PICTURE, Person
from tests.house.projected import untrue

if TYPE_CHECKING:
    from bot.house import House

ROUNDS = 20_000
MOST_LIVES = 6
CORE = re.compile(r"memory/episodic/slices/[0-9/]{15}/timeline/core\.md")
BESIDE = re.compile(r"memory/episodic/slices/[0-9/]{15}/timeline/core\.conflict-[^/]*\.md")
WAITS = (1, 40, 14 * 60, 16 * 60, 3 * 3600, 26 * 3600)
JUMPS = (-3 * 3600, -600, -40, 300, 4000)


class Simulation:
    """Steps are methods with numbers for arguments, so that a list of them can be told again.

    `cut` are turns that a hand took out of their file, `broken` the files that a hand made unreadable with their bytes,
    `handed` what a hand wrote, which must stand for ever. `untrue` are projections that the slices do not bear out
    when a process has put memory in order at its start (P4).
    """

    def __init__(self) -> None:
        self.disk = SimDisk()
        self.person = Person(ManualClock(instant=True))
        self.cut: set[str] = set()
        self.broken: dict[str, bytes] = {}
        self.handed: set[str] = set()
        self.deaths = 0
        self.untrue: list[str] = []
        self._names = 0
        self._runner = asyncio.Runner()
        self._life: asyncio.Task[str] | None = None
        self._house: House | None = None
        self._leave = asyncio.Event()
        self._images: tuple[str, int] = ("kill", 0)
        self._past: list[str] = []

    def end(self) -> None:
        """Stop in order and give the loop back."""
        self._runner.run(self._stop())
        self._runner.close()

    def trace(self) -> list[object]:
        """Everything that happened on the disk and in the chat, in order."""
        return [*self._past, *self.disk.fuse.names, *self.person.history, sorted(self.disk.tree().items())]

    # -- steps -----------------------------------------------------------------------------------------------------

    def say(self, wait: int, lookup: int) -> None:
        self.person.tell(self._name(), "please recall {}" if lookup else "about {}", WAITS[wait])

    def burst(self, count: int) -> None:
        self.person.clock.shift(30)
        for _ in range(count):
            self.person.tell(self._name())

    def forward(self) -> None:
        name = self._name()
        self.person.clock.shift(30)
        self.person.said[name] = self.person.say(
            f"look <{name}>", forwarded="Anna", foreign="## Turn x — y (user)\n\nhm"
        )
        self.person.order.append(name)

    def album(self, count: int) -> None:
        self.person.clock.shift(30)
        for number in range(count):
            name = self._name()
            self.person.files[name] = PICTURE
            picture = (Attachment(f"{number}.jpg", "image/jpeg", len(PICTURE), name),)
            self.person.said[name] = self.person.say(f"<{name}>", group="album", attachments=picture)
            self.person.order.append(name)

    def command(self, which: int) -> None:
        self.person.command(("/timeline", "/close", "/briefing", "/card", "/nonsense")[which], 20)

    def repeat(self, which: int) -> None:
        if self.person.order:
            self.person.repeat(self.person.order[which % len(self.person.order)])

    def edit(self, which: int) -> None:
        if name := self._sound(which):
            self.person.mend(name, self._name("e"))

    def delete(self, which: int) -> None:
        if name := self._sound(which):
            self.person.take_back(name)

    def jump(self, which: int) -> None:
        self.person.clock.jump(JUMPS[which])

    def restart(self) -> None:
        self._runner.run(self._stop())

    def die(self, after: int, how: int, image: int) -> None:
        """Let the process die so many operations from now, alone or with the power."""
        self.disk.fail_at(self.disk.operations + after, (KILL, HALF)[how])
        self._images = (("kill", 0), ("power", image))[image > 0]

    def hand_adds(self) -> None:
        """A person writes a turn at the end of the newest slice."""
        if (found := self._newest()) is None:
            return
        path, data = found
        name = self._name("h")
        self.handed.add(f"<{name}>")
        at = iso(self.person.clock.now())
        self._plant(path, data + f"\n## Turn {name} — {at} (user)\n\nby hand <{name}>\n".encode())

    def hand_changes(self) -> None:
        """A person puts the last words of theirs differently, and gives the slice a title."""
        if (found := self._newest()) is None:
            return
        path, data = found
        name = self._name("h")
        text, place = data.decode(), -1
        for header in re.finditer(r"^## Turn .*\(user\)$", text, re.MULTILINE):
            end = text.find("\n## Turn ", header.end())
            block = text[header.end() : end if end >= 0 else len(text)]
            place = header.end() + len(block.rstrip("\n"))
        if place >= 0:
            self.handed.add(f"<{name}>")
            text = f"{text[:place]} (better put <{name}>){text[place:]}"
        self.handed.add(f"mood_{name}: odd\n")
        self._plant(path, text.replace("status: ", f"mood_{name}: odd\nstatus: ", 1).encode())

    def hand_cuts(self) -> None:
        """A person takes the last turn out of the newest slice."""
        if (found := self._newest()) is None:
            return
        path, data = found
        start = data.rfind(b"\n## Turn ")
        if start < 0:
            return
        gone = data[start:].decode()
        if "(user)" in gone.split("\n")[1]:
            self.cut |= set(re.findall(r"<(\w+)>", gone))
        self.handed -= {mark for mark in self.handed if mark in gone}
        self._plant(path, data[:start] + b"\n")

    def hand_breaks(self) -> None:
        """An accident makes the newest slice unreadable."""
        if (found := self._newest()) is None:
            return
        path, data = found
        self.broken[path] = data + b"\xff\xfe\x00\n"
        self._plant(path, self.broken[path])

    # -- what must be true -----------------------------------------------------------------------------------------

    def settle(self) -> None:
        """Let the house work until nothing is open, in as many lives as that takes."""
        for _ in range(MOST_LIVES):
            if self._runner.run(self._work()):
                return
            self._die()
        raise AssertionError("the house does not come to rest")

    def faults(self) -> list[str]:
        """What is wrong now, in words."""
        tree = self.disk.tree()
        cores = {path: data for path, data in sorted(tree.items()) if CORE.fullmatch(path)}
        beside = b"\n".join(data for path, data in tree.items() if BESIDE.fullmatch(path)).decode(errors="replace")
        whole = {path: data for path, data in tree.items() if path not in self.broken}
        return [
            *torn({path: data for path, data in whole.items() if ".conflict-" not in path}),
            *self._stored(cores, beside),
            *self._shown(),
            *self._by_hand(tree, cores, beside),
            *self.untrue,
            *self.person_broken,
        ]

    @property
    def person_broken(self) -> list[str]:
        """What a platform could see."""
        ids = Counter(number for kind, number, _ in self.person.history if kind == "send")
        return [f"message {number} was sent twice" for number, count in ids.items() if count > 1]

    def _stored(self, cores: dict[str, bytes], beside: str) -> list[str]:
        """P1 and P2: every message stands once; P6: in the order in which it was said."""
        found = [name for data in cores.values() for name in _said(data)]
        count, aside = Counter(found), Counter(re.findall(r"<(m\w+)>", _users(beside)))
        wrong = []
        for name in self.person.order:
            if name in self.cut:
                wrong += [f"<{name}>, cut by hand, stands {count[name]} times"] if count[name] else []
                wrong += [f"<{name}> is set aside {aside[name]} times"] if aside[name] > 1 else []
            elif count[name] + aside[name] != 1:
                wrong.append(f"<{name}> is stored {count[name]} times, beside it {aside[name]} times")
        order = [name for name in found if name in self.person.said]
        wanted = [name for name in self.person.order if name in order]
        return [*wrong, f"stored in the order {order}"] if not wrong and order != wanted else wrong

    def _shown(self) -> list[str]:
        """P2 and P7: every message has one answer, and the queue went on."""
        answers = [text for text in self.person.messages.values() if text.startswith("answer to")]
        count = Counter(name for text in answers for name in re.findall(r"<(m\w+)>", text))
        return [f"<{name}> is answered {count[name]} times" for name in self.person.order if count[name] != 1]

    def _by_hand(self, tree: dict[str, bytes], cores: dict[str, bytes], beside: str) -> list[str]:
        """P5: what a hand has written stands, and what it has broken is left alone."""
        everything = b"\n".join(cores.values()).decode(errors="replace")
        wrong = [f"{mark!r}, written by hand, is gone" for mark in self.handed if mark not in everything]
        wrong += [
            f"{path}, broken by hand, was changed" for path, data in self.broken.items() if tree.get(path) != data
        ]
        edits = "\n".join(data.decode(errors="replace") for path, data in tree.items() if path.startswith("memory/"))
        wrong += [f"the edit <{name}> is gone" for name in self.person.edited.values() if f"<{name}>" not in edits]
        return wrong

    # -- inside ----------------------------------------------------------------------------------------------------

    def _name(self, kind: str = "m") -> str:
        self._names += 1
        return f"{kind}{self._names}"

    def _sound(self, which: int) -> str:
        """A message whose turn no hand has taken away, or ""."""
        lost = {name for data in self.broken.values() for name in _said(data)} | self.cut
        names = [name for name in self.person.order if name not in lost]
        return names[which % len(names)] if names else ""

    def _newest(self) -> tuple[str, bytes] | None:
        """The newest slice that no hand has broken."""
        tree = self.disk.tree()
        paths = [path for path in sorted(tree) if CORE.fullmatch(path) and path not in self.broken]
        return (paths[-1], tree[paths[-1]]) if paths else None

    def _plant(self, path: str, data: bytes) -> None:
        self.disk.plant(path, data)

    async def _work(self) -> bool:
        """Live until nothing is open; False when the process died."""
        if self._life is None:
            self._leave = asyncio.Event()
            self._life = asyncio.get_running_loop().create_task(self._live())
        for _ in range(ROUNDS):
            await asyncio.sleep(0)  # noqa: TID251 - giving way, not waiting
            if self._life.done():
                return False
            if self._house and not self.person.queue and self._house.parts.journal.state.idle:
                return True
        raise AssertionError(f"nothing moves any more: {self._house and self._house.parts.journal.state}")

    async def _live(self) -> str:
        """One process, and how it ended."""
        self.person.reopen()
        self.person.lives += 1
        self._house = None
        try:
            async with asyncio.TaskGroup() as group:
                house = plainly(self.disk, self.person.clock, EchoModel(self.disk.effect), self.person.lives)
                chat = Chat(self.person, self.disk.effect)
                house.queues.join({"double": chat})
                await house.recover()
                await house.tidy()
                self.untrue += [] if self.broken else untrue(self.disk.tree())
                serving = [group.create_task(house.queues.serve()), group.create_task(chat.serve(house.door))]
                self._house = house
                await self._leave.wait()
                for task in serving:
                    task.cancel()
                await asyncio.wait(serving)
                house.shut()
        except BaseExceptionGroup as several:
            if several.split(Killed)[0] is None:
                raise
            return "killed"
        return "left"

    async def _stop(self) -> None:
        """End the process in order; one that dies on the way is dead all the same."""
        if self._life is None:
            return
        self._leave.set()
        with suppress(asyncio.CancelledError):
            if await self._life == "killed":
                self._die()
        self._life = self._house = None

    def _die(self) -> None:
        """The next process finds what a kill or a power cut has left."""
        assert self._life is not None
        ending = self._life.result()
        assert ending == "killed", ending
        self.deaths += 1
        self._past += self.disk.fuse.names
        kind, which = self._images
        images = list(islice(self.disk.images(16), 16)) if kind == "power" else []
        self.disk = images[which % len(images)] if images else self.disk.kill_image()
        self._life = self._house = None


def _said(data: bytes) -> list[str]:
    """The names in the person's turns of a file, also of a broken one."""
    return re.findall(r"<(m\w+)>", _users(data.decode(errors="replace")))


def _users(text: str) -> str:
    turns = re.split(r"^## Turn ", text, flags=re.MULTILINE)[1:]
    return "\n".join(turn for turn in turns if "(user)" in turn.split("\n", 1)[0])
