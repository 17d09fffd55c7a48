"""One process of the bot on Discord's double: the unmodified library over loopback, with an inbox that remembers."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from adapters.discord.client import Discord
from adapters.discord.commands import Command
from core.document import Document, Text
from core.errors import DiskTrouble
from core.i18n import load_words
from core.journal.ids import is_later, tag_of
from tests.doubles.discord.world import DM, OWNER, TOKEN
from tests.tree import ROOT

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from core.conversation import Incoming, Surface
    from core.i18n import Words
    from tests.doubles.clock import ManualClock
    from tests.doubles.discord.gateway import Server
    from tests.doubles.discord.world import World

WORDS = load_words(ROOT / "locales")
COMMANDS = (Command("timeline", argument=True), Command("strand", argument=True), Command("help"), Command("start"))
LIMIT = 10.0


class Kept:
    """An inbox and outbox that last longer than a process: each update once, with cursors.

    It chokes on a text that says `poison`.
    """

    def __init__(self) -> None:
        self.updates: list[Incoming] = []
        self.cursors: dict[str, str] = {}
        self.outbox: dict[tuple[str, int], str] = {}
        self.refusals = 0
        self._tags: set[str] = set()
        self._changed = asyncio.Event()

    async def accept(self, updates: Sequence[Incoming]) -> None:
        if self.refusals:
            self.refusals -= 1
            raise DiskTrouble("state/journal.jsonl", 28, "no space left")
        if any("poison" in one.text for one in updates):
            raise RuntimeError("choked")
        for update in updates:
            if tag_of(update) in self._tags:
                continue
            self._tags.add(tag_of(update))
            self.updates.append(update)
            stream = update.key.rpartition(":")[0]
            if update.kind == "message" and is_later(update.key, self.cursors.get(stream, "")):
                self.cursors[stream] = update.key
        self._changed.set()

    def last(self, channel: str) -> str | None:
        return self.cursors.get(f"dc:{channel}")

    def sent(self, turn: str, part: int) -> str | None:
        return self.outbox.get((turn, part))

    async def note(self, turn: str, part: int, message: str) -> None:
        self.outbox[turn, part] = message

    @property
    def texts(self) -> list[str]:
        return [update.text for update in self.updates]

    async def until(self, count: int) -> list[Incoming]:
        """Wait until so many updates are kept."""
        async with asyncio.timeout(LIMIT):
            while len(self.updates) < count:
                self._changed.clear()
                await self._changed.wait()
        return self.updates


@dataclass
class Owned:
    """Owners: one by the settings, or whoever has the code."""

    person: str | None = str(OWNER)
    code: str = "right"
    refuses: bool = False

    def owner(self, surface: Surface) -> str | None:
        return self.person

    def claim(self, surface: Surface, person: str, code: str) -> bool:
        if self.refuses:
            raise DiskTrouble("state/owners.json", 28, "no space left")
        if self.person is None and code == self.code:
            self.person = person
            return True
        return False


@dataclass
class Bot:
    """The adapter of one process, and what it told the operator."""

    platform: Discord
    kept: Kept
    told: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    beats: list[float] = field(default_factory=list)
    stops: int = 0
    runs: bool = True
    failure: BaseException | None = None

    async def stop(self) -> bool:
        self.stops += 1
        return self.runs


async def until(condition: Callable[[], object], clock: ManualClock | None = None, step: float = 0.5) -> None:
    """Wait until it holds, moving the clock meanwhile if one is given."""
    async with asyncio.timeout(LIMIT):
        while not condition():
            if clock:
                await clock.advance(step)
            await asyncio.sleep(0.002)  # noqa: TID251 - the double lives on the real network


@asynccontextmanager
async def running(
    world: World,
    server: Server,
    kept: Kept | None = None,
    *,
    owned: Owned | None = None,
    known: dict[str, list[str]] | None = None,
    clock: Any = None,
    wait: bool = True,
    **more: Any,
) -> AsyncIterator[Bot]:
    """A process that is connected; it ends as one that is killed does, keeping nothing."""
    kept = kept or Kept()
    introduced: list[str] = []
    beats: list[float] = []
    bot: Bot

    async def tell(text: str) -> None:
        bot.told.append(text)

    async def there(name: str) -> list[str]:
        return (known or {}).get(name, [])

    async def stop() -> bool:
        return await bot.stop()

    def welcome(person: str, words: Words) -> Document:
        return Document((Text(f"`DISCORD_OWNER_ID={person}`"),))

    given: dict[str, Any] = {"token": TOKEN, "commands": COMMANDS, **more}
    platform = Discord(
        owners=owned or Owned(),
        words=WORDS,
        clock=clock or world.clock,
        stop=stop,
        known=there,
        last=kept.last,
        tell=tell,
        introduce=introduced.append,
        beat=lambda: beats.append(world.clock.monotonic()),
        welcome=welcome,
        api_url=server.api_url,
        gateway_url=server.gateway_url,
        **given,
    )
    bot = Bot(platform, kept, names=introduced, beats=beats)

    async def serve() -> None:
        try:
            await platform.serve(kept)
        except Exception as error:  # noqa: BLE001 - what ends a platform is what some tests look at
            bot.failure = error

    async with asyncio.TaskGroup() as group:
        serving = group.create_task(serve())
        try:
            if wait:
                async with asyncio.timeout(LIMIT):
                    await server.ready.wait()
                await until(lambda: world.syncs or world.commands)
            yield bot
        finally:
            serving.cancel()
            server.ready.clear()


def first_turn(kept: Kept) -> str:
    return f"t{len(kept.updates):05d}"


CHAT = str(DM)
