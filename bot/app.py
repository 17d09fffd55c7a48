"""The composition root: reads the settings, builds the house, runs the terminal until the person leaves."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from adapters.terminal.client import Terminal
from adapters.terminal.prompt import Command
from bot import logs, settings
from bot.helping import LISTED
from bot.house import ROOT, Given, House, build
from bot.inbox import Journalled
from bot.models import supply
from bot.variables import suspects
from core.clock import SystemClock
from core.config import Config
from core.errors import DiskLost, Held, Ousted, PreviouslyError, SettingsError
from core.i18n import load_words
from core.storage.demo import DemoStorage
from core.storage.hold import Hold
from core.storage.local import LocalStorage
from core.storage.os_disk import OsDisk
from core.storage.persona import PersonaStorage
from core.storage.ram_disk import RamDisk
from core.turn.budget import Budget
from core.views.settings import problem_text

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from bot.arguments import Arguments
    from bot.settings import Settings, StorageChoice
    from core.i18n import Words
    from core.storage.base import Storage
    from core.storage.disk import Disk

PERSONAS: Final = {"en": "mara", "zh": "lin"}
"""The demo person for each language of the program's own words."""

TICK: Final = 60.0
"""Seconds after which the house looks around although nobody has spoken."""

BALLAST: Final = 4 * 1024 * 1024
FAILED: Final = 1
MISSET: Final = 2
TEMPFAIL: Final = 75
"""Exit code after a failed fsync: whoever supervises the process starts it again (reliability 2.9)."""

_log = logging.getLogger("previously")


@dataclass(frozen=True, slots=True)
class Start:
    """What the process starts with."""

    choice: StorageChoice
    words: Mapping[str, Words]
    locale: str
    zone: str
    notices: tuple[str, ...]
    settings: Settings
    budget: Budget = field(default_factory=Budget)


def main(arguments: Arguments) -> int:
    """Run Previously; the exit code of the process."""
    logs.speak_utf8()
    try:
        start = _prepare(arguments)
    except PreviouslyError as error:
        return _complain(str(error), MISSET if isinstance(error, SettingsError) else FAILED)
    try:
        return asyncio.run(_run(start))
    except PreviouslyError as error:
        return _ended(error, start)
    except (KeyboardInterrupt, asyncio.CancelledError):
        return 0


def _ended(error: PreviouslyError, start: Start) -> int:
    """Say why the process ends, and the exit code for that."""
    match error:
        case Held():
            said = start.words[start.locale]
            return _complain(said("start.held", holder=error.holder, home=start.choice.home or ""), FAILED)
        case SettingsError():
            return _complain(str(error), MISSET)
        case DiskLost() if not isinstance(error, Ousted):
            return _complain(str(error), TEMPFAIL)
        case _:
            return _complain(str(error), FAILED)


def _prepare(arguments: Arguments) -> Start:
    variables = settings.given()
    chosen = settings.load(variables)
    logs.set_up(chosen.secrets(), level=logging.ERROR)  # the terminal is the chat: only what must be seen stands in it
    choice = settings.choose_storage(chosen, arguments)
    locale = arguments.locale or settings.system_locale(variables)
    words = load_words(ROOT / "locales")
    said = words[locale]
    notices = [said(choice.reason, home=choice.home or "")]
    notices += [
        said("settings.suspect" if one.meant else "settings.unknown", found=one.found, meant=one.meant)
        for one in suspects(variables)
    ]
    if chosen.waiting():
        notices.append(said("settings.waiting", names=", ".join(chosen.waiting())))
    return Start(choice, words, locale, settings.system_zone(), tuple(notices), chosen, chosen.budget())


def _complain(text: str, code: int) -> int:
    sys.stderr.write(f"previously: {text}\n")
    return code


async def _run(start: Start) -> int:
    with ExitStack() as stack:
        if start.choice.home:
            house = _own(start, start.choice.home, stack)
        else:
            house = _demo(start, ROOT / "identity" / "personas" / PERSONAS[start.locale], stack)
        stack.callback(house.shut)
        return await _live(house, start)


def _own(start: Start, home: Path, stack: ExitStack) -> House:
    """A house over the person's own folder. Raises `Held` naming the process that has it."""
    hold = stack.enter_context(Hold(home))
    disk = OsDisk(home)
    stack.callback(disk.shut)
    storage = LocalStorage(disk)
    given = _given(start, disk, storage, stack)
    return build(replace(given, ballast=BALLAST, sweep=storage.sweeping, secure=hold.renew, place=str(home)))


def _demo(start: Start, persona: Path, stack: ExitStack) -> House:
    """A house over a demo person: what is said stays in memory and is gone at the end."""
    disk = RamDisk()
    disk.make_folder("state")
    return build(replace(_given(start, disk, DemoStorage(PersonaStorage(persona)), stack), demo=True))


def _given(start: Start, disk: Disk, storage: Storage, stack: ExitStack) -> Given:
    """What any house is built from: the models that the settings name, else the offline one."""
    clock = SystemClock()
    config = Config(storage, clock)
    made = supply(start.settings, clock, start.words, config, disk)
    stack.callback(made.shut)
    given = Given(disk, storage, clock, made.models.main, start.words, start.zone, start.locale, config=config)
    return replace(given, worker=made.models.worker, budget=start.budget)


async def _live(house: House, start: Start) -> int:
    """Recover, greet, and serve until the person leaves or the process is told to end."""
    terminal = _terminal(house, start)
    house.queues.join({"terminal": terminal})
    for notice in start.notices:
        await terminal.announce(notice)
    recovered = await house.recover()
    if recovered:
        await terminal.announce(start.words[start.locale]("start.recovered", n=recovered))
    notices = house.parts.journal.notices
    while notices:
        key, fields = notices.pop(0)
        await terminal.announce(start.words[start.locale](key, **fields))
    for problem in (await house.parts.config.load()).problems:
        await terminal.announce(problem_text(problem, start.words[start.locale]))
    greeter = terminal.presenter("terminal", "briefing", Journalled(house.parts.journal))
    await house.arrivals.greet(greeter, start.locale)
    try:
        await _serve(house, terminal)
    except* DiskLost as several:
        raise _first(several) from several
    return terminal.exit_code


def _first(several: BaseException) -> BaseException:
    """The error at the bottom of groups."""
    while isinstance(several, BaseExceptionGroup):
        several = several.exceptions[0]
    return several


async def _serve(house: House, terminal: Terminal) -> None:
    loop = asyncio.get_running_loop()
    async with asyncio.TaskGroup() as group:
        queues = group.create_task(house.queues.serve())
        tidying = group.create_task(_tidy(house))
        ticking = group.create_task(_tick(house))
        talk = group.create_task(terminal.serve(house.door))
        loop.add_signal_handler(signal.SIGTERM, talk.cancel)
        try:
            await asyncio.wait({talk})
        finally:
            loop.remove_signal_handler(signal.SIGTERM)
            await house.queues.leave()
            tidying.cancel()
            ticking.cancel()
            queues.cancel()


async def _tick(house: House) -> None:
    """Have the house look around now and then, so that what has fallen silent is closed while nobody talks."""
    while True:
        await house.parts.clock.sleep(TICK)
        house.door.wake()


async def _tidy(house: House) -> None:
    """Bring memory into order; what fails is tried again at the next start, and the talk goes on."""
    try:
        await house.tidy()
    except PreviouslyError as error:
        if isinstance(error, DiskLost):
            raise
        _log.warning("memory was not tidied: %s", error)


def _terminal(house: House, start: Start) -> Terminal:
    words = start.words[start.locale]
    listed = [
        Command(one.name, words(f"help.{one.name}.argument").strip() if one.argument else "", words(f"help.{one.name}"))
        for one in LISTED
    ]
    return Terminal(
        input=sys.stdin,
        output=sys.stdout,
        words=words,
        clock=house.parts.clock,
        stop=house.queues.stop,
        known=house.commands.known,
        commands=listed,
        zone=start.zone,
    )
