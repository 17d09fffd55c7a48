"""The platforms that the settings ask for: one function for each, which imports its adapter only when it is wanted."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from bot.helping import LISTED
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

Answer = Callable[[Mapping[str, str], bytes], Awaitable[int]]
"""What answers a call from the network: its headers (names in lower case) and body, to a status code."""


class Routes(Protocol):
    """The server of this process, which listens on PORT."""

    def add(self, path: str, answer: Answer) -> None:
        """Let POST calls of that path be answered; a body above 1 MiB is refused with 413, `StorageError` is 503."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a platform is built from. `routes` is None while nothing listens.

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
        variable = f"{surface.upper()}_BOT_TOKEN"
        message = f"what {surface} needs is not installed ({error.name}): run make run, or: pip install '.[{surface}]'"
        raise SettingsError(variable, message) from error


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
    del surroundings
    raise SettingsError("TELEGRAM_BOT_TOKEN", "Telegram is not part of this version: remove it, or add --terminal")


def _discord(surroundings: Surroundings) -> Platform:
    del surroundings
    raise SettingsError("DISCORD_BOT_TOKEN", "Discord is not part of this version: remove it, or add --terminal")


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
