"""The platforms as the contract sees them: what a person can do there, and what is then seen."""

from __future__ import annotations

import io
import queue
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from adapters.discord.client import Discord
from adapters.discord.commands import Command
from adapters.telegram.client import Telegram
from adapters.terminal.client import Terminal
from bot.helping import LISTED
from core.document import Document, Text
from tests.adapters.contract.process import WORDS, until
from tests.doubles.discord.gateway import Server
from tests.doubles.discord.world import DM, STRANGER, World, buttons
from tests.doubles.discord.world import TOKEN as DISCORD_TOKEN
from tests.doubles.telegram.people import Person
from tests.doubles.telegram.server import TelegramServer
from tests.doubles.telegram.world import TOKEN as TELEGRAM_TOKEN
from tests.doubles.telegram.world import TelegramWorld

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator
    from contextlib import AbstractAsyncContextManager

    from bot.house import House
    from core.conversation import Platform, Surface
    from core.document import Picture
    from core.i18n import Words
    from tests.adapters.contract.process import Home

MARA = {"telegram": 42, "discord": 1001}


@dataclass
class Mara:
    """She owns every surface."""

    def owner(self, surface: Surface) -> str | None:
        return str(MARA[surface])

    def claim(self, surface: Surface, person: str, code: str) -> bool:
        return False


class Place(Protocol):
    """One platform, connected or not."""

    name: str
    can: frozenset[str]

    def connected(self, home: Home) -> AbstractAsyncContextManager[None]:
        """One process of the bot with this platform."""

    def say(self, text: str) -> None:
        """The owner writes."""

    def shown(self) -> list[str]:
        """What the bot's messages say now."""

    def open(self, label: str, typed: str) -> None:
        """Open a page by the button of that label, or where there are none by its typed address."""

    def stop(self) -> None:
        """Stop the running answer."""

    def stranger(self, text: str) -> None:
        """Somebody else writes."""

    def quote(self, text: str, of: str) -> None:
        """The owner answers an earlier message of hers."""

    def attach(self, name: str, data: bytes, caption: str) -> None:
        """The owner sends a file."""


def welcome(person: str, words: Words) -> Document:
    return Document((Text(person),))


def drawn(picture: Picture) -> bytes:
    return b"\x89PNG\r\n\x1a\n" + b"0" * 40


@dataclass
class OnTerminal:
    """Piped lines; what is shown stays shown, so a restarted process begins a new screen below."""

    name: str = "terminal"
    can: frozenset[str] = frozenset()
    output: io.StringIO = field(default_factory=io.StringIO)
    lines: queue.Queue[str | None] = field(default_factory=queue.Queue)
    home: Home | None = None

    @asynccontextmanager
    async def connected(self, home: Home) -> AsyncIterator[None]:
        self.home, self.lines = home, queue.Queue()

        def make(house: House) -> Platform:
            return Terminal(
                input=_Feed(self.lines),
                output=self.output,
                words=WORDS["en"],
                clock=home.clock,
                stop=house.queues.stop,
                known=house.commands.known,
            )

        async with home.process(make):
            yield
            self.lines.put(None)

    def say(self, text: str) -> None:
        self.lines.put(text)

    def shown(self) -> list[str]:
        return [part for part in self.output.getvalue().split("\n\n") if part.strip()]

    def open(self, label: str, typed: str) -> None:
        self.say(typed)

    def stop(self) -> None:
        assert self.home
        assert self.home.house
        stopping = self.home.house.queues._stop
        assert stopping
        stopping.set()

    def stranger(self, text: str) -> None:
        raise AssertionError("there is nobody else at a terminal")

    def quote(self, text: str, of: str) -> None:
        raise AssertionError("a terminal quotes nothing")

    def attach(self, name: str, data: bytes, caption: str) -> None:
        raise AssertionError("a terminal sends no files")


class _Feed(io.StringIO):
    """A pipe into which a test writes."""

    def __init__(self, lines: queue.Queue[str | None]) -> None:
        super().__init__()
        self._lines = lines

    def fileno(self) -> int:
        raise io.UnsupportedOperation("fileno")

    def __iter__(self) -> Iterator[str]:  # type: ignore[override]
        while (line := self._lines.get()) is not None:
            yield line


CHATTING = frozenset({"joins", "press", "stranger", "quote", "attach", "parts"})


@dataclass
class OnTelegram:
    """A private chat with the Bot API's double."""

    name: str = "telegram"
    can: frozenset[str] = CHATTING
    world: TelegramWorld | None = None
    said: dict[str, Any] = field(default_factory=dict)

    @asynccontextmanager
    async def connected(self, home: Home) -> AsyncIterator[None]:
        async with self.served(home), home.process(self.make):
            await until(self.ready)
            yield

    @asynccontextmanager
    async def served(self, home: Home) -> AsyncIterator[None]:
        """The service is there, whether or not a bot is."""
        self.home, self.met = home, list[str]()
        self.world = self.world or TelegramWorld(home.clock)
        self.mara = Person(self.world, MARA["telegram"])
        async with TelegramServer(self.world).running() as self.server:
            yield

    def ready(self) -> bool:
        """Whether the bot is there."""
        return bool(self.met)

    def make(self, house: House) -> Platform:
        self.met.clear()
        return Telegram(
            token=TELEGRAM_TOKEN,
            owners=Mara(),
            words=WORDS,
            clock=self.home.clock,
            stop=house.queues.stop,
            commands={locale: [("help", words("help.help"))] for locale, words in WORDS.items()},
            welcome=welcome,
            introduce=lambda name, link: self.met.append(name),
            draw=drawn,
            sayings=house.sayings,
            back=lambda chat: house.queues.back("telegram", chat),
            base_url=self.server.url,
        )

    def say(self, text: str) -> None:
        self.said[text] = self.mara.say(text)

    def shown(self) -> list[str]:
        assert self.world
        return self.world.shown(self.mara.id)

    def open(self, label: str, typed: str) -> None:
        self.mara.press(label)

    def stop(self) -> None:
        self.mara.say("/stop")

    def stranger(self, text: str) -> None:
        assert self.world
        Person(self.world, 77, "Eve").say(text)

    def quote(self, text: str, of: str) -> None:
        self.mara.reply(self.said[of], text)

    def attach(self, name: str, data: bytes, caption: str) -> None:
        self.mara.document(data, name, caption)


@dataclass
class OnDiscord:
    """A direct message with the double of the API and gateway."""

    name: str = "discord"
    can: frozenset[str] = CHATTING
    world: World | None = None
    said: dict[str, int] = field(default_factory=dict)

    @asynccontextmanager
    async def connected(self, home: Home) -> AsyncIterator[None]:
        async with self.served(home), home.process(self.make):
            await until(self.ready)
            yield

    @asynccontextmanager
    async def served(self, home: Home) -> AsyncIterator[None]:
        """The service is there, whether or not a bot is."""
        self.home = home
        self.world = self.world or World(home.clock)
        self.world.patience = 90.0
        async with Server(self.world) as self.server:
            yield

    def ready(self) -> bool:
        """Whether the bot is there."""
        assert self.world
        return self.server.ready.is_set() and bool(self.world.commands)

    def make(self, house: House) -> Platform:
        self.server.ready.clear()
        return Discord(
            token=DISCORD_TOKEN,
            owners=Mara(),
            words=WORDS,
            clock=self.home.clock,
            stop=house.queues.stop,
            known=house.commands.known,
            last=lambda channel: house.parts.journal.state.cursors.get(f"dc:{channel}"),
            commands=[Command(one.name, one.argument) for one in LISTED],
            tell=_unheard,
            introduce=lambda name: None,
            beat=lambda: None,
            welcome=welcome,
            draw=drawn,
            api_url=self.server.api_url,
            gateway_url=self.server.gateway_url,
        )

    def say(self, text: str) -> None:
        assert self.world
        self.said[text] = self.world.say(text)

    def shown(self) -> list[str]:
        assert self.world
        return self.world.texts()

    def open(self, label: str, typed: str) -> None:
        assert self.world
        for message in reversed(self.world.own()):
            if label in buttons(message):
                self.world.press(int(message["id"]), buttons(message)[label])
                return
        raise AssertionError(f"nobody can press {label!r}: {[list(buttons(one)) for one in self.world.own()]}")

    def stop(self) -> None:
        self.open("Stop", "/stop")

    def stranger(self, text: str) -> None:
        assert self.world
        self.world.say(text, who=STRANGER)

    def quote(self, text: str, of: str) -> None:
        assert self.world
        self.world.say(text, reply=self.said[of])

    def attach(self, name: str, data: bytes, caption: str) -> None:
        assert self.world
        self.world.say(caption, files={name: data}, channel=DM)


async def _unheard(text: str) -> None:
    raise AssertionError(f"the operator was told: {text}")


PLACES: dict[str, Callable[[], Place]] = {"terminal": OnTerminal, "telegram": OnTelegram, "discord": OnDiscord}
"""Every platform that there is; a further one is added here and meets the same cases."""
