"""A house on a real folder, with a chat double in front, for hands that reach into the folder while it lives."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bot.house import Given, House, build
from core.errors import Malformed
from core.slices.codec import decode
from core.slices.model import SLICES
from core.storage.hold import Hold
from core.storage.local import LocalStorage
from core.storage.os_disk import OsDisk
from tests.bot.living import WORDS, Worker
from tests.doubles.chat import Chat, World
from tests.doubles.clock import ManualClock
from tests.doubles.echo_model import EchoModel

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from core.conversation import Incoming
    from core.llm.base import ChatModel
    from core.slices.model import Slice

ROUNDS = 6_000


class Abroad(World):
    """A person who speaks another language."""

    locale = "en"

    def deliver(self, update: Incoming) -> None:
        super().deliver(replace(update, locale=self.locale))


@dataclass
class Home:
    """The house, the world, and the folder."""

    house: House
    world: Abroad
    root: Path

    async def say(self, text: str, pause: float = 30) -> None:
        """The person says something after so many seconds, and it is dealt with."""
        self.world.clock.shift(pause)
        self.world.say(text)
        for _ in range(ROUNDS):
            await asyncio.sleep(0)  # noqa: TID251 - giving way, not waiting
            if not self.world.queue and self.house.parts.journal.state.idle:
                return
        raise AssertionError(f"nothing moves any more: {self.house.parts.journal.state}")

    def cores(self) -> list[Path]:
        """The slices' files, oldest first."""
        return sorted((self.root / SLICES).rglob("core.md"))

    def readable(self) -> list[Slice]:
        """The slices that are plain and well, oldest first."""
        plain = (
            path for path in self.cores() if path.is_file() and not path.is_symlink() and path.stat().st_nlink == 1
        )
        return [piece for path in plain if (piece := _decoded(path))]

    def kept(self, word: str) -> int:
        """How often a word of the person's stands in the slices and in the conflict files beside them."""
        files = [*self.cores(), *(self.root / SLICES).rglob("core.conflict-*.md")]
        plain = (path for path in files if path.is_file() and not path.is_symlink() and path.stat().st_nlink == 1)
        turns = [
            block
            for path in plain
            for block in path.read_text(errors="replace").split("\n## Turn ")[1:]
            if "(user)" in block.split("\n")[0]
        ]
        return sum(word in block for block in turns)

    def answers(self, word: str) -> int:
        """How many messages of ours answer it."""
        return sum(text.startswith("answer to") and word in text for text in self.world.finals())

    def told(self, *parts: str) -> int:
        """How many messages of ours hold all of these."""
        return sum(all(part in text for part in parts) for text in self.world.finals())


def _decoded(path: Path) -> Slice | None:
    try:
        return decode(path.read_bytes(), path.name)
    except Malformed:
        return None


@asynccontextmanager
async def homely(
    root: Path, *, locale: str = "en", clock: ManualClock | None = None, model: ChatModel | None = None
) -> AsyncIterator[Home]:
    """Open the house on the folder, serve, and shut it at the end."""
    world = Abroad(clock or ManualClock(instant=True))
    world.locale = locale
    world.reopen()
    with Hold(root) as hold:
        disk = OsDisk(root)
        storage = LocalStorage(disk)
        given = Given(disk, storage, world.clock, model or EchoModel(), WORDS, worker=Worker())
        house = build(replace(given, sweep=storage.sweeping, secure=hold.renew))
        chat = Chat(world)
        house.queues.join({"double": chat})
        await house.recover()
        async with asyncio.TaskGroup() as group:
            serving = [group.create_task(house.queues.serve()), group.create_task(chat.serve(house.door))]
            yield Home(house, world, root)
            for task in serving:
                task.cancel()
        house.shut()
        disk.shut()
