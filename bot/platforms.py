"""The platforms that the settings ask for: one function for each, which imports its adapter only when it is wanted."""

from __future__ import annotations

import logging
import os
import stat
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from bot.helping import LISTED
from bot.owners import welcome_page
from bot.unfolding import Unfolding
from core.errors import SettingsError

if TYPE_CHECKING:
    from typing import TextIO

    from bot.house import House
    from bot.owners import Claims
    from bot.pulse import Pulse
    from bot.settings import Settings
    from core.clock import Clock
    from core.conversation import Platform, Surface
    from core.i18n import Words

_log = logging.getLogger("previously")

Answer = Callable[[Mapping[str, str], bytes], Awaitable[int]]
"""What answers a call from the network: its headers (names in lower case) and body, to a status code."""


class Routes(Protocol):
    """The server of this process, which listens on PORT."""

    def add(self, path: str, answer: Answer) -> None:
        """Let POST calls of that path be answered; a body above 1 MiB is refused with 413, `StorageError` is 503."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a platform is built from. `routes` is None while nothing listens; `tell` gives the operator a sentence.

    Once connected, and again whenever it likes, a platform calls `owners.introduce(surface, name, link)`; whenever the
    other side has answered (a poll, a heartbeat) it calls `pulse.beat(surface)`. `platform.serve` raises SettingsError
    for what waiting does not mend (a dead token), `PlatformTrouble` for what may pass: it is then served again.
    """

    house: House
    settings: Settings
    owners: Claims
    words: Mapping[str, Words]
    locale: str
    zone: str
    pulse: Pulse
    routes: Routes | None = None
    tell: Callable[[str], Awaitable[None]] | None = None

    @property
    def clock(self) -> Clock:
        """The clock of the house."""
        return self.house.parts.clock

    @property
    def stop(self) -> Callable[[], Awaitable[bool]]:
        """Stops the answer that is being written; whether there was one."""
        return self.house.queues.stop

    @property
    def known(self) -> Callable[[str], Awaitable[Sequence[str]]]:
        """The arguments of a command that exist, newest first."""
        return self.house.commands.known


def wanted(settings: Settings, terminal: bool, stdin: TextIO | None = None) -> tuple[Surface, ...]:
    """The surfaces to serve: those with a token, and the terminal when it is asked for or nothing else is set.

    Raises SettingsError when there is nobody to talk to: no token, and no terminal, pipe or file to read from.
    """
    tokens: tuple[tuple[Surface, object], ...] = (
        ("telegram", settings.telegram_bot_token),
        ("discord", settings.discord_bot_token),
    )
    remote = tuple(surface for surface, token in tokens if token)
    if remote and not terminal:
        return remote
    if not terminal and not _readable(stdin or sys.stdin):
        raise SettingsError(
            "TELEGRAM_BOT_TOKEN", "there is nobody to talk to: set this or DISCORD_BOT_TOKEN, or start in a terminal"
        )
    return ("terminal", *remote)


def make(surface: Surface, surroundings: Surroundings) -> Platform:
    """The platform. Raises SettingsError when its packages are not installed or a setting of it is wrong."""
    try:
        return MAKERS[surface](surroundings)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in {"adapters", "bot", "core"}:
            raise  # ours: a fault, not a package that is missing
        raise SettingsError(
            f"{surface.upper()}_BOT_TOKEN",
            f"what {surface} needs is not installed ({error.name}): run make run, or: pip install '.[{surface}]'",
        ) from error


def _terminal(surroundings: Surroundings) -> Platform:
    from adapters.terminal.client import Terminal  # noqa: PLC0415 - a worker on a host has no use for it
    from adapters.terminal.prompt import Command  # noqa: PLC0415

    words = surroundings.words[surroundings.locale]
    listed = [
        Command(one.name, words(f"help.{one.name}.argument").strip() if one.argument else "", words(f"help.{one.name}"))
        for one in LISTED
    ]
    return Terminal(
        input=sys.stdin,
        output=sys.stdout,
        words=words,
        clock=surroundings.clock,
        stop=surroundings.stop,
        known=surroundings.known,
        commands=listed,
        zone=surroundings.zone,
    )


def _telegram(surroundings: Surroundings) -> Platform:
    from adapters.pictures import drawn  # noqa: PLC0415 - its packages are optional
    from adapters.telegram.client import Telegram, Webhook  # noqa: PLC0415

    settings = surroundings.settings
    if settings.telegram_bot_token is None:
        raise SettingsError("TELEGRAM_BOT_TOKEN", "it is not set")
    webhook = None
    if settings.webhook_url:
        if surroundings.routes is None:
            raise SettingsError("PORT", "WEBHOOK_URL needs it: nothing listens for Telegram's calls")
        secret = settings.webhook_secret.get_secret_value() if settings.webhook_secret else ""
        webhook = Webhook(settings.webhook_url, surroundings.routes, secret)
    return Telegram(
        token=settings.telegram_bot_token.get_secret_value(),
        owners=surroundings.owners,
        words=surroundings.words,
        clock=surroundings.clock,
        stop=surroundings.stop,
        commands={locale: _listed(words) for locale, words in surroundings.words.items()},
        welcome=lambda person, words: welcome_page("telegram", person, words),
        draw=drawn,
        sayings=surroundings.house.sayings,
        back=lambda chat: surroundings.house.queues.back("telegram", chat),
        spoken=lambda: surroundings.house.parts.config.spoken,
        introduce=lambda name, link: surroundings.owners.introduce("telegram", name, link),
        beat=lambda: surroundings.pulse.beat("telegram"),
        base_url=settings.telegram_base_url or "",
        file_url=settings.telegram_file_url or "",
        webhook=webhook,
        locale=surroundings.locale,
    )


def _listed(words: Words) -> list[tuple[str, str]]:
    """The commands that Telegram offers while one is typed."""
    return [*((one.name, words(f"help.{one.name}")) for one in LISTED), ("stop", words("telegram.command.stop"))]


async def _logged(text: str) -> None:
    """Where nobody else tells the operator anything."""
    _log.warning("%s", text)


def _discord(surroundings: Surroundings) -> Platform:
    from adapters.discord.client import Discord  # noqa: PLC0415 - its packages are optional
    from adapters.discord.commands import Command  # noqa: PLC0415

    settings, journal = surroundings.settings, surroundings.house.parts.journal
    if settings.discord_bot_token is None:
        raise SettingsError("DISCORD_BOT_TOKEN", "it is not set")
    return Discord(
        token=settings.discord_bot_token.get_secret_value(),
        owners=surroundings.owners,
        words=surroundings.words,
        clock=surroundings.clock,
        stop=surroundings.stop,
        known=surroundings.known,
        last=lambda channel: journal.state.cursors.get(f"dc:{channel}"),
        commands=[Command(one.name, one.argument) for one in LISTED],
        tell=surroundings.tell or _logged,
        introduce=lambda name: surroundings.owners.introduce("discord", name),
        beat=lambda: surroundings.pulse.beat("discord"),
        welcome=lambda person, words: welcome_page("discord", person, words),
        locale=surroundings.locale,
        room=int(settings.discord_channel_id or 0),
        api_url=settings.discord_api_url or "",
        gateway_url=settings.discord_gateway_url or "",
        unfold=Unfolding(surroundings.house.parts).folds,
    )


MAKERS: Final[Mapping[Surface, Callable[[Surroundings], Platform]]] = {
    "terminal": _terminal,
    "telegram": _telegram,
    "discord": _discord,
}


def _readable(stream: TextIO | None) -> bool:
    """Whether somebody may be at the other end: a terminal, a pipe or a file, but not the null device of a service."""
    try:
        if stream is None or stream.closed:
            return False
        mode = os.fstat(stream.fileno()).st_mode
        return stream.isatty() or not stat.S_ISCHR(mode)
    except (OSError, ValueError):
        return False
