"""The running process: recover, greet, and serve every platform in one TaskGroup until it is told to end.

Order (DESIGN 5, reliability 4.5): memory is ours and recovered before anything is taken in; platforms come next; the
library of the models, which takes seconds to import, comes last and in a thread of its own.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Final, Protocol, runtime_checkable

from bot.inbox import Journalled
from bot.platforms import make
from bot.reaching import reaches
from bot.variables import EVERYWHERE
from core.conversation import Noted
from core.errors import DiskLost, PlatformTrouble, PreviouslyError, SettingsError, StorageError
from core.views.settings import problem_text

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine, Sequence

    from bot.health import Server
    from bot.house import House
    from bot.platforms import Surroundings
    from bot.pulse import Pulse
    from bot.settings import Settings
    from core.conversation import Platform, Surface

REST: Final = (5.0, 15.0, 60.0, 300.0)
"""Seconds after which a platform that could not be reached is tried again, the last for ever."""

CONNECTED: Final = 20.0
"""Seconds that the models wait at most for the platforms."""

PART: Final = 2.5
"""Seconds that the running turn has to keep its part when the process ends."""

_log = logging.getLogger("previously")


@runtime_checkable
class Announcing(Protocol):
    """A platform on which the process may speak of itself: the terminal."""

    exit_code: int

    async def announce(self, text: str) -> None:
        """Say it."""


@dataclass
class Heralds:
    """Says what concerns the process: on the terminal while it is one of the platforms, else in the log."""

    on: list[Announcing] = field(default_factory=list)

    async def tell(self, text: str) -> None:
        """Say it to whoever runs the process."""
        if not self.on:
            _log.warning("%s", text)
        for one in self.on:
            await one.announce(text)


@dataclass(frozen=True, slots=True)
class Running:
    """What runs. `last` is done once the platforms are there (models are warmed); `notices` are told at the start.

    `listen` serves PORT.
    """

    surroundings: Surroundings
    surfaces: Sequence[Surface]
    heralds: Heralds
    notices: Sequence[str] = ()
    last: Callable[[], Awaitable[None]] | None = None
    listen: Callable[[], Coroutine[object, object, None]] | None = None
    make: Callable[[Surface, Surroundings], Platform] = make

    async def live(self) -> int:
        """Serve until every platform has ended or the process is told to end; the exit code of the process.

        Raises SettingsError when no platform or port could be served, and `DiskLost`.
        """
        platforms = await self._made()
        house = self.surroundings.house
        house.queues.join(platforms)
        self.surroundings.pulse.expect(*(surface for surface in platforms if surface != "terminal"))
        owed = await self._open(house)
        terminal = platforms.get("terminal")
        if terminal:
            greeter = terminal.presenter("terminal", "briefing", Journalled(house.parts.journal))
            await house.arrivals.greet(greeter, self.surroundings.locale)
        try:
            failed = await self._serve(house, platforms, owed)
        except* (DiskLost, SettingsError) as several:
            raise _first(several) from several
        if failed:
            raise failed
        return terminal.exit_code if isinstance(terminal, Announcing) else 0

    async def _made(self) -> dict[Surface, Platform]:
        """The platforms that could be made; one that could not is told of. Raises when there is none."""
        made: dict[Surface, Platform] = {}
        wrong: list[SettingsError] = []
        for surface in self.surfaces:
            try:
                made[surface] = self.make(surface, self.surroundings)
            except SettingsError as error:
                wrong.append(error)
        if not made and wrong:
            raise wrong[0]
        self.heralds.on += [platform for platform in made.values() if isinstance(platform, Announcing)]
        for one in wrong:
            await self.heralds.tell(str(one))
        return made

    async def _open(self, house: House) -> list[str]:
        """Tell where memory is, take up what was left undone, and tell what is wrong with memory, which is returned."""
        words = self.surroundings.words[self.surroundings.locale]
        for notice in self.notices:
            await self.heralds.tell(notice)
        recovered = await house.recover()
        if recovered:
            await self.heralds.tell(words("start.recovered", n=recovered))
        notices = house.parts.journal.notices
        owed: list[str] = []
        while notices:
            key, fields = notices.pop(0)
            owed.append(words(key, **fields))
        owed += [problem_text(problem, words) for problem in (await house.parts.config.load()).problems]
        for text in owed:
            await self.heralds.tell(text)
        return owed

    async def _inform(self, house: House, platforms: dict[Surface, Platform], owed: Sequence[str]) -> None:
        """Tell the owner what is wrong with memory where they talked last, as far as that can be reached."""
        await self.surroundings.pulse.connected.wait()
        heard = house.parts.journal.state.heard
        platform = next((one for surface, one in platforms.items() if heard and surface == heard[0]), None)
        if not heard or platform is None or isinstance(platform, Announcing) or not reaches(platform, heard[1]):
            return  # who runs the process was told
        presenter = platform.presenter(heard[1], "notice", Journalled(house.parts.journal))
        for text in owed:
            with suppress(PlatformTrouble, StorageError, TimeoutError):
                async with asyncio.timeout(CONNECTED):
                    await presenter.show(Noted(text))

    async def _serve(
        self, house: House, platforms: dict[Surface, Platform], owed: Sequence[str]
    ) -> SettingsError | None:
        """Serve; the reason why a platform ended when none ended well. What is being answered keeps its part."""
        async with asyncio.TaskGroup() as group:
            queues = group.create_task(house.queues.serve())
            others = [
                group.create_task(work)
                for work in (_tidy(house), house.schedule.run(), self.surroundings.owners.watch())
            ]
            if self.listen:
                others.append(group.create_task(self.listen()))
            talks = {surface: group.create_task(self._talk(one)) for surface, one in platforms.items()}
            others += [group.create_task(self._last()), group.create_task(self._inform(house, platforms, owed))]
            try:
                await _ended(talks)
                ends = [task.result() for task in talks.values() if task.done() and not task.cancelled()]
            finally:
                if "terminal" in talks:  # its output goes on when it reads no more; others say goodbye at the end
                    talks["terminal"].cancel()
                await house.queues.leave(PART)
                for task in (*others, queues, *talks.values()):
                    task.cancel()
        return next((end for end in ends if end), None) if all(ends) else None

    async def _talk(self, platform: Platform) -> SettingsError | None:
        """Serve one platform; trouble with it harms no other. None when it ended well, else what must be mended."""
        tries = 0
        told: set[Surface] = set()
        while True:
            began = self.surroundings.clock.monotonic()
            try:
                await platform.serve(self.surroundings.house.door)
            except SettingsError as error:
                if len(self.surfaces) > 1:  # else it is what the process ends with
                    await self.heralds.tell(str(error))
                return error
            except PlatformTrouble as error:
                _log.warning("%s cannot be served: %s", platform.surface, error)
                await self._tell_unreached(platform.surface, told)
            except DiskLost:
                raise
            except Exception as error:  # one platform's fault is not to end the others; logged with its traceback
                if lost := _lost(error):
                    raise lost from error
                if isinstance(platform, Announcing):
                    raise
                _log.exception("%s broke off", platform.surface)
            else:
                return None
            tries = 0 if self.surroundings.clock.monotonic() - began > max(REST) else tries
            rest = REST[min(tries, len(REST) - 1)]
            tries += 1
            _log.warning("%s is served again in %d s", platform.surface, rest)
            await self.surroundings.clock.sleep(rest)

    async def _tell_unreached(self, surface: Surface, told: set[Surface]) -> None:
        """Say once, where the process speaks, that a platform does not answer and where it was looked for."""
        if surface in told:
            return
        told.add(surface)
        settings, words = self.surroundings.settings, self.surroundings.words[self.surroundings.locale]
        address = {
            "telegram": settings.telegram_base_url or "https://api.telegram.org",
            "discord": settings.discord_api_url or "https://discord.com",
        }.get(surface, "")
        await self.heralds.tell(words("start.unreached", platform=surface.capitalize(), address=address))

    async def _last(self) -> None:
        if self.last:
            with suppress(TimeoutError):
                async with asyncio.timeout(CONNECTED):
                    await self.surroundings.pulse.connected.wait()
            await self.last()


def listening(
    chosen: Settings, house: House, pulse: Pulse
) -> tuple[Server | None, Callable[[], Coroutine[object, object, None]] | None]:
    """The server of this process and what serves it; nothing when PORT is not set."""
    if chosen.port is None:
        return None, None
    from bot.health import Server, facts  # noqa: PLC0415 - aiohttp is heavy, and mostly nothing listens

    server = Server(lambda: pulse.ready, lambda: facts(house, pulse), chosen.access_key())
    return server, partial(server.serve, chosen.previously_bind or EVERYWHERE, chosen.port)


async def _ended(talks: dict[Surface, asyncio.Task[SettingsError | None]]) -> None:
    """Wait until the person has left the terminal, or until every platform has ended."""
    if terminal := talks.get("terminal"):
        await asyncio.wait({terminal})
    else:
        await asyncio.wait(talks.values())


async def _tidy(house: House) -> None:
    """Bring memory into order; what fails is tried again at the next start, and the talk goes on."""
    try:
        await house.tidy()
    except PreviouslyError as error:
        if isinstance(error, DiskLost):
            raise
        _log.warning("memory was not tidied: %s", error)


def _lost(error: Exception) -> BaseException | None:
    """The loss of the disk inside a group of errors: then nothing may go on."""
    losses = error.subgroup(DiskLost) if isinstance(error, ExceptionGroup) else None
    return _first(losses) if losses else None


def _first(several: BaseException) -> BaseException:
    """The error at the bottom of groups."""
    while isinstance(several, BaseExceptionGroup):
        several = several.exceptions[0]
    return several
