"""The real adapter over the unmodified client, connected to the double; an inbox that keeps what it is given."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adapters.telegram.client import Telegram
from core.document import Document, Text
from core.errors import DiskTrouble, Unsettled
from core.i18n import Words, load_words
from tests.adapters.telegram.waiting import until
from tests.doubles.quick_clock import QuickClock
from tests.doubles.telegram.people import Person
from tests.doubles.telegram.server import TelegramServer
from tests.doubles.telegram.world import TOKEN, TelegramWorld

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from core.conversation import Incoming, Surface
    from core.document import Picture

MARA = 42
STRANGER = 77
WORDS = load_words(Path(__file__).resolve().parents[3] / "locales")
COMMANDS = {locale: [("timeline", words("help.timeline"))] for locale, words in WORDS.items()}
TAPPED = 150.0
"""Seconds in which a tap must be answered where the clock runs many times faster than the machine."""

PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 40


@dataclass
class Kept:
    """An inbox in memory; it refuses as often as `refusals` says, and chokes on a text that says `poison`.

    While `unsettled`, it wants the platform to keep what it keeps. `rounds` counts how often it was asked.
    """

    messages: list[Incoming] = field(default_factory=list)
    batches: int = 0
    refusals: int = 0
    unsettled: bool = False
    rounds: int = 0

    async def accept(self, updates: Sequence[Incoming]) -> None:
        self.rounds += 1
        if self.refusals:
            self.refusals -= 1
            raise DiskTrouble("state/journal.jsonl", 28, "no space left on device")
        if any("poison" in one.text for one in updates):
            raise RuntimeError("choked")
        self.batches += 1
        known = {(one.key, one.edited) for one in self.messages}
        self.messages += [one for one in updates if (one.key, one.edited) not in known]
        if self.unsettled:
            raise Unsettled("state/journal.jsonl", "not settled")

    @property
    def texts(self) -> list[str]:
        return [one.text for one in self.messages]


@dataclass
class Named:
    """The owner by name, or nobody until the code comes."""

    person: str | None = str(MARA)
    code: str = "the-code"

    def owner(self, surface: Surface) -> str | None:
        return self.person

    def claim(self, surface: Surface, person: str, code: str) -> bool:
        if self.person or code != self.code:
            return False
        self.person = person
        return True


@dataclass
class Noted:
    """An outbox in memory."""

    parts: dict[tuple[str, int], str] = field(default_factory=dict)

    def sent(self, turn: str, part: int) -> str | None:
        return self.parts.get((turn, part))

    async def note(self, turn: str, part: int, message: str) -> None:
        self.parts[turn, part] = message


@dataclass
class Said:
    """Sayings in memory."""

    texts: dict[str, str] = field(default_factory=dict)

    def keep(self, text: str) -> str:
        name = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
        self.texts[name] = text
        return name

    def find(self, name: str) -> str:
        return self.texts.get(name, "")


@dataclass
class Stand:
    """Everything at hand."""

    world: TelegramWorld
    mara: Person
    server: TelegramServer
    telegram: Telegram
    inbox: Kept
    owners: Named
    clock: Any
    introduced: list[tuple[str, str]] = field(default_factory=list)
    stops: list[bool] = field(default_factory=list)
    running: bool = True

    async def kept(self, number: int) -> list[Incoming]:
        """Wait for so many messages."""
        await until(lambda: len(self.inbox.messages) >= number)
        return self.inbox.messages

    def stranger(self, number: int = STRANGER, *, bot: bool = False) -> Person:
        return Person(self.world, number, "Eve", bot=bot)

    async def quiet(self) -> None:
        """Wait until every update is confirmed."""
        await until(lambda: not self.world.queue)


def drawn(picture: Picture) -> bytes:
    return PNG


def welcome(person: str, words: Words) -> Document:
    return Document((Text(f"welcome {person}"),))


def adapter(server: TelegramServer, owners: Named, clock: Any, stop: Callable[[], Any], **options: Any) -> Telegram:
    given: dict[str, Any] = {
        "token": TOKEN, "owners": owners, "words": WORDS, "clock": clock, "stop": stop, "commands": COMMANDS,
        "welcome": welcome, "draw": drawn, "sayings": Said(), "base_url": server.url,
    }  # fmt: skip
    return Telegram(**(given | options))


@asynccontextmanager
async def standing(
    *,
    clock: Any = None,
    owners: Named | None = None,
    world: TelegramWorld | None = None,
    serve: bool = True,
    **options: Any,
) -> AsyncIterator[Stand]:
    """Everything connected, and served until the end."""
    world = world or TelegramWorld(clock or QuickClock())
    clock, owners = world.clock, owners or Named()
    world.answer_tap = TAPPED
    mara = Person(world, MARA)
    async with TelegramServer(world).running() as server:
        stops: list[bool] = []
        introduced: list[tuple[str, str]] = []
        stand: Stand

        async def stop() -> bool:
            stops.append(stand.running)
            return stand.running

        def introduce(name: str, link: str) -> None:
            introduced.append((name, link))

        telegram = adapter(server, owners, clock, stop, **({"introduce": introduce} | options))
        stand = Stand(world, mara, server, telegram, Kept(), owners, clock, introduced, stops)
        if not serve:
            yield stand
            return
        async with asyncio.TaskGroup() as group:
            serving = group.create_task(telegram.serve(stand.inbox))
            await until(lambda: introduced)
            yield stand
            serving.cancel()
