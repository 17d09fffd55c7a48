"""The composition root: reads the settings, builds the house and hands it to what runs it."""

from __future__ import annotations

import asyncio
import logging
import sys
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Final

from bot import logs, settings
from bot.checkup import Checkup, clock_of
from bot.complaints import FAILED, MISSET, complain, ended, refused
from bot.doctor import Patient, doctor
from bot.dwelling import choose_storage
from bot.ending import ended_by_signals
from bot.house import ROOT, Given, House, build
from bot.models import Supply, supply
from bot.moving import move
from bot.owners import Claims, OwnersFile
from bot.people import Cast, person
from bot.platforms import Surroundings, wanted
from bot.pulse import Pulse
from bot.repository import copy_of
from bot.running import Heralds, Running, listening
from bot.settling import Settling
from bot.taking import Desk, bring_in, take_out
from bot.variables import suspects
from core.clock import SystemClock
from core.config import Config
from core.errors import PreviouslyError, SettingsError
from core.i18n import load_words
from core.slices.store import Slices
from core.storage.demo import DemoStorage
from core.storage.hold import Hold
from core.storage.local import LocalStorage
from core.storage.os_disk import OsDisk
from core.storage.ram_disk import RamDisk
from core.storage.unflushed import Unflushed
from core.timeline.projections import Projections
from core.turn.budget import Budget

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from bot.arguments import Arguments
    from bot.dwelling import StorageChoice
    from bot.settings import Settings
    from core.conversation import Surface
    from core.i18n import Words
    from core.storage.base import Storage
    from core.storage.disk import Disk

BALLAST: Final = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Start:
    """What the process starts with; `surfaces` are those that it serves."""

    choice: StorageChoice
    words: Mapping[str, Words]
    locale: str
    zone: str
    notices: tuple[str, ...]
    settings: Settings
    surfaces: tuple[Surface, ...] = ("terminal",)
    budget: Budget = field(default_factory=Budget)
    pulse: Pulse = field(default_factory=lambda: Pulse(SystemClock()))


@dataclass(frozen=True, slots=True)
class Built:
    """A house, the disk below its state, and the way to the models."""

    house: House
    disk: Disk
    supply: Supply


def main(arguments: Arguments) -> int:
    """Run Previously; the exit code of the process."""
    logs.speak_utf8()
    try:
        start = _prepare(arguments)
    except PreviouslyError as error:
        return complain(str(error), MISSET if isinstance(error, SettingsError) else FAILED)
    try:
        return asyncio.run(_task(arguments, start) if arguments.command else _run(start))
    except PreviouslyError as error:
        return ended(error, start.words[start.locale], start.choice.home)
    except OSError as error:
        if not arguments.command:
            raise  # the talk meets the disk through storage: anything else is a fault to be seen whole
        return refused(error, start.words[start.locale], start.choice.home)
    except (KeyboardInterrupt, asyncio.CancelledError):
        return 0


def _prepare(arguments: Arguments) -> Start:
    variables = settings.given()
    chosen = settings.load(variables)
    surfaces = wanted(chosen, arguments.terminal or bool(arguments.command))
    # Where the terminal is the chat, only what must be seen stands in it.
    logs.set_up(chosen.secrets(), level=logging.ERROR if "terminal" in surfaces else logging.INFO)
    choice = choose_storage(chosen, arguments)
    locale = arguments.locale or settings.system_locale(variables)
    words = load_words(ROOT / "locales")
    said = words[locale]
    notices = [said(choice.reason, home=choice.home or "")]
    notices += [
        said("settings.suspect" if one.meant else "settings.unknown", found=one.found, meant=one.meant)
        for one in suspects(variables)
    ]
    if choice.notice:
        notices.append(said(choice.notice))
    return Start(choice, words, locale, settings.system_zone(), tuple(notices), chosen, surfaces, chosen.budget())


async def _run(start: Start) -> int:
    with ended_by_signals(keyboard="terminal" in start.surfaces), ExitStack() as stack:
        if start.choice.kind == "github" and start.choice.home:
            return await _copied(start, start.choice.home, stack)
        built = _own(start, start.choice.home, stack) if start.choice.home else _demo(start, stack)
        stack.callback(built.house.shut)
        return await _running(start, built).live()


async def _task(arguments: Arguments, start: Start) -> int:
    """Do what was asked for in place of talking. What reads alone needs no lock."""
    words = start.words[start.locale]
    if arguments.command == "doctor":
        return await _doctor(start, fix=arguments.fix)
    if arguments.command == "migrate":
        return await move(start.settings, words, arguments.where, arguments.home, _print, OsDisk, LocalStorage)
    desk = Desk(words, start.zone, _print, partial(_agreed, words, yes=arguments.yes))
    with ExitStack() as stack:
        if arguments.command == "export":
            storage: Storage = _person(start)
            if start.choice.home:
                disk = OsDisk(start.choice.home)
                stack.callback(disk.shut)
                storage = LocalStorage(disk)
            return await take_out(storage, SystemClock(), arguments.to, desk, arguments.size)
        if start.choice.home is None:
            return complain(words("import.demo"), FAILED)
        built = _own(start, start.choice.home, stack)
        stack.callback(built.house.shut)
        await built.house.recover()
        return await bring_in(built.house, arguments.files, desk, me=arguments.me)


async def _doctor(start: Start, *, fix: bool) -> int:
    """Look everything over; with `fix` and a folder, projections are made anew under the lock."""
    words, clock, folder = start.words[start.locale], SystemClock(), start.choice.home
    patient = Patient(start.settings, words, start.notices, folder)
    if folder is None or not folder.is_dir():
        return await doctor(patient, _print)

    async def rebuild() -> int:
        with Hold(folder), ExitStack() as stack:
            own = OsDisk(folder)
            stack.callback(own.shut)
            memory = LocalStorage(own)
            return (await Projections(memory, Slices(memory), clock).rebuild()).total

    with ExitStack() as stack:
        disk = OsDisk(folder)
        stack.callback(disk.shut)
        storage = LocalStorage(disk)
        checkup = Checkup(storage, DemoStorage(storage), clock, words, clock_of(folder))
        return await doctor(replace(patient, checkup=checkup, rebuild=rebuild if fix else None), _print)


def _print(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _agreed(words: Words, question: str, *, yes: bool) -> bool:
    """Whether the person says yes; without a terminal to ask at, only when it was said beforehand."""
    if yes:
        return True
    if not sys.stdin.isatty():
        _print(words("import.confirm"))
        return False
    return input(f"{question} ").strip().casefold() in words("import.yes").split()


def _running(start: Start, built: Built) -> Running:
    """What runs in that house."""
    house, models, chosen = built.house, built.supply, start.settings
    heralds, pulse = Heralds(), start.pulse
    owners = Claims(OwnersFile(built.disk), house.parts.clock, start.words[start.locale], chosen.owners(), heralds.tell)
    server, listen = listening(chosen, house, pulse)
    surroundings = Surroundings(
        house, chosen, owners, start.words, start.locale, start.zone, pulse, server, heralds.tell
    )
    return Running(
        surroundings,
        start.surfaces,
        heralds,
        start.notices,
        last=models.warm if models.models.configured else None,
        listen=listen,
    )


def _own(start: Start, home: Path, stack: ExitStack) -> Built:
    """A house over the person's own folder. Raises `Held` naming the process that has it."""
    hold = stack.enter_context(Hold(home))
    disk = OsDisk(home)
    stack.callback(disk.shut)
    storage = LocalStorage(disk)
    given, models = _given(start, disk, storage, stack)
    given = replace(given, ballast=BALLAST, sweep=storage.sweeping, secure=hold.renew, place=str(home))
    return Built(build(given), disk, models)


async def _copied(start: Start, home: Path, stack: ExitStack) -> int:
    """Live in a house over the person's own folder and its copy in their repository. Raises as `_own` does."""
    hold = stack.enter_context(Hold(home))
    disk = OsDisk(home)
    stack.callback(disk.shut)
    local, clock, said = LocalStorage(disk), SystemClock(), start.words[start.locale]
    copy = copy_of(start.settings, disk, local, clock, LocalStorage(Unflushed(disk)))
    stack.callback(copy.wire.close)
    notices = await copy.begin(said, lambda text: _say(start, text))
    given, models = _given(start, disk, copy.remote.storage, stack)
    place = f"{home} · github.com/{copy.remote.repository.full_name}"
    given = replace(
        given, ballast=BALLAST, sweep=local.sweeping, secure=hold.renew, place=place, lag=copy.remote.courier.lag,
        decide=copy.remote.courier.decide, commit=copy.remote.desk.mirror.commit_of,
    )  # fmt: skip
    if start.choice.ack == "push":
        given = replace(given, settle=Settling(copy.remote.courier, clock, patient=bool(start.settings.webhook_url)))
    built = Built(build(given), disk, models)
    stack.callback(built.house.shut)
    await copy.join(built.house)
    started = replace(start, notices=(*start.notices, *notices))
    return await copy.beside(_running(started, built).live())


def _say(start: Start, text: str) -> None:
    """Say something before anything runs."""
    if "terminal" in start.surfaces:
        sys.stderr.write(f"{text}\n")
    else:
        logging.getLogger("previously").warning("%s", text)


def _demo(start: Start, stack: ExitStack) -> Built:
    """A house over a demo person: what is said stays in memory and is gone at the end."""
    disk = RamDisk()
    disk.make_folder("state")
    cast = Cast(ROOT, start.locale, start.settings.benchmark_base_url, SystemClock())
    given, models = _given(start, disk, cast.storage, stack)
    return Built(build(replace(given, demo=True, cast=cast)), disk, models)


def _person(start: Start) -> Storage:
    return person(ROOT, start.locale, start.settings.benchmark_base_url, SystemClock())


def _given(start: Start, disk: Disk, storage: Storage, stack: ExitStack) -> tuple[Given, Supply]:
    """What any house is built from: the models that the settings name, else the offline one."""
    clock = SystemClock()
    config = Config(storage, clock)
    made = supply(start.settings, clock, start.words, config, disk, keeps=start.choice.home is not None)
    stack.callback(made.shut)
    given = Given(disk, storage, clock, made.models.main, start.words, start.zone, start.locale, config=config)
    given = replace(given, worker=made.models.worker, budget=start.budget, models=made.models)
    given = replace(given, web=made.web, secrets=start.settings.secrets(), hearing=made.hearing)
    return replace(given, heard=lambda: start.pulse.last), made
